/*
 * The statistics against reference values that were computed with scipy (and agree
 * with R and GSL): distribution functions, batches, means, borrowing, ratios,
 * counts, Holm. 1e-6 relative.
 */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/compare.h"
#include "core/distribution.h"
#include "series.h"

#include <math.h>

static double x[14400], y[14400];

static void check(double got, double expected)
{
	if (!(fabs(got - expected) <= 1e-6 * fabs(expected)))
		fail_msg("got %.12g, expected %.12g", got, expected);
}

static void distribution_functions_agree_with_scipy(void **unused)
{
	(void)unused;
	check(distribution_t(2.5, 8), 0.9815289811);
	check(distribution_t(-1.2, 3.7), 0.1506461891);
	check(distribution_t_inverse(.975, 8), 2.306004135);
	check(distribution_t_inverse(.999, 11.3), 3.994017913);
	check(distribution_beta(4.2, 7.5, .3), 0.357372597);
	check(distribution_beta_inverse(3.3, 9.1, .025), 0.07105337282);
	check(distribution_normal_inverse(.9987), 3.011453758);
	check(distribution_t_two_sided(6.1, 14.2), 2.578750836e-05);
}

static void distribution_functions_answer_at_their_edges(void **unused)
{
	(void)unused;
	assert_true(distribution_beta(2, 3, 0) == 0);
	assert_true(distribution_beta(2, 3, 1) == 1);
	check(distribution_t(0, 5), 0.5);
	assert_true(fabs(distribution_normal_inverse(0.5)) < 1e-9);
	assert_true(isfinite(distribution_normal_inverse(1e-300)));
	assert_true(isfinite(distribution_t_inverse(1 - 1e-12, 1)));
}

static void batches_double_when_full(void **unused)
{
	static const struct {
		unsigned ticks, n, length, first, last, in_last;
	} cases[] = {
		{1000, 125, 8, 417, 442, 8},
		{1024, 128, 8, 417, 375, 8},
		{1025, 65, 16, 778, 24, 1},
		{128, 128, 1, 11, 64, 1},
		{129, 65, 2, 59, 0, 1},
	};

	(void)unused;
	for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
		struct batches b = {0};
		size_t n;

		for (unsigned t = 0; t < cases[c].ticks; t++)
			batches_add(&b, (37 * t + 11) % 101, 1);
		n = slots_count(&b.slots);
		assert_int_equal(n, cases[c].n);
		assert_int_equal(b.slots.length, cases[c].length);
		assert_true(b.num[0] == cases[c].first);
		assert_true(b.num[n - 1] == cases[c].last);
		assert_int_equal(
			b.slots.in ? b.slots.in : b.slots.length, cases[c].in_last);
	}
}

static void fill(struct batches *b, const double *value, size_t n)
{
	*b = (struct batches){0};
	for (size_t t = 0; t < n; t++)
		batches_add(b, value[t], 1);
}

static void means_of_autocorrelated_series(void **unused)
{
	static struct batches a, b;
	struct batch_mean m;
	struct contrast c;
	bool borrowed;

	(void)unused;
	series_lognormal(x, 3600, 1, 0.9, 1, 4);
	series_lognormal(y, 1800, 2, 0.9, 1, 2);
	check(x[0], 0.6551977053);
	check(x[3599], 2.185180211);
	fill(&a, x, 3600);
	fill(&b, y, 1800);
	m = batches_mean(&a);
	check(m.mean, 4.148575042);
	check(m.lag1, 0.1254128653);
	check(m.lag2, 0.0681504067);
	check(m.ess, 48.85414722);
	check(sqrt(m.relative), 0.08803302159);
	check(m.df, 86.81519145);
	check(m.kish, 14.96312537);
	m = batches_mean(&b);
	check(m.lag1, 0.2273412005);
	check(m.ess, 38.86313601);
	check(sqrt(m.relative), 0.07345978143);
	check(m.df, 8);
	check(m.kish, 14.68381888);
	c = compare_batches(&a, &b, &borrowed);
	assert_false(borrowed);
	check(c.change, -0.6126765901);
	check(c.low, -0.6927962188);
	check(c.high, -0.511661532);
	check(c.df, 39.895318);
	check(c.p, 3.458340349e-10);
}

