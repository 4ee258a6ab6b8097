/* Verdicts kept between drawings; see the header. */
#include "config.h"

#include "tui/judge.h"

#include "base/alloc.h"

#include <math.h>
#include <stdlib.h>

void judge_fini(struct judge *judge)
{
	judgement_fini(&judge->judgement);
	free(judge->order);
	*judge = (struct judge){.families = {0, 0},
		.by_device = judge->by_device,
		.clear_only = judge->clear_only};
}

/* Worst first, what says nothing last; and what the word counts as. */
static const struct {
	uint8_t rank, group;
} words[] = {
	[VERDICT_WORSE] = {0, JUDGE_WORSE},
	[VERDICT_MIXED] = {1, JUDGE_MIXED},
	[VERDICT_BETTER] = {2, JUDGE_BETTER},
	[VERDICT_HIGHER] = {3, JUDGE_MOVED},
	[VERDICT_LOWER] = {3, JUDGE_MOVED},
	[VERDICT_SMALL] = {4, JUDGE_SAME},
	[VERDICT_HINT] = {5, JUDGE_UNCLEAR},
	[VERDICT_UNCLEAR] = {6, JUDGE_UNCLEAR},
	[VERDICT_SAME] = {7, JUDGE_SAME},
	[VERDICT_TOO_SHORT] = {8, JUDGE_NOT},
	[VERDICT_TOO_LITTLE] = {8, JUDGE_NOT},
	[VERDICT_TOO_FEW] = {8, JUDGE_NOT},
	[VERDICT_NO_OVERLAP] = {8, JUDGE_NOT},
	[VERDICT_FEW_RUNS] = {8, JUDGE_NOT},
	[VERDICT_KERNEL] = {9, JUDGE_NOT},
	[VERDICT_CONSTANT] = {9, JUDGE_NOT},
	[VERDICT_IDLE] = {10, JUDGE_NOT},
	[VERDICT_NONE] = {10, JUDGE_NOT},
};

static int worst_first(const void *left, const void *right)
{
	const struct judge_row *a = left, *b = right;

	if (a->rank != b->rank)
		return a->rank < b->rank ? -1 : 1;
	if (a->aside != b->aside)
		return a->aside ? 1 : -1;
	if (a->size < b->size || a->size > b->size)
		return a->size > b->size ? -1 : 1;
	return (a->track > b->track) - (a->track < b->track);
}

/* Whether the row has anything to show: a figure other than 0 in one of the windows. */
static bool has_figures(
	const struct judge *judge, const struct session *session, size_t track)
{
	const uint32_t ids[] = {judge->a.id, judge->b.id};

	for (size_t i = 0; i < 2; i++) {
		const struct summary *summary = session_summary(session, ids[i], track);

		if (summary && summary->samples && summary->highest > 0)
			return true;
	}
	return false;
}

static void put_in_order(struct judge *judge, const struct session *session)
{
	judge->order_count = 0;
	xgrow(&judge->order, &judge->order_room, judge->judgement.count,
		sizeof *judge->order);
	for (size_t i = 0; i < judge->judgement.count; i++) {
		const struct metric *metric = metric_at(session->tracks[i].metric);
		const struct verdict *v = judge_verdict(judge, i);

		if (metric_is_apart(metric) || metric_is_state(metric) ||
			!has_figures(judge, session, i) ||
			(judge->clear_only && words[v->word].group > JUDGE_MOVED))
			continue;
		judge->order[judge->order_count++] = (struct judge_row){
			.track = (uint32_t)i,
			.rank = judge->by_device ? 0 : words[v->word].rank,
			.aside =
				!judge->by_device && !judge->judgement.rows[i].headline,
			.size = v->tested && !judge->by_device
					? (float)fabs(log1p(fmax(v->change, -0.999)))
					: 0,
		};
	}
	if (judge->order_count)
		qsort(judge->order, judge->order_count, sizeof *judge->order,
			worst_first);
}

static bool is_same(const struct window *kept, const struct window *now)
{
	return kept->id == now->id && kept->from == now->from && kept->to == now->to;
}

void judge_update(struct judge *judge, const struct session *session,
	const struct window *a, const struct window *b)
{
	nsec last = session->last.at;
	bool filling, fresh;

	if (!a || !b) {
		judge_fini(judge);
		return;
	}
	/* a viewer that has just come has the windows before their ticks */
	filling = window_runs(a, judge->at) || window_runs(b, judge->at);
	/* and another run of the same name may have come */
	filling = filling || a->role == ROLE_RUN || b->role == ROLE_RUN;
	fresh = last < judge->at + JUDGE_EVERY &&
		(window_runs(a, last) || window_runs(b, last) || a->role == ROLE_RUN ||
			b->role == ROLE_RUN);
	if (judge->judgement.count && is_same(&judge->a, a) && is_same(&judge->b, b) &&
		(!filling || fresh || last == judge->at))
		return;
	judge->a = *a;
	judge->b = *b;
	judge->at = last;
	judgement_measure(&judge->judgement, session, a->id, b->id, false);
	judge->families = judgement_decide(&judge->judgement, 1, session);
	put_in_order(judge, session);
}

void judge_sort(struct judge *judge, const struct session *session, bool by_device,
	bool clear_only)
{
	judge->by_device = by_device;
	judge->clear_only = clear_only;
	put_in_order(judge, session);
}

bool judge_has(const struct judge *judge)
{
	return judge->families.headline || judge->families.secondary;
}

const struct verdict *judge_verdict(const struct judge *judge, size_t track)
{
	if (track >= judge->judgement.count)
		return NULL;
	return judged_verdict(&judge->judgement.rows[track]);
}

size_t judge_count(const struct judge *judge, enum judge_group group)
{
	size_t count = 0;

	for (size_t i = 0; i < judge->judgement.count; i++)
		count += words[judge_verdict(judge, i)->word].group == group;
	return count;
}

const char *judge_lacks(
	const struct judge *judge, const struct session *session, double *wait)
{
	const struct window *const windows[] = {&judge->a, &judge->b};

	*wait = 0;
	for (size_t i = 0; i < 2; i++) {
		double lacks =
			VERDICT_SHORTEST - judgement_seconds(session, windows[i]);

		if (lacks > 0 && !window_runs(windows[i], session->last.at))
			return windows[i]->name;
		*wait = lacks > *wait ? lacks : *wait;
	}
	return NULL;
}
