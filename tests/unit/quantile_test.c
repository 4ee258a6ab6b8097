/* Quantiles and the same-load comparison against reference values from scipy. */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/quantile.h"
#include "core/sameload.h"
#include "series.h"

#include <math.h>

static double x[3600], y[3600], z[3600];
static struct quantile_batches a, b;

static void check(double got, double expected)
{
	if (!(fabs(got - expected) <= 1e-6 * fabs(expected)))
		fail_msg("got %.12g, expected %.12g", got, expected);
}

static void buckets_are_exact_below_32_and_six_percent_above(void **unused)
{
	static const uint64_t at[][2] = {{0, 0}, {1, 1}, {31, 31}, {32, 32}, {33, 32},
		{47, 39}, {48, 40}, {63, 47}, {64, 48}, {65, 48}, {1000, 111},
		{65535, 207}, {65536, 208}};

	(void)unused;
	for (size_t i = 0; i < sizeof at / sizeof *at; i++)
		assert_int_equal(histogram_index(at[i][0]), at[i][1]);
	assert_int_equal(histogram_index(UINT64_MAX), HISTOGRAM_BUCKETS - 1);
}

static int fill(void **unused)
{
	(void)unused;
	series_lognormal(x, 3600, 1, 0.9, 1, 4);
	series_lognormal(y, 1800, 2, 0.9, 1, 2);
	for (size_t t = 0; t < 3600; t++)
		quantile_add(&a, (uint64_t)(1000 * x[t]));
	for (size_t t = 0; t < 1800; t++)
		quantile_add(&b, (uint64_t)(1000 * y[t]));
	return 0;
}

static int empty(void **unused)
{
	(void)unused;
	quantile_batches_fini(&a);
	quantile_batches_fini(&b);
	return 0;
}

static void quantiles_with_intervals(void **unused)
{
	struct quantile q = quantile_of(&a, 0.5);

	(void)unused;
	check(q.value, 2331.042254);
	check(q.error, 0.02312315125);
	check(q.df, 8);
	check(q.tail, 233.7846395);
	check(q.low, 2038.739104);
	check(q.high, 2656.313433);
	q = quantile_of(&a, 0.95);
	check(q.value, 13738.66667);
	check(q.df, 86.87441567);
	check(q.tail, 19.9517188);
	check(q.high, 17480.31717);
	q = quantile_of(&a, 0.99);
	check(q.value, 30976);
	check(q.low, 18072.70804);
	check(q.high, 45665.34252);
	check(quantile_of(&b, 0.95).tail, 24.34035767);
}

static void quantiles_compared(void **unused)
{
	static const double expected[][5] = {
		{0.5, -0.512991198, -0.6115974929, -0.3879630765, 8.477716808e-06},
		{0.95, -0.6785714286, -0.7594886218, -0.5606774962, 2.001113821e-06},
		{0.99, -0.7300275482, -0.8416501377, -0.4990332314, 0.001190369556},
	};

	(void)unused;
	for (size_t i = 0; i < 3; i++) {
		struct quantile_change c = quantile_compare(&a, &b, expected[i][0]);

		check(c.change, expected[i][1]);
		check(c.low, expected[i][2]);
		check(c.high, expected[i][3]);
		check(c.p, expected[i][4]);
	}
}

static void a_fallen_load_is_not_a_better_disk(void **unused)
{
	static struct load_batches before, after;
	struct load_comparison c;

	(void)unused;
	series_ar(x, 3600, 7, 0.97);
	series_ar(z, 3600, 9, 0.9);
	for (size_t t = 0; t < 3600; t++) {
		double load = exp(0.5 * x[t]);

		load_add(&before, load_key(load, 40), pow(load, 1.7) * exp(0.6 * z[t]),
			1, true);
	}
	series_ar(y, 3600, 8, 0.97);
	series_ar(z, 3600, 10, 0.9);
	for (size_t t = 0; t < 3600; t++) {
		double load = 0.6 * exp(0.5 * y[t]);

		load_add(&after, load_key(load, 40), pow(load, 1.7) * exp(0.6 * z[t]),
			1, true);
	}
	assert_true(load_compare(&before, &after, &c));
	check(1 + c.ratio.change, 0.935991819);
	check(c.ratio.p, 0.4702536087);
	check(c.ratio.df, 15.76881095);
	check(c.cover, 0.9588888889);
	check(c.ess, 47.30597419);
	check(c.expected * c.den / 3600, 0.5989342393);
	check(c.observed * c.den / 3600, 0.5605975481);
	check(c.ratio.low, -0.2257860157);
	check(c.ratio.high, 0.131574349);
	load_batches_fini(&before);
	load_batches_fini(&after);
}

static void loads_that_never_overlap_are_not_compared(void **unused)
{
	static struct load_batches before, after;
	struct load_comparison c;

	(void)unused;
	for (size_t t = 0; t < 600; t++) {
		load_add(&before, load_key(10, 0), 5, 1, true);
		load_add(&after, load_key(100000, 0), 5, 1, true);
	}
	assert_false(load_compare(&before, &after, &c));
	load_batches_fini(&before);
	load_batches_fini(&after);
}

static void load_keys_are_quarter_octaves(void **unused)
{
	(void)unused;
	assert_int_equal(load_key(0, 0), 0);
	assert_int_equal(load_key(1, 0), 1);
	assert_int_equal(load_key(1024, 0), 40);
	assert_int_equal(load_key(1e30, 0), LOAD_KEYS - 1);
	assert_int_equal(load_key(1, 40), 40);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(buckets_are_exact_below_32_and_six_percent_above),
		cmocka_unit_test(quantiles_with_intervals),
		cmocka_unit_test(quantiles_compared),
		cmocka_unit_test(a_fallen_load_is_not_a_better_disk),
		cmocka_unit_test(loads_that_never_overlap_are_not_compared),
		cmocka_unit_test(load_keys_are_quarter_octaves),
	};

	return cmocka_run_group_tests(tests, fill, empty);
}
