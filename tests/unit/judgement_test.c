/* Sessions whose truth is known, through ticks, windows and figures to the word. */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/judgement.h"
#include "packet/class.h"
#include "recording.h"
#include "series.h"

#include <math.h>

enum {
	WINDOW = 2400,
	PAUSE = 100
};

static struct recording r;
static size_t ops, queue, retrans, segments, bytes, repeats, lost;
static double z;

static int begin(void **unused)
{
	uint32_t disk, nic;

	(void)unused;
	recording_init(&r, 0);
	disk = recording_subject(&r, KIND_DISK, "sda", "", "");
	nic = recording_subject(&r, KIND_NIC, "eth0", "", "");
	ops = recording_series(&r, disk, RAW_DISK_READ_OPS, 0);
	(void)recording_series(&r, disk, RAW_DISK_WRITE_OPS, 0);
	queue = recording_series(&r, disk, RAW_DISK_WEIGHTED_MS, 0);
	bytes = recording_series(&r, disk, RAW_DISK_READ_SECTORS, 0);
	segments = recording_series(&r, nic, RAW_CAPTURE_SEGMENTS, 1000);
	retrans = recording_series(&r, nic,
		raw_packet((unsigned)packet_class_find("ip4.cksum"), PACKET_RX), 0);
	repeats = recording_series(&r, nic,
		raw_packet((unsigned)packet_class_find("tcp.retrans"), PACKET_RX), 0);
	lost = recording_series(&r, nic, RAW_CAPTURE_LOST, 0);
	z = 0;
	recording_ticks(&r, 1);
	return 0;
}

static int end(void **unused)
{
	(void)unused;
	recording_fini(&r);
	return 0;
}

/* COUNT ticks at LOAD operations a second; the queue is FACTOR times load^1.2 / 100,
 * both with autocorrelated noise; one bad packet every EVERY ticks, 0: none. */
static void ticks(size_t count, double load, double factor, unsigned every)
{
	for (size_t t = 0; t < count; t++) {
		double now, depth;

		z = 0.8 * z + 0.6 * series_normal();
		now = load * exp(0.3 * z);
		depth = factor * pow(now, 1.2) / 100 * exp(0.2 * series_normal());
		r.step[ops] = (uint64_t)now;
		r.step[bytes] = 8 * (uint64_t)now;
		r.step[queue] = (uint64_t)(1000 * depth);
		r.step[retrans] = every && t % every == 0;
		r.step[repeats] = r.step[retrans];
		recording_ticks(&r, 1);
	}
}

static const struct judged *row(const struct judgement *j, const char *metric)
{
	int id = metric_find(metric);

	assert_true(id >= 0);
	for (size_t i = 0; i < j->count; i++)
		if (r.session->tracks[i].metric == (unsigned)id)
			return &j->rows[i];
	fail_msg("no row %s", metric);
	return NULL;
}

/* BEFORE, a change, AFTER: both WINDOW seconds long behind the settling time. */
static struct judgement before_and_after(double load, double factor, unsigned bad)
{
	struct judgement j = {0};
	uint32_t a = recording_window(&r, ROLE_BEFORE, "BEFORE", 0, WINDOW);
	uint32_t b = recording_window(
		&r, ROLE_AFTER, "AFTER", WINDOW + PAUSE, 2 * WINDOW + PAUSE + 60);

	series_seed(4711);
	ticks(WINDOW, 300, 1, 40);
	ticks(PAUSE, 300, 1, 0);
	ticks(WINDOW + 60, load, factor, bad);
	judgement_measure(&j, r.session, a, b, false);
	(void)judgement_decide(&j, 1, r.session);
	return j;
}

