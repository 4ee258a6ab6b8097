/* The data rules and the tests behind a verdict; see the header. */
#include "config.h"

#include "core/verdict.h"

#include "base/alloc.h"
#include "core/compare.h"
#include "core/verdict_rules.h"

#include <math.h>
#include <stdlib.h>

enum {
	LEAST_SPREAD = 4,
	LEAST_SPREAD_BORROWED = 3,
};

void verdict_refuse(
	struct verdict *v, enum verdict_word word, const char *lacks, double more)
{
	v->word = word;
	v->lacks = lacks;
	v->more = more > 0 ? more : 0;
}

static double shorter(const double seconds[2])
{
	return fmin(seconds[0], seconds[1]);
}

bool verdict_long_enough(struct verdict *v, const double seconds[2])
{
	double t = shorter(seconds);

	if (t >= VERDICT_SHORTEST)
		return true;
	verdict_refuse(v, VERDICT_TOO_SHORT, "length", VERDICT_SHORTEST - t);
	return false;
}

/* Nothing lies behind the settling time of a window: then that is what it lacks. */
bool verdict_is_young(
	struct verdict *v, uint64_t ticks_a, uint64_t ticks_b, const double seconds[2])
{
	return (!ticks_a || !ticks_b) && !verdict_long_enough(v, seconds);
}

void verdict_sums(const struct batches *b, double *num, double *den)
{
	*num = *den = 0;
	for (size_t i = 0; i < slots_count(&b->slots); i++) {
		*num += b->num[i];
		*den += b->den[i];
	}
}

/* All batches have the same ratio: there is no variance to work with. */
bool verdict_is_constant(const struct batches *b, double mean)
{
	for (size_t i = 0; i < slots_count(&b->slots); i++)
		if (fabs(b->num[i] - mean * b->den[i]) > 1e-9 * fabs(mean * b->den[i]))
			return false;
	return true;
}

/* More time until VALUE, which grows with it, reaches NEEDED. */
double verdict_until(double t, double needed, double value)
{
	return value > 0 ? t * (needed / value - 1) : 0;
}

/* The rules that look at one window. OWN: it must have enough samples itself. */
static bool enough(struct verdict *v, const struct batch_mean *m, double t, bool own,
	bool borrowed)
{
	double spread = borrowed ? LEAST_SPREAD_BORROWED : LEAST_SPREAD;

	if (own && m->ess < LEAST_ESS) {
		verdict_refuse(v, VERDICT_TOO_LITTLE, "independent samples",
			verdict_until(t, LEAST_ESS, m->ess));
		return false;
	}
	if (m->kish < spread) {
		verdict_refuse(v, VERDICT_TOO_LITTLE, "an even spread",
			verdict_until(t, spread, m->kish));
		return false;
	}
	if (m->relative > VERDICT_RELATIVE) {
		verdict_refuse(v, VERDICT_TOO_LITTLE, "steadiness",
			t * (m->relative / VERDICT_RELATIVE - 1));
		return false;
	}
	return true;
}

void verdict_take(struct verdict *v, const struct contrast *c)
{
	v->change = c->change;
	v->low = c->low;
	v->high = c->high;
	v->p = v->adjusted = c->p;
	v->tested = true;
}

static void constants(struct verdict *v)
{
	v->change = v->b / v->a - 1;
	v->word = VERDICT_CONSTANT;
}

void verdict_means(struct verdict *v, const struct batches *a, const struct batches *b,
	const double seconds[2])
{
	double num[2], den[2], t = shorter(seconds);
	bool lends_a = a->slots.ticks >= BORROW_FACTOR * b->slots.ticks;
	bool lends_b = b->slots.ticks >= BORROW_FACTOR * a->slots.ticks;
	struct batch_mean m1, m2;
	struct contrast c;

	*v = (struct verdict){.kind = VERDICT_MEAN};
	if (verdict_is_young(v, a->slots.ticks, b->slots.ticks, seconds))
		return;
	verdict_sums(a, &num[0], &den[0]);
	verdict_sums(b, &num[1], &den[1]);
	if (!(den[0] > 0) || !(den[1] > 0))
		return;
	v->a = num[0] / den[0];
	v->b = num[1] / den[1];
	if (!verdict_long_enough(v, seconds))
		return;
	if (!(num[0] > 0) || !(num[1] > 0)) {
		verdict_refuse(v, VERDICT_IDLE,
			num[0] > 0 ? "activity after" : "activity before", 0);
		return;
	}
	if (verdict_is_constant(a, v->a) && verdict_is_constant(b, v->b)) {
		constants(v);
		return;
	}
	m1 = batches_mean(a);
	m2 = batches_mean(b);
	v->ess = fmin(m1.ess, m2.ess);
	c = compare_batches(a, b, &v->borrowed);
	if (enough(v, &m1, t, !lends_b, lends_b) &&
		enough(v, &m2, t, !lends_a, lends_a))
		verdict_take(v, &c);
}

