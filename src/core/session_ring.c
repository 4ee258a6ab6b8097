/*
 * The last ticks of a session, for trends and looking back (core/session.h). Most
 * figures of a big host never move: each is kept as runs of ticks in which it was the
 * same, in pieces that are used anew when their ticks are too old. The intervals that a
 * rate was made over are those between the stamps of its source.
 */
#include "config.h"

#include "base/alloc.h"
#include "core/session_private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
	FEW = 2,          /* runs: of a figure that never moves */
	RING_PIECE = 256, /* ticks: what an 8-bit number tells apart */
	BIG = 20000       /* tracks of a host so big that memory matters more */
};

/* Figures of one track that are alike, from a tick of its piece on to the next run. */
struct ring_run {
	float value, den;
	uint8_t start, why;
	uint16_t spread; /* its place among those of the piece, and 1; 0: none */
};

/* The samples behind a figure that is not 0. */
struct ring_spread {
	uint32_t from, count; /* among the buckets of the piece */
	float lowest, highest;
};

/* The figures of RING_PIECE ticks, those from NUMBER * RING_PIECE on. */
struct ring_piece {
	struct ring_run *runs;
	uint32_t number;
	uint32_t count; /* of runs */
	size_t room;
	struct ring_spread *spreads;
	size_t spread_count, spread_room;
	struct bucket_count *buckets;
	size_t bucket_count, bucket_room;
};

void session_ring_init(struct session *session)
{
	struct session_private *inside = session->private;
	size_t size = session->ring_size;

	if (!size)
		return;
	session->ring_at = xarray(size, sizeof *session->ring_at);
	session->ring_gap = xarray(size, sizeof *session->ring_gap);
	inside->ring_stamps = xarray(size, sizeof *inside->ring_stamps);
	inside->ring_before = xarray(size, sizeof *inside->ring_before);
}

/* One more than are full at a time: the oldest ticks share theirs with none of now. */
static size_t piece_count(const struct session *session)
{
	return session->ring_size / RING_PIECE + 2;
}

void session_ring_fini(struct session *session)
{
	for (size_t i = 0; i < session->track_count; i++) {
		struct ring_piece *pieces = session->private->recipes[i].pieces;

		for (size_t k = 0; pieces && k < piece_count(session); k++) {
			free(pieces[k].runs);
			free(pieces[k].spreads);
			free(pieces[k].buckets);
		}
		free(pieces);
	}
	free(session->ring_at);
	free(session->ring_gap);
	free(session->private->ring_stamps);
	free(session->private->ring_before);
}

/* What its figures were divided by is more than the time between two stamps. */
static bool has_own_den(const struct metric *metric)
{
	return metric->form == METRIC_RATIO || metric->form == METRIC_QUEUE;
}

/* A new track was not there in the ticks so far. */
void session_ring_track(struct session *session, size_t track)
{
	if (session->ring_size)
		session->private->recipes[track].pieces =
			xarray(piece_count(session), sizeof(struct ring_piece));
}

/* A zero weighs the same as the one before where the times of both are nearly the same;
 * so much is let go only where thousands of disks rest. */
static bool is_like(const struct session *session, const struct ring_run *a,
	const struct ring_run *b)
{
	if (a->why != b->why || a->spread || b->spread)
		return false;
	if (a->why != WHY_NONE)
		return true;
	if (session->track_count > BIG && !(a->value > 0) && !(b->value > 0))
		return fabsf(a->den - b->den) <= a->den / 20;
	return memcmp(&a->value, &b->value, sizeof a->value) == 0 &&
	       memcmp(&a->den, &b->den, sizeof a->den) == 0;
}

static void append(struct ring_piece *piece, const struct ring_run *run)
{
	if (!piece->room) {
		piece->runs = xarray(FEW, sizeof *piece->runs);
		piece->room = FEW;
	}
	xgrow(&piece->runs, &piece->room, piece->count + 1u, sizeof *piece->runs);
	piece->runs[piece->count++] = *run;
}

/* Samples that are all 0 are known from what their figure was divided by. */
static uint16_t keep_spread(struct ring_piece *piece, const struct value *now)
{
	const struct spread *spread = now->spread;

	if (!spread || !(now->value > 0))
		return 0;
	xgrow(&piece->spreads, &piece->spread_room, piece->spread_count + 1,
		sizeof *piece->spreads);
	xgrow(&piece->buckets, &piece->bucket_room, piece->bucket_count + spread->count,
		sizeof *piece->buckets);
	memcpy(&piece->buckets[piece->bucket_count], spread->buckets,
		spread->count * sizeof *spread->buckets);
	piece->spreads[piece->spread_count++] =
		(struct ring_spread){.from = (uint32_t)piece->bucket_count,
			.count = (uint32_t)spread->count,
			.lowest = (float)spread->lowest,
			.highest = (float)spread->highest};
	piece->bucket_count += spread->count;
	return (uint16_t)piece->spread_count; /* RING_PIECE of them at most */
}

