/* Rows judged together; see the header. */
#include "config.h"

#include "core/judgement.h"

#include "base/alloc.h"
#include "core/doubt.h"

#include <stdlib.h>
#include <string.h>

enum {
	HEADLINE_DISKS = 4
};

/* What two windows hold of one track. */
struct pair {
	const struct summary *a, *b;
	double seconds[2];
};

void judgement_fini(struct judgement *judgement)
{
	free(judgement->rows);
	*judgement = (struct judgement){0};
}

double judgement_seconds(const struct session *session, const struct window *window)
{
	nsec from = session_settled(session, window);
	nsec end = window->to < session->last.at ? window->to : session->last.at;

	return end > from ? (double)(end - from) / NSEC_PER_SEC : 0;
}

/* Counts over wire segments where the host saw them, else over time. */
static void count_events(
	struct verdict *verdict, const struct pair *pair, const struct pair *exposure)
{
	struct batches a = pair->a->batches, b = pair->b->batches;

	if (exposure->a && exposure->b &&
		exposure->a->batches.slots.ticks == a.slots.ticks &&
		exposure->b->batches.slots.ticks == b.slots.ticks) {
		memcpy(a.den, exposure->a->batches.num, sizeof a.den);
		memcpy(b.den, exposure->b->batches.num, sizeof b.den);
	}
	verdict_counts(verdict, &a, &b, pair->seconds);
}

static struct pair pair_of(
	const struct session *session, const struct window *const windows[2], int track)
{
	struct pair pair = {0};

	if (track < 0)
		return pair;
	pair.a = session_summary(session, windows[0]->id, (size_t)track);
	pair.b = session_summary(session, windows[1]->id, (size_t)track);
	pair.seconds[0] = judgement_seconds(session, windows[0]);
	pair.seconds[1] = judgement_seconds(session, windows[1]);
	return pair;
}

static int load_track(const struct session *session, const struct track *track)
{
	const char *load = metric_at(track->metric)->load;

	return load ? session_track(
			      session, track->subject, (unsigned)metric_find(load))
		    : -1;
}

static void judge_load(
	struct judged *row, const struct pair *pair, const struct pair *load)
{
	struct verdict moved;

	if (!load->a || !load->b)
		return;
	verdict_means(&moved, &load->a->batches, &load->b->batches, load->seconds);
	row->load_differs = verdict_load_differs(&moved);
	if (!row->load_differs)
		return;
	row->has_load = true;
	verdict_load(&row->same_load, &pair->a->load, &pair->b->load, pair->seconds);
}

/* Where the window that lacks something is over by LAST, more of it will not come. */
static void mark_over(struct judged *row, const struct window *const windows[2],
	const struct pair *pair, nsec last)
{
	bool in_vain = false;

	for (size_t i = 0; i < 2; i++)
		in_vain = in_vain || (!window_runs(windows[i], last) &&
					     pair->seconds[i] < VERDICT_SHORTEST);
	row->raw.over = in_vain || !window_runs(windows[1], last);
	row->same_load.over = row->tail.over = row->raw.over;
}

/* The tail of waits and queues. At another load it says no more than the raw mean. */
static void judge_tail(
	struct judged *row, const struct metric *metric, const struct pair *pair)
{
	const struct quantile_batches *const sides[2] = {pair->a->tail, pair->b->tail};

	if (sides[0] && sides[1] && !metric_is_apart(metric))
		verdict_tail(&row->tail, sides, summary_step(metric), pair->seconds);
}

const char *session_kernel(const struct session *session, nsec at)
{
	const char *kernel = session->run_count ? session->runs[0].kernel : "";

	for (size_t i = 1; i < session->run_count && session->runs[i].from <= at; i++)
		kernel = session->runs[i].kernel;
	return kernel;
}

/* Whether one kernel ran in both windows, from the beginning of each to its end. */
static bool same_kernel(
	const struct session *session, const struct window *const windows[2])
{
	const char *first = session_kernel(session, windows[0]->from);

	for (size_t w = 0; w < 2; w++) {
		const struct window *window = windows[w];

		if (strcmp(session_kernel(session, window->from), first) != 0)
			return false;
		for (size_t i = 0; i < session->run_count; i++)
			if (session->runs[i].from > window->from &&
				session->runs[i].from < window->to &&
				strcmp(session->runs[i].kernel, first) != 0)
				return false;
	}
	return true;
}

