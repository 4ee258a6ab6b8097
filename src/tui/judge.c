/* Verdicts kept between drawings; see the header. */
#include "config.h"

#include "tui/judge.h"

void judge_fini(struct judge *judge)
{
	judgement_fini(&judge->judgement);
	*judge = (struct judge){.families = {0, 0}};
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
