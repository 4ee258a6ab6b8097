/* How many requests are outstanding, where storage is slow, full, silent or blocked:
 * series as kernels gave them, through the real encoding. */
#include "config.h"

#include "core/backlog.h"
#include "core/session.h"

#include "feed.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define S NSEC_PER_SEC

enum {
	RING = 60,
	SLOTS = 50 /* of the sampler in a second */
};

static struct session *session;
static struct feed feed;
static uint32_t disk;

/* One tick of a disk: what grew, and what stood at its end. */
struct second {
	uint64_t ops, ms; /* completed, and the milliseconds they took together */
	uint64_t pending, mean, highest;
};

static uint64_t ops, ms, sum, samples, limit, state;

static int begin(void **unused)
{
	(void)unused;
	session = session_new("stall", RING);
	feed_init(&feed, session);
	disk = feed_subject(&feed, KIND_DISK, "nullb0", "");
	ops = ms = sum = samples = state = 0;
	limit = 128;
	return 0;
}

static int end(void **unused)
{
	(void)unused;
	feed_fini(&feed);
	session_free(session);
	return 0;
}

static void put_second(struct second second)
{
	ops += second.ops;
	ms += second.ms;
	sum += second.mean * SLOTS;
	samples += SLOTS;
	feed_set(&feed, disk, RAW_DISK_READ_OPS, ops);
	feed_set(&feed, disk, RAW_DISK_READ_MS, ms);
	feed_set(&feed, disk, RAW_DISK_WRITE_OPS, 0);
	feed_set(&feed, disk, RAW_DISK_WEIGHTED_MS, ms);
	feed_set(&feed, disk, RAW_DISK_PENDING, second.pending);
	feed_set(&feed, disk, RAW_DISK_INFLIGHT_SUM, sum);
	feed_set(&feed, disk, RAW_DISK_SAMPLES, samples);
	feed_set(&feed, disk, RAW_DISK_INFLIGHT_MAX, second.highest);
	feed_set(&feed, disk, RAW_DISK_LIMIT_LEAST, limit);
	feed_set(&feed, disk, RAW_DISK_STATE, state);
}

static void a_second(struct second second)
{
	put_second(second);
	feed_tick(&feed, S, 0);
}

static struct value queue(void)
{
	return *session_figure(session, 0, "disk.queue");
}

static void assert_queue(double expected)
{
	struct value value = queue();

	assert_int_equal(value.why, WHY_NONE);
	assert_true(fabs(value.value - expected) <= 1e-9 * expected);
	assert_true(fabs(value.num - value.value * value.den) <= 1e-9 * value.num);
}

static void assert_at_least(double expected)
{
	assert_int_equal(queue().why, WHY_NO_COMPLETION);
	assert_true(fabs(queue().value - expected) < 1e-9);
}

static double weighted(void)
{
	return session_figure(session, 0, "disk.queue.weighted")->value;
}

static double window_mean(uint32_t id)
{
	int metric = metric_find("disk.queue");
	int track = session_track(session, 0, (unsigned)metric);
	const struct summary *summary = session_summary(session, id, (size_t)track);
	double mean = -1;

	assert_non_null(summary);
	assert_true(summary_mean(summary, &mean));
	return mean;
}

/* Every request takes 3 s and 64 are kept going: weighted time says 0, 0, 192. */
static void a_queue_of_64_is_64_in_every_tick(void **unused)
{
	static const double told[3] = {0, 0, 192};

	(void)unused;
	a_second((struct second){0, 0, 64, 64, 64});
	for (int i = 0; i < 30; i++) {
		uint64_t burst = i % 3 == 2 ? 64 : 0;

		a_second((struct second){burst, burst * 3000, 64, 64, 64});
		assert_queue(64);
		assert_true(weighted() == told[i % 3]);
	}
}

/* Where a request takes little of a tick, not a digit differs from weighted time. */
static void a_fast_disk_is_weighted_time_to_the_last_digit(void **unused)
{
	(void)unused;
	a_second((struct second){100, 500, 3, 3, 9});
	for (uint64_t i = 1; i < 100; i++) {
		a_second((struct second){
			100 + i * 7, 700 * i % 9000 + 3, i % 13, i % 11, i % 40});
		assert_int_equal(queue().why, WHY_NONE);
		assert_true(queue().value == weighted());
		assert_true(queue().value > 0);
	}
}

static void an_idle_disk_has_no_queue(void **unused)
{
	(void)unused;
	for (int i = 0; i < 5; i++)
		a_second((struct second){0, 0, 0, 0, 0});
	assert_queue(0);
	assert_null(session_stall(session, 0, session->last.at));
}

