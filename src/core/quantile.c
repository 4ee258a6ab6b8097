/* Quantiles over batches; see the header. */
#include "config.h"

#include "core/quantile.h"

#include "base/alloc.h"
#include "core/distribution.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Sum of all batches, made once for all the ranks that are asked. */
struct total {
	double count[HISTOGRAM_BUCKETS];
	double n;
};

void quantile_batches_fini(struct quantile_batches *b)
{
	for (size_t k = 0; k < HISTOGRAM_BUCKETS; k++)
		free(b->columns[k]);
	*b = (struct quantile_batches){0};
}

static void merge(struct quantile_batches *b)
{
	for (size_t k = 0; k < HISTOGRAM_BUCKETS; k++) {
		uint32_t *c = b->columns[k];

		for (size_t i = 0; c && i < BATCHES / 2; i++)
			c[i] = c[2 * i] + c[2 * i + 1];
		if (c)
			memset(c + BATCHES / 2, 0, BATCHES / 2 * sizeof *c);
	}
	slots_halve(&b->slots);
}

void quantile_put(
	struct quantile_batches *b, const struct bucket_count *buckets, size_t count)
{
	if (slots_full(&b->slots))
		merge(b);
	for (size_t i = 0; i < count; i++) {
		uint32_t **column = &b->columns[buckets[i].bucket];

		if (!*column)
			*column = xarray(BATCHES, sizeof **column);
		(*column)[b->slots.full] += buckets[i].count;
	}
}

void quantile_add(struct quantile_batches *b, uint64_t value)
{
	quantile_put(b, &(struct bucket_count){1, (uint16_t)histogram_index(value)}, 1);
	(void)slots_pass(&b->slots, 1); /* there is room: one has passed */
}

void quantile_pass(struct quantile_batches *b, uint64_t ticks)
{
	while (ticks) {
		if (slots_full(&b->slots))
			merge(b);
		ticks -= slots_pass(&b->slots, ticks);
	}
}

static void sum(const struct quantile_batches *b, struct total *total)
{
	size_t n = slots_count(&b->slots);

	memset(total, 0, sizeof *total);
	for (size_t k = 0; k < HISTOGRAM_BUCKETS; k++) {
		for (size_t i = 0; b->columns[k] && i < n; i++)
			total->count[k] += b->columns[k][i];
		total->n += total->count[k];
	}
}

/* Bucket and place inside it (0 to 1) of share P. */
static size_t locate(const struct total *total, double p, double *inside)
{
	double rank = p * total->n, below = 0;
	size_t last = 0;

	for (size_t k = 0; k < HISTOGRAM_BUCKETS; k++) {
		if (!(total->count[k] > 0))
			continue;
		last = k;
		if (below + total->count[k] >= rank) {
			*inside = (rank - below) / total->count[k];
			*inside = *inside < 0 ? 0 : *inside > 1 ? 1 : *inside;
			return k;
		}
		below += total->count[k];
	}
	*inside = 1;
	return last;
}

static double at_share(const struct total *total, double p)
{
	double inside;
	size_t k = locate(total, p, &inside);
	double low = (double)histogram_low((unsigned)k);
	double wide = (double)histogram_width((unsigned)k);

	return wide > 1 ? low + inside * wide : low;
}

static double logistic(double x)
{
	return 1 / (1 + exp(-x));
}

/* Interval at two-sided level 1 - A (given as t quantile level 1 - a/2). */
static void interval(const struct total *total, const struct quantile *q, double p,
	double level, double *low, double *high)
{
	double t = distribution_t_inverse(level, q->df);
	double half = t * q->error / (p * (1 - p));
	double logit = log(p / (1 - p));
	double down = logistic(logit - half), up = logistic(logit + half);

	*low = down * total->n < 1 ? 0 : at_share(total, down);
	*high = (1 - up) * total->n < 1 ? (double)INFINITY : at_share(total, up);
}

static struct quantile measure(
	const struct quantile_batches *b, const struct total *total, double p)
{
	double d[BATCHES] = {0}, ticks[BATCHES] = {0}, inside;
	size_t n = slots_count(&b->slots);
	size_t k = locate(total, p, &inside), used = 0;
	struct quantile q = {.value = at_share(total, p)};
	struct variance v;

	for (size_t j = 0; j < HISTOGRAM_BUCKETS; j++) {
		double share = (j < k ? 1 : j == k ? inside : 0) - p;

		for (size_t i = 0; b->columns[j] && i < n; i++) {
			d[i] += share * b->columns[j][i];
			ticks[i] += b->columns[j][i];
		}
	}
	for (size_t i = 0; i < n; i++) /* without ticks: nothing is known */
		if (ticks[i] > 0)
			d[used++] = d[i];
	v = batch_variance(d, used);
	q.error = sqrt(v.value) / total->n;
	q.df = v.df;
	q.ess = v.ess;
	q.tail = p * (1 - p) / (q.error * q.error) * fmin(p, 1 - p);
	interval(total, &q, p, 0.975, &q.low, &q.high);
	return q;
}

struct quantile quantile_of(const struct quantile_batches *batches, double p)
{
	struct total total;

	sum(batches, &total);
	return measure(batches, &total, p);
}

double quantile_at(const struct quantile_batches *batches, double p)
{
	struct total total;

	sum(batches, &total);
	return total.n > 0 ? at_share(&total, p) : 0;
}

void quantile_above(
	const struct quantile_batches *b, double value, struct batches *above)
{
	*above = (struct batches){.slots = b->slots};
	for (unsigned k = 0; k < HISTOGRAM_BUCKETS; k++) {
		bool higher = histogram_low(k) > value;

		for (size_t i = 0; b->columns[k] && i < slots_count(&b->slots); i++) {
			above->den[i] += b->columns[k][i];
			above->num[i] += higher ? b->columns[k][i] : 0;
		}
	}
}

/* One side of a comparison. */
struct side {
	struct total total;
	struct quantile q;
};

/* MOVER limits of ln(after / before) at the level given. */
static void limits(const struct side *a, const struct side *b, double p, double level,
	double *low, double *high)
{
	double e = log(b->q.value / a->q.value);
	double l1, u1, l2, u2;

	interval(&a->total, &a->q, p, level, &l1, &u1);
	interval(&b->total, &b->q, p, level, &l2, &u2);
	*low = e - hypot(log(b->q.value / l2), log(u1 / a->q.value));
	*high = e + hypot(log(u2 / b->q.value), log(a->q.value / l1));
}

struct quantile_change quantile_compare(const struct quantile_batches *before,
	const struct quantile_batches *after, double p)
{
	struct side a, b;
	struct quantile_change c;
	double low, high, from = -20, upto = 0;

	sum(before, &a.total);
	sum(after, &b.total);
	a.q = measure(before, &a.total, p);
	b.q = measure(after, &b.total, p);
	limits(&a, &b, p, 0.975, &low, &high);
	c.change = b.q.value / a.q.value - 1;
	c.low = expm1(low);
	c.high = expm1(high);
	for (int i = 0; i < 40; i++) { /* smallest level whose interval excludes 0 */
		double middle = (from + upto) / 2;

		limits(&a, &b, p, 1 - exp(middle) / 2, &low, &high);
		if (low > 0 || high < 0)
			upto = middle;
		else
			from = middle;
	}
	c.p = exp((from + upto) / 2);
	return c;
}
