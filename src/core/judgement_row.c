/* Which test a row gets; see the header. */
#include "config.h"

#include "core/judgement_row.h"

#include "base/alloc.h"
#include "core/doubt.h"
#include "core/verdict_sides.h"

#include <stdlib.h>
#include <string.h>

/* What two sides hold of one track. */
struct pair {
	const struct summary *list[2][SIDE_MOST];
	size_t count[2];
	double seconds[2];
};

static struct pair pair_of(const struct contest *contest, int track)
{
	const struct session *session = contest->session;
	struct pair pair = {.count = {0, 0}};

	for (size_t s = 0; track >= 0 && s < 2; s++)
		for (size_t i = 0; i < contest->sides[s].count; i++) {
			uint32_t id = contest->sides[s].ids[i];
			const struct summary *summary =
				session_summary(session, id, (size_t)track);

			if (!summary)
				continue;
			pair.list[s][pair.count[s]++] = summary;
			pair.seconds[s] += judgement_seconds(
				session, windows_by_id(&session->windows, id));
		}
	return pair;
}

static bool is_there(const struct pair *pair)
{
	return pair->count[0] && pair->count[1];
}

static bool is_single(const struct contest *contest)
{
	return contest->how == SIDES_SINGLE;
}

static struct batch_list batches_of(const struct pair *pair, size_t s)
{
	struct batch_list list = {.count = pair->count[s]};

	for (size_t i = 0; i < list.count; i++)
		list.list[i] = &pair->list[s][i]->batches;
	return list;
}

static struct load_list loads_of(const struct pair *pair, size_t s)
{
	struct load_list list = {.count = pair->count[s]};

	for (size_t i = 0; i < list.count; i++)
		list.list[i] = &pair->list[s][i]->load;
	return list;
}

/* Wire segments where the host saw them in all windows, else time. */
static bool can_expose(const struct pair *pair, const struct pair *exposure)
{
	for (size_t s = 0; s < 2; s++)
		for (size_t i = 0; i < pair->count[s]; i++)
			if (exposure->count[s] != pair->count[s] ||
				exposure->list[s][i]->batches.slots.ticks !=
					pair->list[s][i]->batches.slots.ticks)
				return false;
	return true;
}

/* The batches of PAIR, with the exposure as den. */
static void expose(const struct pair *pair, const struct pair *exposure,
	struct batches *copies, struct batch_list sides[2])
{
	size_t used = 0;

	for (size_t s = 0; s < 2; s++)
		for (size_t i = 0; i < pair->count[s]; i++) {
			struct batches *copy = &copies[used++];

			*copy = pair->list[s][i]->batches;
			memcpy(copy->den, exposure->list[s][i]->batches.num,
				sizeof copy->den);
			sides[s].list[i] = copy;
		}
}

static void count_events(struct verdict *verdict, const struct contest *contest,
	const struct pair *pair, const struct pair *exposure)
{
	struct batch_list sides[] = {batches_of(pair, 0), batches_of(pair, 1)};
	struct batches *copies =
		xarray(pair->count[0] + pair->count[1], sizeof *copies);

	if (can_expose(pair, exposure))
		expose(pair, exposure, copies, sides);
	if (is_single(contest))
		verdict_counts(
			verdict, sides[0].list[0], sides[1].list[0], pair->seconds);
	else if (contest->how == SIDES_POOLED)
		verdict_pooled_counts(verdict, sides);
	else
		verdict_run_counts(verdict, sides);
	free(copies);
}

static void judge_runs(struct verdict *verdict, const struct pair *pair)
{
	double means[2][SIDE_MOST];
	const double *const figures[] = {means[0], means[1]};
	size_t count[2] = {0, 0};

	for (size_t s = 0; s < 2; s++)
		for (size_t i = 0; i < pair->count[s]; i++)
			count[s] += summary_mean(pair->list[s][i], &means[s][count[s]]);
	verdict_runs(verdict, figures, count);
}

static void judge_means(
	struct verdict *verdict, const struct contest *contest, const struct pair *pair)
{
	const struct batch_list sides[] = {batches_of(pair, 0), batches_of(pair, 1)};

	if (is_single(contest)) {
		if (!verdict_hours(verdict, pair->list[0][0]->daily,
			    pair->list[1][0]->daily, pair->seconds))
			verdict_means(verdict, sides[0].list[0], sides[1].list[0],
				pair->seconds);
	} else if (contest->how == SIDES_POOLED)
		verdict_pooled_means(verdict, sides, pair->seconds);
	else
		judge_runs(verdict, pair);
}

static int load_track(const struct session *session, const struct track *track)
{
	const char *load = metric_at(track->metric)->load;

	return load ? session_track(
			      session, track->subject, (unsigned)metric_find(load))
		    : -1;
}

