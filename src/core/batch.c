/* Batches and their long-run variance; see the header. */
#include "config.h"

#include "core/batch.h"

#include "core/distribution.h"

#include <math.h>
#include <string.h>

enum {
	LEAST = 4 /* residuals */
};

static void merge(struct batches *b)
{
	for (size_t i = 0; i < BATCHES / 2; i++) {
		b->num[i] = b->num[2 * i] + b->num[2 * i + 1];
		b->den[i] = b->den[2 * i] + b->den[2 * i + 1];
	}
	memset(b->num + BATCHES / 2, 0, sizeof b->num / 2);
	memset(b->den + BATCHES / 2, 0, sizeof b->den / 2);
	slots_halve(&b->slots);
}

void batches_put(struct batches *b, double num, double den)
{
	if (slots_full(&b->slots))
		merge(b);
	b->num[b->slots.full] += num;
	b->den[b->slots.full] += den;
}

void batches_add(struct batches *b, double num, double den)
{
	batches_put(b, num, den);
	(void)slots_pass(&b->slots, 1); /* there is room: one has passed */
}

void batches_pass(struct batches *b, uint64_t ticks)
{
	while (ticks) {
		if (slots_full(&b->slots))
			merge(b);
		ticks -= slots_pass(&b->slots, ticks);
	}
}

/* AR(1) on N values: variance of their sum, df and effective sample size. */
static struct variance autoregressive(const double *h, size_t n)
{
	double squares = 0, products = 0, r;
	double count = (double)n;
	struct variance v = {0};

	for (size_t i = 0; i < n; i++) {
		squares += h[i] * h[i];
		if (i + 1 < n)
			products += h[i] * h[i + 1];
	}
	r = squares > 0 ? products / squares : 0;
	r += (1 + 3 * r) / count; /* small-sample bias */
	v.lag1 = r;
	r = r < 0 ? 0 : r > 0.99 ? 0.99 : r;
	v.ess = count * (1 - r) / (1 + r);
	v.value = squares * count / (count - 1) * (1 + r) / (1 - r);
	v.df = v.ess - 1 > 1 ? v.ess - 1 : 1;
	return v;
}

/* Equal-weighted cosines: exact t critical values with df = 8. */
static struct variance cosines(const double *d, size_t n)
{
	enum {
		COSINES = 8
	};
	const double pi = 3.14159265358979323846;
	struct variance v = {.df = COSINES};

	for (int j = 1; j <= COSINES; j++) {
		double c = 0;

		for (size_t b = 0; b < n; b++)
			c += d[b] * cos(pi * j * ((double)b + 0.5) / (double)n);
		v.value += c * c;
	}
	v.value *= 2.0 / COSINES;
	return v;
}

static double width(const struct variance *v)
{
	double t = distribution_t_inverse(0.975, v->df);

	return v->value * t * t;
}

/* Too few to see how they hang together. */
static struct variance unrelated(const double *d, size_t n)
{
	struct variance v = {.df = 1, .ess = (double)n};

	for (size_t i = 0; i < n; i++)
		v.value += d[i] * d[i] * (n > 1 ? (double)n / (double)(n - 1) : 1);
	return v;
}

struct variance batch_variance(const double *d, size_t n)
{
	double pairs[BATCHES / 2];
	size_t half = n / 2;
	struct variance widest, other[2];

	if (n < LEAST)
		return unrelated(d, n);
	widest = cosines(d, n);
	for (size_t i = 0; i < half; i++)
		pairs[i] = d[2 * i] + d[2 * i + 1];
	other[0] = autoregressive(d, n);
	other[1] = autoregressive(pairs, half);
	for (int i = 0; i < 2; i++)
		if (width(&other[i]) > width(&widest))
			widest = other[i];
	widest.ess = fmin(other[0].ess, other[1].ess);
	widest.lag1 = other[0].lag1;
	widest.lag2 = other[1].lag1;
	return widest;
}

/* How evenly NUM is spread over 16 groups (Kish's effective number). */
static double concentration(const struct batches *b, size_t n)
{
	enum {
		GROUPS = 16
	};
	double sum = 0, squares = 0;

	for (int g = 0; g < GROUPS; g++) {
		/* half to even, as nearbyint does in the default rounding mode */
		size_t from = (size_t)nearbyint((double)n * g / GROUPS);
		size_t upto = (size_t)nearbyint((double)n * (g + 1) / GROUPS);
		double group = 0;

		for (size_t i = from; i < upto; i++)
			group += b->num[i];
		sum += group;
		squares += group * group;
	}
	return squares > 0 ? sum * sum / squares : 0;
}

/* Sums of N batches; the residuals of num = R den go to OUT. */
static double residuals(
	const struct batches *b, size_t n, double *out, double *num, double *den)
{
	double ratio;

	*num = *den = 0;
	for (size_t i = 0; i < n; i++) {
		*num += b->num[i];
		*den += b->den[i];
	}
	ratio = *num / *den;
	for (size_t i = 0; i < n; i++)
		out[i] = b->num[i] - ratio * b->den[i];
	return ratio;
}

/* Leaves out those of batches of which nothing is known: as zeros they would pass for
 * samples without any noise. */
static size_t seen(const struct batches *b, size_t n, double *residuals)
{
	size_t used = 0;

	for (size_t i = 0; i < n; i++)
		if (b->den[i] > 0)
			residuals[used++] = residuals[i];
	return used;
}

struct batch_mean batches_mean(const struct batches *b)
{
	double d[BATCHES], num, den;
	size_t n = slots_count(&b->slots);
	struct batch_mean m = {.mean = residuals(b, n, d, &num, &den)};
	struct variance v = batch_variance(d, seen(b, n, d));

	m.relative = v.value / (num * num);
	m.df = v.df;
	m.ess = v.ess;
	m.lag1 = v.lag1;
	m.lag2 = v.lag2;
	m.kish = concentration(b, n);
	return m;
}

struct batch_mean batches_borrow(const struct batches *b, uint64_t ticks)
{
	double d[BATCHES], num, den, squares = 0;
	size_t n = slots_count(&b->slots);
	struct batch_mean m = {.mean = residuals(b, n, d, &num, &den)};
	double wanted = nearbyint((double)n * (double)ticks / (double)b->slots.ticks);
	size_t k = wanted < 1 ? 1 : (size_t)wanted;
	double pieces = (double)(n - k + 1);
	double q = (double)n / (double)k;
	double weight = den * (double)k / (double)n * m.mean;

	for (size_t i = 0; i + k <= n; i++) {
		double sum = 0;

		for (size_t j = 0; j < k; j++)
			sum += d[i + j];
		squares += sum * sum;
	}
	m.relative = squares / pieces * q / (q - 1) / (weight * weight);
	m.df = 1.5 * (q - 1);
	return m;
}
