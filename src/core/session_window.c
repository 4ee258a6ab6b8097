/* What has been summed up for each window, live and from the ring
 * (core/session.h). */
#include "config.h"

#include "base/alloc.h"
#include "core/session_private.h"

#include <stdlib.h>
#include <string.h>

struct span *session_span(const struct session *session, uint32_t id)
{
	struct session_private *inside = session->private;

	for (size_t i = 0; i < inside->span_count; i++)
		if (inside->spans[i].id == id)
			return &inside->spans[i];
	return NULL;
}

static void empty_span(struct span *span)
{
	for (size_t i = 0; i < span->cell_room; i++) {
		summary_free(span->cells[i].summary);
	}
	free(span->cells);
	*span = (struct span){.id = span->id};
}

void session_spans_fini(struct session *session)
{
	for (size_t i = 0; i < session->private->span_count; i++)
		empty_span(&session->private->spans[i]);
	free(session->private->spans);
	free(session->private->together);
}

/* Ticks that a cell only counted: the zeros first, then those without a figure; no
 * num came with any of them, so their order does not show in a sum. */
static void fill_batches(
	struct summary *summary, const struct cell *cell, const struct metric *metric)
{
	double den = cell->settled_zeros ? cell->settled_den / cell->settled_zeros : 0;
	struct bucket_count zero = {spread_weight(metric, den, 1), 0};

	for (uint32_t i = 0; i < cell->settled_zeros; i++) {
		batches_add(&summary->batches, 0, den);
		if (!summary->tail)
			continue;
		load_add(&summary->load, 0, 0, den, true);
		quantile_put(summary->tail, &zero, 1);
		quantile_pass(summary->tail, 1);
	}
	summary_pass(summary, cell->silent);
}

/* Makes a summary of what CELL counted so far. */
static struct summary *open_cell(struct cell *cell, const struct metric *metric)
{
	struct summary *summary = cell->summary;

	if (summary)
		return summary;
	summary = summary_new(metric, 1);
	summary->samples = cell->zeros;
	summary->den = cell->zero_den;
	summary_put(summary,
		&(struct bucket_count){
			spread_weight(metric, cell->zero_den, cell->zeros), 0},
		1);
	for (unsigned i = 0; i < WHY_COUNT; i++)
		summary->missing[i] = cell->missing[i];
	fill_batches(summary, cell, metric);
	cell->summary = summary;
	return summary;
}

/* A figure at its tick: what it was made under. */
struct circumstance {
	const struct metric *metric;
	const struct value *value;
	const struct value *load; /* null: it has none */
	bool settled;
};

static void count_value(struct cell *cell, const struct circumstance *now)
{
	bool known = now->value->why == WHY_NONE;

	if (!known) {
		cell->missing[now->value->why]++;
		cell->silent += now->settled;
		return;
	}
	cell->zeros++;
	cell->zero_den += now->value->den;
	if (now->settled) {
		cell->settled_zeros++;
		cell->settled_den += now->value->den;
	}
}

static void add_batch(struct summary *summary, const struct circumstance *now)
{
	bool known = now->value->why == WHY_NONE;
	double num = known ? now->value->num : 0;
	double den = known ? now->value->den : 0;

	batches_add(&summary->batches, num, den);
	if (summary->tail && known && now->value->spread)
		quantile_put(summary->tail, now->value->spread->buckets,
			now->value->spread->count);
	else if (summary->tail && known)
		quantile_put(summary->tail,
			&(struct bucket_count){spread_weight(now->metric, den, 1),
				(uint16_t)summary_bucket(
					now->metric, now->value->value)},
			1);
	if (summary->tail)
		quantile_pass(summary->tail, 1);
	if (summary->stretches && known)
		stretches_add(summary->stretches,
			summary_bucket(now->metric, now->value->value));
	else if (summary->stretches)
		stretches_break(summary->stretches);
	if (!now->load)
		return;
	known = known && now->load->why == WHY_NONE;
	load_add(&summary->load, known ? load_key(now->load->value, 0) : 0, num, den,
		known);
}

