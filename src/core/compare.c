/* Comparison of means and counts; see the header. */
#include "config.h"

#include "core/compare.h"

#include "core/distribution.h"

#include <math.h>
#include <stdlib.h>

struct contrast compare_means(
	const struct batch_mean *before, const struct batch_mean *after)
{
	double e = log(after->mean / before->mean);
	double v1 = before->relative, v2 = after->relative;
	double v = v1 + v2;
	double df, half;

	if (!(v > 0)) /* constants: no interval */
		return (struct contrast){.change = expm1(e),
			.low = expm1(e),
			.high = expm1(e),
			.df = 1,
			.p = 1};
	df = v * v / (v1 * v1 / before->df + v2 * v2 / after->df);
	half = distribution_t_inverse(0.975, df) * sqrt(v);
	return (struct contrast){
		.change = expm1(e),
		.low = expm1(e - half),
		.high = expm1(e + half),
		.df = df,
		.p = distribution_t_two_sided(e / sqrt(v), df),
	};
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

/* Events, exposure and the long-run variance of the counts of one window. */
static struct variance count_variance(const struct batches *b, double *k, double *e)
{
	double d[BATCHES];
	size_t n = slots_count(&b->slots);
	struct variance none = {.df = 1};

	*k = *e = 0;
	for (size_t i = 0; i < n; i++) {
		*k += b->num[i];
		*e += b->den[i];
	}
	if (!(*k > 0))
		return none;
	for (size_t i = 0; i < n; i++)
		d[i] = b->num[i] - *k / *e * b->den[i];
	return batch_variance(d, n);
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

struct count_comparison compare_counts(
	const struct batches *before, const struct batches *after)
{
	struct count_comparison c = {.p = 1, .p0 = 1, .phi = 1, .attainable = 1};
	double e1, e2, share, a, b, upper, lower, total;
	struct variance v1 = count_variance(before, &c.k1, &e1);
	struct variance v2 = count_variance(after, &c.k2, &e2);
	double v = v1.value + v2.value;

	c.rate1 = c.k1 / e1;
	c.rate2 = c.k2 / e2;
	c.ratio = c.rate2 / c.rate1;
	if (!(c.k1 + c.k2 > 0))
		return c;
	c.phi = fmax(1, v / (c.k1 + c.k2));
	/* as regular as a clock: nothing was estimated, so nothing is corrected */
	c.df = v > 0 ? v * v /
			       (v1.value * v1.value / v1.df +
				       v2.value * v2.value / v2.df)
		     : 1e6;
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
	enum {
		MOST = 4096
	};
	static _Thread_local struct ranked sorted[MOST];
	double highest = 0;

	for (size_t i = 0; i < count && i < MOST; i++)
		sorted[i] = (struct ranked){p[i], i};
	qsort(sorted, count, sizeof *sorted, by_p);
	for (size_t i = 0; i < count; i++) {
		double adjusted = fmin(1, (double)(count - i) * sorted[i].p);

		highest = fmax(highest, adjusted);
		p[sorted[i].place] = highest;
	}
}