void verdict_take_counts(
	struct verdict *v, const struct count_comparison *c, bool enough)
{
	v->a = c->rate1;
	v->b = c->rate2;
	v->k1 = c->k1;
	v->k2 = c->k2;
	if (!enough)
		return;
	if (!(c->k1 + c->k2 > 0)) {
		verdict_refuse(v, VERDICT_IDLE, "events in either window", 0);
		return;
	}
	if (c->p >= VERDICT_LEVEL && c->attainable >= VERDICT_LEVEL) {
		verdict_refuse(v, VERDICT_TOO_FEW, "events", 0);
		return;
	}
	v->change = c->ratio - 1;
	v->low = c->low - 1;
	v->high = c->high - 1;
	v->p = v->adjusted = c->p;
	v->tested = true;
}

void verdict_counts(struct verdict *v, const struct batches *a, const struct batches *b,
	const double seconds[2])
{
	double num[2], den[2];
	struct count_comparison c;

	*v = (struct verdict){.kind = VERDICT_COUNT};
	if (verdict_is_young(v, a->slots.ticks, b->slots.ticks, seconds))
		return;
	verdict_sums(a, &num[0], &den[0]);
	verdict_sums(b, &num[1], &den[1]);
	if (!(den[0] > 0) || !(den[1] > 0))
		return;
	c = compare_counts(a, b);
	verdict_take_counts(v, &c, verdict_long_enough(v, seconds));
}

void verdict_load(struct verdict *v, const struct load_batches *a,
	const struct load_batches *b, const double seconds[2])
{
	const struct load_list sides[] = {
		{.list = {a}, .count = 1}, {.list = {b}, .count = 1}};

	*v = (struct verdict){.kind = VERDICT_LOAD};
	if (verdict_long_enough(v, seconds))
		verdict_load_lists(v, sides, shorter(seconds));
}

void verdict_load_lists(
	struct verdict *v, const struct load_list sides[2], double seconds)
{
	struct load_comparison c;

	if (!pool_load(sides, &c) || c.cover < 0.5) {
		verdict_refuse(v, VERDICT_NO_OVERLAP, "loads that overlap", 0);
		return;
	}
	v->expected = v->a = c.expected;
	v->b = c.observed;
	v->ess = c.ess;
	if (c.ess < LEAST_ESS) {
		verdict_refuse(v, VERDICT_TOO_LITTLE, "independent samples",
			verdict_until(seconds, LEAST_ESS, c.ess));
		return;
	}
	verdict_take(v, &c.ratio);
	if (c.ratio.low < c.ratio.high)
		return;
	v->tested = false;
	v->word = VERDICT_CONSTANT;
}

bool verdict_load_differs(const struct verdict *load)
{
	double size = fabs(load->change);

	if (!load->tested)
		return load->a > 0 ? fabs(load->b / load->a - 1) >= 0.10 : load->b > 0;
	return size >= 0.10 ||
	       (size >= VERDICT_DELTA && (load->low > 0 || load->high < 0));
}

static enum verdict_word direction(const struct verdict_row *row)
{
	bool lower = row->verdict->change < 0;

	if (row->neutral || row->better == BETTER_NEITHER)
		return lower ? VERDICT_LOWER : VERDICT_HIGHER;
	return lower == (row->better == BETTER_LOWER) ? VERDICT_BETTER : VERDICT_WORSE;
}

static enum verdict_word judge(const struct verdict_row *row)
{
	const struct verdict *v = row->verdict;
	double band = 2 * VERDICT_DELTA;
	double level = row->level;

	if (v->adjusted < level && fabs(v->change) >= VERDICT_DELTA)
		return direction(row);
	if (v->adjusted < level)
		return VERDICT_SMALL;
	if (v->low > -band && v->high < band)
		return VERDICT_SAME;
	return v->p < level ? VERDICT_HINT : VERDICT_UNCLEAR;
}

void verdict_family(const struct verdict_row *rows, size_t count)
{
	double *p = xarray(count + 1, sizeof *p);
	size_t tested = 0;

	for (size_t i = 0; i < count; i++)
		if (rows[i].verdict->tested)
			p[tested++] = rows[i].verdict->p;
	compare_holm(p, tested);
	tested = 0;
	for (size_t i = 0; i < count; i++) {
		struct verdict *v = rows[i].verdict;

		if (!v->tested)
			continue;
		v->adjusted = fmax(p[tested++], VERDICT_LEAST_P);
		v->word = judge(&rows[i]);
	}
	free(p);
}
