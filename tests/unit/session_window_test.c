/* Looking back in a session, and its windows: live, set afterwards, moved. */
#include "config.h"

#include "core/session.h"

#include "feed.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define S NSEC_PER_SEC

enum {
	RING = 60
};

static struct session *session;
static struct feed feed;

static int begin(void **state)
{
	(void)state;
	session = session_new("hba2nic", RING);
	feed_init(&feed, session);
	return 0;
}

static int end(void **state)
{
	(void)state;
	feed_fini(&feed);
	session_free(session);
	return 0;
}

static size_t track(const char *name, const char *metric)
{
	int row = session_find_subject(session, KIND_DISK, name);
	int found =
		session_track(session, (uint32_t)row, (unsigned)metric_find(metric));

	assert_true(found >= 0);
	return (size_t)found;
}

/* One disk that reads OPS more and has QUEUE in flight, a second later. */
static uint64_t total;
static void disk_tick(uint64_t ops, uint64_t queue)
{
	uint32_t disk = feed_subject(&feed, KIND_DISK, "sda", "wwid-1");

	total += ops;
	feed_set(&feed, disk, RAW_DISK_READ_OPS, total);
	feed_set(&feed, disk, RAW_DISK_READ_MS, total * 2);
	feed_set(&feed, disk, RAW_DISK_INFLIGHT, queue);
	feed_tick(&feed, S, 0);
}

/* ---- the ring ---- */

static void the_ring_looks_back_as_far_as_it_reaches(void **state)
{
	enum tick_gap gap;
	size_t ops;

	(void)state;
	for (uint64_t i = 0; i < 3 * RING; i++)
		disk_tick(i, i);
	ops = track("sda", "disk.read.ops");
	for (size_t back = 0; back < RING; back++) {
		struct value value = session_past(session, ops, back, &gap);

		assert_int_equal(value.why, WHY_NONE);
		assert_true(value.value == (double)(3 * RING - 1 - back));
		assert_true(fabs(value.den - 1) < 1e-9);
		assert_int_equal(gap, GAP_NONE);
	}
	assert_int_equal(session_past(session, ops, RING, &gap).why, WHY_ABSENT);
	assert_int_equal(session_past(session, 999, 0, &gap).why, WHY_ABSENT);
}

static void the_ring_knows_reasons_and_gaps(void **state)
{
	enum tick_gap gap;
	size_t ops;

	(void)state;
	disk_tick(5, 1);
	disk_tick(5, 1);
	feed.tick.gap = GAP_SUSPEND;
	disk_tick(5, 1);
	disk_tick(7, 1);
	ops = track("sda", "disk.read.ops");
	assert_int_equal(session_past(session, ops, 3, &gap).why, WHY_FIRST);
	assert_int_equal(gap, GAP_RUN);
	assert_int_equal(session_past(session, ops, 1, &gap).why, WHY_GAP);
	assert_int_equal(gap, GAP_SUSPEND);
	assert_true(session_past(session, ops, 0, &gap).value == 7);
	assert_int_equal(session_past(session, ops, 4, &gap).why, WHY_ABSENT);
}

static void a_time_finds_the_tick_at_or_before_it(void **state)
{
	(void)state;
	assert_int_equal(session_back(session, 5 * S), 0);
	for (int i = 0; i < 10; i++)
		disk_tick(1, 1); /* at 1 s to 10 s */
	assert_int_equal(session_back(session, 10 * S), 0);
	assert_int_equal(session_back(session, 99 * S), 0);
	assert_int_equal(session_back(session, 10 * S - 1), 1);
	assert_int_equal(session_back(session, 4 * S), 6);
	assert_int_equal(session_back(session, 0), 9);
}

/* ---- windows ---- */

static struct window window(uint32_t id, nsec from, nsec to)
{
	return (struct window){.id = id, .name = "w", .from = from, .to = to};
}

static double mean(uint32_t id, const char *metric, uint64_t samples)
{
	const struct summary *summary =
		session_summary(session, id, track("sda", metric));
	double value = -1;

	assert_non_null(summary);
	assert_int_equal(summary->samples, samples);
	assert_true(summary_mean(summary, &value));
	return value;
}

static void a_tick_belongs_to_a_window_if_its_whole_interval_does(void **state)
{
	struct window w = window(1, 3 * S, WINDOW_OPEN);

	(void)state;
	for (uint64_t i = 1; i <= 3; i++)
		disk_tick(1000, 0);
	assert_true(session_window(session, &w)); /* set at the tick of 3 s */
	for (uint64_t i = 4; i <= 6; i++)
		disk_tick(i, 0);
	w.to = 6 * S;
	assert_true(session_window(session, &w));
	disk_tick(1000, 0);
	assert_true(fabs(mean(1, "disk.read.ops", 3) - 5) < 1e-9);
}

static void an_edge_between_two_ticks_leaves_that_tick_out(void **state)
{
	struct window w = window(1, 2 * S + S / 2, 5 * S + S / 2);

	(void)state;
	assert_true(session_window(session, &w));
	for (uint64_t i = 1; i <= 8; i++)
		disk_tick(i, 0); /* 4 and 5 lie wholly inside */
	assert_true(fabs(mean(1, "disk.read.ops", 2) - 4.5) < 1e-9);
}

