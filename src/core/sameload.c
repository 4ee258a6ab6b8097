/* Comparison at the same load; see the header. */
#include "config.h"

#include "core/sameload.h"

#include "core/distribution.h"

#include <math.h>
#include <string.h>

enum {
	KNOWN_TICKS = 10
}; /* before-ticks that a key needs to be used */

unsigned load_key(double load, int offset)
{
	double key;

	if (!(load > 0))
		return 0;
	key = floor(4 * log2(load)) + offset;
	return key < 1 ? 1 : key > LOAD_KEYS - 1 ? LOAD_KEYS - 1 : (unsigned)key;
}

static void merge(struct load_batches *b)
{
	for (size_t i = 0; i < BATCHES / 2; i++)
		for (size_t k = 0; k < LOAD_KEYS; k++) {
			b->num[i][k] = b->num[2 * i][k] + b->num[2 * i + 1][k];
			b->den[i][k] = b->den[2 * i][k] + b->den[2 * i + 1][k];
			b->ticks_of[i][k] =
				b->ticks_of[2 * i][k] + b->ticks_of[2 * i + 1][k];
		}
	memset(b->num[BATCHES / 2], 0, sizeof b->num / 2);
	memset(b->den[BATCHES / 2], 0, sizeof b->den / 2);
	memset(b->ticks_of[BATCHES / 2], 0, sizeof b->ticks_of / 2);
	b->full = BATCHES / 2;
	b->length *= 2;
	b->in = 0;
}

void load_add(struct load_batches *b, unsigned key, double num, double den, bool known)
{
	if (!b->length)
		b->length = 1;
	if (b->full == BATCHES)
		merge(b);
	if (known) {
		b->num[b->full][key] += num;
		b->den[b->full][key] += den;
		b->ticks_of[b->full][key]++;
	}
	b->ticks++;
	if (++b->in == b->length) {
		b->full++;
		b->in = 0;
	}
}

static size_t count(const struct load_batches *b)
{
	return b->full + (b->in > 0);
}

struct key_sum {
	double num, den, ticks;
};

static void sum(const struct load_batches *b, struct key_sum *keys)
{
	memset(keys, 0, LOAD_KEYS * sizeof *keys);
	for (size_t i = 0; i < count(b); i++)
		for (size_t k = 0; k < LOAD_KEYS; k++) {
			keys[k].num += b->num[i][k];
			keys[k].den += b->den[i][k];
			keys[k].ticks += b->ticks_of[i][k];
		}
}

/* What the before window says of each key. */
struct model {
	bool ok[LOAD_KEYS];
	double mean[LOAD_KEYS];
	double weight[LOAD_KEYS]; /* den after / den before */
};

static void residuals_before(
	const struct load_batches *b, const struct model *m, double expected, double *d)
{
	for (size_t i = 0; i < count(b); i++) {
		d[i] = 0;
		for (size_t k = 0; k < LOAD_KEYS; k++)
			if (m->ok[k])
				d[i] += (b->num[i][k] - m->mean[k] * b->den[i][k]) *
					m->weight[k] / expected;
	}
}

static void residuals_after(const struct load_batches *b, const struct model *m,
	double ratio, double observed, double *d)
{
	for (size_t i = 0; i < count(b); i++) {
		d[i] = 0;
		for (size_t k = 0; k < LOAD_KEYS; k++)
			if (m->ok[k])
				d[i] += (b->num[i][k] -
						ratio * m->mean[k] * b->den[i][k]) /
					observed;
	}
}

bool load_compare(const struct load_batches *before, const struct load_batches *after,
	struct load_comparison *result)
{
	struct key_sum one[LOAD_KEYS], two[LOAD_KEYS];
	struct model m = {0};
	double expected = 0, observed = 0, den = 0, covered = 0, ticks = 0;
	double d1[BATCHES], d2[BATCHES];
	struct variance v1, v2;
	struct batch_mean a, b;

	sum(before, one);
	sum(after, two);
	for (size_t k = 0; k < LOAD_KEYS; k++) {
		ticks += two[k].ticks;
		m.ok[k] = one[k].ticks >= KNOWN_TICKS && one[k].num > 0;
		if (!m.ok[k])
			continue;
		m.mean[k] = one[k].num / one[k].den;
		m.weight[k] = two[k].den / one[k].den;
		expected += two[k].den * m.mean[k];
		observed += two[k].num;
		den += two[k].den;
		covered += two[k].ticks;
	}
	if (!(expected > 0) || !(observed > 0))
		return false;
	residuals_before(before, &m, expected, d1);
	residuals_after(after, &m, observed / expected, observed, d2);
	v1 = batch_variance(d1, count(before));
	v2 = batch_variance(d2, count(after));
	a = (struct batch_mean){.mean = expected, .relative = v1.value, .df = v1.df};
	b = (struct batch_mean){.mean = observed, .relative = v2.value, .df = v2.df};
	*result = (struct load_comparison){
		.ratio = compare_means(&a, &b),
		.expected = expected / den,
		.observed = observed / den,
		.cover = covered / ticks,
		.ess = fmin(v1.ess, v2.ess),
	};
	return true;
}
