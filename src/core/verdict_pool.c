/* Verdicts on repeated windows and on runs of commands; see the header. */
#include "config.h"

#include "core/verdict_sides.h"

#include "core/compare.h"
#include "core/verdict_rules.h"

#include <math.h>

static struct verdict begin(enum verdict_kind kind, size_t a, size_t b)
{
	return (struct verdict){.kind = kind, .windows = {a, b}};
}

/* Sums of one side. IDLE: one of its windows has nothing in it. */
static bool add_up(const struct batch_list *side, double *mean, bool *idle)
{
	double num = 0, den = 0;

	for (size_t i = 0; i < side->count; i++) {
		double own, under;

		verdict_sums(side->list[i], &own, &under);
		if (!(under > 0))
			return false;
		*idle = *idle || !(own > 0);
		num += own;
		den += under;
	}
	*mean = num / den;
	return den > 0;
}

static bool all_constant(const struct batch_list *side, double mean)
{
	for (size_t i = 0; i < side->count; i++)
		if (!verdict_is_constant(side->list[i], mean))
			return false;
	return true;
}

/* The rules that look at one side: no spread is asked for, since a burst in one of the
 * windows makes it differ from the others. */
static bool enough(struct verdict *v, const struct batch_mean *m, double seconds)
{
	if (m->ess < LEAST_ESS)
		verdict_refuse(v, VERDICT_TOO_LITTLE, "independent samples",
			verdict_until(seconds, LEAST_ESS, m->ess));
	else if (m->relative > VERDICT_RELATIVE)
		verdict_refuse(v, VERDICT_TOO_LITTLE, "steadiness",
			seconds * (m->relative / VERDICT_RELATIVE - 1));
	return !v->lacks;
}

void verdict_pooled_means(
	struct verdict *v, const struct batch_list sides[2], const double seconds[2])
{
	struct batch_mean mean[2];
	struct contrast c;
	bool idle[2] = {false, false};

	*v = begin(VERDICT_MEAN, sides[0].count, sides[1].count);
	if (!add_up(&sides[0], &v->a, &idle[0]) || !add_up(&sides[1], &v->b, &idle[1]))
		return;
	if (idle[0] || idle[1]) {
		verdict_refuse(v, VERDICT_IDLE, "activity in one of the windows", 0);
		return;
	}
	if (all_constant(&sides[0], v->a) && all_constant(&sides[1], v->b)) {
		v->change = v->b / v->a - 1;
		v->word = VERDICT_CONSTANT;
		return;
	}
	c = pool_means(sides, mean, &v->between);
	v->ess = fmin(mean[0].ess, mean[1].ess);
	if (enough(v, &mean[0], seconds[0]) && enough(v, &mean[1], seconds[1]))
		verdict_take(v, &c);
}

static void counts(struct verdict *v, const struct batch_list sides[2], bool many)
{
	bool idle = false;
	double rate;
	struct count_comparison c;

	*v = begin(VERDICT_COUNT, sides[0].count, sides[1].count);
	if (!add_up(&sides[0], &rate, &idle) || !add_up(&sides[1], &rate, &idle))
		return;
	c = pool_counts(sides);
	verdict_take_counts(v, &c, many);
}

void verdict_pooled_counts(struct verdict *v, const struct batch_list sides[2])
{
	counts(v, sides, true);
}

void verdict_pooled_load(
	struct verdict *v, const struct load_list sides[2], const double seconds[2])
{
	*v = begin(VERDICT_LOAD, sides[0].count, sides[1].count);
	verdict_load_lists(v, sides, fmin(seconds[0], seconds[1]));
}

/* ---- runs ---- */

static bool many_runs(struct verdict *v)
{
	if (v->windows[0] >= LEAST_RUNS && v->windows[1] >= LEAST_RUNS)
		return true;
	verdict_refuse(v, VERDICT_FEW_RUNS, "three runs on each side", 0);
	return false;
}

static bool geometric(const double *figures, size_t count, double *mean)
{
	double sum = 0;

	for (size_t i = 0; i < count; i++) {
		if (!(figures[i] > 0))
			return false;
		sum += log(figures[i]);
	}
	*mean = exp(sum / (double)count);
	return true;
}

void verdict_runs(
	struct verdict *v, const double *const figures[2], const size_t count[2])
{
	struct contrast c;

	*v = begin(VERDICT_RUNS, count[0], count[1]);
	if (!count[0] || !count[1])
		return;
	if (!geometric(figures[0], count[0], &v->a) ||
		!geometric(figures[1], count[1], &v->b)) {
		verdict_refuse(v, VERDICT_IDLE, "activity in one of the runs", 0);
		return;
	}
	v->change = v->b / v->a - 1;
	if (!many_runs(v))
		return;
	c = compare_runs(figures, count);
	if (c.low < c.high)
		verdict_take(v, &c);
	else
		v->word = VERDICT_CONSTANT;
}

void verdict_run_counts(struct verdict *v, const struct batch_list sides[2])
{
	counts(v, sides, sides[0].count >= LEAST_RUNS && sides[1].count >= LEAST_RUNS);
	if (v->tested || v->lacks || !(v->k1 + v->k2 > 0))
		return;
	(void)many_runs(v); /* the only other reason */
}
