/*
 * When ticks are due and what time they bear: absolute deadlines, session time that
 * never goes back, gaps and steps of the wall clock found out. Pure: the clock is
 * an argument.
 */
#ifndef WEIR_APP_BEAT_H
#define WEIR_APP_BEAT_H

#include "base/clock.h"
#include "core/tick.h"

struct beat {
	nsec interval;
	uint32_t run;
	nsec due;            /* monotonic time of the next regular tick */
	nsec base;           /* session time minus boot time */
	nsec resumed;        /* session time at which the run begins */
	struct instant last; /* of the last tick */
	bool started;
};

/* A new session: PREVIOUS null. A resumed one: its last tick; the run begins at its
 * wall-clock distance, never before it. */
void beat_start(struct beat *beat, const struct instant *now, nsec interval,
	const struct tick *previous);

/* Session time at NOW. */
nsec beat_at(const struct beat *beat, const struct instant *now);

/* Fills the times, run and gap of TICK, taken NOW. A regular one moves the deadline to
 * the first beat behind NOW. Returns by how much the wall clock was set since
 * the last tick; 0 if it was not. */
nsec beat_stamp(
	struct beat *beat, const struct instant *now, bool extra, struct tick *tick);

#endif
