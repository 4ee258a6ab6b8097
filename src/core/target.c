/* What a person wants of a change; see the header. */
#include "config.h"

#include "core/target.h"

#include "base/text.h"

bool targets_put(struct targets *targets, unsigned metric, double share)
{
	for (size_t i = 0; i < targets->count; i++)
		if (targets->list[i].metric == metric) {
			targets->list[i].share = share;
			return true;
		}
	if (targets->count == TARGETS_MOST)
		return false;
	targets->list[targets->count++] = (struct target){metric, share};
	return true;
}

const struct target *targets_find(const struct targets *targets, unsigned metric)
{
	for (size_t i = 0; targets && i < targets->count; i++)
		if (targets->list[i].metric == metric)
			return &targets->list[i];
	return NULL;
}

bool target_ruled_out(const struct target *target, const struct verdict *v)
{
	enum better better = metric_at(target->metric)->better;
	bool no_fall = v->low > -target->share, no_rise = v->high < target->share;

	if (better == BETTER_LOWER)
		return no_fall;
	return better == BETTER_HIGHER ? no_rise : no_fall && no_rise;
}

void target_words(
	char *to, size_t size, const struct target *target, const struct verdict *v)
{
	bool neither = metric_at(target->metric)->better == BETTER_NEITHER;

	(void)text_format(to, size, "a %s of %.3g %% is %sruled out",
		neither ? "change" : "gain", 100 * target->share,
		target_ruled_out(target, v) ? "" : "not "); /* the caller has room */
}