/* The same windows live, and set afterwards from the ring, at every stage. */
static void a_window_set_afterwards_says_what_a_live_one_said(void **state)
{
	static const char *const metrics[] = {
		"disk.read.ops", "disk.read.await", "disk.inflight"};
	struct window live = window(1, 11 * S, 40 * S);
	struct window later = window(2, 11 * S, 40 * S);

	(void)state;
	assert_true(session_window(session, &live));
	for (uint64_t i = 1; i <= 50; i++) {
		if (i == 20)
			feed.tick.gap = GAP_SUSPEND;
		if (i == 30 || i == 31)
			feed_tick(&feed, S, 1u << KIND_DISK);
		else
			disk_tick(i % 7 ? i * i : 0, i % 5);
	}
	assert_true(session_window(session, &later));
	for (size_t i = 0; i < 3; i++) {
		const struct summary *a =
			session_summary(session, 1, track("sda", metrics[i]));
		const struct summary *b =
			session_summary(session, 2, track("sda", metrics[i]));

		assert_non_null(a);
		assert_non_null(b);
		assert_int_equal(a->samples, b->samples);
		assert_memory_equal(a->missing, b->missing, sizeof a->missing);
		assert_memory_equal(a->histogram.count, b->histogram.count,
			sizeof a->histogram.count);
		assert_true(fabs(a->num - b->num) <= 1e-6 * a->num);
		assert_true(fabs(a->den - b->den) <= 1e-6 * a->den);
	}
	assert_int_equal(
		session_coverage(session, 1).seen, session_coverage(session, 2).seen);
}

static void a_moved_window_is_summed_up_again(void **state)
{
	struct window w = window(1, 0, 5 * S);

	(void)state;
	assert_true(session_window(session, &w));
	for (uint64_t i = 1; i <= 20; i++)
		disk_tick(i, i);
	assert_true(fabs(mean(1, "disk.inflight", 4) - 3.5) < 1e-9);
	w.from = 10 * S;
	w.to = 15 * S;
	assert_true(session_window(session, &w));
	assert_true(fabs(mean(1, "disk.inflight", 5) - 13) < 1e-9);
}

static void a_window_from_before_the_ring_asks_for_the_ticks(void **state)
{
	struct window w = window(1, 2 * S, 50 * S);

	(void)state;
	for (uint64_t i = 1; i <= 3 * RING; i++)
		disk_tick(1, 1);
	assert_false(session_window(session, &w));
	w.from = (3 * RING - 20) * S;
	w.to = WINDOW_OPEN;
	assert_true(session_window(session, &w));
	assert_int_equal(session_coverage(session, 1).seen, 20);
	/* Nothing about it has changed: no reason to ask. */
	assert_true(session_window(session, &w));
	assert_int_equal(session_coverage(session, 1).seen, 20);
}

static void closing_an_old_window_does_not_ask_for_its_ticks(void **state)
{
	struct window w = window(1, 2 * S, WINDOW_OPEN);

	(void)state;
	assert_true(session_window(session, &w));
	for (uint64_t i = 1; i <= 3 * RING; i++)
		disk_tick(1, 1);
	w.to = 3 * RING * S;
	assert_true(session_window(session, &w));
	assert_int_equal(session_coverage(session, 1).seen, 3 * RING - 2);
}

static void reasons_are_counted_even_where_there_was_never_a_figure(void **state)
{
	struct window w = window(1, 0, WINDOW_OPEN);
	const struct summary *summary;
	uint32_t disk = feed_subject(&feed, KIND_DISK, "sda", "");

	(void)state;
	assert_true(session_window(session, &w));
	for (int i = 0; i < 5; i++) {
		feed_none(&feed, disk, RAW_DISK_INFLIGHT, WHY_DENIED);
		feed_tick(&feed, S, 0);
	}
	summary = session_summary(session, 1, track("sda", "disk.inflight"));
	assert_non_null(summary);
	assert_int_equal(summary->samples, 0);
	assert_int_equal(summary->missing[WHY_DENIED], 4);
}

static void a_counter_of_zeros_has_a_summary_of_zeros(void **state)
{
	struct window w = window(1, 0, WINDOW_OPEN);
	const struct summary *summary;

	(void)state;
	assert_true(session_window(session, &w));
	for (int i = 0; i < 9; i++)
		disk_tick(0, 0);
	assert_true(mean(1, "disk.read.ops", 8) == 0);
	summary = session_summary(session, 1, track("sda", "disk.read.ops"));
	assert_int_equal(summary->histogram.count[0], 8);
	assert_true(fabs(summary->den - 8) < 1e-9);
	disk_tick(8, 0);
	assert_true(fabs(mean(1, "disk.read.ops", 9) - 8.0 / 9) < 1e-9);
}

