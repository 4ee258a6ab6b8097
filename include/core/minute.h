/*
 * One minute of a session summed up: of every track what a window needs, so that long
 * windows are made from minutes and old ticks can go (doc/schema.md). Pure; bounded.
 *
 * A minute is the ticks whose session time lies in (60 s n, 60 s (n + 1)].
 */
#ifndef WEIR_CORE_MINUTE_H
#define WEIR_CORE_MINUTE_H

#include "base/buffer.h"
#include "core/metric.h"
#include "core/rate.h"
#include "core/sameload.h"

#define MINUTE (60 * NSEC_PER_SEC)

/* One track in one minute. */
struct minute_cell {
	uint32_t samples, missing[WHY_COUNT];
	double num, den, lowest, highest;
	struct bucket_count *buckets; /* owned, by bucket; not of events */
	struct load_sum *loads;       /* owned, by key; only where it has a load */
	size_t bucket_count, bucket_room, load_count, load_room;
};

struct minute {
	int64_t number;
	nsec from, to; /* from the tick before its first one to its last one */
	nsec interval; /* nominal, of its last tick */
	uint32_t seen, swallowed;  /* ticks; and those that gaps in it swallowed */
	struct minute_cell *cells; /* by track */
	size_t count, room;
};

void minute_fini(struct minute *minute);

/* Empties it, keeps the memory. */
void minute_clear(struct minute *minute);

/* One tick of one track; LOAD_KEY < 0: its load is not known, or it has none. */
void minute_add(struct minute_cell *cell, const struct metric *metric,
	const struct value *value, int load_key);

/* Appends the cells of MINUTE, those of tracks that said nothing left out. NUMBERS: of
 * each track, growing; null: its place. */
void minute_encode(
	const struct minute *minute, const uint32_t *numbers, struct buffer *out);

/* Gives the cells in DATA to TAKE, by number of the track, smallest first, none from
 * COUNT on; the cell is valid until the next call. Hostile bytes are a false and no
 * more. */
bool minute_decode(const uint8_t *data, size_t size, size_t count,
	void (*take)(void *context, uint32_t number, const struct minute_cell *cell),
	void *context);

#endif
