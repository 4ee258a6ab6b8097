/* What a verdict is called; the wording is part of the method. */
#include "config.h"

#include "base/text.h"
#include "core/unit.h"
#include "core/verdict.h"

#include <math.h>
#include <stdio.h>

static const struct {
	const char *full, *brief;
} words[] = {
	[VERDICT_NONE] = {"no figure in one of them", "-"},
	[VERDICT_TOO_SHORT] = {"too little data", "short"},
	[VERDICT_IDLE] = {"idle", "idle"},
	[VERDICT_TOO_LITTLE] = {"too little data", "little"},
	[VERDICT_TOO_FEW] = {"too few events", "few"},
	[VERDICT_NO_OVERLAP] = {"loads hardly overlap", "load"},
	[VERDICT_FEW_RUNS] = {"too few runs", "runs"},
	[VERDICT_KERNEL] = {"not compared: two kernels count it differently", "kernel"},
	[VERDICT_CONSTANT] = {"constant in both", "const"},
	[VERDICT_BETTER] = {"BETTER", "BETTER"},
	[VERDICT_WORSE] = {"WORSE", "WORSE"},
	[VERDICT_MIXED] = {"MIXED", "MIXED"},
	[VERDICT_LOWER] = {"LOWER", "LOWER"},
	[VERDICT_HIGHER] = {"HIGHER", "HIGHER"},
	[VERDICT_SMALL] = {"no change that matters (real but under 5 %)", "same"},
	[VERDICT_SAME] = {"SAME (within 10 %)", "SAME"},
	[VERDICT_HINT] = {"no clear change", "unclear"},
	[VERDICT_UNCLEAR] = {"no clear change", "unclear"},
};

/* How what it lacks is said behind the word; null: the word says it. */
static const char *const lacking[] = {
	[VERDICT_NONE] = "lacks",
	[VERDICT_TOO_SHORT] = "lacks",
	[VERDICT_IDLE] = "no",
	[VERDICT_TOO_LITTLE] = "lacks",
	[VERDICT_TOO_FEW] = NULL,
	[VERDICT_NO_OVERLAP] = NULL,
	[VERDICT_FEW_RUNS] = "it takes",
};

static void refusal(char *to, size_t size, const struct verdict *v)
{
	const char *how = v->word <= VERDICT_FEW_RUNS ? lacking[v->word] : "lacks";
	char more[32] = "";

	if (v->more > 0)
		unit_duration(more, sizeof more, (int64_t)ceil(v->more) * 1000000000);
	if (how)
		(void)text_format(to, size, "%s (%s %s%s%s%s)", words[v->word].full,
			how, v->lacks, *more ? ": about " : "", more,
			*more ? " more" : "");
	else
		(void)text_copy(to, size, words[v->word].full); /* fits: short words */
}

/* Where no rise is ruled out: what of a fall is. */
static void bound_of_fall(char *to, size_t size, double low)
{
	if (low <= -1)
		(void)text_copy(to, size, "no clear change (nothing is ruled out)");
	else if (low >= 0)
		(void)text_copy(
			to, size, "no clear change (a fall is ruled out, no rise is)");
	else
		(void)text_format(to, size,
			"no clear change (a fall of %.0f %% is ruled out, no rise is)",
			ceil(-100 * low));
}

/* What an unclear one still rules out. */
static void bound(char *to, size_t size, const struct verdict *v)
{
	char low[16], high[16];

	if (isinf(v->high)) {
		bound_of_fall(to, size, v->low);
		return;
	}
	unit_change(low, sizeof low, v->low);
	unit_change(high, sizeof high, v->high);
	(void)text_format(
		to, size, "no clear change (%s..%s %% not ruled out)", low, high);
}

void verdict_change(char *to, size_t size, const struct verdict *v)
{
	char change[16], low[16], high[16];

	if (!isfinite(v->change)) {
		(void)text_copy(to, size, "none in A");
		return;
	}
	unit_change(change, sizeof change, v->change);
	unit_change(low, sizeof low, v->low);
	unit_change(high, sizeof high, v->high);
	(void)text_format(to, size, "%s %% (%s..%s)", change, low, high);
}

void verdict_words(char *to, size_t size, const struct verdict *v, size_t family)
{
	if (v->lacks)
		refusal(to, size, v);
	else if (v->word == VERDICT_HINT)
		(void)text_format(to, size,
			"no clear change, a hint of %s (1 of %zu comparisons)",
			v->change < 0 ? "lower" : "higher", family);
	else if (v->word == VERDICT_UNCLEAR)
		bound(to, size, v);
	else if (v->word == VERDICT_MIXED)
		(void)text_format(to, size, "MIXED (mean %s, p95 %s)",
			words[v->mean].full, words[v->tail].full);
	else
		(void)text_copy(to, size, words[v->word].full); /* fits: short words */
}

void verdict_p(char *to, size_t size, const struct verdict *v)
{
	if (v->adjusted > VERDICT_LEAST_P)
		(void)text_format(to, size, "p %.2g", v->adjusted);
	else
		(void)text_format(to, size, "p < %g", VERDICT_LEAST_P);
}

void verdict_short(char *to, size_t size, const struct verdict *v)
{
	double minutes = ceil(v->more / 60);

	if (v->over || (v->word != VERDICT_TOO_SHORT && v->word != VERDICT_TOO_LITTLE))
		(void)text_copy(to, size, words[v->word].brief); /* at most 7 */
	else if (!(v->more > 0) || minutes > 99)
		(void)text_copy(to, size, "wait");
	else if (v->more < 90)
		(void)text_format(to, size, "wait %.0fs", ceil(v->more));
	else
		(void)text_format(to, size, "wait %.0fm", minutes);
}