static void coverage_counts_what_should_have_been_there(void **state)
{
	struct window w = window(1, 2 * S, WINDOW_OPEN);
	struct coverage coverage;

	(void)state;
	assert_true(session_window(session, &w));
	for (int i = 0; i < 10; i++)
		disk_tick(1, 1); /* to 10 s: 8 inside */
	coverage = session_coverage(session, 1);
	assert_int_equal(coverage.seen, 8);
	assert_int_equal(coverage.expected, 8);
	assert_int_equal(coverage.gaps, 0);
	feed.tick.gap = GAP_MISSED;
	feed_tick(&feed, 6 * S, 0); /* five were lost */
	coverage = session_coverage(session, 1);
	assert_int_equal(coverage.seen, 9);
	assert_int_equal(coverage.expected, 14);
	assert_int_equal(coverage.gaps, 1);
}

static void a_window_from_before_the_recording_is_not_covered(void **state)
{
	struct window w = window(1, -600 * S, 10 * S);
	struct coverage coverage;

	(void)state;
	for (int i = 0; i < 11; i++)
		disk_tick(1, 1); /* from 1 s on */
	assert_true(session_window(session, &w) || true);
	coverage = session_coverage(session, 1);
	assert_true(coverage.expected >= 609);
	assert_true(coverage.seen <= 9);
}

static void a_short_run_between_two_extra_ticks_is_covered(void **state)
{
	struct window w = window(1, 2 * S + S / 4, WINDOW_OPEN);
	struct coverage coverage;

	(void)state;
	disk_tick(1, 1);
	disk_tick(1, 1);
	feed.tick.extra = true;
	feed_tick(&feed, S / 4, 0); /* its first edge */
	assert_true(session_window(session, &w));
	feed.tick.extra = true;
	feed_set(&feed, 0, RAW_DISK_READ_OPS, total += 100);
	feed_tick(&feed, S / 2, 0); /* its last one */
	w.to = feed.tick.at;
	assert_true(session_window(session, &w));
	feed_tick(&feed, S / 4, 0);
	coverage = session_coverage(session, 1);
	assert_int_equal(coverage.seen, 1);
	assert_int_equal(coverage.expected, 1);
	assert_true(fabs(mean(1, "disk.read.ops", 1) - 200) < 1e-6);
}

static void a_window_taken_away_leaves_the_others(void **state)
{
	struct window a = window(1, 0, WINDOW_OPEN), b = window(2, 0, WINDOW_OPEN);

	(void)state;
	assert_true(session_window(session, &a) && session_window(session, &b));
	disk_tick(1, 1);
	disk_tick(1, 1);
	session_remove_window(session, 1);
	session_remove_window(session, 1);
	assert_null(session_summary(session, 1, track("sda", "disk.read.ops")));
	assert_non_null(session_summary(session, 2, track("sda", "disk.read.ops")));
	assert_int_equal(session->windows.count, 1);
}

static void time_without_ticks_passes_in_batches_as_one_tick_at_a_time(void **state)
{
	static const uint64_t steps[] = {1, 5, 127, 128, 129, 1000, 86400};

	(void)state;
	for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
		struct batches fast = {.slots = {0}}, slow = {.slots = {0}};

		for (int k = 0; k < 3; k++) {
			batches_add(&fast, 3, 1);
			batches_add(&slow, 3, 1);
			batches_pass(&fast, steps[i]);
			for (uint64_t t = 0; t < steps[i]; t++)
				batches_add(&slow, 0, 0);
		}
		assert_memory_equal(&fast, &slow, sizeof fast);
	}
}

static void a_gap_of_years_inside_a_window_takes_no_time(void **state)
{
	struct window w = window(1, 0, WINDOW_OPEN);
	struct coverage coverage;

	(void)state;
	assert_true(session_window(session, &w));
	disk_tick(5, 1);
	disk_tick(5, 1);
	feed.tick.gap = GAP_SUSPEND;
	feed_tick(&feed, INT64_C(300000000) * S, 0);
	coverage = session_coverage(session, 1);
	assert_int_equal(coverage.seen, 2);
	assert_int_equal(coverage.expected, 300000002);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(the_ring_looks_back_as_far_as_it_reaches),
		TEST(the_ring_knows_reasons_and_gaps),
		TEST(a_time_finds_the_tick_at_or_before_it),
		TEST(a_tick_belongs_to_a_window_if_its_whole_interval_does),
		TEST(an_edge_between_two_ticks_leaves_that_tick_out),
		TEST(a_window_set_afterwards_says_what_a_live_one_said),
		TEST(a_moved_window_is_summed_up_again),
		TEST(a_window_from_before_the_ring_asks_for_the_ticks),
		TEST(closing_an_old_window_does_not_ask_for_its_ticks),
		TEST(reasons_are_counted_even_where_there_was_never_a_figure),
		TEST(a_counter_of_zeros_has_a_summary_of_zeros),
		TEST(coverage_counts_what_should_have_been_there),
		TEST(a_window_from_before_the_recording_is_not_covered),
		TEST(a_short_run_between_two_extra_ticks_is_covered),
		TEST(a_window_taken_away_leaves_the_others),
		TEST(time_without_ticks_passes_in_batches_as_one_tick_at_a_time),
		TEST(a_gap_of_years_inside_a_window_takes_no_time),
	};

	return cmocka_run_group_tests_name("session windows", tests, NULL, NULL);
}