static void add_value(struct cell *cell, const struct circumstance *now)
{
	/* A zero under load is a sample at that load; only idle ones are just counted.
	 */
	bool loaded = now->load && (now->load->why != WHY_NONE || now->load->value > 0);
	bool something =
		now->value->why == WHY_NONE && (now->value->value > 0 || loaded);

	if (!cell->summary && !something) {
		count_value(cell, now);
		return;
	}
	summary_add(open_cell(cell, now->metric), now->metric, now->value);
	if (now->settled)
		add_batch(cell->summary, now);
}

/* One tick, as windows see it. SLOT is its place in the ring; or it is the newest
 * one, with the figures in the tracks. */
struct beat {
	nsec before, at, interval;
	enum tick_gap gap;
	bool newest;
	size_t slot;
};

/* The figure of TRACK at BEAT; ROOM is for one that has to be made. */
static const struct value *value_at(const struct session *session,
	const struct beat *beat, size_t track, struct value *room)
{
	if (beat->newest)
		return &session->tracks[track].now;
	*room = session_ring_value(session, track, beat->slot);
	return room;
}

static void add_values(
	struct session *session, struct span *span, const struct beat *beat)
{
	xgrow(&span->cells, &span->cell_room, session->track_count,
		sizeof *span->cells);
	for (size_t i = 0; i < session->track_count; i++) {
		const struct recipe *recipe = &session->private->recipes[i];
		struct value room[2];
		struct circumstance now = {.metric = recipe->metric,
			.value = value_at(session, beat, i, &room[0]),
			.settled = beat->before >= span->settled};

		if (recipe->load != NOWHERE)
			now.load = value_at(session, beat, recipe->load, &room[1]);
		add_value(&span->cells[i], &now);
	}
}

/* Time passed that no tick tells of: batches stay equal in time. */
static void add_silence(struct span *span, uint64_t ticks)
{
	for (size_t i = 0; i < span->cell_room; i++) {
		struct cell *cell = &span->cells[i];

		if (!cell->summary) {
			cell->silent += ticks;
			continue;
		}
		summary_pass(cell->summary, ticks);
	}
}

static void add_beat(
	struct session *session, struct span *span, const struct beat *beat)
{
	nsec beats = (beat->at - beat->before + beat->interval / 2) / beat->interval;

	if (beat->gap != GAP_NONE && beat->at > span->from && beat->before < span->to)
		span->gaps++;
	if (beat->before < span->from || beat->at > span->to)
		return;
	if (!span->seen)
		span->first = beat->before;
	span->seen++;
	span->upto = beat->at;
	if (beat->gap != GAP_NONE && beats > 1) {
		span->swallowed += (uint64_t)beats - 1;
		if (beat->before >= span->settled)
			add_silence(span, (uint64_t)beats - 1);
	}
	add_values(session, span, beat);
}

void session_spans_tick(struct session *session, nsec before, enum tick_gap gap)
{
	const struct beat beat = {.before = before,
		.at = session->last.at,
		.interval = session->last.interval,
		.gap = gap,
		.newest = true};

	for (size_t i = 0; i < session->private->span_count; i++)
		if (!session->private->spans[i].is_long)
			add_beat(session, &session->private->spans[i], &beat);
}

/* Whether the ring holds every tick from FROM on that there ever was. */
static bool ring_covers(const struct session *session, nsec from)
{
	size_t held = session_ring_held(session);
	nsec oldest;

	if (!held)
		return false;
	oldest = session->ring_at[session_ring_slot(session, held - 1)];
	return oldest <= from || (held == session->ticks && oldest <= 0);
}

