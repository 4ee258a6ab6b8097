/* Rows judged together; see the header. */
#include "config.h"

#include "core/judgement.h"

#include "base/alloc.h"
#include "core/headline.h"
#include "core/judgement_row.h"

#include <stdlib.h>
#include <string.h>

void judgement_fini(struct judgement *judgement)
{
	free(judgement->rows);
	free(judgement->extra);
	*judgement = (struct judgement){0};
}

double judgement_seconds(const struct session *session, const struct window *window)
{
	nsec from = session_settled(session, window);
	nsec end = window->to < session->last.at ? window->to : session->last.at;

	return end > from ? (double)(end - from) / NSEC_PER_SEC : 0;
}

/* Whoever closes a window by hand may have waited for a verdict that was shown. A
 * window set afterwards, or around a command, ended for another reason; so does one
 * whose end was set when it began, or that nobody compared while it ran, once it is
 * over. A report is fed up to the last tick inside a window, which is before its end.
 */
static bool was_watched(const struct session *session, const struct window *window)
{
	nsec last = session->last.at + session->last.interval;

	if (window->backwards || window->role == ROLE_RUN)
		return false;
	return !(window->planned || window->unseen) || window_runs(window, last);
}

void judgement_measure(struct judgement *j, const struct session *session, uint32_t a,
	uint32_t b, bool pool)
{
	const struct window *last = windows_by_id(&session->windows, b);
	struct contest contest;

	j->count = j->extra_count = 0;
	if (!windows_by_id(&session->windows, a) || !last)
		return;
	contest = judgement_contest(session, a, b, pool);
	j->how = contest.how;
	j->level = was_watched(session, last) ? VERDICT_LEVEL_LIVE : VERDICT_LEVEL;
	xgrow(&j->rows, &j->room, session->track_count, sizeof *j->rows);
	j->count = session->track_count;
	for (size_t i = 0; i < j->count; i++)
		judgement_row(&j->rows[i], &contest, i);
	headline_choose(j, &contest);
}

/* Where the load moved the tail stands beside the raw mean, which does not count. */
static void join_tails(struct judgement *judgements, size_t count, bool headline)
{
	for (size_t n = 0; n < count; n++)
		for (size_t i = 0; i < judgements[n].count; i++) {
			struct judged *row = &judgements[n].rows[i];

			if (row->headline == headline && !row->has_load)
				verdict_join(&row->raw, &row->tail);
		}
}

static struct verdict_row extra_row(struct judgement *j, size_t i)
{
	return (struct verdict_row){.verdict = &j->extra[i].verdict,
		.better = BETTER_LOWER,
		.neutral = j->extra[i].neutral,
		.level = j->level};
}

/* The rows of one family in all judgements; returns how many are tested. */
static size_t decide_family(struct judgement *judgements, size_t count,
	const struct session *session, bool headline)
{
	struct verdict_row *rows = xarray(
		count * (3 * session->track_count + HEADLINE_ROWS), sizeof *rows);
	size_t used = 0, tested = 0;

	for (size_t n = 0; n < count; n++)
		for (size_t i = 0; i < judgements[n].count; i++) {
			struct judged *row = &judgements[n].rows[i];
			struct verdict_row next = {.level = judgements[n].level,
				.better = metric_at(session->tracks[i].metric)->better};

			if (row->headline != headline)
				continue;
			if (row->closed)
				next.better = BETTER_HIGHER;
			next.neutral = row->load_differs || row->hours_differ;
			next.verdict = &row->raw;
			rows[used++] = next;
			next.verdict = &row->tail;
			rows[used++] = next;
			next.verdict = &row->same_load;
			next.neutral = false;
			if (row->has_load)
				rows[used++] = next;
		}
	for (size_t n = 0; headline && n < count; n++)
		for (size_t i = 0; i < judgements[n].extra_count; i++)
			rows[used++] = extra_row(&judgements[n], i);
	verdict_family(rows, used);
	for (size_t i = 0; i < used; i++)
		tested += rows[i].verdict->tested;
	free(rows);
	join_tails(judgements, count, headline);
	return tested;
}

struct families judgement_decide(
	struct judgement *judgements, size_t count, const struct session *session)
{
	return (struct families){
		.headline = decide_family(judgements, count, session, true),
		.secondary = decide_family(judgements, count, session, false),
	};
}

const struct verdict *judged_verdict(const struct judged *judged)
{
	return judged->has_load ? &judged->same_load : &judged->raw;
}
