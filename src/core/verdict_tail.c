/* Verdicts on the tail of the samples, and what mean and tail say together. */
#include "config.h"

#include "core/verdict.h"

#include "core/verdict_rules.h"

#include <math.h>

/* Independent samples beyond the quantile that each window needs. */
#define LEAST_TAIL 5.0

static bool is_empty(const struct quantile_batches *b)
{
	for (size_t i = 0; i < HISTOGRAM_BUCKETS; i++)
		if (b->columns[i])
			return false;
	return true;
}

/* Too few samples of its own, beyond the quantile or at all. */
static bool enough(struct verdict *v, const struct quantile q[2], double t)
{
	double tail = fmin(q[0].tail, q[1].tail);

	v->ess = fmin(q[0].ess, q[1].ess);
	if (v->ess < LEAST_ESS) {
		verdict_refuse(v, VERDICT_TOO_LITTLE, "independent samples",
			verdict_until(t, LEAST_ESS, v->ess));
		return false;
	}
	if (tail < LEAST_TAIL) {
		verdict_refuse(v, VERDICT_TOO_LITTLE, "independent samples beyond p95",
			verdict_until(t, LEAST_TAIL, tail));
		return false;
	}
	return true;
}

void verdict_tail(struct verdict *v, const struct quantile_batches *const sides[2],
	double step, const double seconds[2])
{
	struct quantile q[2];
	struct quantile_change c;

	*v = (struct verdict){.kind = VERDICT_TAIL};
	if (is_empty(sides[0]) || is_empty(sides[1]))
		return;
	for (int i = 0; i < 2; i++)
		q[i] = quantile_of(sides[i], VERDICT_TAIL_SHARE);
	v->a = q[0].value * step;
	v->b = q[1].value * step;
	if (!verdict_long_enough(v, seconds))
		return;
	if (!(v->a > 0) || !(v->b > 0)) {
		verdict_refuse(v, VERDICT_IDLE,
			v->a > 0 ? "activity after" : "activity before", 0);
		return;
	}
	if (!(q[0].error > 0) && !(q[1].error > 0)) {
		v->change = v->b / v->a - 1;
		v->word = VERDICT_CONSTANT;
		return;
	}
	if (!enough(v, q, fmin(seconds[0], seconds[1])))
		return;
	c = quantile_compare(sides[0], sides[1], VERDICT_TAIL_SHARE);
	v->change = c.change;
	v->low = c.low;
	v->high = c.high;
	v->p = v->adjusted = c.p;
	v->tested = true;
}

bool verdict_is_clear(enum verdict_word word)
{
	return word == VERDICT_BETTER || word == VERDICT_WORSE ||
	       word == VERDICT_LOWER || word == VERDICT_HIGHER;
}

void verdict_join(struct verdict *mean, const struct verdict *tail)
{
	if (!verdict_is_clear(tail->word) || mean->word == tail->word)
		return;
	if (!verdict_is_clear(mean->word)) {
		*mean = *tail;
		return;
	}
	mean->mean = mean->word;
	mean->tail = tail->word;
	mean->word = VERDICT_MIXED;
}
