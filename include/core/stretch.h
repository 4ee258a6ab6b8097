/*
 * Stretches of ticks above a level that is only known afterwards, such as the p99 of
 * another window: how many there were, and how long the longest was. One pass, bounded,
 * for all buckets of core/histogram.h at once: a stretch above a bucket begins where
 * the figure climbs over it, and the longest is found with the stack by which the
 * largest rectangle under a histogram is. Pure.
 */
#ifndef WEIR_CORE_STRETCH_H
#define WEIR_CORE_STRETCH_H

#include "core/histogram.h"

#include <stddef.h>

struct stretch_level {
	uint32_t bucket;
	uint32_t since; /* tick at which the figure was not below it any more */
};

/* A zeroed struct is empty. */
struct stretches {
	int32_t climbed[HISTOGRAM_BUCKETS + 1]; /* differences from bucket to bucket */
	uint32_t longest[HISTOGRAM_BUCKETS];    /* that ended, by their lowest bucket */
	struct stretch_level *open;             /* owned; lowest first */
	size_t open_count, open_room;
	uint32_t ticks;
	unsigned last; /* bucket of the last tick; 0 behind a hole */
};

void stretches_fini(struct stretches *stretches);

/* One tick with a figure in BUCKET. */
void stretches_add(struct stretches *stretches, unsigned bucket);

/* A hole: what was under way ends, nobody knows what was in it. */
void stretches_break(struct stretches *stretches);

/* How many stretches lay in buckets above that of VALUE, in histogram steps, and the
 * ticks of the longest. */
uint32_t stretches_above(
	const struct stretches *stretches, double value, uint32_t *longest);

#endif
