/* Ticks in time: deadlines, gaps, suspends, clock steps, resumed runs. */
#include "config.h"

#include "app/beat.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define S  NSEC_PER_SEC
#define MS NSEC_PER_MSEC

static struct instant now;
static struct beat beat;
static struct tick tick;

static int start(void **state)
{
	(void)state;
	now = (struct instant){.mono = 1000 * S, .boot = 1500 * S, .wall = 5000000 * S};
	beat_start(&beat, &now, S, NULL);
	return 0;
}

static void pass(nsec time)
{
	now.mono += time;
	now.boot += time;
	now.wall += time;
}

static void the_first_tick_is_at_zero_and_due_at_once(void **state)
{
	(void)state;
	assert_int_equal(beat.due, now.mono);
	assert_int_equal(beat_stamp(&beat, &now, false, &tick), 0);
	assert_int_equal(tick.at, 0);
	assert_int_equal(tick.gap, GAP_RUN);
	assert_int_equal(tick.run, 1);
	assert_int_equal(beat.due, 1001 * S);
}

static void lateness_does_not_add_up(void **state)
{
	(void)state;
	(void)beat_stamp(&beat, &now, false, &tick);
	for (int i = 1; i <= 100; i++) {
		pass(i == 1 ? S + 3 * MS : S);
		(void)beat_stamp(&beat, &now, false, &tick);
		assert_int_equal(tick.gap, GAP_NONE);
		assert_int_equal(beat.due, (1001 + i) * S);
	}
}

static void ticks_slept_through_are_a_gap_and_no_burst(void **state)
{
	(void)state;
	(void)beat_stamp(&beat, &now, false, &tick);
	pass(10 * S + 200 * MS);
	(void)beat_stamp(&beat, &now, false, &tick);
	assert_int_equal(tick.gap, GAP_MISSED);
	assert_int_equal(tick.at, 10 * S + 200 * MS);
	assert_int_equal(beat.due, 1011 * S);
	pass(800 * MS);
	(void)beat_stamp(&beat, &now, false, &tick);
	assert_int_equal(tick.gap, GAP_NONE);
}

static void half_a_beat_late_is_no_gap_yet(void **state)
{
	(void)state;
	(void)beat_stamp(&beat, &now, false, &tick);
	pass(1500 * MS);
	(void)beat_stamp(&beat, &now, false, &tick);
	assert_int_equal(tick.gap, GAP_NONE);
	assert_int_equal(beat.due, 1002 * S);
}

static void an_extra_tick_leaves_the_beat_alone(void **state)
{
	(void)state;
	(void)beat_stamp(&beat, &now, false, &tick);
	pass(400 * MS);
	(void)beat_stamp(&beat, &now, true, &tick);
	assert_true(tick.extra);
	assert_int_equal(tick.at, 400 * MS);
	assert_int_equal(beat.due, 1001 * S);
	pass(600 * MS);
	(void)beat_stamp(&beat, &now, false, &tick);
	assert_false(tick.extra);
	assert_int_equal(tick.gap, GAP_NONE);
}

static void boot_time_that_outruns_is_a_suspend(void **state)
{
	(void)state;
	(void)beat_stamp(&beat, &now, false, &tick);
	pass(S);
	now.boot += 3600 * S;
	now.wall += 3600 * S;
	assert_int_equal(beat_stamp(&beat, &now, false, &tick), 0);
	assert_int_equal(tick.gap, GAP_SUSPEND);
	assert_int_equal(tick.at, 3601 * S);
}

static void a_step_of_the_wall_clock_moves_only_the_label(void **state)
{
	(void)state;
	(void)beat_stamp(&beat, &now, false, &tick);
	pass(S);
	now.wall -= 7200 * S;
	assert_int_equal(beat_stamp(&beat, &now, false, &tick), -7200 * S);
	assert_int_equal(tick.at, S);
	assert_int_equal(tick.gap, GAP_NONE);
	pass(S);
	now.wall += 50 * MS; /* slewing and doubt */
	assert_int_equal(beat_stamp(&beat, &now, false, &tick), 0);
}

static void a_resumed_run_begins_at_the_wall_distance(void **state)
{
	struct tick last = {.at = 100 * S, .wall = now.wall - 30 * S, .run = 4};

	(void)state;
	beat_start(&beat, &now, S, &last);
	(void)beat_stamp(&beat, &now, false, &tick);
	assert_int_equal(tick.at, 130 * S);
	assert_int_equal(tick.run, 5);
	assert_int_equal(tick.gap, GAP_RUN);
}

static void a_resumed_run_never_begins_before_the_last_tick(void **state)
{
	struct tick last = {.at = 100 * S, .wall = now.wall + 9000 * S, .run = 1};

	(void)state;
	beat_start(&beat, &now, S, &last);
	(void)beat_stamp(&beat, &now, false, &tick);
	assert_true(tick.at > 100 * S);
	assert_true(tick.at < 101 * S);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(
			the_first_tick_is_at_zero_and_due_at_once, start),
		cmocka_unit_test_setup(lateness_does_not_add_up, start),
		cmocka_unit_test_setup(
			ticks_slept_through_are_a_gap_and_no_burst, start),
		cmocka_unit_test_setup(half_a_beat_late_is_no_gap_yet, start),
		cmocka_unit_test_setup(an_extra_tick_leaves_the_beat_alone, start),
		cmocka_unit_test_setup(boot_time_that_outruns_is_a_suspend, start),
		cmocka_unit_test_setup(
			a_step_of_the_wall_clock_moves_only_the_label, start),
		cmocka_unit_test_setup(
			a_resumed_run_begins_at_the_wall_distance, start),
		cmocka_unit_test_setup(
			a_resumed_run_never_begins_before_the_last_tick, start),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
