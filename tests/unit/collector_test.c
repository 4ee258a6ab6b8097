/* Sources together: what is late, absent, denied; a thread that hangs is left behind.
 */
#include "config.h"

#include "app/collector.h"
#include "base/clock.h"
#include "base/text.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/* A source that a test holds by a gate. */
static struct {
	pthread_mutex_t lock;
	pthread_cond_t moved;
	bool shut;
	int reads;
	bool fails, hides, renamed;
} gate = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, false, 0, false, false,
	false};

static int calm(void **state)
{
	(void)state;
	gate.shut = gate.fails = gate.hides = gate.renamed = false;
	gate.reads = 0;
	return 0;
}

static void set_gate(bool shut)
{
	(void)pthread_mutex_lock(&gate.lock);
	gate.shut = shut;
	(void)pthread_cond_broadcast(&gate.moved);
	(void)pthread_mutex_unlock(&gate.lock);
}

static bool opens(void **state, const struct source_env *env, struct fault *fault)
{
	(void)env;
	(void)fault;
	*state = &gate;
	return true;
}

static bool refuses(void **state, const struct source_env *env, struct fault *fault)
{
	(void)env;
	*state = NULL;
	return fault_set(fault, "needs a key");
}

/* A source whose device comes later. */
static bool opens_later(void **state, const struct source_env *env, struct fault *fault)
{
	if (gate.fails)
		return refuses(state, env, fault);
	return opens(state, env, fault);
}

static void closes(void *state)
{
	(void)state;
}

static void put_disk(struct sink *sink, const char *name, unsigned raw, uint64_t value)
{
	struct subject subject = {.kind = KIND_DISK};

	assert_true(text_copy(subject.name, sizeof subject.name, name));
	if (gate.renamed)
		subject.label[0] = 'x';
	sink_put(sink, sink_subject(sink, &subject), raw, value);
}

static bool reads(void *state, struct sink *sink, nsec now, struct fault *fault)
{
	(void)state;
	(void)now;
	gate.reads++;
	if (gate.fails)
		return fault_set(fault, "the file is gone");
	put_disk(sink, "sda", RAW_DISK_READ_OPS, 100 + (uint64_t)gate.reads);
	if (!gate.hides)
		put_disk(sink, "sdb", RAW_DISK_READ_OPS, 200);
	return true;
}

static bool reads_slowly(void *state, struct sink *sink, nsec now, struct fault *fault)
{
	(void)state;
	(void)now;
	(void)fault;
	(void)pthread_mutex_lock(&gate.lock);
	while (gate.shut)
		(void)pthread_cond_wait(&gate.moved, &gate.lock);
	(void)pthread_mutex_unlock(&gate.lock);
	put_disk(sink, "slow", RAW_DISK_WRITE_OPS, 7);
	return true;
}

static const struct source quick = {
	.name = "quick", .open = opens, .read = reads, .close = closes};
static const struct source slow = {.name = "slow",
	.may_block = true,
	.open = opens,
	.read = reads_slowly,
	.close = closes};
static const struct source closed = {
	.name = "closed", .open = refuses, .read = reads, .close = closes};

static const struct source later = {
	.name = "later", .open = opens_later, .read = reads, .close = closes};
static const struct source later_in_a_thread = {.name = "later",
	.may_block = true,
	.open = opens_later,
	.read = reads_slowly,
	.close = closes};

static struct tick tick;

static const struct reading *reading_of(const char *name)
{
	for (size_t i = 0; i < tick.catalog->series_count; i++)
		if (!strcmp(tick.catalog->subjects[tick.catalog->series[i].subject]
				    .name,
			    name))
			return &tick.readings[i];
	return NULL;
}

static bool read_for(struct collector *collector, nsec time)
{
	return collector_read(collector, clock_mono() + time, &tick);
}

static void readings_come_with_their_stamps(void **state)
{
	const struct source *const list[] = {&quick, NULL};
	struct collector *collector = collector_new(list, NULL);
	nsec before = clock_mono();

	(void)state;
	(void)read_for(collector, 0);
	assert_int_equal(reading_of("sda")->raw, 101);
	assert_int_equal(reading_of("sda")->why, WHY_NONE);
	assert_true(tick.stamps[0] >= before && tick.stamps[0] <= clock_mono());
	assert_int_equal(tick.catalog->series_count, 2);
	assert_false(read_for(collector, 0));
	assert_int_equal(reading_of("sda")->raw, 102);
	assert_int_equal(tick.catalog->series_count, 2);
	collector_free(collector);
}

static nsec looked; /* when the look was over */

static void looks(void *state, struct sink *sink, nsec now)
{
	(void)state;
	(void)sink;
	while (clock_mono() < now + NSEC_PER_MSEC)
		; /* it takes its time */
	looked = clock_mono();
}

static void a_look_is_no_part_of_the_time_between_figures(void **state)
{
	static const struct source careful = {.name = "careful",
		.open = opens,
		.look = looks,
		.read = reads,
		.close = closes};
	const struct source *const list[] = {&careful, NULL};
	struct collector *collector = collector_new(list, NULL);

	(void)state;
	looked = 0;
	(void)read_for(collector, 0);
	assert_true(looked > 0);
	assert_true(tick.stamps[0] >= looked);
	collector_free(collector);
}

