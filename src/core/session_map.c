/* From the catalog of a run to the rows of the session: which subject is which,
 * which readings there are, which metrics can be made from them. Runs seldom: at
 * full ticks and when something new appears. */
#include "config.h"

#include "base/alloc.h"
#include "core/session_private.h"
#include "core/session_queue.h"
#include "core/session_spread.h"

#include <string.h>

static uint32_t add_subject(struct session *session, const struct subject *subject)
{
	struct session_private *inside = session->private;
	size_t row = session->subject_count++;

	xgrow(&session->subjects, &session->subject_room, row + 1,
		sizeof *session->subjects);
	xgrow(&session->present, &session->present_room, row + 1,
		sizeof *session->present);
	xgrow(&inside->chains, &inside->chain_room, row + 1, sizeof *inside->chains);
	xgrow(&inside->index, &inside->index_room, row + 1, sizeof *inside->index);
	xgrow(&inside->taken, &inside->taken_room, row + 1, sizeof *inside->taken);
	session->subjects[row] = *subject;
	inside->taken[row] = false;
	inside->chains[row] = NOWHERE;
	inside->index[row] = xarray(metric_count(), sizeof **inside->index);
	for (unsigned i = 0; i < metric_count(); i++)
		inside->index[row][i] = -1;
	return (uint32_t)row;
}

static bool same_name(const struct subject *a, const struct subject *b)
{
	return a->kind == b->kind && !strcmp(a->name, b->name) && !strcmp(a->id, b->id);
}

static bool same_identity(const struct subject *a, const struct subject *b)
{
	return a->kind == b->kind && *a->id && !strcmp(a->id, b->id);
}

/* The free row that is SUBJECT by ALIKE, or NOWHERE. It is mostly the one behind that
 * of the subject before, *NEXT: a big host has thousands. */
static uint32_t find_row(const struct session *session, const struct subject *subject,
	bool (*alike)(const struct subject *, const struct subject *), size_t *next)
{
	for (size_t i = 0; i < session->subject_count; i++, ++*next) {
		if (*next >= session->subject_count)
			*next = 0;
		if (!session->private->taken[*next] &&
			alike(&session->subjects[*next], subject))
			return (uint32_t)(*next)++;
	}
	return NOWHERE;
}

/* Which sources say something of each subject of this run, in this tick. */
static void note_heard(struct session *session, const struct tick_decoder *decoder)
{
	const struct catalog *catalog = &decoder->catalog;
	struct session_private *inside = session->private;

	xgrow(&inside->heard, &inside->heard_room, catalog->subject_count,
		sizeof *inside->heard);
	for (size_t i = 0; i < catalog->subject_count; i++)
		inside->heard[i] = 0;
	for (size_t i = 0; i < catalog->series_count; i++) {
		const struct series *series = &catalog->series[i];
		uint8_t why = decoder->tick.readings[i].why;

		if (why != WHY_ABSENT && why != WHY_LATE)
			inside->heard[series->subject] |= UINT32_C(1) << series->source;
	}
}

/* Whether one source speaks of I and of another subject at ROW: then they are two. */
static bool is_beside(
	const struct session_private *inside, size_t count, size_t i, uint32_t row)
{
	for (size_t k = 0; k < count; k++)
		if (k != i && inside->rows[k] == row &&
			inside->heard[k] & inside->heard[i])
			return true;
	return false;
}

/* The row of a subject of this run that has gone and came back as I, under another
 * name; or NOWHERE. While it is renamed, sources may not agree for a tick. */
static uint32_t find_former(
	const struct session_private *inside, const struct catalog *catalog, size_t i)
{
	for (size_t k = 0; k < catalog->subject_count; k++)
		if (k != i && inside->rows[k] != NOWHERE &&
			same_identity(&catalog->subjects[k], &catalog->subjects[i]) &&
			!is_beside(inside, catalog->subject_count, i, inside->rows[k]))
			return inside->rows[k];
	return NOWHERE;
}

static uint32_t place_subject(
	struct session *session, const struct catalog *catalog, size_t i, size_t *next)
{
	struct session_private *inside = session->private;
	uint32_t row = find_row(session, &catalog->subjects[i], same_identity, next);

	if (row == NOWHERE) {
		row = find_former(inside, catalog, i);
		inside->shares |= row != NOWHERE;
	}
	return row == NOWHERE ? add_subject(session, &catalog->subjects[i]) : row;
}

/* Subjects of one run that are there together are different ones, whatever they are
 * called: two paths to one LUN share its identity. So the exact ones take their rows
 * first. */
