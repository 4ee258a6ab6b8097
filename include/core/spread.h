/*
 * How the samples of one tick were spread: of the queue sampler's readings between two
 * ticks, how many slots stood at which depth. So percentiles of a window are of
 * samples, and a peak that is shorter than a tick is in them. Pure.
 *
 * Depths are told apart on a ladder: each number up to 31, then eight steps to the
 * octave, of which the middle stands for all (so within a sixteenth), up to 4096 and
 * more. The extremes are exact.
 */
#ifndef WEIR_CORE_SPREAD_H
#define WEIR_CORE_SPREAD_H

#include "core/histogram.h"
#include "core/metric.h"

enum {
	SPREAD_STEPS = 31 + 7 * 8 + 1
};

/* The step of DEPTH; -1 for 0, which has none. */
int spread_step(uint64_t depth);

/* The lowest depth of STEP, and the one that stands for all of it. */
uint64_t spread_low(unsigned step);
double spread_middle(unsigned step);

/* The samples behind one value. The counts are of slots and add up to its denominator.
 */
struct spread {
	const struct bucket_count *buckets; /* by bucket of core/histogram.h */
	size_t count;
	double lowest, highest;
};

/* Whether the values of METRIC are means of samples, whose spread is known. */
bool spread_applies(const struct metric *metric);

/* What a value of METRIC that is 0 weighs in a distribution: a tick, or its DEN slots.
 */
uint32_t spread_weight(const struct metric *metric, double den, uint32_t ticks);

/* FOUND lies somewhere in the bucket of a step: the depth that stands for it. */
double spread_round(double found);

#endif
