/* Histograms and summaries against exact quantiles, and against reference values
 * that were computed elsewhere (SciPy) from a series that anybody can make again. */
#include "config.h"

#include "core/summary.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void buckets_are_exact_below_32_then_16_per_octave(void **state)
{
	static const struct {
		uint64_t value;
		unsigned index;
	} cases[] = {{0, 0}, {1, 1}, {31, 31}, {32, 32}, {33, 32}, {47, 39}, {48, 40},
		{63, 47}, {64, 48}, {65, 48}, {1000, 111}, {65535, 207}, {65536, 208},
		{(UINT64_C(1) << 36) - 1, 527}, {UINT64_C(1) << 36, 527},
		{UINT64_C(1099511627776), 527}, {UINT64_MAX, 527}};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		assert_int_equal(histogram_index(cases[i].value), cases[i].index);
}

static void buckets_never_go_back_and_are_narrow(void **state)
{
	uint64_t begin = 0;
	unsigned last = 0;

	(void)state;
	for (uint64_t v = 1; v < 1 << 20; v++) {
		unsigned index = histogram_index(v);

		assert_true(index == last || index == last + 1);
		if (index != last)
			begin = v;
		assert_true((double)(v - begin) <= 0.0625 * (double)begin + 1e-9);
		last = index;
	}
}

/* The series of the reference: an autoregressive log-normal one. */
struct generator {
	uint64_t seed;
	double z;
};

static double uniform(struct generator *generator)
{
	generator->seed = generator->seed * 6364136223846793005u + 1442695040888963407u;
	return ((double)(generator->seed >> 11) + 0.5) * 0x1p-53;
}

static double normal(struct generator *generator)
{
	double u1 = uniform(generator);
	double u2 = uniform(generator);

	return sqrt(-2 * log(u1)) * cos(2 * acos(-1.0) * u2);
}

static double next(struct generator *generator, bool first, double centre)
{
	generator->z =
		first ? normal(generator)
		      : 0.9 * generator->z + sqrt(1 - 0.9 * 0.9) * normal(generator);
	return centre * exp(generator->z - 0.5);
}

static void fill(
	struct histogram *histogram, struct generator generator, int count, double c)
{
	for (int i = 0; i < count; i++)
		histogram_add(
			histogram, (uint64_t)floor(1000 * next(&generator, i == 0, c)));
}

static void assert_near(double value, double expected, double relative)
{
	assert_true(fabs(value - expected) <= relative * fabs(expected));
}

static void quantiles_agree_with_the_reference(void **state)
{
	struct histogram a = {.total = 0}, b = {.total = 0};

	(void)state;
	fill(&a, (struct generator){.seed = 1}, 3600, 4);
	fill(&b, (struct generator){.seed = 2}, 1800, 2);
	assert_near(histogram_quantile(&a, 0.50), 2331.042254, 1e-6);
	assert_near(histogram_quantile(&a, 0.95), 13738.66667, 1e-6);
	assert_near(histogram_quantile(&a, 0.99), 30976, 1e-6);
	assert_near(histogram_quantile(&b, 0.50), 1135.238095, 1e-6);
	assert_near(histogram_quantile(&b, 0.95), 4416, 1e-6);
	assert_near(histogram_quantile(&b, 0.99), 8362.666667, 1e-6);
	/* The order statistics of the same series: 2335, 13693, 30826. */
	assert_near(histogram_quantile(&a, 0.50), 2335, 0.005);
	assert_near(histogram_quantile(&a, 0.95), 13693, 0.005);
	assert_near(histogram_quantile(&a, 0.99), 30826, 0.005);
}

static const struct metric *metric(const char *id)
{
	return metric_at((unsigned)metric_find(id));
}

static void add(struct summary *summary, const char *id, double num, double den)
{
	const struct value value = {.value = num / den, .num = num, .den = den};

	summary_add(summary, metric(id), &value);
}

static void the_mean_of_a_window_is_the_ratio_of_its_sums(void **state)
{
	struct summary summary = {.samples = 0};
	double mean;

	(void)state;
	add(&summary, "disk.read.await", 1.0, 1);   /* one slow request */
	add(&summary, "disk.read.await", 0.99, 99); /* and 99 fast ones */
	assert_true(summary_mean(&summary, &mean));
	assert_near(mean, 0.0199, 1e-9);
	assert_int_equal(summary.samples, 2);
	assert_near(summary.highest, 1.0, 1e-12);
	assert_near(summary.lowest, 0.01, 1e-12);
}

static void missing_figures_are_counted_by_reason_and_never_as_zero(void **state)
{
	struct summary summary = {.samples = 0};
	const struct value gap = {.why = WHY_GAP};
	const struct value idle = {.why = WHY_NO_COMPLETION};
	double value;

	(void)state;
	summary_add(&summary, metric("disk.read.await"), &gap);
	summary_add(&summary, metric("disk.read.await"), &idle);
	summary_add(&summary, metric("disk.read.await"), &idle);
	assert_int_equal(summary.samples, 0);
	assert_int_equal(summary.missing[WHY_GAP], 1);
	assert_int_equal(summary.missing[WHY_NO_COMPLETION], 2);
	assert_false(summary_mean(&summary, &value));
	assert_false(
		summary_quantile(&summary, metric("disk.read.await"), 0.5, &value));
}

static void quantiles_stay_between_the_true_extremes(void **state)
{
	struct summary summary = {.samples = 0};
	double value;

	(void)state;
	for (int i = 0; i < 10; i++)
		add(&summary, "disk.inflight", 250, 1);
	assert_true(summary_quantile(&summary, metric("disk.inflight"), 0.99, &value));
	assert_near(value, 250, 1e-12);
}

static void a_link_faster_than_the_last_bucket_is_not_made_slower(void **state)
{
	struct summary summary = {.samples = 0};
	double value;

	(void)state;
	add(&summary, "net.speed", 400e9, 1);
	assert_true(summary_quantile(&summary, metric("net.speed"), 0.5, &value));
	assert_near(value, 400e9, 1e-12);
}

static int by_size(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static void quantiles_of_waits_are_within_a_bucket_of_exact(void **state)
{
	static double values[5000];
	static const double ps[] = {0.05, 0.5, 0.95, 0.99};
	struct generator generator = {.seed = 77};
	struct summary summary = {.samples = 0};

	(void)state;
	for (int i = 0; i < 5000; i++) {
		values[i] = 0.004 * next(&generator, i == 0, 1);
		add(&summary, "disk.read.await", values[i], 1);
	}
	qsort(values, 5000, sizeof *values, by_size);
	for (size_t i = 0; i < sizeof ps / sizeof *ps; i++) {
		double found;
		double exact = values[(int)ceil(ps[i] * 5000) - 1];

		assert_true(summary_quantile(
			&summary, metric("disk.read.await"), ps[i], &found));
		assert_near(found, exact, 0.0315);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(buckets_are_exact_below_32_then_16_per_octave),
		cmocka_unit_test(buckets_never_go_back_and_are_narrow),
		cmocka_unit_test(quantiles_agree_with_the_reference),
		cmocka_unit_test(the_mean_of_a_window_is_the_ratio_of_its_sums),
		cmocka_unit_test(
			missing_figures_are_counted_by_reason_and_never_as_zero),
		cmocka_unit_test(quantiles_stay_between_the_true_extremes),
		cmocka_unit_test(a_link_faster_than_the_last_bucket_is_not_made_slower),
		cmocka_unit_test(quantiles_of_waits_are_within_a_bucket_of_exact),
	};

	return cmocka_run_group_tests_name("summary", tests, NULL, NULL);
}