/* 16 at the device of 16, and 184 more in the scheduler, which this kernel tells
 * nobody; 16 complete every 3 s after 37.5 s each. */
static void behind_a_full_device_the_queue_is_that_of_completions(void **unused)
{
	struct window w = {.id = 1, .name = "w", .from = 4 * S, .to = 34 * S};

	(void)unused;
	limit = 16;
	assert_true(session_window(session, &w));
	a_second((struct second){0, 0, 16, 16, 16});
	for (int i = 0; i < 36; i++) {
		uint64_t burst = i % 3 == 2 ? 16 : 0;

		a_second((struct second){burst, burst * 37500, 16, 16, 16});
		if (burst && i > 2)
			assert_queue(200);
		else if (!burst)
			assert_at_least(16);
	}
	/* "At least 16" is no 16: it does not pull the mean of the window down. */
	assert_true(fabs(window_mean(1) - 200) < 1e-6);
}

/* The ring tells the same when a window is set afterwards. */
static void a_window_from_the_ring_has_the_same_mean(void **unused)
{
	struct window w = {.id = 1, .name = "w", .from = 4 * S, .to = 34 * S};

	behind_a_full_device_the_queue_is_that_of_completions(unused);
	w.id = 2;
	assert_true(session_window(session, &w));
	assert_true(fabs(window_mean(2) - 200) < 1e-3);
}

/* Newer kernels count in the counters' file what the scheduler holds. */
static void what_the_scheduler_holds_is_counted_where_the_kernel_tells(void **unused)
{
	(void)unused;
	limit = 32;
	a_second((struct second){0, 0, 200, 32, 32});
	a_second((struct second){0, 0, 200, 32, 32});
	assert_queue(200);
	a_second((struct second){32, 32 * 6250, 200, 32, 32});
	assert_queue(200);
}

/* 32 hang for ten seconds, then all complete among 50,000 fast ones: weighted time
 * jumps by 320, and the mean wait looks harmless. */
static void the_jump_after_a_hang_is_no_spike(void **unused)
{
	(void)unused;
	for (int i = 0; i < 3; i++)
		a_second((struct second){30000, 32000, 32, 32, 40});
	assert_queue(32);
	for (int i = 0; i < 10; i++) {
		a_second((struct second){0, 0, 32, 32, 32});
		assert_queue(32);
	}
	a_second((struct second){50000, 320000 + 30000, 32, 31, 40});
	assert_true(weighted() > 300);
	assert_queue(31);
	a_second((struct second){50000, 30000, 32, 31, 40});
	a_second((struct second){50000, 30000, 32, 31, 40});
	assert_queue(30);
}

/* 20 wait for a hundred seconds in a device of 32: the samples tell. Then it fills up
 * and they complete: what weighted time says of those seconds has been told. */
static void what_samples_told_is_not_told_again(void **unused)
{
	struct window w = {.id = 1, .name = "w", .from = 2 * S, .to = 303 * S};

	(void)unused;
	limit = 32;
	assert_true(session_window(session, &w));
	a_second((struct second){0, 0, 0, 0, 0});
	a_second((struct second){0, 0, 0, 0, 0});
	for (int i = 0; i < 100; i++)
		a_second((struct second){0, 0, 20, 20, 20});
	a_second((struct second){20, 20 * 100500, 20, 20, 32});
	for (int i = 0; i < 200; i++)
		a_second((struct second){1000, 2000, 2, 2, 2});
	/* by Little's law 2,000 and 20 and 400 requests times seconds in 301 */
	assert_true(fabs(window_mean(1) - 2420.0 / 301) < 0.05);
}

static void a_request_that_begins_to_hang_is_no_zero(void **unused)
{
	(void)unused;
	a_second((struct second){10, 10, 0, 0, 1});
	a_second((struct second){0, 0, 6, 3, 6});
	assert_queue(3);
}

static void without_samples_the_ends_of_the_tick_decide(void **unused)
{
	static const unsigned unread[] = {RAW_DISK_INFLIGHT_SUM, RAW_DISK_SAMPLES,
		RAW_DISK_INFLIGHT_MAX, RAW_DISK_LIMIT_LEAST, RAW_DISK_STATE};

	(void)unused;
	for (int i = 0; i < 5; i++) {
		put_second((struct second){0, 0, 64, 0, 0});
		for (size_t k = 0; k < sizeof unread / sizeof *unread; k++)
			feed_none(&feed, disk, unread[k], WHY_UNSUPPORTED);
		feed_tick(&feed, S, 0);
	}
	assert_queue(64);
}