static void refill(struct session *session, struct span *span)
{
	size_t back = session_ring_held(session);

	if (back == session->ticks)
		back--; /* the first tick of all has no interval */
	while (back--) {
		size_t slot = session_ring_slot(session, back);
		struct beat beat = {.before = session->private->ring_before[slot],
			.at = session->ring_at[slot],
			.interval = session->last.interval,
			.gap = (enum tick_gap)session->ring_gap[slot],
			.slot = slot};

		add_beat(session, span, &beat);
	}
}

/* Whether moving SPAN to WINDOW's edges leaves the ticks inside what they are. */
static bool same_ticks(const struct session *session, const struct span *span,
	const struct window *window)
{
	if (!session->ticks)
		return true;
	if (window->from != span->from || (span->seen && window->to < span->upto))
		return false;
	return window->to <= span->to || session->last.at <= span->to;
}

/* Whether a baseline stands before WINDOW: who names the states after several changes
 * marks no CHANGE. */
static bool follows(const struct session *session, const struct window *window)
{
	for (size_t i = 0; i < session->windows.count; i++)
		if (session->windows.list[i].id < window->id &&
			session->windows.list[i].from < window->from)
			return true;
	return false;
}

nsec session_settled(const struct session *session, const struct window *window)
{
	bool after = window->role == ROLE_AFTER ||
		     (window->role == ROLE_OTHER && follows(session, window));

	return after && !window->backwards ? window->from + session->settle
					   : window->from;
}

bool session_window(struct session *session, const struct window *window)
{
	struct session_private *inside = session->private;
	struct span *span = session_span(session, window->id);
	bool same = span && same_ticks(session, span, window);

	windows_put(&session->windows, window);
	if (!span) {
		xgrow(&inside->spans, &inside->span_room, inside->span_count + 1,
			sizeof *inside->spans);
		span = &inside->spans[inside->span_count++];
		*span = (struct span){.id = window->id};
	}
	if (!same)
		empty_span(span);
	span->from = window->from;
	span->to = window->to;
	span->settled = session_settled(session, window);
	if (same || !session->ticks || window->from >= session->last.at)
		return true;
	if (!ring_covers(session, window->from))
		return false;
	refill(session, span);
	return true;
}

void session_remove_window(struct session *session, uint32_t id)
{
	struct session_private *inside = session->private;
	struct span *span = session_span(session, id);

	windows_remove(&session->windows, id);
	if (!span)
		return;
	empty_span(span);
	*span = inside->spans[--inside->span_count];
}

static bool is_empty(const struct cell *cell)
{
	static const uint32_t none[WHY_COUNT];

	return !cell->summary && !cell->zeros &&
	       !memcmp(cell->missing, none, sizeof none);
}

const struct summary *session_summary(
	const struct session *session, uint32_t window, size_t track)
{
	struct span *span = session_span(session, window);

	if (!span || track >= span->cell_room || is_empty(&span->cells[track]))
		return NULL;
	session_catch_up(span, &span->cells[track]);
	return open_cell(&span->cells[track], metric_at(session->tracks[track].metric));
}

static uint64_t beats_in(nsec from, nsec to, nsec interval)
{
	return to > from ? ((uint64_t)to - (uint64_t)from) / (uint64_t)interval : 0;
}

/* Expected are the ticks seen, those that gaps swallowed, and the beats that would
 * have fitted before the first and behind the last one seen. */
struct coverage session_coverage(const struct session *session, uint32_t window)
{
	const struct span *span = session_span(session, window);
	nsec interval = session->last.interval;
	struct coverage coverage = {0};
	nsec end;

	if (!span || !session->ticks)
		return coverage;
	end = span->to < session->last.at ? span->to : session->last.at;
	coverage.seen = span->seen;
	coverage.gaps = span->gaps;
	coverage.expected = span->seen + span->swallowed;
	if (span->is_long)
		coverage.expected += session_minutes_lacking(span, end, interval);
	else if (span->seen)
		coverage.expected += beats_in(span->from, span->first, interval) +
				     beats_in(span->upto, end, interval);
	else
		coverage.expected += beats_in(span->from, end, interval);
	return coverage;
}
