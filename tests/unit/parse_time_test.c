/* Durations and times: expected values come from `date -u -d ... +%s`. */
#include "config.h"

#include "app/command.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#define SECOND INT64_C(1000000000)

static void zone(const char *name)
{
	assert_int_equal(setenv("TZ", name, 1), 0);
	tzset();
}

static int64_t time_of(const char *text, int64_t now)
{
	struct fault fault = {0};
	int64_t wall = -1;

	if (!parse_time(text, now, &wall, &fault))
		fail_msg("%s: %s", text, fault.text);
	return wall;
}

static void refused(const char *text, int64_t now, const char *because)
{
	struct fault fault = {0};
	int64_t wall;

	assert_false(parse_time(text, now, &wall, &fault));
	assert_non_null(strstr(fault.text, because));
}

static void durations_add_up_their_units(void **state)
{
	static const struct {
		const char *text;
		int64_t milliseconds;
	} rows[] = {{"90s", 90000}, {"10m", 600000}, {"2h", 7200000}, {"1d", 86400000},
		{"1h30m", 5400000}, {"0.5s", 500}, {"1d2h3m4s", 93784000},
		{"3650d", INT64_C(315360000000)}};

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		int64_t duration = -1;

		assert_true(parse_duration(rows[i].text, &duration, NULL));
		assert_int_equal(duration, rows[i].milliseconds * 1000000);
	}
}

static void anything_else_is_no_duration(void **state)
{
	static const char *const rows[] = {"", "10", "m", "0s", "-5s", "1m1h", "1m2m",
		"5 m", "1w", "99999999999999999999d", "3651d", "1e3s", "1.s", "10mx",
		".5s"};

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct fault fault = {0};
		int64_t duration;

		assert_false(parse_duration(rows[i], &duration, &fault));
		assert_non_null(strstr(fault.text, "no duration"));
	}
}

static void clock_times_are_the_last_ones_before_now(void **state)
{
	int64_t now = 1790863200 * SECOND; /* 2026-10-01 14:00:00 UTC */

	(void)state;
	zone("UTC0");
	assert_int_equal(time_of("14:00", now), now);
	assert_int_equal(time_of("13:59:30", now), now - 30 * SECOND);
	assert_int_equal(time_of("14:00:01", now), now - 86399 * SECOND);
	zone("Europe/Berlin"); /* where it is 16:00 */
	assert_int_equal(time_of("16:00", now), now);
	assert_int_equal(time_of("16:01", now), now - 86340 * SECOND);
}

static void the_day_before_the_first_is_in_the_month_before(void **state)
{
	(void)state;
	zone("UTC0");
	/* 2027-01-01 00:10 UTC; 23:50 was in 2026 */
	assert_int_equal(
		time_of("23:50", 1798762200 * SECOND), (1798762200 - 1200) * SECOND);
}

static void iso_times_may_carry_an_offset(void **state)
{
	(void)state;
	zone("Europe/Berlin");
	assert_int_equal(time_of("2026-10-01T02:06", 0), 1790813160 * SECOND);
	assert_int_equal(time_of("2026-10-01 02:06:10", 0), 1790813170 * SECOND);
	assert_int_equal(time_of("2026-10-01T00:06:10Z", 0), 1790813170 * SECOND);
	assert_int_equal(time_of("2026-10-01T02:06:10+02:00", 0), 1790813170 * SECOND);
	assert_int_equal(time_of("2026-09-30T20:36:10-0330", 0), 1790813170 * SECOND);
	assert_int_equal(time_of("2026-10-01T00:06:10.25Z", 0),
		1790813170 * SECOND + SECOND / 4);
	assert_int_equal(time_of("2026-10-01", 0), 1790805600 * SECOND);
}

static void unix_seconds_and_ago_need_no_zone(void **state)
{
	(void)state;
	assert_int_equal(time_of("1790813170", 0), 1790813170 * SECOND);
	assert_int_equal(time_of("1790813170.5", 0), 1790813170 * SECOND + SECOND / 2);
	assert_int_equal(time_of("10m ago", 1000 * SECOND), 400 * SECOND);
	assert_int_equal(time_of("1h30m ago", 10000 * SECOND), 4600 * SECOND);
}

static void a_local_time_that_was_twice_is_refused(void **state)
{
	/* Berlin, 2026-10-25: at 03:00 summer time clocks went back to 02:00; now it
	 * is 10:00 */
	int64_t now = 1792918800 * SECOND;

	(void)state;
	zone("Europe/Berlin");
	refused("2026-10-25T02:30", now, "twice");
	refused("02:30", now, "twice");
	assert_int_equal(time_of("2026-10-25T02:30+02:00", now), 1792888200 * SECOND);
	assert_int_equal(time_of("2026-10-25T02:30+01:00", now), 1792891800 * SECOND);
	assert_int_equal(time_of("2026-10-25T03:00", now), 1792893600 * SECOND);
	assert_int_equal(time_of("2026-10-25T01:59:59", now), 1792886399 * SECOND);
}

static void a_local_time_that_never_was_is_refused(void **state)
{
	(void)state;
	zone("Europe/Berlin"); /* 2026-03-29: 02:00 became 03:00 */
	refused("2026-03-29T02:30", 0, "skipped");
	assert_int_equal(time_of("2026-03-29T03:00", 0), 1774746000 * SECOND);
}

static void what_is_no_time_is_refused_with_examples(void **state)
{
	static const char *const rows[] = {"4052-10-01T02:03:04", "9999999999",
		"2200-01-01T00:00Z", "", "now", "25:00", "12:60", "1:30", "12",
		"2026-13-01T00:00", "2026-02-30", "2026-10-01T", "2026-10-01T02:06+",
		"2026-10-01T02:06+99:00", "ago", "5 ago", "10m", "12:30x", "12345678"};

	(void)state;
	zone("UTC0");
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		refused(rows[i], 1790863200 * SECOND, "10m ago");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(durations_add_up_their_units),
		cmocka_unit_test(anything_else_is_no_duration),
		cmocka_unit_test(clock_times_are_the_last_ones_before_now),
		cmocka_unit_test(the_day_before_the_first_is_in_the_month_before),
		cmocka_unit_test(iso_times_may_carry_an_offset),
		cmocka_unit_test(unix_seconds_and_ago_need_no_zone),
		cmocka_unit_test(a_local_time_that_was_twice_is_refused),
		cmocka_unit_test(a_local_time_that_never_was_is_refused),
		cmocka_unit_test(what_is_no_time_is_refused_with_examples),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
