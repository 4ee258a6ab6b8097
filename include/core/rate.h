/*
 * Counter arithmetic, once. Pure. The traps are the cases of its test: wraps of 32
 * bits, resets, devices made again under the same name, drivers that count nonsense.
 */
#ifndef WEIR_CORE_RATE_H
#define WEIR_CORE_RATE_H

#include "core/metric.h"
#include "core/spread.h"
#include "core/tick.h"

/* A figure, or the reason for its absence. The metric is num / den, so that
 * windows can be summed without a bias (doc/design.md, "Verdicts"). */
struct value {
	double value; /* in the metric's base unit; meaningless unless why is NONE */
	double num, den;
	uint8_t why;
	/* The samples that it is the mean of, where they are known: the session's,
	 * until its next tick; else null. */
	const struct spread *spread;
};

/* One side of a step: a raw reading and when it was read (monotonic, same run). */
struct sample {
	struct reading reading;
	nsec stamp; /* 0: never */
};

/* Difference of two readings of one counter. A 32-bit counter wraps (only if it was
 * in its upper half before and in its lower half after); any other step back is
 * a reset. */
enum why rate_difference(
	enum raw_form form, uint64_t before, uint64_t after, uint64_t *difference);

/* Whether so many PACKETS can have carried BYTES: not even merged ones are larger than
 * a MiB. A driver whose byte counter jumps while no packet passes counts nonsense. */
bool rate_fits(uint64_t bytes, uint64_t packets);

/* The figure of METRIC between two samples of its numerator and, for a ratio, of
 * its denominator. BROKEN: GAP where the tick follows a gap, FIRST where the
 * "before" pair is not there, else NONE. A figure above what the raw form can
 * mean (B27: more than 1e15 per second) is a reset. */
struct value rate_step(const struct metric *metric, const struct sample num[2],
	const struct sample den[2], enum why broken);

#endif
