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
	bool lacks; /* as it is read: something is missing */
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

struct minute_input {
	const uint8_t *at, *end;
	bool bad;
	double den; /* of the last cell with a figure */
};

/* Reads the cells of one minute, one after the other. */
struct minute_reader {
	struct minute_input input;
	uint32_t number;         /* of the track that the cell is of */
	bool begun;              /* there is one */
	uint64_t repeats;        /* the next tracks have it too */
	struct minute_cell cell; /* valid until the next call */
	struct bucket_count buckets[HISTOGRAM_BUCKETS];
	struct load_sum loads[LOAD_KEYS];
};

void minute_reader_begin(
	struct minute_reader *reader, const uint8_t *data, size_t size);

/* The next cell, by number of the track, smallest first. Returns false at the end;
 * hostile bytes are an end with INPUT.bad set, and no more. */
bool minute_next(struct minute_reader *reader);

#endif
