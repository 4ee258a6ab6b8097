/* The last ticks of a session, for trends and looking back (core/session.h). Kept
 * small: one float and one reason for each track and tick; the intervals that a
 * rate was made over are those between the stamps of its source. */
#include "config.h"

#include "base/alloc.h"
#include "core/session_private.h"

#include <stdlib.h>
#include <string.h>

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

void session_ring_fini(struct session *session)
{
	for (size_t i = 0; i < session->track_count; i++) {
		free(session->tracks[i].ring);
		free(session->tracks[i].ring_why);
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
	size_t size = session->ring_size;
	struct recipe *recipe = &session->private->recipes[track];

	if (!size)
		return;
	session->tracks[track].ring_why = xalloc(size);
	memset(session->tracks[track].ring_why, WHY_ABSENT, size);
	if (has_own_den(recipe->metric))
		recipe->dens = xarray(size, sizeof *recipe->dens);
}

/* Most counters never move: the floats are not there before the first that does. */
static void keep_value(struct session *session, size_t at, size_t slot)
{
	struct track *track = &session->tracks[at];
	struct recipe *recipe = &session->private->recipes[at];

	track->ring_why[slot] = track->now.why;
	if (recipe->dens)
		recipe->dens[slot] = (float)track->now.den;
	if (!track->ring && !(track->now.value > 0))
		return;
	if (!track->ring)
		track->ring = xarray(session->ring_size, sizeof *track->ring);
	track->ring[slot] = (float)track->now.value;
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
		keep_value(session, i, slot);
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
static double den_of(const struct session *session, size_t track, size_t slot)
{
	const struct session_private *inside = session->private;
	const struct recipe *recipe = &inside->recipes[track];
	size_t before = (slot + session->ring_size - 1) % session->ring_size;
	uint8_t source = inside->points[recipe->num].source;

	if (recipe->metric->form == METRIC_GAUGE)
		return 1;
	if (has_own_den(recipe->metric))
		return (double)recipe->dens[slot];
	return (double)(inside->ring_stamps[slot][source] -
			inside->ring_stamps[before][source]) /
	       NSEC_PER_SEC;
}

struct value session_ring_value(
	const struct session *session, size_t track, size_t slot)
{
	const struct track *row = &session->tracks[track];
	struct value value = {.why = row->ring_why[slot]};

	if (value.why != WHY_NONE)
		return value;
	value.value = row->ring ? (double)row->ring[slot] : 0;
	value.den = den_of(session, track, slot);
	value.num = value.value * value.den;
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