/* A kernel upgrade alone moves what a kernel calls "at the device". */
static void what_two_kernels_count_otherwise_is_refused(void **unused)
{
	uint32_t disk = r.catalog.series[ops].subject;
	struct run other = {.number = 2,
		.from = (WINDOW + 50) * NSEC_PER_SEC,
		.kernel = "Linux 6.18",
		.boot_id = "other"};
	struct judgement j;
	char word[16];

	(void)unused;
	(void)recording_series(&r, disk, RAW_DISK_INFLIGHT_MAX, 9);
	(void)recording_series(&r, disk, RAW_DISK_BUSY_MS, 500);
	j = before_and_after(300, 2, 40);
	assert_int_not_equal(row(&j, "disk.queue.max")->raw.word, VERDICT_KERNEL);
	session_run(r.session, &other);
	judgement_measure(&j, r.session, 1, 2, false);
	(void)judgement_decide(&j, 1, r.session);
	assert_int_equal(row(&j, "disk.queue.max")->raw.word, VERDICT_KERNEL);
	assert_false(row(&j, "disk.queue.max")->raw.tested);
	verdict_short(word, sizeof word, &row(&j, "disk.queue.max")->raw);
	assert_string_equal(word, "kernel");
	assert_int_equal(judged_verdict(row(&j, "disk.queue"))->word, VERDICT_WORSE);
	judgement_fini(&j);
}

static void percent_of_time_is_no_part_of_a_verdict(void **unused)
{
	uint32_t disk = r.catalog.series[ops].subject;
	struct judgement j;

	(void)unused;
	(void)recording_series(&r, disk, RAW_DISK_BUSY_MS, 500);
	j = before_and_after(300, 2, 40);
	assert_int_equal(row(&j, "disk.util")->raw.word, VERDICT_NONE);
	judgement_fini(&j);
}

static void no_change_gets_no_verdict_of_change(void **unused)
{
	struct judgement j = before_and_after(300, 1, 40);
	enum verdict_word word = judged_verdict(row(&j, "disk.queue"))->word;

	(void)unused;
	assert_true(word == VERDICT_UNCLEAR || word == VERDICT_SAME);
	word = row(&j, "packets.ip4.cksum.rx")->raw.word;
	assert_true(word == VERDICT_UNCLEAR || word == VERDICT_SAME);
	judgement_fini(&j);
}

static void a_halved_queue_at_the_same_load_is_better(void **unused)
{
	struct judgement j = before_and_after(300, 0.5, 40);
	const struct judged *judged = row(&j, "disk.queue");

	(void)unused;
	assert_true(judged->headline);
	assert_false(judged->load_differs);
	assert_int_equal(judged->raw.word, VERDICT_BETTER);
	assert_true(judged->raw.low < -0.5 && judged->raw.high > -0.5 - 0.1);
	judgement_fini(&j);
}

static void a_queue_that_fell_with_its_load_is_lower_not_better(void **unused)
{
	struct judgement j = before_and_after(150, 1, 40);
	const struct judged *judged = row(&j, "disk.queue");

	(void)unused;
	assert_true(judged->load_differs && judged->has_load);
	assert_int_equal(judged->raw.word, VERDICT_LOWER);
	assert_true(judged->same_load.word != VERDICT_BETTER);
	assert_true(judged->same_load.word != VERDICT_WORSE);
	judgement_fini(&j);
}

static void bad_packets_that_stopped_are_better(void **unused)
{
	struct judgement j = before_and_after(300, 1, 0);
	const struct judged *judged = row(&j, "packets.ip4.cksum.rx");

	(void)unused;
	assert_int_equal(judged->raw.word, VERDICT_BETTER);
	assert_true(judged->raw.k1 == WINDOW / 40 && judged->raw.k2 == 0);
	assert_true(fabs(judged->raw.a - 1.0 / 40 / 1000) < 1e-9);
	judgement_fini(&j);
}

/* EVERY: a frame is lost by the capture in so many ticks of AFTER. */
static enum verdict_word with_losses(unsigned every, const char *metric)
{
	struct judgement j = {0};
	uint32_t a = recording_window(&r, ROLE_BEFORE, "BEFORE", 0, WINDOW);
	uint32_t b = recording_window(&r, ROLE_AFTER, "AFTER", WINDOW, 2 * WINDOW + 60);
	enum verdict_word word;

