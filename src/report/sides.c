/* What stands for each letter of a report: a window, or all windows of its name. */
#include "config.h"

#include "report/section.h"

#include "base/alloc.h"
#include "base/text.h"

#include <stdlib.h>
#include <string.h>

const struct window *side_window(
	const struct comparison *comparison, size_t index, size_t i)
{
	return windows_by_id(
		&comparison->session->windows, comparison->sides[index].ids[i]);
}

bool side_has(const struct comparison *comparison, size_t index, uint32_t id)
{
	for (size_t i = 0; i < comparison->sides[index].count; i++)
		if (comparison->sides[index].ids[i] == id)
			return true;
	return false;
}

bool side_holds(const struct comparison *comparison, size_t index, nsec at)
{
	for (size_t i = 0; i < comparison->sides[index].count; i++)
		if (window_holds(comparison, side_window(comparison, index, i), at))
			return true;
	return false;
}

bool side_inside(const struct comparison *comparison, size_t index, nsec at)
{
	for (size_t i = 0; i < comparison->sides[index].count; i++) {
		const struct window *window = side_window(comparison, index, i);

		if (at > window->from && window_holds(comparison, window, at))
			return true;
	}
	return false;
}

struct coverage side_coverage(const struct comparison *comparison, size_t index)
{
	struct coverage sum = {0};

	for (size_t i = 0; i < comparison->sides[index].count; i++) {
		struct coverage one = session_coverage(
			comparison->session, comparison->sides[index].ids[i]);

		sum.seen += one.seen;
		sum.expected += one.expected;
		sum.gaps += one.gaps;
	}
	return sum;
}

/* All of the side's windows as one summary; null where there is nothing of TRACK. */
static struct summary *merge(
	const struct session *session, const struct side *side, size_t track)
{
	struct summary *merged = NULL;

	for (size_t i = 0; i < side->count; i++) {
		const struct summary *one =
			session_summary(session, side->ids[i], track);

		if (!one)
			continue;
		if (!merged)
			merged = summary_new(
				metric_at(session->tracks[track].metric), 1);
		summary_merge(merged, one);
	}
	return merged;
}

static void merge_all(struct comparison *comparison, size_t index)
{
	const struct session *session = comparison->session;
	const struct side *side = &comparison->sides[index];

	if (side->count < 2 || !session->track_count)
		return;
	comparison->merged[index] =
		xarray(session->track_count, sizeof *comparison->merged[index]);
	for (size_t t = 0; t < session->track_count; t++)
		comparison->merged[index][t] = merge(session, side, t);
}

/* The sides of letters 0 and W; a side of nothing is its window all the same. */
static void take(const struct session *session, const struct report_options *options,
	size_t w, struct side sides[2])
{
	const uint32_t *ids = options->windows;

	(void)sides_of(session, ids[0], ids[w], options->pool, sides);
	if (!sides[0].count)
		sides[0].ids[sides[0].count++] = ids[0];
	if (!sides[1].count)
		sides[1].ids[sides[1].count++] = ids[w];
}

void sides_take(struct comparison *comparison)
{
	if (!comparison->window_count)
		return;
	comparison->sides[0] = side_alone(comparison->windows[0]->id);
	for (size_t w = 1; w < comparison->window_count; w++) {
		struct side sides[2];

		take(comparison->session, comparison->options, w, sides);
		if (sides[0].count > comparison->sides[0].count)
			comparison->sides[0] = sides[0];
		comparison->sides[w] = sides[1];
	}
	for (size_t w = 0; w < comparison->window_count; w++)
		merge_all(comparison, w);
}

void sides_fini(struct comparison *comparison)
{
	for (size_t w = 0; w < REPORT_WINDOWS; w++) {
		for (size_t t = 0;
			comparison->merged[w] && t < comparison->session->track_count;
			t++)
			summary_free(comparison->merged[w][t]);
		free(comparison->merged[w]);
	}
}

/* "2 that failed, 1 under 5 min" */
static void left_out(const struct side *side, char *to, size_t size)
{
	const struct {
		size_t count;
		const char *words;
	} reasons[] = {
		{side->failed, "that did not end with status 0"},
		{side->open, "that had not ended"},
		{side->brief, "shorter than 5 min"},
		{side->beyond, "older than the newest 32"},
	};

	*to = 0;
	for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++) {
		size_t used = strlen(to);

		if (reasons[i].count)
			(void)text_format(to + used, size - used, "%s%zu %s",
				used ? ", " : "; left out: ", reasons[i].count,
				reasons[i].words); /* fits: four short ones */
	}
}

void write_sides(const struct comparison *comparison, struct writer *writer)
{
	char text[4 * 64 + REPORT_WINDOWS * (WINDOW_NAME + 200)] = "";

	for (size_t w = 0; w < comparison->window_count; w++) {
		const struct side *side = &comparison->sides[w];
		size_t used = strlen(text);
		char out[160];

		left_out(side, out, sizeof out);
		if (side->count > 1 || *out)
			(void)text_format(text + used, sizeof text - used,
				"%s%s: %zu %s%s called %s%s", used ? ". " : "",
				window_letter(w), side->count,
				comparison->windows[w]->role == ROLE_RUN ? "command"
									 : "window",
				side->count > 1 ? "s" : "",
				comparison->windows[w]->name, out);
	}
	if (*text)
		write_line(writer, "sides", "%s.", text);
}

static void add(struct window_ids *ids, uint32_t id)
{
	for (size_t i = 0; i < ids->count; i++)
		if (ids->list[i] == id)
			return;
	xgrow(&ids->list, &ids->room, ids->count + 1, sizeof *ids->list);
	ids->list[ids->count++] = id;
}

/* Commands that ran within windows that were added. */
static void add_runs(const struct session *session, struct window_ids *ids)
{
	const struct windows *all = &session->windows;
	size_t chosen = ids->count;

	for (size_t i = 0; i < all->count; i++)
		for (size_t k = 0; k < chosen && all->list[i].role == ROLE_RUN; k++) {
			const struct window *in = windows_by_id(all, ids->list[k]);

			if (all->list[i].from >= in->from &&
				all->list[i].from <= in->to)
				add(ids, all->list[i].id);
		}
}

void report_needs(const struct session *session, const struct report_options *options,
	struct window_ids *ids)
{
	for (size_t w = 0; w < options->window_count; w++) {
		struct side sides[2];

		if (!windows_by_id(&session->windows, options->windows[w]))
			continue;
		add(ids, options->windows[w]);
		take(session, options, w, sides);
		for (size_t s = 0; w && s < 2; s++)
			for (size_t i = 0; i < sides[s].count; i++)
				add(ids, sides[s].ids[i]);
	}
	add_runs(session, ids);
}