static void a_driver_that_lost_count_is_not_believed(void **unused)
{
	(void)unused;
	for (int i = 0; i < 5; i++)
		a_second((struct second){0, 0, UINT32_MAX, 0, 0});
	assert_queue(0);
	assert_int_equal(session->stall_count, 0);
}

/* ---- stalls ---- */

/* All requests have been taken back, and the file that says "blocked" hangs. */
static void a_state_that_is_late_ends_no_stall(void **unused)
{
	(void)unused;
	state = BACKLOG_BLOCKED;
	for (int i = 0; i < 3; i++)
		a_second((struct second){0});
	assert_int_equal(session->stall_count, 1);
	put_second((struct second){0});
	feed_none(&feed, disk, RAW_DISK_STATE, WHY_LATE);
	feed_tick(&feed, S, 0);
	assert_int_equal(queue().why, WHY_NO_COMPLETION);
	assert_int_equal(session->stalls[0].to, WINDOW_OPEN);
	state = BACKLOG_RUNNING;
	a_second((struct second){0});
	assert_int_not_equal(session->stalls[0].to, WINDOW_OPEN);
	assert_int_equal(session->stall_count, 1);
}

static void a_stall_has_a_start_an_end_and_a_depth(void **unused)
{
	const struct stall *stall;

	(void)unused;
	for (int i = 0; i < 3; i++)
		a_second((struct second){1000, 4000, 4, 4, 9}); /* to 3 s */
	a_second((struct second){0, 0, 30, 25, 30});
	assert_null(session_stall(session, 0, session->last.at));
	a_second((struct second){0, 0, 30, 30, 30}); /* 5 s: for two seconds */
	stall = session_stall(session, 0, session->last.at);
	assert_non_null(stall);
	assert_int_equal(stall->from, 3 * S);
	assert_int_equal(stall->to, WINDOW_OPEN);
	for (int i = 0; i < 10; i++)
		a_second((struct second){0, 0, 33, 33, 33});
	a_second((struct second){900, 400000, 4, 9, 33}); /* 16 s */
	assert_null(session_stall(session, 0, session->last.at));
	assert_int_equal(session->stall_count, 1);
	assert_int_equal(session->stalls[0].to, 16 * S);
	assert_true(session->stalls[0].depth == 33);
	assert_int_equal(session->stalls[0].kind, STALL_SILENT);
	assert_int_equal(session->note_count, 2);
	assert_int_equal(session->notes[0].at, 5 * S);
	assert_string_equal(session->notes[0].text, "nullb0: STALL, outstanding 30");
	assert_int_equal(session->notes[1].at, 16 * S);
	assert_string_equal(session->notes[1].text,
		"nullb0: STALL ended after 13s, outstanding up to 33");
	/* As it was then, for looking back. */
	assert_non_null(session_stall(session, 0, 10 * S));
	assert_null(session_stall(session, 0, 4 * S));
}

static void a_discard_that_completes_is_no_stall(void **unused)
{
	(void)unused;
	for (uint64_t i = 0; i < 9; i++) {
		feed_set(&feed, disk, RAW_DISK_OTHER_OPS, i);
		ms += 900;
		a_second((struct second){0, 0, 1, 1, 1});
	}
	assert_int_equal(session->stall_count, 0);
	assert_queue(1);
}

/* The link of an iSCSI disk is cut: when its session has failed, the kernel takes back
 * the requests in flight; then weighted time jumps by 1,564,346 ms in one tick. */
static void a_blocked_disk_has_an_unknown_queue_and_never_0(void **unused)
{
	(void)unused;
	limit = 32;
	for (int i = 0; i < 3; i++)
		a_second((struct second){2000, 31000, 32, 31, 32});
	assert_queue(31);
	for (int i = 0; i < 9; i++) {
		a_second((struct second){0, 0, 32, 32, 32});
		assert_at_least(32);
	}
	state = 1;
	for (int i = 0; i < 40; i++) {
		a_second((struct second){0, 0, 0, 0, 0});
		assert_at_least(0);
		assert_int_equal(session->stalls[0].kind, STALL_BLOCKED);
	}
	state = 0;
	a_second((struct second){600, 1564346, 32, 31, 32});
	assert_true(weighted() > 1500);
	assert_at_least(32); /* for a part of the tick it was held back */
	a_second((struct second){2000, 31000, 32, 31, 32});
	assert_int_equal(queue().why, WHY_NONE);
	assert_true(queue().value > 25 && queue().value < 40);
	a_second((struct second){2000, 31000, 32, 31, 32});
	assert_true(queue().value < 40);
	assert_int_equal(session->stall_count, 1);
	assert_int_equal(session->stalls[0].to - session->stalls[0].from, 50 * S);
}

