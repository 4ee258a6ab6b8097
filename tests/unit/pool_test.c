/* Repeated windows and runs of commands: reference values from a second implementation
 * in another language, and what must hold whatever the values are. */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/pool.h"
#include "core/verdict_sides.h"
#include "series.h"

#include <math.h>
#include <string.h>

enum {
	WINDOWS = 10
};

static struct batches windows[WINDOWS];
static struct batch_list sides[2];
static size_t used;

static void check(double got, double expected)
{
	if (!(fabs(got - expected) <= 1e-6 * fabs(expected)))
		fail_msg("got %.12g, expected %.12g", got, expected);
}

static int begin(void **unused)
{
	(void)unused;
	memset(sides, 0, sizeof sides);
	memset(windows, 0, sizeof windows);
	used = 0;
	return 0;
}

static struct batches *next(size_t side)
{
	struct batches *b = &windows[used++];

	sides[side].list[sides[side].count++] = b;
	return b;
}

static void series(size_t side, uint64_t seed, size_t n, double rho, double scale)
{
	static double x[900];
	struct batches *b = next(side);

	series_lognormal(x, n, seed, rho, 1, scale);
	for (size_t i = 0; i < n; i++)
		batches_add(b, x[i], 1);
}

static void events(size_t side, uint64_t seed, unsigned n, double share)
{
	struct batches *b = next(side);

	series_seed(seed);
	for (unsigned t = 0; t < n; t++) {
		double count = 0;

		if (series_uniform() < share)
			count = 1 + floor(3 * series_uniform());
		batches_add(b, count, 1000 + (7 * t) % 500);
	}
}

static void runs_are_compared_by_their_logarithms(void **unused)
{
	static const double before[] = {200, 204, 197}, after[] = {50, 51.5, 49};
	static const double slow[] = {25.1, 24.2, 26.3, 25.5}, fast[] = {101, 99, 96.5};
	struct contrast c;

	(void)unused;
	c = compare_runs((const double *const[]){before, after}, (size_t[]){3, 3});
	check(c.change, -0.7496107719);
	check(c.low, -0.7621355382);
	check(c.high, -0.7364265133);
	check(c.df, 3.579597985);
	check(c.p, 6.347672613e-07);
	c = compare_runs((const double *const[]){slow, fast}, (size_t[]){4, 3});
	check(c.change, 2.911395272);
	check(c.high, 3.136748656);
	check(c.df, 4.977890902);
	check(c.p, 2.088383289e-08);
}

static void what_windows_of_a_side_differ_by_counts_if_it_is_wider(void **unused)
{
	struct batch_mean mean[2];
	struct contrast c;
	bool between;

	(void)unused;
	series(0, 11, 600, 0.9, 10);
	series(0, 12, 700, 0.9, 4);
	series(0, 15, 600, 0.9, 4);
	series(1, 13, 600, 0.9, 2);
	series(1, 14, 900, 0.9, 2);
	c = pool_means(sides, mean, &between);
	assert_true(between);
	check(mean[0].mean, 4.58109896669557);
	check(mean[1].ess, 38.04638507605142);
	check(c.change, -0.560980466);
	check(c.low, -0.8265751696);
	check(c.high, 0.1113642194);
	check(c.df, 3);
	check(c.p, 0.06670211141);
}

static void what_happens_within_windows_counts_if_that_is_wider(void **unused)
{
	struct contrast c;
	bool between;

	(void)unused;
	for (uint64_t i = 0; i < 6; i++)
		series(i / 3, 49 + i, 600, 0.9, i < 3 ? 4 : 2);
	c = pool_means(sides, NULL, &between);
	assert_false(between);
	check(c.change, -0.315570063);
	check(c.low, -0.5137170465);
	check(c.high, -0.03668361122);
	check(c.df, 47.70361661);
	check(c.p, 0.03042923611);
}

static void one_window_a_side_is_what_it_was(void **unused)
{
	struct contrast pooled, single;
	bool between, borrowed;

	(void)unused;
	series(0, 11, 600, 0.9, 4);
	series(1, 13, 600, 0.9, 2);
	pooled = pool_means(sides, NULL, &between);
	single = compare_batches(sides[0].list[0], sides[1].list[0], &borrowed);
	assert_false(between);
	check(pooled.p, single.p);
	check(pooled.low, single.low);
	check(pooled.df, single.df);
}

static void events_of_repeated_windows(void **unused)
{
	struct count_comparison c;

	(void)unused;
	events(0, 5, 1800, 0.02);
	events(0, 6, 1800, 0.03);
	events(1, 7, 1800, 0.005);
	events(1, 8, 900, 0.005);
	c = pool_counts(sides);
	check(c.k1, 202);
	check(c.k2, 32);
	check(c.phi, 3.005310229);
	check(c.df, 2);
	check(c.p0, 5.787715215e-08);
	check(c.p, 0.03233629993);
}

/* One of the two BEFORE had ten times the events of the other: that alone could have
 * made the difference. */
static void a_burst_in_one_of_the_windows_is_no_change(void **unused)
{
	struct count_comparison c;

	(void)unused;
	events(0, 5, 1800, 0.02);
	events(0, 6, 1800, 0.2);
	events(1, 7, 1800, 0.005);
	events(1, 8, 900, 0.005);
	c = pool_counts(sides);
	check(c.phi, 236.1376695);
	check(c.p, 0.4655453422);
}

static void verdict_of(
	struct verdict *v, const double *a, size_t na, const double *b, size_t nb)
{
	verdict_runs(v, (const double *const[]){a, b}, (size_t[]){na, nb});
}

static void three_runs_a_side_get_a_verdict_and_fewer_do_not(void **unused)
{
	static const double before[] = {200, 204, 197}, after[] = {50, 51.5, 49};
	static const double same[] = {7, 7, 7}, idle[] = {7, 0, 7};
	struct verdict v;

	(void)unused;
	verdict_of(&v, before, 1, after, 1);
	assert_int_equal(v.word, VERDICT_FEW_RUNS);
	assert_false(v.tested);
	check(v.change, -0.75); /* a fact all the same */
	verdict_of(&v, before, 3, after, 2);
	assert_int_equal(v.word, VERDICT_FEW_RUNS);
	verdict_of(&v, before, 3, after, 3);
	assert_true(v.tested);
	check(v.p, 6.347672613e-07);
	verdict_of(&v, same, 3, same, 3);
	assert_int_equal(v.word, VERDICT_CONSTANT);
	verdict_of(&v, idle, 3, after, 3);
	assert_int_equal(v.word, VERDICT_IDLE);
	verdict_of(&v, NULL, 0, after, 3);
	assert_int_equal(v.word, VERDICT_NONE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(runs_are_compared_by_their_logarithms),
		cmocka_unit_test_setup(
			what_windows_of_a_side_differ_by_counts_if_it_is_wider, begin),
		cmocka_unit_test_setup(
			what_happens_within_windows_counts_if_that_is_wider, begin),
		cmocka_unit_test_setup(one_window_a_side_is_what_it_was, begin),
		cmocka_unit_test_setup(events_of_repeated_windows, begin),
		cmocka_unit_test_setup(
			a_burst_in_one_of_the_windows_is_no_change, begin),
		cmocka_unit_test(three_runs_a_side_get_a_verdict_and_fewer_do_not),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
