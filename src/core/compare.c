/* Comparison of means and counts; see the header. */
#include "config.h"

#include "core/compare.h"

#include "base/alloc.h"
#include "core/distribution.h"

#include <math.h>
#include <stdlib.h>

struct contrast compare_logarithms(double e, double v, double df)
{
	double half = distribution_t_inverse(0.975, df) * sqrt(v);

	return (struct contrast){
		.change = expm1(e),
		.low = expm1(e - half),
		.high = expm1(e + half),
		.df = df,
		.p = distribution_t_two_sided(e / sqrt(v), df),
	};
}

/* Constants: no interval. */
static struct contrast constant(double e)
{
	return (struct contrast){
		.change = expm1(e), .low = expm1(e), .high = expm1(e), .df = 1, .p = 1};
}

struct contrast compare_means(
	const struct batch_mean *before, const struct batch_mean *after)
{
	double e = log(after->mean / before->mean);
	double v1 = before->relative, v2 = after->relative;
	double v = v1 + v2;

	if (!(v > 0))
		return constant(e);
	return compare_logarithms(
		e, v, v * v / (v1 * v1 / before->df + v2 * v2 / after->df));
}

/* Mean of the logarithms, and its squared standard error. */
static double log_mean(const double *figures, size_t count, double *square)
{
	double n = (double)count, sum = 0;

	*square = 0;
	for (size_t i = 0; i < count; i++)
		sum += log(figures[i]);
	for (size_t i = 0; i < count; i++)
		*square += pow(log(figures[i]) - sum / n, 2) / (n - 1) / n;
	return sum / n;
}

struct contrast compare_runs(const double *const figures[2], const size_t count[2])
{
	double v1, v2, v;
	double e = -log_mean(figures[0], count[0], &v1);

	e += log_mean(figures[1], count[1], &v2);
	v = v1 + v2;
	if (!(v > 1e-18)) /* what rounding leaves of equal figures */
		return constant(e);
	return compare_logarithms(e, v,
		v * v /
			(v1 * v1 / (double)(count[0] - 1) +
				v2 * v2 / (double)(count[1] - 1)));
}

/* Gives SHORTER the wander that LENGTHY shows, if that is wider. */
static bool borrow(
	struct batch_mean *shorter, const struct batches *lengthy, uint64_t ticks)
{
	struct batch_mean piece = batches_borrow(lengthy, ticks);
	double own = distribution_t_inverse(0.975, shorter->df);
	double other = distribution_t_inverse(0.975, piece.df);

	if (piece.relative * other * other <= shorter->relative * own * own)
		return false;
	shorter->relative = piece.relative;
	shorter->df = piece.df;
	return true;
}

struct contrast compare_batches(
	const struct batches *before, const struct batches *after, bool *borrowed)
{
	struct batch_mean a = batches_mean(before);
	struct batch_mean b = batches_mean(after);

	*borrowed = false;
	if (before->slots.ticks >= BORROW_FACTOR * after->slots.ticks)
		*borrowed = borrow(&b, before, after->slots.ticks);
	else if (after->slots.ticks >= BORROW_FACTOR * before->slots.ticks)
		*borrowed = borrow(&a, after, before->slots.ticks);
	return compare_means(&a, &b);
}

struct event_sums compare_events(const struct batches *b)
{
	double d[BATCHES];
	size_t n = slots_count(&b->slots), used = 0;
	struct event_sums sums = {.variance = {.df = 1}};

	for (size_t i = 0; i < n; i++) {
		sums.events += b->num[i];
		sums.exposure += b->den[i];
	}
	if (!(sums.events > 0))
		return sums;
	for (size_t i = 0; i < n; i++)
		if (b->den[i] > 0)
			d[used++] = b->num[i] - sums.events / sums.exposure * b->den[i];
	sums.variance = batch_variance(d, used);
	return sums;
}

/* The interval of the ratio of rates, at the t-corrected level. */
static void count_interval(struct count_comparison *c, double a, double b, double scale)
{
	double z = distribution_t_inverse(0.975, c->df);
	double level = erfc(z / sqrt(2.0)) / 2; /* half of a' */
	double low = a > 0 ? distribution_beta_inverse(a, b + 1, level) : 0;
	double high = b > 0 ? distribution_beta_inverse(a + 1, b, 1 - level) : 1;

	c->low = low / (1 - low) * scale;
	c->high = high < 1 ? high / (1 - high) * scale : (double)INFINITY;
}

double compare_dispersion(const struct event_sums sides[2], double *df)
{
	const struct variance *v1 = &sides[0].variance, *v2 = &sides[1].variance;
	double v = v1->value + v2->value;
	double events = sides[0].events + sides[1].events;

	/* as regular as a clock: nothing was estimated, so nothing is corrected */
	*df = v > 0 ? v * v /
			      (v1->value * v1->value / v1->df +
				      v2->value * v2->value / v2->df)
		    : 1e6;
	return events > 0 ? fmax(1, v / events) : 1;
}

struct count_comparison compare_dispersed(
	const struct event_sums sides[2], double phi, double df)
{
	double e1 = sides[0].exposure, e2 = sides[1].exposure;
	struct count_comparison c = {.k1 = sides[0].events,
		.k2 = sides[1].events,
		.p = 1,
		.p0 = 1,
		.phi = phi,
		.df = df,
		.attainable = 1};
	double share, a, b, upper, lower, total;

	c.rate1 = c.k1 / e1;
	c.rate2 = c.k2 / e2;
	c.ratio = c.rate2 / c.rate1;
	if (!(c.k1 + c.k2 > 0))
		return c;
	a = c.k2 / c.phi;
	b = c.k1 / c.phi;
	share = e2 / (e1 + e2);
	upper = a > 0 ? distribution_beta(a, b + 1, share) : 1;
	lower = b > 0 ? distribution_beta(b, a + 1, 1 - share) : 1;
	c.p0 = fmin(1, 2 * fmin(upper, lower));
	if (c.p0 < 1)
		c.p = distribution_t_two_sided(
			distribution_normal_inverse(c.p0 / 2), c.df);
	total = a + b;
	c.attainable = fmin(1, 2 * fmin(pow(share, total), pow(1 - share, total)));
	count_interval(&c, a, b, e1 / e2);
	return c;
}

struct count_comparison compare_counts(
	const struct batches *before, const struct batches *after)
{
	const struct event_sums sides[] = {
		compare_events(before), compare_events(after)};
	double df, phi = compare_dispersion(sides, &df);

	return compare_dispersed(sides, phi, df);
}

struct ranked {
	double p;
	size_t place;
};

static int by_p(const void *left, const void *right)
{
	const struct ranked *a = left, *b = right;

	return (a->p > b->p) - (a->p < b->p);
}

void compare_holm(double *p, size_t count)
{
	struct ranked *sorted = xarray(count + 1, sizeof *sorted);
	double highest = 0;

	for (size_t i = 0; i < count; i++)
		sorted[i] = (struct ranked){p[i], i};
	qsort(sorted, count, sizeof *sorted, by_p);
	for (size_t i = 0; i < count; i++) {
		double adjusted = fmin(1, (double)(count - i) * sorted[i].p);

		highest = fmax(highest, adjusted);
		p[sorted[i].place] = highest;
	}
	free(sorted);
}