static void map_subjects(struct session *session, const struct tick_decoder *decoder)
{
	const struct catalog *catalog = &decoder->catalog;
	struct session_private *inside = session->private;
	size_t count = catalog->subject_count, next = 0;

	xgrow(&inside->rows, &inside->row_room, count, sizeof *inside->rows);
	note_heard(session, decoder);
	inside->shares = false;
	if (session->subject_count)
		memset(inside->taken, 0,
			session->subject_count * sizeof *inside->taken);
	for (size_t i = 0; i < count; i++) {
		inside->rows[i] =
			find_row(session, &catalog->subjects[i], same_name, &next);
		if (inside->rows[i] != NOWHERE)
			inside->taken[inside->rows[i]] = true;
	}
	for (size_t i = 0; i < count; i++) {
		if (inside->rows[i] == NOWHERE)
			inside->rows[i] = place_subject(session, catalog, i, &next);
		inside->taken[inside->rows[i]] = true;
	}
	/* of several names, the one that is heard of */
	for (int heard = 0; heard < 2; heard++)
		for (size_t i = 0; i < count; i++)
			if ((inside->heard[i] != 0) == (heard != 0))
				session->subjects[inside->rows[i]] =
					catalog->subjects[i];
	inside->row_count = count;
}

static uint32_t find_point(
	struct session_private *inside, uint32_t subject, uint16_t raw)
{
	uint32_t at = inside->chains[subject];

	while (at != NOWHERE && inside->points[at].raw != raw)
		at = inside->points[at].next;
	if (at != NOWHERE)
		return at;
	at = (uint32_t)inside->point_count++;
	xgrow(&inside->points, &inside->point_room, inside->point_count,
		sizeof *inside->points);
	inside->points[at] = (struct point){.subject = subject,
		.next = inside->chains[subject],
		.raw = raw,
		.broken = WHY_FIRST};
	inside->chains[subject] = at;
	return at;
}

/* The series from the first one on that has no place yet. */
static void place_series(struct session *session, const struct catalog *catalog)
{
	struct session_private *inside = session->private;
	size_t count = catalog->series_count;

	xgrow(&inside->places, &inside->place_room, count, sizeof *inside->places);
	for (size_t i = inside->place_count; i < count; i++) {
		const struct series *series = &catalog->series[i];
		uint32_t at =
			find_point(inside, inside->rows[series->subject], series->raw);

		inside->points[at].live = true;
		inside->points[at].source = series->source;
		inside->places[i] = at;
		if (series->raw == RAW_STALL_MS)
			inside->stall_point = at;
	}
	inside->place_count = count;
}

/* Points that this run does not read are absent until another one does. */
static void map_series(struct session *session, const struct catalog *catalog)
{
	struct session_private *inside = session->private;

	inside->stall_point = NOWHERE;
	inside->place_count = 0;
	for (size_t i = 0; i < inside->point_count; i++) {
		inside->points[i].live = false;
		inside->points[i].side[1] =
			(struct sample){.reading = {.why = WHY_ABSENT}};
	}
	place_series(session, catalog);
}

/* Whether METRIC can be made from the points in by_raw; ones that this run reads
 * where LIVE. */
static bool can_make(
	const struct session_private *inside, const struct metric *metric, bool live)
{
	uint32_t num = inside->by_raw[metric->num];
	uint32_t den = metric_has_den(metric) ? inside->by_raw[metric->den] : num;

	if (num == NOWHERE || den == NOWHERE)
		return false;
	return !live || (inside->points[num].live && inside->points[den].live);
}

/* The row METRIC, or its stand-in, whichever can be made; or null. */
static const struct metric *choose(
	const struct session_private *inside, const struct metric *metric)
{
	if (metric->instead && !can_make(inside, metric, true) &&
		can_make(inside, metric->instead, true))
		return metric->instead;
	if (can_make(inside, metric, false))
		return metric;
	if (metric->instead && can_make(inside, metric->instead, false))
		return metric->instead;
	return NULL;
}

static size_t add_track(struct session *session, uint32_t subject, unsigned metric)
{
	struct session_private *inside = session->private;
	size_t track = session->track_count++;

	xgrow(&session->tracks, &session->track_room, track + 1,
		sizeof *session->tracks);
	xgrow(&inside->recipes, &inside->recipe_room, track + 1,
		sizeof *inside->recipes);
	session->tracks[track] = (struct track){.subject = subject,
		.metric = (uint16_t)metric,
		.now = {.why = WHY_ABSENT},
		.last_event = -1};
	inside->recipes[track] = (struct recipe){.metric = metric_at(metric),
		.queue = NOWHERE,
		.packets = NOWHERE,
		.spread = NOWHERE};
	if (session_queue_wanted(metric_at(metric)))
		inside->recipes[track].queue =
			session_queue_add(session, metric_at(metric));
	if (spread_applies(metric_at(metric)))
		inside->recipes[track].spread = session_spread_add(session, track);
	inside->index[subject][metric] = (int32_t)track;
	session_ring_track(session, track);
	return track;
}