static void keep_value(struct session *session, size_t at)
{
	const struct value *now = &session->tracks[at].now;
	const struct recipe *recipe = &session->private->recipes[at];
	uint32_t number = (uint32_t)(session->ticks / RING_PIECE);
	struct ring_piece *piece = &recipe->pieces[number % piece_count(session)];
	struct ring_run run = {.value = (float)now->value,
		.den = has_own_den(recipe->metric) ? (float)now->den : 0,
		.start = (uint8_t)(session->ticks % RING_PIECE),
		.why = (uint8_t)now->why};

	if (piece->number != number) {
		piece->number = number;
		piece->count = 0;
		piece->spread_count = piece->bucket_count = 0;
	}
	run.spread = keep_spread(piece, now);
	if (!piece->count || !is_like(session, &piece->runs[piece->count - 1], &run))
		append(piece, &run);
}

/* The run of TRACK that holds the tick in SLOT, or null: it was not there yet; and its
 * piece. */
static const struct ring_run *run_at(const struct session *session, size_t track,
	size_t slot, const struct ring_piece **at)
{
	uint64_t newest = session->ticks - 1;
	uint64_t back = (newest + session->ring_size - slot) % session->ring_size;
	uint64_t tick = newest - back;
	uint32_t number = (uint32_t)(tick / RING_PIECE);
	const struct ring_piece *piece =
		&session->private->recipes[track].pieces[number % piece_count(session)];
	size_t low = 0, high = piece->number == number ? piece->count : 0;

	*at = piece;
	while (low < high) { /* the first that starts behind the tick */
		size_t middle = (low + high) / 2;

		if (piece->runs[middle].start <= tick % RING_PIECE)
			low = middle + 1;
		else
			high = middle;
	}
	return low ? &piece->runs[low - 1] : NULL;
}

void session_ring_tick(struct session *session, nsec before, enum tick_gap gap)
{
	struct session_private *inside = session->private;
	size_t slot;

	if (!session->ring_size)
		return;
	slot = session->ticks % session->ring_size;
	session->ring_at[slot] = session->last.at;
	session->ring_gap[slot] = (uint8_t)gap;
	inside->ring_before[slot] = before;
	memcpy(inside->ring_stamps[slot], session->last.stamps,
		sizeof *inside->ring_stamps);
	for (size_t i = 0; i < session->track_count; i++)
		keep_value(session, i);
}

/* The slot before the oldest one is never given out, but asked for its stamps. */
size_t session_ring_held(const struct session *session)
{
	size_t most = session->ring_size ? session->ring_size - 1 : 0;

	return session->ticks < most ? (size_t)session->ticks : most;
}

size_t session_ring_slot(const struct session *session, size_t back)
{
	return (size_t)((session->ticks - 1 - back) % session->ring_size);
}

/* What the figure in SLOT was divided by. A late source keeps its stamp, so the
 * slot before has the stamp of the sample before, however old that is. */
static double den_of(const struct session *session, size_t track, size_t slot,
	const struct ring_run *run)
{
	const struct session_private *inside = session->private;
	const struct recipe *recipe = &inside->recipes[track];
	size_t before = (slot + session->ring_size - 1) % session->ring_size;
	uint8_t source = inside->points[recipe->num].source;

	if (recipe->metric->form == METRIC_GAUGE)
		return 1;
	if (has_own_den(recipe->metric))
		return (double)run->den;
	return (double)(inside->ring_stamps[slot][source] -
			inside->ring_stamps[before][source]) /
	       NSEC_PER_SEC;
}

static const struct spread *spread_of(const struct session *session,
	const struct ring_piece *piece, const struct ring_run *run)
{
	struct spread *past = &session->private->past;
	const struct ring_spread *kept;

	if (!run->spread)
		return NULL;
	kept = &piece->spreads[run->spread - 1];
	*past = (struct spread){.buckets = &piece->buckets[kept->from],
		.count = kept->count,
		.lowest = (double)kept->lowest,
		.highest = (double)kept->highest};
	return past;
}

struct value session_ring_value(
	const struct session *session, size_t track, size_t slot)
{
	const struct ring_piece *piece;
	const struct ring_run *run = run_at(session, track, slot, &piece);
	struct value value = {.why = run ? run->why : WHY_ABSENT};

	if (value.why != WHY_NONE)
		return value;
	value.value = (double)run->value;
	value.den = den_of(session, track, slot, run);
	value.num = value.value * value.den;
	value.spread = spread_of(session, piece, run);
	return value;
}

struct value session_past(
	const struct session *session, size_t track, size_t back, enum tick_gap *gap)
{
	size_t slot;

	*gap = GAP_NONE;
	if (back >= session_ring_held(session) || track >= session->track_count)
		return (struct value){.why = WHY_ABSENT};
	slot = session_ring_slot(session, back);
	*gap = (enum tick_gap)session->ring_gap[slot];
	return session_ring_value(session, track, slot);
}

size_t session_back(const struct session *session, nsec at)
{
	size_t low = 0, high = session_ring_held(session);

	if (!high)
		return 0;
	high--; /* the oldest: the answer if all are later than AT */
	while (low < high) {
		size_t middle = (low + high) / 2;

		if (session->ring_at[session_ring_slot(session, middle)] <= at)
			high = middle;
		else
			low = middle + 1;
	}
	return low;
}
