/* Repeated windows: means and events; see the header. */
#include "config.h"

#include "core/pool.h"

#include "core/distribution.h"

#include <math.h>

double pool_between(const double *const logarithms[2], const size_t count[2])
{
	double squares = 0, share = 0;
	size_t windows = count[0] + count[1];

	if (windows <= 2)
		return 0;
	for (size_t s = 0; s < 2; s++) {
		double mean = 0;

		for (size_t i = 0; i < count[s]; i++)
			mean += logarithms[s][i] / (double)count[s];
		for (size_t i = 0; i < count[s]; i++)
			squares += pow(logarithms[s][i] - mean, 2);
		share += 1 / (double)count[s];
	}
	return squares / (double)(windows - 2) * share;
}

/* One side: sums, and the variance within its windows. */
static struct batch_mean within(const struct batch_list *side, double *logarithms)
{
	struct batch_mean pooled = {.df = 1};
	double num = 0, den = 0, variance = 0, squares = 0;

	for (size_t i = 0; i < side->count; i++) {
		const struct batches *b = side->list[i];
		struct batch_mean m = batches_mean(b);
		double own = 0, v;

		for (size_t k = 0; k < slots_count(&b->slots); k++) {
			own += b->num[k];
			den += b->den[k];
		}
		v = m.relative * own * own;
		num += own;
		variance += v;
		squares += v * v / m.df;
		pooled.ess += m.ess;
		logarithms[i] = log(m.mean);
	}
	pooled.mean = num / den;
	pooled.relative = variance / (num * num);
	if (squares > 0)
		pooled.df = variance * variance / squares;
	return pooled;
}

static double width(double variance, double df)
{
	double t = distribution_t_inverse(0.975, df);

	return variance * t * t;
}

struct contrast pool_means(
	const struct batch_list sides[2], struct batch_mean *pooled, bool *between)
{
	double logarithms[2][SIDE_MOST];
	const double *const both[] = {logarithms[0], logarithms[1]};
	const size_t count[] = {sides[0].count, sides[1].count};
	struct batch_mean mean[2] = {
		within(&sides[0], logarithms[0]), within(&sides[1], logarithms[1])};
	struct contrast c = compare_means(&mean[0], &mean[1]);
	double v = pool_between(both, count);
	double df = (double)(count[0] + count[1]) - 2;

	*between = v > 0 &&
		   width(v, df) > width(mean[0].relative + mean[1].relative, c.df);
	if (*between)
		c = compare_logarithms(log(mean[1].mean / mean[0].mean), v, df);
	for (size_t i = 0; pooled && i < 2; i++)
		pooled[i] = mean[i];
	return c;
}

static struct event_sums sum_events(
	const struct batch_list *side, struct event_sums windows[SIDE_MOST])
{
	struct event_sums sum = {.variance = {.df = 1}};
	double squares = 0;

	for (size_t i = 0; i < side->count; i++) {
		const struct variance *v = &windows[i].variance;

		windows[i] = compare_events(side->list[i]);
		sum.events += windows[i].events;
		sum.exposure += windows[i].exposure;
		sum.variance.value += v->value;
		squares += v->value * v->value / v->df;
	}
	if (squares > 0)
		sum.variance.df = sum.variance.value * sum.variance.value / squares;
	return sum;
}

/* Pearson's sum of squares of windows of one side around their common rate. */
static double spread(
	const struct event_sums *sum, const struct event_sums *windows, size_t count)
{
	double total = 0;

	for (size_t i = 0; i < count && sum->events > 0; i++) {
		double expected = sum->events * windows[i].exposure / sum->exposure;

		total += pow(windows[i].events - expected, 2) / expected;
	}
	return total;
}

struct count_comparison pool_counts(const struct batch_list sides[2])
{
	struct event_sums windows[2][SIDE_MOST];
	const struct event_sums sums[] = {
		sum_events(&sides[0], windows[0]), sum_events(&sides[1], windows[1])};
	double df, phi = compare_dispersion(sums, &df);
	double freedom = (double)(sides[0].count + sides[1].count) - 2;
	double other = spread(&sums[0], windows[0], sides[0].count) +
		       spread(&sums[1], windows[1], sides[1].count);

	if (freedom > 0 && width(other / freedom, freedom) > width(phi, df)) {
		phi = fmax(1, other / freedom);
		df = freedom;
	}
	return compare_dispersed(sums, phi, df);
}