static void a_long_window_lends_its_wander(void **unused)
{
	static struct batches a, b;
	struct batch_mean piece, m1, m2;
	struct contrast c;
	bool borrowed;

	(void)unused;
	series_lognormal(x, 14400, 3, 0.9, 1, 4);
	series_lognormal(y, 600, 4, 0.5, 1, 3);
	fill(&a, x, 14400);
	fill(&b, y, 600);
	piece = batches_borrow(&a, 600);
	check(sqrt(piece.relative), 0.1666503233);
	check(piece.df, 32.4);
	c = compare_batches(&a, &b, &borrowed);
	assert_true(borrowed);
	check(c.change, -0.2347102219);
	check(c.low, -0.458466653);
	check(c.high, 0.08150023959);
	check(c.p, 0.1253775701);
	m1 = batches_mean(&a);
	m2 = batches_mean(&b);
	c = compare_means(&m1, &m2);
	check(c.low, -0.3635721625);
	check(c.p, 0.005084843221);
}

static void ratios_weigh_by_their_denominator(void **unused)
{
	static struct batches a;
	struct batch_mean m;

	(void)unused;
	series_lognormal(x, 3600, 1, 0.9, 1, 4);
	a = (struct batches){0};
	for (unsigned t = 0; t < 3600; t++) {
		double den = 50 + (13 * t) % 17;

		batches_add(&a, den * x[t], den);
	}
	m = batches_mean(&a);
	check(m.mean, 4.150857908);
	check(m.lag2, 0.07239018054);
	check(m.ess, 48.4395986);
	check(sqrt(m.relative), 0.08793278372);
	check(m.kish, 14.97265019);
}

static void events(struct batches *b, uint64_t seed, unsigned n, double share)
{
	*b = (struct batches){0};
	series_seed(seed);
	for (unsigned t = 0; t < n; t++) {
		double count = 0;

		if (series_uniform() < share)
			count = 1 + floor(3 * series_uniform());
		batches_add(b, count, 1000 + (7 * t) % 500);
	}
}

static void rare_events_with_and_without_any_after(void **unused)
{
	static struct batches a, b;
	struct count_comparison c;

	(void)unused;
	events(&a, 5, 3600, 0.02);
	events(&b, 6, 1800, 0.005);
	c = compare_counts(&a, &b);
	check(c.k1, 184);
	check(c.k2, 9);
	check(c.rate1 * 1e6, 40.94439129);
	check(c.rate2 * 1e6, 4.006766984);
	check(c.phi, 4.619888647);
	check(c.df, 40.19267972);
	check(c.p0, 1.857007325e-05);
	check(c.p, 0.000112098112);
	check(c.ratio, 0.09785875082);
	check(c.low, 0.0101479478);
	check(c.high, 0.3939438013);
	check(c.attainable, 2.316448476e-20);
	events(&b, 6, 1800, 0);
	c = compare_counts(&a, &b);
	assert_true(c.k2 == 0 && c.ratio == 0 && c.low == 0);
	check(c.phi, 4.723993508);
	check(c.p, 8.454608664e-06);
	check(c.high, 0.2072926078);
}

static void no_events_at_all_say_nothing(void **unused)
{
	static struct batches a;
	struct count_comparison c;

	(void)unused;
	events(&a, 5, 600, 0);
	c = compare_counts(&a, &a);
	assert_true(c.p == 1 && c.attainable == 1);
}

static void holm_adjusts_in_order(void **unused)
{
	double p[] = {0.001, 0.04, 0.012, 0.3, 0.0125, 0.02};
	static const double expected[] = {0.006, 0.08, 0.06, 0.3, 0.06, 0.06};

	(void)unused;
	compare_holm(p, 6);
	for (size_t i = 0; i < 6; i++)
		check(p[i], expected[i]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(distribution_functions_agree_with_scipy),
		cmocka_unit_test(distribution_functions_answer_at_their_edges),
		cmocka_unit_test(batches_double_when_full),
		cmocka_unit_test(means_of_autocorrelated_series),
		cmocka_unit_test(a_long_window_lends_its_wander),
		cmocka_unit_test(ratios_weigh_by_their_denominator),
		cmocka_unit_test(rare_events_with_and_without_any_after),
		cmocka_unit_test(no_events_at_all_say_nothing),
		cmocka_unit_test(holm_adjusts_in_order),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
