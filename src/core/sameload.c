/* Comparison at the same load; see the header. */
#include "config.h"

#include "core/sameload.h"

#include "base/alloc.h"

#include <math.h>
#include <stdlib.h>
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

void load_batches_fini(struct load_batches *b)
{
	for (size_t k = 0; k < LOAD_KEYS; k++)
		free(b->columns[k]);
	*b = (struct load_batches){0};
}

static void merge_column(struct load_column *c)
{
	for (size_t i = 0; i < BATCHES / 2; i++) {
		c->num[i] = c->num[2 * i] + c->num[2 * i + 1];
		c->den[i] = c->den[2 * i] + c->den[2 * i + 1];
		c->ticks[i] = c->ticks[2 * i] + c->ticks[2 * i + 1];
	}
	memset(c->num + BATCHES / 2, 0, sizeof c->num / 2);
	memset(c->den + BATCHES / 2, 0, sizeof c->den / 2);
	memset(c->ticks + BATCHES / 2, 0, sizeof c->ticks / 2);
}

static void merge(struct load_batches *b)
{
	for (size_t k = 0; k < LOAD_KEYS; k++)
		if (b->columns[k])
			merge_column(b->columns[k]);
	slots_halve(&b->slots);
}

void load_put(struct load_batches *b, const struct load_sum *sums, size_t count)
{
	if (slots_full(&b->slots))
		merge(b);
	for (size_t i = 0; i < count; i++) {
		struct load_column **column = &b->columns[sums[i].key];

		if (!*column)
			*column = xalloc(sizeof **column);
		(*column)->num[b->slots.full] += sums[i].num;
		(*column)->den[b->slots.full] += sums[i].den;
		(*column)->ticks[b->slots.full] += sums[i].ticks;
	}
}

void load_add(struct load_batches *b, unsigned key, double num, double den, bool known)
{
	if (known)
		load_put(b, &(struct load_sum){num, den, 1, (uint8_t)key}, 1);
	load_pass(b, 1);
}

void load_pass(struct load_batches *b, uint64_t ticks)
{
	while (ticks) {
		if (slots_full(&b->slots))
			merge(b);
		ticks -= slots_pass(&b->slots, ticks);
	}
}

static size_t count(const struct load_batches *b)
{
	return slots_count(&b->slots);
}

struct key_sum {
	double num, den, ticks;
};

static struct key_sum sum(const struct load_batches *b, size_t key)
{
	const struct load_column *c = b->columns[key];
	struct key_sum s = {0};

	for (size_t i = 0; c && i < count(b); i++) {
		s.num += c->num[i];
		s.den += c->den[i];
		s.ticks += c->ticks[i];
	}
	return s;
}

/* What the before window says of each key. */
struct model {
	bool ok[LOAD_KEYS];
	double mean[LOAD_KEYS];
	double weight[LOAD_KEYS]; /* den after / den before */
};

/* d[batch] = sum over keys of (num - RATIO mean den) weight / SCALE. */
static struct variance wander(const struct load_batches *b, const struct model *m,
	double ratio, const double *weight, double scale)
{
	double d[BATCHES] = {0};

	for (size_t k = 0; k < LOAD_KEYS; k++) {
		const struct load_column *c = m->ok[k] ? b->columns[k] : NULL;

		for (size_t i = 0; c && i < count(b); i++)
			d[i] += (c->num[i] - ratio * m->mean[k] * c->den[i]) *
				(weight ? weight[k] : 1) / scale;
	}
	return batch_variance(d, count(b));
}

bool load_compare(const struct load_batches *before, const struct load_batches *after,
	struct load_comparison *result)
{
	struct model m = {0};
	double expected = 0, observed = 0, den = 0, covered = 0, ticks = 0;
	struct variance v1, v2;
	struct batch_mean a, b;

	for (size_t k = 0; k < LOAD_KEYS; k++) {
		struct key_sum one = sum(before, k), two = sum(after, k);

		ticks += two.ticks;
		m.ok[k] = one.ticks >= KNOWN_TICKS && one.num > 0;
		if (!m.ok[k])
			continue;
		m.mean[k] = one.num / one.den;
		m.weight[k] = two.den / one.den;
		expected += two.den * m.mean[k];
		observed += two.num;
		den += two.den;
		covered += two.ticks;
	}
	if (!(expected > 0) || !(observed > 0))
		return false;
	v1 = wander(before, &m, 1, m.weight, expected);
	v2 = wander(after, &m, observed / expected, NULL, observed);
	a = (struct batch_mean){.mean = expected, .relative = v1.value, .df = v1.df};
	b = (struct batch_mean){.mean = observed, .relative = v2.value, .df = v2.df};
	*result = (struct load_comparison){
		.ratio = compare_means(&a, &b),
		.expected = expected / den,
		.observed = observed / den,
		.den = den,
		.cover = covered / ticks,
		.ess = fmin(v1.ess, v2.ess),
	};
	return true;
}