/* As the lab saw it: the session serves again, and nothing has been sent yet. */
static void the_tick_in_which_a_disk_is_released_is_no_zero(void **unused)
{
	(void)unused;
	for (int i = 0; i < 3; i++)
		a_second((struct second){160, 16000, 16, 16, 16});
	state = 1;
	a_second((struct second){0, 0, 0, 0, 0});
	state = 0;
	a_second((struct second){16, 493400, 0, 0, 0});
	assert_at_least(0);
	a_second((struct second){160, 16000, 16, 16, 16});
	assert_queue(16);
}

/* A multipath map, as the lab saw it: its paths are back for a whole tick before what
 * was taken from them is sent again; then ten seconds of 16 requests come at once. */
static void what_comes_a_tick_after_the_release_is_no_spike(void **unused)
{
	(void)unused;
	a_second((struct second){0, 0, 0, 0, 0});
	for (int i = 0; i < 3; i++)
		a_second((struct second){760, 15300, 16, 15, 16});
	state = 1;
	for (int i = 0; i < 10; i++)
		a_second((struct second){0, 0, 0, 0, 0});
	state = 0;
	a_second((struct second){0, 0, 0, 0, 0});
	assert_at_least(0);
	a_second((struct second){760, 184800, 16, 15, 16});
	assert_true(weighted() > 180);
	assert_int_equal(queue().why, WHY_NONE);
	assert_true(queue().value > 14 && queue().value < 18);
	for (int i = 0; i < 3; i++) {
		a_second((struct second){760, 15300, 16, 15, 16});
		assert_true(queue().value > 14 && queue().value < 18);
	}
}

static void a_blocked_disk_is_said_at_once(void **unused)
{
	(void)unused;
	a_second((struct second){100, 100, 0, 0, 1});
	state = 2;
	a_second((struct second){0, 0, 0, 0, 0});
	assert_non_null(session_stall(session, 0, session->last.at));
	assert_int_equal(session->stalls[0].kind, STALL_OFFLINE);
}

static void assert_reason(nsec at, const char *reason)
{
	char text[96];

	stall_reason(&session->stalls[session->stall_count - 1], at, text, sizeof text);
	assert_string_equal(text, reason);
}

static void held_by(enum backlog_hold hold)
{
	feed_set(&feed, disk, RAW_DISK_HOLD, hold);
}

/* The connection is lost at 1 s, its session is failed at 10 s. */
static void a_blocked_disk_says_what_ends_it(void **unused)
{
	(void)unused;
	for (int i = 0; i < 10; i++)
		a_second((struct second){0, 0, 32, 32, 32});
	assert_reason(10 * S, "");
	state = 1;
	held_by(HOLD_SESSION);
	feed_set(&feed, disk, RAW_DISK_GIVES_UP_S, 120);
	a_second((struct second){0, 0, 0, 0, 0}); /* 10 s */
	assert_string_equal(session->notes[session->note_count - 1].text,
		"nullb0: BLOCKED, session FAILED, gives up at 120 s, outstanding 32");
	assert_int_equal(session->notes[session->note_count - 1].at, session->last.at);
	a_second((struct second){0, 0, 0, 0, 0});
	assert_reason(session->last.at, "session FAILED for 1s, gives up at 120 s");
	feed_none(&feed, disk, RAW_DISK_GIVES_UP_S, WHY_OFF);
	a_second((struct second){0, 0, 0, 0, 0});
	assert_reason(session->last.at, "session FAILED for 2s, never gives up");
	state = 2;
	a_second((struct second){0, 0, 0, 0, 0});
	assert_reason(session->last.at, "session given up for 3s");
	state = 0;
	feed_none(&feed, disk, RAW_DISK_HOLD, WHY_ABSENT);
	a_second((struct second){100, 1000, 0, 0, 1});
	assert_int_equal(session->stall_count, 1);
	assert_string_equal(session->notes[session->note_count - 1].text,
		"nullb0: OFFLINE ended after 14s, session given up for 4s, "
		"outstanding up to 32");
}