static void judge_row(struct judgement *j, const struct session *session,
	const struct window *const windows[2], size_t track)
{
	const struct track *t = &session->tracks[track];
	const struct metric *metric = metric_at(t->metric);
	struct pair pair = pair_of(session, windows, (int)track);
	struct pair load = pair_of(session, windows, load_track(session, t));
	struct judged *row = &j->rows[track];

	*row = (struct judged){.track = (uint32_t)track};
	if (!pair.a || !pair.b || metric_is_detail(metric))
		return;
	if (metric_is_of_kernel(metric) && !same_kernel(session, windows)) {
		row->raw.word = VERDICT_KERNEL;
		return;
	}
	if (metric_is_event(metric)) {
		count_events(&row->raw, &pair, &load);
		doubt_capture(&row->raw, session, windows, t);
	} else if (!metric_is_apart(metric)) {
		verdict_means(
			&row->raw, &pair.a->batches, &pair.b->batches, pair.seconds);
	}
	if (summary_has_load(metric) && !metric_is_apart(metric))
		judge_load(row, &pair, &load);
	judge_tail(row, metric, &pair);
	/* a report is fed up to the last tick inside a window, which is before its end
	 */
	mark_over(row, windows, &pair, session->last.at + session->last.interval);
}

/* The busiest disks by the queue of window A and B together. */
static void busiest(const struct session *session, const struct judgement *j,
	uint32_t *subjects, size_t *count)
{
	double queue[HEADLINE_DISKS] = {0};

	*count = 0;
	for (size_t i = 0; i < j->count; i++) {
		const struct track *t = &session->tracks[i];
		double size = j->rows[i].raw.a + j->rows[i].raw.b;
		size_t place = *count;

		if (strcmp(metric_at(t->metric)->id, "disk.queue") || !(size > 0))
			continue;
		while (place && queue[place - 1] < size)
			place--;
		if (place == HEADLINE_DISKS)
			continue;
		if (*count < HEADLINE_DISKS)
			(*count)++;
		for (size_t k = *count - 1; k > place; k--) {
			queue[k] = queue[k - 1];
			subjects[k] = subjects[k - 1];
		}
		queue[place] = size;
		subjects[place] = t->subject;
	}
}

static bool is_headline(const struct session *session, const struct judged *row,
	const uint32_t *disks, size_t count)
{
	static const char *const ids[] = {
		"disk.queue", "disk.read.await", "disk.write.await"};
	const struct track *t = &session->tracks[row->track];
	const char *id = metric_at(t->metric)->id;

	if (!strcmp(id, "tcp.retrans"))
		return true;
	for (size_t d = 0; d < count; d++)
		for (size_t i = 0; i < sizeof ids / sizeof *ids; i++)
			if (disks[d] == t->subject && !strcmp(id, ids[i]))
				return true;
	return false;
}

/* Whoever closes a window by hand may have waited for the verdict that the screen
 * showed. A window set afterwards, or around a command, ended for another reason. */
static bool was_watched(const struct window *window)
{
	return !window->backwards && window->role != ROLE_RUN;
}

void judgement_measure(
	struct judgement *j, const struct session *session, uint32_t a, uint32_t b)
{
	const struct window *const windows[2] = {windows_by_id(&session->windows, a),
		windows_by_id(&session->windows, b)};
	uint32_t disks[HEADLINE_DISKS];
	size_t count;

	j->count = 0;
	if (!windows[0] || !windows[1])
		return;
	j->level = was_watched(windows[1]) ? VERDICT_LEVEL_LIVE : VERDICT_LEVEL;
	xgrow(&j->rows, &j->room, session->track_count, sizeof *j->rows);
	j->count = session->track_count;
	for (size_t i = 0; i < j->count; i++)
		judge_row(j, session, windows, i);
	busiest(session, j, disks, &count);
	for (size_t i = 0; i < j->count; i++)
		j->rows[i].headline = is_headline(session, &j->rows[i], disks, count);
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

/* The rows of one family in all judgements; returns how many are tested. */
static size_t decide_family(struct judgement *judgements, size_t count,
	const struct session *session, bool headline)
{
	struct verdict_row *rows =
		xarray(3 * count * session->track_count, sizeof *rows);
	size_t used = 0, tested = 0;

	for (size_t n = 0; n < count; n++)
		for (size_t i = 0; i < judgements[n].count; i++) {
			struct judged *row = &judgements[n].rows[i];
			struct verdict_row next = {.level = judgements[n].level,
				.better = metric_at(session->tracks[i].metric)->better};

			if (row->headline != headline)
				continue;
			next.neutral = row->has_load;
			next.verdict = &row->raw;
			rows[used++] = next;
			next.verdict = &row->tail;
			rows[used++] = next;
			next.verdict = &row->same_load;
			next.neutral = false;
			if (row->has_load)
				rows[used++] = next;
		}
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