	series_seed(4711);
	ticks(WINDOW, 300, 1, 10);
	for (unsigned t = 0; t < WINDOW + 60; t++) {
		r.step[lost] = every && t % every == 0;
		ticks(1, 300, 1, t % 40 ? 0 : 1);
	}
	judgement_measure(&j, r.session, a, b, false);
	(void)judgement_decide(&j, 1, r.session);
	word = row(&j, metric)->raw.word;
	if (word == VERDICT_TOO_LITTLE)
		assert_string_equal(
			row(&j, metric)->raw.lacks, "a capture that saw all frames");
	judgement_fini(&j);
	return word;
}

static void tcp_is_judged_where_the_capture_saw_all(void **unused)
{
	(void)unused;
	assert_int_equal(with_losses(0, "packets.tcp.retrans.rx"), VERDICT_BETTER);
}

static void a_few_lost_frames_are_no_doubt(void **unused)
{
	(void)unused; /* 5 of 300 events */
	assert_int_equal(with_losses(500, "packets.tcp.retrans.rx"), VERDICT_BETTER);
}

static void tcp_is_unsure_where_the_capture_lost_frames(void **unused)
{
	(void)unused;
	assert_int_equal(with_losses(20, "packets.tcp.retrans.rx"), VERDICT_TOO_LITTLE);
}

/* A frame is judged by itself: the lost ones are neither good nor bad. */
static void a_checksum_is_sure_all_the_same(void **unused)
{
	(void)unused;
	assert_int_equal(with_losses(20, "packets.ip4.cksum.rx"), VERDICT_BETTER);
}

static void three_settings_do_nothing_and_the_fourth_helps(void **unused)
{
	uint32_t a = recording_window(&r, ROLE_BEFORE, "BEFORE", 0, WINDOW);
	uint32_t after[4];
	int64_t at = WINDOW;

	(void)unused;
	series_seed(42);
	for (size_t i = 0; i < 4; i++) {
		after[i] = recording_window(
			&r, ROLE_AFTER, "AFTER", at + PAUSE, at + PAUSE + WINDOW);
		at += PAUSE + WINDOW;
	}
	ticks(WINDOW, 100, 1, 0);
	for (size_t i = 0; i < 4; i++)
		ticks(PAUSE + WINDOW, i < 3 ? 100 : 400, 1, 0);
	for (size_t i = 0; i < 4; i++) {
		struct judgement j = {0};
		const struct verdict *v;

		judgement_measure(&j, r.session, a, after[i], false);
		(void)judgement_decide(&j, 1, r.session);
		v = judged_verdict(row(&j, "disk.read.bytes"));
		if (i < 3) {
			assert_true(
				v->word == VERDICT_UNCLEAR || v->word == VERDICT_SAME);
		} else {
			assert_int_equal(v->word, VERDICT_HIGHER);
			assert_true(v->b / v->a > 3.7 && v->b / v->a < 4.3);
		}
		judgement_fini(&j);
	}
}

static void settling_is_left_out_of_the_verdict(void **unused)
{
	struct judgement j = {0};
	uint32_t a = recording_window(&r, ROLE_BEFORE, "BEFORE", 0, WINDOW);
	uint32_t b = recording_window(&r, ROLE_AFTER, "AFTER", WINDOW, 2 * WINDOW + 60);
	const struct verdict *v;

	(void)unused;
	series_seed(7);
	ticks(WINDOW, 300, 1, 0);
	ticks(60, 300, 1000, 0); /* the burst right behind the mark */
	ticks(WINDOW, 300, 1, 0);
	judgement_measure(&j, r.session, a, b, false);
	(void)judgement_decide(&j, 1, r.session);
	v = &row(&j, "disk.queue")->raw;
	assert_true(fabs(v->b / v->a - 1) < 0.2);
	judgement_fini(&j);
}

