/* Windows of a day and more at the same hours: reference values of a second
 * implementation in another language, and hours that windows share or not. */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/daily.h"
#include "core/verdict_sides.h"
#include "series.h"

#include <math.h>

enum {
	DAY = 1440,
	MOST = 3 * DAY
};

static const double day_seconds = 24 * 3600;

static void check(double got, double expected)
{
	if (!(fabs(got - expected) <= 1e-6 * fabs(expected)))
		fail_msg("got %.12g, expected %.12g", got, expected);
}

/* DAYS of minutes from OFFSET minutes after midnight on: a wave over the day, noise
 * that lasts for minutes, and each day LEVELS times as high. */
static struct daily *window(
	uint64_t seed, int days, int offset, double scale, const double *levels)
{
	static double z[MOST];
	struct daily *daily = daily_new(60);

	series_ar(z, (size_t)days * DAY, seed, 0.9);
	for (int m = 0; m < days * DAY; m++) {
		unsigned hour = (unsigned)((offset + m) / 60 % 24);
		double wave = 1 + 0.5 * cos(2 * 3.14159265358979323846 * hour / 24);
		double level = levels ? levels[m / DAY] : 1;
		struct load_sum sum = {60 * scale * wave * level * exp(0.3 * z[m]), 60,
			60, (uint8_t)hour};

		daily_put(daily, m, &sum);
		daily_pass(daily, 60);
	}
	return daily;
}

static bool judge(struct verdict *v, struct daily *a, struct daily *b, double days)
{
	bool done = verdict_hours(
		v, a, b, (const double[]){days * day_seconds, days * day_seconds});

	daily_free(a);
	daily_free(b);
	return done;
}

static void a_day_against_a_day(void **unused)
{
	struct verdict v;

	(void)unused;
	assert_true(judge(&v, window(41, 1, 0, 4, NULL), window(42, 1, 0, 3, NULL), 1));
	assert_true(v.tested && v.few_days);
	check(v.change, -0.2462571448);
	check(v.low, -0.3573981645);
	check(v.high, -0.1158937614);
	check(v.p, 0.002135213979);
}

/* Other hours of the night come first: that alone is no change. */
static void a_day_that_begins_at_another_hour(void **unused)
{
	struct verdict v;

	(void)unused;
	assert_true(
		judge(&v, window(41, 1, 0, 4, NULL), window(42, 1, 600, 4, NULL), 1));
	check(v.change, -0.01904427908);
	check(v.p, 0.6743930021);
}

/* Clear by the hour, but days differ by more than that among themselves. */
static void three_days_say_what_days_differ_by(void **unused)
{
	static const double before[] = {1, 1.2, 0.9}, after[] = {1.1, 0.8, 1};
	struct verdict v;

	(void)unused;
	assert_true(judge(
		&v, window(43, 3, 0, 4, before), window(44, 3, 0, 3.6, after), 3));
	assert_false(v.few_days);
	check(v.change, -0.1668533854);
	check(v.low, -0.4008718252);
	check(v.high, 0.1585722564);
	check(v.p, 0.1977792343);
}

static void it_takes_twenty_hours_and_hours_that_overlap(void **unused)
{
	struct verdict v;
	struct daily *half = daily_new(60);

	(void)unused;
	assert_false(
		judge(&v, window(1, 1, 0, 4, NULL), window(2, 1, 0, 4, NULL), 0.8));
	for (int m = 0; m < DAY / 2; m++) {
		daily_put(half, m, &(struct load_sum){60, 60, 60, (uint8_t)(m / 60)});
		daily_pass(half, 60);
	}
	assert_false(judge(&v, half, window(2, 1, 0, 4, NULL), 1));
}

static bool differ(double from1, double to1, double from2, double to2)
{
	static const nsec hour = 3600 * NSEC_PER_SEC;
	const nsec from[] = {
		(nsec)(from1 * (double)hour), (nsec)(from2 * (double)hour)};
	const nsec to[] = {(nsec)(to1 * (double)hour), (nsec)(to2 * (double)hour)};

	return daily_differs(from, to);
}

static void windows_at_other_hours_are_told(void **unused)
{
	(void)unused;
	assert_true(differ(8, 16, 16, 24));         /* 8 h, then 8 h */
	assert_false(differ(8, 10, 10, 12));        /* 4 h in all */
	assert_false(differ(18, 18.5, 42.2, 42.9)); /* the same hour of the next day */
	assert_true(differ(9, 10, 14, 15));
	assert_false(differ(0, 24, 24, 48));
	assert_false(differ(8, 16, 12, 20)); /* half of them */
	assert_true(differ(8, 16, 13, 21));
}

static void hours_count_from_midnight_also_before_1970(void **unused)
{
	static const nsec hour = 3600 * NSEC_PER_SEC;

	(void)unused;
	assert_int_equal(daily_hour(25 * hour), 1);
	assert_int_equal(daily_hour(-hour), 23);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_day_against_a_day),
		cmocka_unit_test(a_day_that_begins_at_another_hour),
		cmocka_unit_test(three_days_say_what_days_differ_by),
		cmocka_unit_test(it_takes_twenty_hours_and_hours_that_overlap),
		cmocka_unit_test(windows_at_other_hours_are_told),
		cmocka_unit_test(hours_count_from_midnight_also_before_1970),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
