/* Verdicts on windows of a day and more; see the header. */
#include "config.h"

#include "core/verdict_sides.h"

#include "core/compare.h"
#include "core/daily.h"
#include "core/verdict_rules.h"

enum {
	LEAST_DAYS = 3
};

static const double least_cover = 0.8;

/* Days as observations, of which the weather differs: the larger p of the two. */
static void look_at_days(struct verdict *v, const struct daily *const sides[2],
	const double seconds[2], struct contrast *c)
{
	double means[2][DAILY_DAYS];
	const double *const figures[] = {means[0], means[1]};
	size_t days[2];
	struct contrast by_day;

	for (size_t s = 0; s < 2; s++) {
		days[s] = daily_means(sides[s], seconds[s], means[s]);
		v->few_days = v->few_days || days[s] < LEAST_DAYS;
		for (size_t i = 0; i < days[s]; i++)
			if (!(means[s][i] > 0))
				v->few_days = true; /* it has no logarithm */
	}
	if (v->few_days)
		return;
	by_day = compare_runs(figures, days);
	if (by_day.low < by_day.high && by_day.p > c->p)
		*c = by_day;
}

bool verdict_hours(struct verdict *v, const struct daily *a, const struct daily *b,
	const double seconds[2])
{
	struct load_comparison c;

	*v = (struct verdict){.kind = VERDICT_HOURS};
	if (!a || !b || seconds[0] < DAILY_SHORTEST || seconds[1] < DAILY_SHORTEST ||
		!load_compare(&a->hours, &b->hours, &c) || c.cover < least_cover ||
		c.ess < LEAST_ESS || !(c.ratio.low < c.ratio.high))
		return false;
	v->expected = v->a = c.expected;
	v->b = c.observed;
	v->ess = c.ess;
	look_at_days(v, (const struct daily *const[]){a, b}, seconds, &c.ratio);
	verdict_take(v, &c.ratio);
	return true;
}