/* The track of METRIC's load, of the same subject; NOWHERE if it does not matter. */
static uint32_t load_of(const struct session_private *inside, uint32_t subject,
	const struct metric *metric)
{
	int load = summary_has_load(metric) ? metric_find(metric->load) : -1;
	int32_t track = load < 0 ? -1 : inside->index[subject][load];

	return track < 0 ? NOWHERE : (uint32_t)track;
}

static void map_loads(struct session *session, uint32_t subject)
{
	struct session_private *inside = session->private;

	for (unsigned i = 0; i < metric_count(); i++) {
		int32_t track = inside->index[subject][i];

		if (track >= 0)
			inside->recipes[track].load =
				load_of(inside, subject, inside->recipes[track].metric);
	}
}

/* The packets that carry the bytes of METRIC; NOWHERE if it counts no bytes of a card.
 */
static uint32_t packets_of(
	const struct session_private *inside, const struct metric *metric)
{
	if (metric->num == RAW_NET_RX_BYTES)
		return inside->by_raw[RAW_NET_RX_PACKETS];
	if (metric->num == RAW_NET_TX_BYTES)
		return inside->by_raw[RAW_NET_TX_PACKETS];
	return NOWHERE;
}

static void map_tracks(struct session *session, uint32_t subject)
{
	struct session_private *inside = session->private;
	enum kind kind = session->subjects[subject].kind;

	for (unsigned i = 0; i < raw_count(); i++)
		inside->by_raw[i] = NOWHERE;
	for (uint32_t i = inside->chains[subject]; i != NOWHERE;
		i = inside->points[i].next)
		inside->by_raw[inside->points[i].raw] = i;
	for (unsigned i = 0; i < metric_count(); i++) {
		const struct metric *metric = metric_at(i);
		int32_t track = inside->index[subject][i];
		struct recipe *recipe;

		metric = metric->kind == kind ? choose(inside, metric) : NULL;
		if (!metric)
			continue;
		if (track < 0)
			track = (int32_t)add_track(session, subject, i);
		recipe = &inside->recipes[track];
		recipe->metric = metric;
		recipe->num = inside->by_raw[metric->num];
		recipe->packets = packets_of(inside, metric);
		recipe->den =
			metric_has_den(metric) ? inside->by_raw[metric->den] : NOWHERE;
		if (recipe->queue != NOWHERE)
			session_queue_map(session, recipe->queue);
		if (recipe->spread != NOWHERE)
			session_spread_map(session, recipe->spread);
	}
}

size_t session_adopt(
	struct session *session, const struct subject *subject, unsigned metric)
{
	struct session_private *inside = session->private;
	uint32_t row = 0;

	while (row < session->subject_count &&
		!same_name(&session->subjects[row], subject))
		row++;
	if (row == session->subject_count) {
		row = add_subject(session, subject);
		session->present[row] = false;
	}
	if (inside->index[row][metric] < 0) {
		size_t track = add_track(session, row, metric);

		inside->recipes[track].num = inside->recipes[track].den = NOWHERE;
		inside->recipes[track].load = NOWHERE;
	}
	return (size_t)inside->index[row][metric];
}

/* New readings of known subjects come one by one, on a big host often. */
static void map_new_series(struct session *session, const struct catalog *catalog)
{
	struct session_private *inside = session->private;
	size_t known = inside->place_count;
	uint32_t last = NOWHERE;

	place_series(session, catalog);
	for (size_t i = known; i < catalog->series_count; i++) {
		uint32_t row = inside->rows[catalog->series[i].subject];

		if (row == last)
			continue;
		map_tracks(session, row);
		map_loads(session, row);
		last = row;
	}
}

void session_map(struct session *session, const struct tick_decoder *decoder)
{
	struct session_private *inside = session->private;

	if (inside->generation == decoder->generation &&
		inside->row_count == decoder->catalog.subject_count) {
		if (inside->place_count < decoder->catalog.series_count)
			map_new_series(session, &decoder->catalog);
		return;
	}
	inside->generation = decoder->generation;
	map_subjects(session, decoder);
	map_series(session, &decoder->catalog);
	for (uint32_t i = 0; i < session->subject_count; i++) {
		map_tracks(session, i);
		map_loads(session, i);
	}
}
