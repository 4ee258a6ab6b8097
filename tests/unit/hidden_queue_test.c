/* Devices that hide what they hold: targets of the device mapper that keep requests
 * back (dm-delay, dm-crypt) count them as in flight only when they pass them on, and
 * tell their whole time when they complete. Series as Linux 6.1 gives them. */
#include "config.h"

#include "core/session.h"

#include "feed.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#define S NSEC_PER_SEC

enum {
	SLOTS = 50 /* of the sampler in a second */
};

static struct session *session;
static struct feed feed;
static uint32_t disk;
static uint64_t ops, ms, sum, samples;

/* What is summed up over the ticks: figures, and ticks without one. */
static double num, den;
static unsigned unknown, zeros;

static int begin(void **unused)
{
	(void)unused;
	session = session_new("hidden", 60);
	feed_init(&feed, session);
	disk = feed_subject(&feed, KIND_DISK, "dm-0", "");
	ops = ms = sum = samples = 0;
	return 0;
}

static int end(void **unused)
{
	(void)unused;
	feed_fini(&feed);
	session_free(session);
	return 0;
}

/* A second in which COUNT requests completed that took EACH ms, and SEEN were in flight
 * in the samples and at its end. */
static struct value a_second(uint64_t count, uint64_t each, uint64_t seen)
{
	struct value value;

	ops += count;
	ms += count * each;
	sum += seen * SLOTS;
	samples += SLOTS;
	feed_set(&feed, disk, RAW_DISK_READ_OPS, ops);
	feed_set(&feed, disk, RAW_DISK_READ_MS, ms);
	feed_set(&feed, disk, RAW_DISK_WRITE_OPS, 0);
	feed_set(&feed, disk, RAW_DISK_WEIGHTED_MS, ms);
	feed_set(&feed, disk, RAW_DISK_PENDING, seen);
	feed_set(&feed, disk, RAW_DISK_INFLIGHT_SUM, sum);
	feed_set(&feed, disk, RAW_DISK_SAMPLES, samples);
	feed_set(&feed, disk, RAW_DISK_INFLIGHT_MAX, seen);
	feed_tick(&feed, S, 0);
	value = *session_figure(session, 0, "disk.queue");
	num += value.why == WHY_NONE ? value.num : 0;
	den += value.why == WHY_NONE ? value.den : 0;
	unknown += value.why == WHY_NO_COMPLETION;
	zeros += value.why == WHY_NONE && value.value <= 0;
	return value;
}

static void count_anew(void)
{
	num = den = 0;
	unknown = zeros = 0;
}

/* 16 requests of 2.5 s: a batch completes in the third and in the second second after
 * the last one, in turn. */
static void hold_16_for_two_and_a_half_seconds(unsigned seconds)
{
	for (unsigned i = 1; i <= seconds; i++)
		(void)a_second(i % 5 == 3 || i % 5 == 0 ? 16 : 0, 2500, 0);
}

static void a_queue_that_no_sample_sees_is_that_of_completions(void **unused)
{
	(void)unused;
	(void)a_second(0, 0, 0);
	hold_16_for_two_and_a_half_seconds(5);
	count_anew();
	hold_16_for_two_and_a_half_seconds(50);
	assert_true(fabs(num / den - 16) < 0.05 * 16);
	assert_int_equal(zeros, 0);
	/* between two batches nobody knows: which is not 0 */
	assert_int_equal(unknown, 30);
}

/* Before the first batch nothing is known; that it took longer than the tick is. */
static void the_first_batch_is_no_spike(void **unused)
{
	struct value value;

	(void)unused;
	(void)a_second(0, 0, 0);
	(void)a_second(0, 0, 0);
	(void)a_second(0, 0, 0);
	value = a_second(16, 2500, 0);
	assert_int_equal(value.why, WHY_NONE);
	assert_true(fabs(value.value - 16) < 1e-6);
}

static void once_it_rests_its_queue_is_0_again(void **unused)
{
	(void)unused;
	(void)a_second(0, 0, 0);
	hold_16_for_two_and_a_half_seconds(50);
	count_anew();
	for (int i = 0; i < 20; i++)
		(void)a_second(0, 0, 0);
	/* up to twice as long as its requests took */
	assert_in_range(unknown, 1, 5);
	assert_int_equal(zeros, 20 - unknown);
}

/* Half a second: 16 complete twice in each tick, and the sampler meets none of them. */
static void below_a_tick_it_is_right_in_each(void **unused)
{
	(void)unused;
	(void)a_second(0, 0, 0);
	for (int i = 0; i < 20; i++)
		assert_true(fabs(a_second(32, 500, 0).value - 16) < 1e-9);
}

/* What it passes on is seen for a while: less than half of the truth is no truth. */
static void what_is_seen_in_part_is_not_believed(void **unused)
{
	(void)unused;
	(void)a_second(0, 0, 0);
	for (int i = 0; i < 20; i++)
		assert_true(fabs(a_second(32, 500, 4).value - 16) < 1e-9);
}

/* The samples of an honest device: one request of 100 s among quick ones, whose time
 * comes in one tick. It has been seen all the while. */
static void a_jump_that_was_seen_contradicts_nothing(void **unused)
{
	(void)unused;
	(void)a_second(0, 0, 0);
	for (int i = 0; i < 100; i++)
		(void)a_second(1, 300, 2);
	ms += 100 * 1000 - 300;
	assert_true(fabs(a_second(1, 300, 2).value - 2) < 1e-9);
	count_anew();
	(void)a_second(0, 0, 0);
	(void)a_second(0, 0, 0);
	assert_int_equal(unknown, 0);
}

/* A recording that begins while requests are outstanding has not seen their beginning.
 */
static void what_was_outstanding_before_contradicts_nothing(void **unused)
{
	(void)unused;
	(void)a_second(0, 0, 64);
	(void)a_second(0, 0, 64);
	assert_true(fabs(a_second(64, 3000, 64).value - 64) < 1e-9);
}

#define CASE(test) cmocka_unit_test_setup_teardown(test, begin, end)

int main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(a_queue_that_no_sample_sees_is_that_of_completions),
		CASE(the_first_batch_is_no_spike),
		CASE(once_it_rests_its_queue_is_0_again),
		CASE(below_a_tick_it_is_right_in_each),
		CASE(what_is_seen_in_part_is_not_believed),
		CASE(a_jump_that_was_seen_contradicts_nothing),
		CASE(what_was_outstanding_before_contradicts_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
