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
	*judge = (struct judge){.families = {0, 0}};
}

/* Worst first, what says nothing last. */
static const uint8_t ranks[] = {
	[VERDICT_WORSE] = 0,
	[VERDICT_BETTER] = 1,
	[VERDICT_HIGHER] = 2,
	[VERDICT_LOWER] = 2,
	[VERDICT_SMALL] = 3,
	[VERDICT_HINT] = 4,
	[VERDICT_UNCLEAR] = 5,
	[VERDICT_SAME] = 6,
	[VERDICT_TOO_SHORT] = 7,
	[VERDICT_TOO_LITTLE] = 7,
	[VERDICT_TOO_FEW] = 7,
	[VERDICT_NO_OVERLAP] = 7,
	[VERDICT_KERNEL] = 8,
	[VERDICT_CONSTANT] = 8,
	[VERDICT_IDLE] = 9,
	[VERDICT_NONE] = 9,
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
			!has_figures(judge, session, i))
			continue;
		judge->order[judge->order_count++] = (struct judge_row){
			.track = (uint32_t)i,
			.rank = ranks[v->word],
			.aside = !judge->judgement.rows[i].headline,
			.size = v->tested ? (float)fabs(log1p(fmax(v->change, -0.999)))
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
	bool open;

	if (!a || !b) {
		judge_fini(judge);
		return;
	}
	open = a->to == WINDOW_OPEN || b->to == WINDOW_OPEN;
	if (judge->judgement.count && is_same(&judge->a, a) && is_same(&judge->b, b) &&
		(!open || session->last.at < judge->at + JUDGE_EVERY))
		return;
	judge->a = *a;
	judge->b = *b;
	judge->at = session->last.at;
	judgement_measure(&judge->judgement, session, a->id, b->id);
	judge->families = judgement_decide(&judge->judgement, 1, session);
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

size_t judge_count(const struct judge *judge, enum verdict_word word)
{
	size_t count = 0;

	for (size_t i = 0; i < judge->judgement.count; i++)
		count += judge_verdict(judge, i)->word == word;
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

		if (lacks > 0 && windows[i]->to != WINDOW_OPEN)
			return windows[i]->name;
		*wait = lacks > *wait ? lacks : *wait;
	}
	return NULL;
}