static void short_windows_wait(void **unused)
{
	struct judgement j = {0};
	uint32_t a = recording_window(&r, ROLE_BEFORE, "BEFORE", 0, 100);
	uint32_t b = recording_window(&r, ROLE_AFTER, "AFTER", 100, 0);

	(void)unused;
	ticks(200, 300, 1, 0);
	judgement_measure(&j, r.session, a, b, false);
	(void)judgement_decide(&j, 1, r.session);
	assert_int_equal(row(&j, "disk.queue")->raw.word, VERDICT_TOO_SHORT);
	assert_true(j.level == VERDICT_LEVEL_LIVE);
	judgement_fini(&j);
}

/* The screen shows its verdict as well, but nobody ended it for that. */
static void a_planned_end_needs_the_stricter_level_until_it_is_there(void **unused)
{
	struct judgement j = {0};
	uint32_t a = recording_window(&r, ROLE_BEFORE, "BEFORE", 0, 100);
	uint32_t b = recording_window(&r, ROLE_AFTER, "AFTER", 100, 200);

	(void)unused;
	r.session->windows.list[1].planned = true;
	ticks(150, 300, 1, 0);
	judgement_measure(&j, r.session, a, b, false);
	assert_true(j.level == VERDICT_LEVEL_LIVE);
	ticks(100, 300, 1, 0);
	judgement_measure(&j, r.session, a, b, false);
	assert_true(j.level == VERDICT_LEVEL);
	r.session->windows.list[1].planned = false; /* ended by hand */
	judgement_measure(&j, r.session, a, b, false);
	assert_true(j.level == VERDICT_LEVEL_LIVE);
	judgement_fini(&j);
}

/* Ended by hand, but no verdict had been shown to whoever did. */
static void what_nobody_compared_while_it_ran_needs_the_usual_level(void **unused)
{
	struct judgement j = {0};
	uint32_t a = recording_window(&r, ROLE_BEFORE, "BEFORE", 0, 100);
	uint32_t b = recording_window(&r, ROLE_AFTER, "AFTER", 100, 200);

	(void)unused;
	r.session->windows.list[1].unseen = true;
	ticks(150, 300, 1, 0);
	judgement_measure(&j, r.session, a, b, false);
	assert_true(j.level == VERDICT_LEVEL_LIVE); /* here is one */
	ticks(100, 300, 1, 0);
	judgement_measure(&j, r.session, a, b, false);
	assert_true(j.level == VERDICT_LEVEL);
	judgement_fini(&j);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(
			a_planned_end_needs_the_stricter_level_until_it_is_there, begin,
			end),
		cmocka_unit_test_setup_teardown(
			what_nobody_compared_while_it_ran_needs_the_usual_level, begin,
			end),
		cmocka_unit_test_setup_teardown(
			what_two_kernels_count_otherwise_is_refused, begin, end),
		cmocka_unit_test_setup_teardown(
			percent_of_time_is_no_part_of_a_verdict, begin, end),
		cmocka_unit_test_setup_teardown(
			no_change_gets_no_verdict_of_change, begin, end),
		cmocka_unit_test_setup_teardown(
			a_halved_queue_at_the_same_load_is_better, begin, end),
		cmocka_unit_test_setup_teardown(
			a_queue_that_fell_with_its_load_is_lower_not_better, begin,
			end),
		cmocka_unit_test_setup_teardown(
			bad_packets_that_stopped_are_better, begin, end),
		cmocka_unit_test_setup_teardown(
			tcp_is_judged_where_the_capture_saw_all, begin, end),
		cmocka_unit_test_setup_teardown(
			a_few_lost_frames_are_no_doubt, begin, end),
		cmocka_unit_test_setup_teardown(
			tcp_is_unsure_where_the_capture_lost_frames, begin, end),
		cmocka_unit_test_setup_teardown(
			a_checksum_is_sure_all_the_same, begin, end),
		cmocka_unit_test_setup_teardown(
			three_settings_do_nothing_and_the_fourth_helps, begin, end),
		cmocka_unit_test_setup_teardown(
			settling_is_left_out_of_the_verdict, begin, end),
		cmocka_unit_test_setup_teardown(short_windows_wait, begin, end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
