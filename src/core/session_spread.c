/*
 * The samples behind a tick's mean (core/spread.h): from the counters of the ladder's
 * steps, which begin at 0 with their disk and are not there until they are reached.
 */
#include "config.h"

#include "core/session_spread.h"

#include "base/alloc.h"
#include "core/session_private.h"
#include "core/summary.h"

#include <stdlib.h>

/* Of one track of means. */
struct source {
	size_t track;
	uint32_t *steps; /* owned: points of steps that were reached, lowest first */
	uint8_t *which;  /* owned: which steps these are */
	size_t count, step_room, which_room;
	uint32_t highest; /* point of the highest sample, or NOWHERE */
	size_t from;      /* its place among the buckets of this tick */
	struct spread spread;
};

struct spreads {
	struct source *list;
	size_t count, room;
	struct bucket_count *buckets; /* of this tick, of all of them */
	size_t used, bucket_room;
};

uint32_t session_spread_add(struct session *session, size_t track)
{
	struct spreads **spreads = &session->private->spreads;

	if (!*spreads)
		*spreads = xalloc(sizeof **spreads);
	xgrow(&(*spreads)->list, &(*spreads)->room, (*spreads)->count + 1,
		sizeof *(*spreads)->list);
	(*spreads)->list[(*spreads)->count] =
		(struct source){.track = track, .highest = NOWHERE};
	return (uint32_t)(*spreads)->count++;
}

void session_spreads_fini(struct session *session)
{
	struct spreads *spreads = session->private->spreads;

	for (size_t i = 0; spreads && i < spreads->count; i++) {
		free(spreads->list[i].steps);
		free(spreads->list[i].which);
	}
	if (spreads) {
		free(spreads->list);
		free(spreads->buckets);
	}
	free(spreads);
}

void session_spread_map(struct session *session, uint32_t spread)
{
	struct session_private *inside = session->private;
	struct source *source = &inside->spreads->list[spread];

	source->count = 0;
	source->highest = inside->by_raw[RAW_DISK_INFLIGHT_MAX];
	for (unsigned step = 0; step < SPREAD_STEPS; step++) {
		uint32_t point = inside->by_raw[raw_inflight_at(step)];

		if (point == NOWHERE)
			continue;
		xgrow(&source->steps, &source->step_room, source->count + 1,
			sizeof *source->steps);
		xgrow(&source->which, &source->which_room, source->count + 1,
			sizeof *source->which);
		source->steps[source->count] = point;
		source->which[source->count++] = (uint8_t)step;
	}
}

/* How far the counter POINT went; it was 0 where it had not been there before. */
static uint64_t moved(const struct point *point)
{
	uint64_t before = point->side[0].stamp ? point->side[0].reading.raw : 0;
	uint64_t now = point->side[1].reading.raw;

	return point->side[1].reading.why == WHY_NONE && now > before ? now - before
								      : 0;
}

static void put(struct spreads *spreads, double depth, uint64_t slots)
{
	static const struct metric count = {.unit = UNIT_COUNT};

	xgrow(&spreads->buckets, &spreads->bucket_room, spreads->used + 1,
		sizeof *spreads->buckets);
	spreads->buckets[spreads->used++] =
		(struct bucket_count){slots < UINT32_MAX ? (uint32_t)slots : UINT32_MAX,
			(uint16_t)summary_bucket(&count, depth)};
}

/* The step of the highest sample that counted; the true highest lies in it. */
static double highest_of(
	const struct session_private *inside, const struct source *source, int step)
{
	const struct reading *reading;

	if (step < 0)
		return 0;
	if (source->highest == NOWHERE)
		return spread_middle((unsigned)step);
	reading = &inside->points[source->highest].side[1].reading;
	if (reading->why != WHY_NONE || spread_step(reading->raw) < step)
		return spread_middle((unsigned)step);
	return (double)reading->raw;
}

/* What the steps say of VALUE; nothing where they do not add up. A mean without any
 * step was recorded before samples were kept apart: then it stands for all of them. */
static void make(struct session_private *inside, struct source *source,
	const struct value *value)
{
	struct spreads *spreads = inside->spreads;
	uint64_t slots = (uint64_t)(value->den + 0.5), above = 0;
	int highest = -1, lowest = -1;

	source->from = spreads->used;
	source->spread = (struct spread){.count = 0};
	for (size_t i = 0; i < source->count; i++)
		above += moved(&inside->points[source->steps[i]]);
	if (above > slots)
		return;
	if (!above && value->num > 0) {
		put(spreads, value->value, slots);
		source->spread = (struct spread){
			.count = 1, .lowest = value->value, .highest = value->value};
		return;
	}
	if (above < slots)
		put(spreads, 0, slots - above);
	for (size_t i = 0; i < source->count; i++) {
		uint64_t here = moved(&inside->points[source->steps[i]]);

		if (!here)
			continue;
		highest = source->which[i];
		lowest = lowest < 0 ? highest : lowest;
		put(spreads, spread_middle(source->which[i]), here);
	}
	source->spread.count = spreads->used - source->from;
	source->spread.lowest =
		above < slots ? 0 : (double)spread_low((unsigned)lowest);
	source->spread.highest = highest_of(inside, source, highest);
}

/* Pointers last, when the buckets do not move any more. */
void session_spreads_make(struct session *session)
{
	struct session_private *inside = session->private;
	struct spreads *spreads = inside->spreads;

	if (!spreads)
		return;
	spreads->used = 0;
	for (size_t i = 0; i < spreads->count; i++) {
		const struct value *now = &session->tracks[spreads->list[i].track].now;

		spreads->list[i].spread.count = 0;
		if (now->why == WHY_NONE)
			make(inside, &spreads->list[i], now);
	}
	for (size_t i = 0; i < spreads->count; i++) {
		struct source *source = &spreads->list[i];

		if (!source->spread.count)
			continue; /* there may be no buckets at all */
		source->spread.buckets = &spreads->buckets[source->from];
		session->tracks[source->track].now.spread = &source->spread;
	}
}