static void a_new_run_does_not_go_on_with_a_stall(void **unused)
{
	(void)unused;
	for (int i = 0; i < 6; i++)
		a_second((struct second){0, 0, 9, 9, 9}); /* to 6 s */
	assert_non_null(session_stall(session, 0, session->last.at));
	feed_run(&feed);
	feed.tick.mono = 20 * S;
	disk = feed_subject(&feed, KIND_DISK, "nullb0", "");
	put_second((struct second){0, 0, 9, 9, 9});
	feed_tick(&feed, 100 * S, 0);
	assert_null(session_stall(session, 0, session->last.at));
	assert_int_equal(session->stalls[0].to, 6 * S);
}

static void a_gap_in_the_recording_is_part_of_a_stall(void **unused)
{
	(void)unused;
	for (int i = 0; i < 3; i++)
		a_second((struct second){0, 0, 9, 9, 9});
	feed.tick.gap = GAP_MISSED;
	put_second((struct second){0, 0, 9, 9, 9});
	feed_tick(&feed, 30 * S, 0);
	assert_int_equal(queue().why, WHY_GAP);
	a_second((struct second){0, 0, 9, 9, 9});
	assert_queue(9);
	assert_int_equal(session->stall_count, 1);
	assert_int_equal(session->stalls[0].from, S);
}

/* A session's figures are sums over its disks, which nobody samples together: 64
 * requests that take 3 s each, then its connection is lost. */
static void the_queue_of_a_session_is_right_where_its_disks_are_slow(void **unused)
{
	uint32_t of = feed_subject(&feed, KIND_TRANSPORT, "192.0.2.9:3260 a", "");
	struct value value;
	uint64_t done = 0;

	(void)unused;
	for (int i = 0; i < 12; i++) {
		done += i % 3 ? 0 : 64;
		feed_set(&feed, of, RAW_TRANSPORT_READ_OPS, done);
		feed_set(&feed, of, RAW_TRANSPORT_READ_MS, done * 3000);
		feed_set(&feed, of, RAW_TRANSPORT_WRITE_OPS, 0);
		feed_set(&feed, of, RAW_TRANSPORT_WEIGHTED_MS, done * 3000);
		feed_set(&feed, of, RAW_TRANSPORT_PENDING, 64);
		feed_set(&feed, of, RAW_TRANSPORT_STATE, BACKLOG_RUNNING);
		feed_tick(&feed, S, 0);
		value = *session_figure(session, of, "transport.queue");
		assert_int_equal(value.why, i ? WHY_NONE : WHY_FIRST);
		assert_true(!i || value.value == 64);
	}
	feed_set(&feed, of, RAW_TRANSPORT_PENDING, 0);
	feed_set(&feed, of, RAW_TRANSPORT_STATE, BACKLOG_BLOCKED);
	feed_tick(&feed, S, 0);
	value = *session_figure(session, of, "transport.queue");
	assert_int_equal(value.why, WHY_NO_COMPLETION);
	assert_int_equal(session->stall_count, 0); /* its disks tell that */
}

#define A_TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void)
{
	const struct CMUnitTest tests[] = {
		A_TEST(a_queue_of_64_is_64_in_every_tick),
		A_TEST(a_fast_disk_is_weighted_time_to_the_last_digit),
		A_TEST(an_idle_disk_has_no_queue),
		A_TEST(behind_a_full_device_the_queue_is_that_of_completions),
		A_TEST(a_window_from_the_ring_has_the_same_mean),
		A_TEST(what_the_scheduler_holds_is_counted_where_the_kernel_tells),
		A_TEST(the_jump_after_a_hang_is_no_spike),
		A_TEST(what_samples_told_is_not_told_again),
		A_TEST(a_request_that_begins_to_hang_is_no_zero),
		A_TEST(without_samples_the_ends_of_the_tick_decide),
		A_TEST(a_driver_that_lost_count_is_not_believed),
		A_TEST(a_stall_has_a_start_an_end_and_a_depth),
		A_TEST(a_state_that_is_late_ends_no_stall),
		A_TEST(a_discard_that_completes_is_no_stall),
		A_TEST(a_blocked_disk_has_an_unknown_queue_and_never_0),
		A_TEST(the_tick_in_which_a_disk_is_released_is_no_zero),
		A_TEST(what_comes_a_tick_after_the_release_is_no_spike),
		A_TEST(a_blocked_disk_is_said_at_once),
		A_TEST(a_blocked_disk_says_what_ends_it),
		A_TEST(a_new_run_does_not_go_on_with_a_stall),
		A_TEST(the_queue_of_a_session_is_right_where_its_disks_are_slow),
		A_TEST(a_gap_in_the_recording_is_part_of_a_stall),
	};

	return cmocka_run_group_tests_name("backlog", tests, NULL, NULL);
}