static void judge_load(struct judged *row, const struct contest *contest,
	const struct pair *pair, const struct pair *load)
{
	const struct load_list sides[] = {loads_of(pair, 0), loads_of(pair, 1)};
	struct verdict moved;

	if (!is_there(load))
		return;
	judge_means(&moved, contest, load);
	row->load_differs = verdict_load_differs(&moved);
	if (!row->load_differs || contest->how == SIDES_RUNS)
		return; /* runs are too few for a figure at the same load */
	row->has_load = true;
	if (is_single(contest))
		verdict_load(&row->same_load, sides[0].list[0], sides[1].list[0],
			pair->seconds);
	else
		verdict_pooled_load(&row->same_load, sides, pair->seconds);
}

/* Where the window that lacks something is over, more of it will not come. A report is
 * fed up to the last tick inside a window, which is before its end. */
static void mark_over(
	struct judged *row, const struct contest *contest, const struct pair *pair)
{
	const struct tick *tick = &contest->session->last;
	const struct windows *all = &contest->session->windows;
	nsec last = tick->at + tick->interval;
	bool in_vain = false, open = false;

	for (size_t s = 0; s < 2; s++)
		for (size_t i = 0; i < contest->sides[s].count; i++) {
			const struct window *window =
				windows_by_id(all, contest->sides[s].ids[i]);
			bool grows = window_runs(window, last);

			in_vain = in_vain ||
				  (!grows && pair->seconds[s] < VERDICT_SHORTEST);
			open = open || (s && grows);
		}
	row->raw.over = in_vain || !open;
	row->same_load.over = row->tail.over = row->raw.over;
}

/* The tail of waits and queues. At another load it says no more than the raw mean. */
static void judge_tail(
	struct judged *row, const struct metric *metric, const struct pair *pair)
{
	const struct quantile_batches *const sides[2] = {
		pair->list[0][0]->tail, pair->list[1][0]->tail};

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

/* Whether KERNEL ran in WINDOW from its beginning to its end. */
static bool has_kernel(
	const struct session *session, const struct window *window, const char *kernel)
{
	if (strcmp(session_kernel(session, window->from), kernel) != 0)
		return false;
	for (size_t i = 0; i < session->run_count; i++)
		if (session->runs[i].from > window->from &&
			session->runs[i].from < window->to &&
			strcmp(session->runs[i].kernel, kernel) != 0)
			return false;
	return true;
}

static bool is_one_kernel(const struct session *session, const struct side sides[2])
{
	const char *first = NULL;

	for (size_t s = 0; s < 2; s++)
		for (size_t i = 0; i < sides[s].count; i++) {
			const struct window *window =
				windows_by_id(&session->windows, sides[s].ids[i]);

			if (!first)
				first = session_kernel(session, window->from);
			if (!has_kernel(session, window, first))
				return false;
		}
	return true;
}

static bool other_hours(const struct session *session, const struct side sides[2])
{
	nsec from[2], to[2];

	for (size_t s = 0; s < 2; s++) {
		const struct window *window =
			windows_by_id(&session->windows, sides[s].ids[0]);

		from[s] = session_wall(session, window->from);
		to[s] = session_wall(session, window_until(window, session->last.at));
	}
	return daily_differs(from, to);
}

struct contest judgement_contest(
	const struct session *session, uint32_t a, uint32_t b, bool pool)
{
	struct contest contest = {.session = session};

	contest.how = sides_of(session, a, b, pool, contest.sides);
	contest.hours_differ =
		contest.how == SIDES_SINGLE && other_hours(session, contest.sides);
	contest.same_kernel = is_one_kernel(session, contest.sides);
	return contest;
}

/* What a command moved while it waited for each answer is its result; in any other
 * window it is what somebody happened to ask for. */
static bool is_throughput(const struct metric *metric)
{
	return metric->form == METRIC_RATE && metric->unit == UNIT_BYTES_S &&
	       metric->better == BETTER_NEITHER;
}

void judgement_row(struct judged *row, const struct contest *contest, size_t track)
{
	const struct session *session = contest->session;
	const struct track *t = &session->tracks[track];
	const struct metric *metric = metric_at(t->metric);
	struct pair pair = pair_of(contest, (int)track);
	struct pair load = pair_of(contest, load_track(session, t));

	*row = (struct judged){.track = (uint32_t)track};
	if (!is_there(&pair) || metric_is_detail(metric))
		return;
	if (metric_is_of_kernel(metric) && !contest->same_kernel) {
		row->raw.word = VERDICT_KERNEL;
		return;
	}
	if (metric_is_event(metric)) {
		count_events(&row->raw, contest, &pair, &load);
		doubt_capture(&row->raw, session, contest->sides, t);
	} else if (!metric_is_apart(metric)) {
		judge_means(&row->raw, contest, &pair);
		row->hours_differ = contest->hours_differ;
		row->closed = contest->how == SIDES_RUNS && is_throughput(metric);
	}
	if (summary_has_load(metric) && !metric_is_apart(metric))
		judge_load(row, contest, &pair, &load);
	if (is_single(contest))
		judge_tail(row, metric, &pair);
	mark_over(row, contest, &pair);
}
