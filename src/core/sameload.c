/* Comparison at the same load; see the header. */
#include "config.h"

#include "core/sameload.h"

#include "base/alloc.h"
#include "core/distribution.h"
#include "core/pool.h"

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
		const struct load_slot *one = &c->batches[2 * i], *two = one + 1;

		c->batches[i] = (struct load_slot){one->num + two->num,
			one->den + two->den, one->ticks + two->ticks};
	}
	memset(c->batches + BATCHES / 2, 0, sizeof c->batches / 2);
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
		struct load_slot *slot;

		if (!*column)
			*column = xalloc(sizeof **column);
		slot = &(*column)->batches[b->slots.full];
		slot->num += sums[i].num;
		slot->den += sums[i].den;
		slot->ticks += sums[i].ticks;
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

static struct key_sum sum(const struct load_list *side, size_t key)
{
	struct key_sum s = {0};

	for (size_t w = 0; w < side->count; w++) {
		const struct load_column *c = side->list[w]->columns[key];

		for (size_t i = 0; c && i < count(side->list[w]); i++) {
			s.num += c->batches[i].num;
			s.den += c->batches[i].den;
			s.ticks += c->batches[i].ticks;
		}
	}
	return s;
}

/* What the before windows say of each key. */
struct model {
	bool ok[LOAD_KEYS];
	double mean[LOAD_KEYS];
	double weight[LOAD_KEYS]; /* den after / den before */
};

/* d[batch] = sum over keys of (num - RATIO mean den) weight / SCALE. */
struct residual {
	const struct model *model;
	const double *weight; /* null: 1 */
	double ratio, scale;
};

static struct variance wander(const struct load_batches *b, const struct residual *r)
{
	const struct model *m = r->model;
	double d[BATCHES] = {0};
	bool known[BATCHES] = {false};
	size_t used = 0;

	for (size_t k = 0; k < LOAD_KEYS; k++) {
		const struct load_column *c = m->ok[k] ? b->columns[k] : NULL;

		for (size_t i = 0; c && i < count(b); i++) {
			const struct load_slot *slot = &c->batches[i];

			known[i] = known[i] || slot->ticks;
			d[i] += (slot->num - r->ratio * m->mean[k] * slot->den) *
				(r->weight ? r->weight[k] : 1) / r->scale;
		}
	}
	for (size_t i = 0; i < count(b); i++)
		if (known[i])
			d[used++] = d[i];
	return batch_variance(d, used);
}

/* The same, of all windows of a side. */
static struct variance wander_all(
	const struct load_list *side, const struct residual *residual)
{
	struct variance sum = {.df = 1};
	double squares = 0;

	for (size_t w = 0; w < side->count; w++) {
		struct variance v = wander(side->list[w], residual);

		sum.value += v.value;
		sum.ess += v.ess;
		squares += v.value * v.value / v.df;
	}
	if (squares > 0)
		sum.df = sum.value * sum.value / squares;
	return sum;
}

/* ln(observed / expected) of each window of SIDE. False: one has neither. */
static bool log_ratios(
	const struct load_list *side, const struct model *m, double *logarithms)
{
	for (size_t w = 0; w < side->count; w++) {
		struct load_list one = {.list = {side->list[w]}, .count = 1};
		double expected = 0, observed = 0;

		for (size_t k = 0; k < LOAD_KEYS; k++) {
			struct key_sum s = sum(&one, k);

			observed += m->ok[k] ? s.num : 0;
			expected += m->ok[k] ? s.den * m->mean[k] : 0;
		}
		if (!(expected > 0) || !(observed > 0))
			return false;
		logarithms[w] = log(observed / expected);
	}
	return true;
}

/* What windows of a side differ by, at the same load, if that is wider. */
static bool look_between(const struct load_list sides[2], const struct model *m,
	double variance, struct contrast *c)
{
	double logarithms[2][SIDE_MOST];
	const double *const both[] = {logarithms[0], logarithms[1]};
	const size_t counts[] = {sides[0].count, sides[1].count};
	double df = (double)(counts[0] + counts[1]) - 2, v, own, other;

	if (!(df > 0))
		return true;
	if (!log_ratios(&sides[0], m, logarithms[0]) ||
		!log_ratios(&sides[1], m, logarithms[1]))
		return false;
	v = pool_between(both, counts);
	own = distribution_t_inverse(0.975, c->df);
	other = distribution_t_inverse(0.975, df);
	if (v * other * other > variance * own * own)
		*c = compare_logarithms(log1p(c->change), v, df);
	return true;
}

/* Sums over the keys that the before windows know. */
struct overlap {
	double expected, observed, den, covered, ticks;
};

static struct overlap overlap_of(const struct load_list sides[2], struct model *m)
{
	struct overlap o = {0};

	for (size_t k = 0; k < LOAD_KEYS; k++) {
		struct key_sum one = sum(&sides[0], k), two = sum(&sides[1], k);

		o.ticks += two.ticks;
		m->ok[k] = one.ticks >= KNOWN_TICKS && one.num > 0;
		if (!m->ok[k])
			continue;
		m->mean[k] = one.num / one.den;
		m->weight[k] = two.den / one.den;
		o.expected += two.den * m->mean[k];
		o.observed += two.num;
		o.den += two.den;
		o.covered += two.ticks;
	}
	return o;
}

bool pool_load(const struct load_list sides[2], struct load_comparison *result)
{
	struct model m = {0};
	struct overlap o = overlap_of(sides, &m);
	struct variance v1, v2;
	struct batch_mean a, b;

	if (!(o.expected > 0) || !(o.observed > 0))
		return false;
	v1 = wander_all(&sides[0], &(struct residual){&m, m.weight, 1, o.expected});
	v2 = wander_all(&sides[1],
		&(struct residual){&m, NULL, o.observed / o.expected, o.observed});
	a = (struct batch_mean){.mean = o.expected, .relative = v1.value, .df = v1.df};
	b = (struct batch_mean){.mean = o.observed, .relative = v2.value, .df = v2.df};
	*result = (struct load_comparison){
		.ratio = compare_means(&a, &b),
		.expected = o.expected / o.den,
		.observed = o.observed / o.den,
		.den = o.den,
		.cover = o.covered / o.ticks,
		.ess = fmin(v1.ess, v2.ess),
	};
	return look_between(sides, &m, v1.value + v2.value, &result->ratio);
}

bool load_compare(const struct load_batches *before, const struct load_batches *after,
	struct load_comparison *result)
{
	const struct load_list sides[] = {
		{.list = {before}, .count = 1}, {.list = {after}, .count = 1}};

	return pool_load(sides, result);
}