static void a_device_that_goes_is_absent(void **state)
{
	const struct source *const list[] = {&quick, NULL};
	struct collector *collector = collector_new(list, NULL);

	(void)state;
	(void)read_for(collector, 0);
	gate.hides = true;
	(void)read_for(collector, 0);
	assert_int_equal(reading_of("sda")->why, WHY_NONE);
	assert_int_equal(reading_of("sdb")->why, WHY_ABSENT);
	collector_free(collector);
}

static void a_known_subject_that_changes_asks_for_a_full_tick(void **state)
{
	const struct source *const list[] = {&quick, NULL};
	struct collector *collector = collector_new(list, NULL);

	(void)state;
	(void)read_for(collector, 0);
	gate.renamed = true;
	assert_true(read_for(collector, 0));
	assert_false(read_for(collector, 0));
	collector_free(collector);
}

static void a_failed_reading_is_late_and_keeps_its_stamp(void **state)
{
	const struct source *const list[] = {&quick, NULL};
	struct collector *collector = collector_new(list, NULL);
	char text[128];
	nsec stamp;

	(void)state;
	(void)read_for(collector, 0);
	stamp = tick.stamps[0];
	gate.fails = true;
	(void)read_for(collector, 0);
	assert_int_equal(reading_of("sda")->why, WHY_LATE);
	assert_int_equal(tick.stamps[0], stamp);
	collector_trouble(collector, clock_mono(), text, sizeof text);
	assert_string_equal(text, "quick: the file is gone");
	gate.fails = false;
	(void)read_for(collector, 0);
	assert_int_equal(reading_of("sda")->why, WHY_NONE);
	collector_trouble(collector, clock_mono(), text, sizeof text);
	assert_string_equal(text, "");
	collector_free(collector);
}

static void a_source_that_cannot_serve_is_named(void **state)
{
	const struct source *const list[] = {&closed, &quick, NULL};
	struct collector *collector = collector_new(list, NULL);
	char text[128];

	(void)state;
	(void)read_for(collector, 0);
	assert_int_equal(tick.catalog->series_count, 2);
	collector_trouble(collector, clock_mono(), text, sizeof text);
	assert_string_equal(text, "closed: needs a key");
	collector_free(collector);
}

static void comes_back(const struct source *source, const char *name)
{
	const struct source *const list[] = {source, NULL};
	struct collector *collector;
	char text[128];

	gate.fails = true;
	collector = collector_new(list, NULL);
	(void)read_for(collector, 3600 * NSEC_PER_SEC);
	assert_int_equal(tick.catalog->series_count, 0);
	collector_trouble(collector, clock_mono(), text, sizeof text);
	assert_string_equal(text, "later: needs a key");
	gate.fails = false;
	do /* as long as it takes */
		(void)read_for(collector, 100 * NSEC_PER_MSEC);
	while (!tick.catalog->series_count);
	assert_int_equal(reading_of(name)->why, WHY_NONE);
	collector_trouble(collector, clock_mono(), text, sizeof text);
	assert_string_equal(text, "");
	collector_free(collector);
}

static void a_source_that_could_not_be_opened_is_tried_again(void **state)
{
	(void)state;
	comes_back(&later, "sda");
}

static void and_so_is_one_in_a_thread(void **state)
{
	(void)state;
	comes_back(&later_in_a_thread, "slow");
}

static void a_thread_that_hangs_is_late_while_all_else_goes_on(void **state)
{
	const struct source *const list[] = {&slow, &quick, NULL};
	struct collector *collector = collector_new(list, NULL);
	char text[128];
	nsec stamp;
	int reads_before;

	(void)state;
	/* as long as it takes: there is no limit on time in this */
	(void)read_for(collector, 3600 * NSEC_PER_SEC);
	assert_int_equal(reading_of("slow")->raw, 7);
	stamp = tick.stamps[0];
	set_gate(true);
	reads_before = gate.reads;
	for (int i = 0; i < 3; i++) {
		(void)read_for(collector, NSEC_PER_MSEC);
		assert_int_equal(reading_of("slow")->why, WHY_LATE);
		assert_int_equal(reading_of("sda")->why, WHY_NONE);
		assert_int_equal(tick.stamps[0], stamp);
	}
	assert_int_equal(gate.reads, reads_before + 3);
	collector_trouble(
		collector, clock_mono() + 12 * NSEC_PER_SEC, text, sizeof text);
	assert_non_null(strstr(text, "slow late 12s"));
	set_gate(false);
	do
		(void)read_for(collector, 100 * NSEC_PER_MSEC);
	while (reading_of("slow")->why == WHY_LATE);
	assert_int_equal(reading_of("slow")->why, WHY_NONE);
	assert_true(tick.stamps[0] > stamp);
	collector_free(collector);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(readings_come_with_their_stamps, calm),
		cmocka_unit_test_setup(
			a_look_is_no_part_of_the_time_between_figures, calm),
		cmocka_unit_test_setup(a_device_that_goes_is_absent, calm),
		cmocka_unit_test_setup(
			a_known_subject_that_changes_asks_for_a_full_tick, calm),
		cmocka_unit_test_setup(
			a_failed_reading_is_late_and_keeps_its_stamp, calm),
		cmocka_unit_test_setup(a_source_that_cannot_serve_is_named, calm),
		cmocka_unit_test_setup(
			a_source_that_could_not_be_opened_is_tried_again, calm),
		cmocka_unit_test_setup(and_so_is_one_in_a_thread, calm),
		cmocka_unit_test_setup(
			a_thread_that_hangs_is_late_while_all_else_goes_on, calm),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
