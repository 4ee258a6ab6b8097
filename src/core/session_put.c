/* One tick into a session: readings to figures (core/session.h). Steady ticks
 * allocate nothing. */
#include "config.h"

#include "base/alloc.h"
#include "core/session.h"
#include "core/session_private.h"
#include "core/session_queue.h"
#include "core/session_spread.h"

#include <string.h>

/* A step beyond this many nominal intervals has lost a tick on its way here, even
 * if the recorder did not: a viewer that was too slow jumps to a full tick. */
static const double hole = 1.75;

static enum tick_gap gap_before(const struct session *session, const struct tick *tick)
{
	if (!session->ticks || tick->run != session->last.run)
		return GAP_RUN;
	if (tick->gap == GAP_NONE &&
		(double)(tick->at - session->last.at) > hole * (double)tick->interval)
		return GAP_MISSED;
	return tick->gap;
}

/* No rate is made over a gap. Stamps of another run say nothing in this one. */
static void break_points(struct session_private *inside, enum tick_gap gap)
{
	for (size_t i = 0; i < inside->point_count; i++) {
		struct point *point = &inside->points[i];

		if (point->broken == WHY_NONE)
			point->broken = WHY_GAP;
		if (gap == GAP_RUN)
			point->side[0].stamp = 0;
	}
}

static void take_reading(
	struct session *session, const struct tick_decoder *decoder, size_t place)
{
	struct session_private *inside = session->private;
	struct point *point = &inside->points[inside->places[place]];
	const struct tick *tick = &decoder->tick;

	point->side[1].reading = tick->readings[place];
	point->side[1].stamp = tick->stamps[point->source];
	if (tick->readings[place].why != WHY_ABSENT)
		session->present[point->subject] = true;
}

/* One device under two names: what is said under the one that has gone (ABSENT, or
 * LATE for a tick) does not count, and it is called as it is heard of. */
static void take_shared(struct session *session, const struct tick_decoder *decoder)
{
	struct session_private *inside = session->private;

	for (size_t i = 0; i < inside->place_count; i++) {
		uint8_t why = decoder->tick.readings[i].why;
		uint32_t of = decoder->catalog.series[i].subject;
		struct subject *row = &session->subjects[inside->rows[of]];

		if (why == WHY_ABSENT || why == WHY_LATE)
			continue;
		take_reading(session, decoder, i);
		if (strcmp(row->name, decoder->catalog.subjects[of].name) != 0)
			*row = decoder->catalog.subjects[of];
	}
}

static void take_readings(struct session *session, const struct tick_decoder *decoder)
{
	for (size_t i = 0; i < session->subject_count; i++)
		session->present[i] = false;
	for (size_t i = 0; i < session->private->place_count; i++)
		take_reading(session, decoder, i);
	if (session->private->shares)
		take_shared(session, decoder);
}

/* What silence is called a stall in this run; older recorders do not say. */
static void take_threshold(struct session_private *inside)
{
	const struct reading *reading;
	nsec most = BACKLOG_STALL_MOST / NSEC_PER_MSEC;

	if (inside->stall_point == NOWHERE) {
		inside->stall = BACKLOG_STALL;
		return;
	}
	reading = &inside->points[inside->stall_point].side[1].reading;
	if (reading->why == WHY_NONE && reading->raw && reading->raw <= (uint64_t)most)
		inside->stall = (nsec)reading->raw * NSEC_PER_MSEC;
}

/* The samples of this tick become those before the next one. While a source is late
 * its last good sample waits; any other silence ends the story of the counter. */
static void keep_samples(struct session_private *inside)
{
	for (size_t i = 0; i < inside->point_count; i++) {
		struct point *point = &inside->points[i];
		uint8_t why = point->side[1].reading.why;

		if (why == WHY_NONE && point->side[1].stamp &&
			point->side[1].stamp != point->side[0].stamp) {
			point->side[0] = point->side[1];
			point->broken = WHY_NONE;
		} else if (why != WHY_NONE && why != WHY_LATE && point->live) {
			point->side[0].stamp = 0;
			point->broken = WHY_FIRST;
		}
	}
}

/* Bytes without the packets that would have carried them are a driver's nonsense, such
 * as 683 MiB/s on an idle link: no figure. */
static bool is_nonsense(
	const struct session_private *inside, const struct recipe *recipe)
{
	const struct point *bytes = &inside->points[recipe->num];
	const struct point *packets = &inside->points[recipe->packets];
	uint64_t grown[2];

	return packets->side[1].reading.why == WHY_NONE && !packets->broken &&
	       packets->source == bytes->source &&
	       rate_difference(RAW_COUNTER, bytes->side[0].reading.raw,
		       bytes->side[1].reading.raw, &grown[0]) == WHY_NONE &&
	       rate_difference(RAW_COUNTER, packets->side[0].reading.raw,
		       packets->side[1].reading.raw, &grown[1]) == WHY_NONE &&
	       !rate_fits(grown[0], grown[1]);
}

static void make_figures(struct session *session)
{
	struct session_private *inside = session->private;

	for (size_t i = 0; i < session->track_count; i++) {
		const struct recipe *recipe = &inside->recipes[i];
		const struct point *num;
		const struct point *den;
		struct track *track = &session->tracks[i];

		if (recipe->num == NOWHERE)
			continue; /* adopted, and no run so far could make it */
		num = &inside->points[recipe->num];
		den = recipe->den == NOWHERE ? num : &inside->points[recipe->den];
		track->now = rate_step(recipe->metric, num->side, den->side,
			num->broken ? num->broken : den->broken);
		if (recipe->packets != NOWHERE && track->now.why == WHY_NONE &&
			is_nonsense(inside, recipe))
			track->now.why = WHY_RESET;
		if (recipe->queue != NOWHERE)
			track->now = session_queue_step(session, i, track->now);
		if (track->now.why == WHY_NONE && track->now.num > 0 &&
			recipe->metric->form != METRIC_GAUGE)
			track->last_event = session->last.at;
	}
}

static uint64_t swallowed(const struct tick *tick, nsec before)
{
	nsec beats = (tick->at - before + tick->interval / 2) / tick->interval;

	return beats > 1 ? (uint64_t)beats - 1 : 0;
}

static void keep_gap(
	struct session *session, const struct tick *tick, enum tick_gap gap)
{
	if (!session->private->told)
		session_tell_gap(session,
			&(struct gap){
				.from = session->last.at, .to = tick->at, .kind = gap});
	session->missed += swallowed(tick, session->last.at);
}

void session_put(struct session *session, const struct tick_decoder *decoder)
{
	const struct tick *tick = &decoder->tick;
	struct session_private *inside = session->private;
	nsec before = session->last.at;
	enum tick_gap gap = inside->jumped ? GAP_RUN : gap_before(session, tick);
	bool follows = session->ticks && !inside->jumped;

	if (session->ticks && tick->at <= before)
		return;
	session_map(session, decoder);
	if (follows && gap != GAP_NONE)
		keep_gap(session, tick, gap);
	if (gap != GAP_NONE)
		break_points(inside, gap);
	inside->jumped = false;
	session->last = *tick;
	session->last.gap = gap;
	session->last.catalog = NULL;
	session->last.readings = NULL;
	take_readings(session, decoder);
	take_threshold(inside);
	make_figures(session);
	session_spreads_make(session);
	keep_samples(inside);
	session_ring_tick(session, follows ? before : tick->at, gap);
	if (follows)
		session_spans_tick(session, before, gap);
	session->ticks++;
}
