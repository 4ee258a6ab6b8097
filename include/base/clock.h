/*
 * Reading the clock. Only the programs call this; everything below them takes
 * time as an argument, which is what makes it testable.
 */
#ifndef WEIR_BASE_CLOCK_H
#define WEIR_BASE_CLOCK_H

#include "base/nsec.h"

/* One moment on the three clocks that weir needs, read together. */
struct instant {
	nsec mono; /* CLOCK_MONOTONIC: intervals; stands still in suspend */
	nsec boot; /* CLOCK_BOOTTIME: as mono, but goes on in suspend */
	nsec wall; /* CLOCK_REALTIME: nanoseconds since 1970, only a label */
};

void clock_read(struct instant *now);
nsec clock_mono(void);

/* CPU time used by this process so far (user and system), all threads. */
nsec clock_cpu(void);
nsec clock_cpu_thread(void); /* of the calling thread */

/* Whether the kernel's wall clock is kept by a source of time (NTP, PTP): 1 or 0; -1
 * where the kernel does not say. Asks, and sets nothing. */
int clock_synchronised(void);

/* How far off it is at most, by what keeps it; -1 where nothing does. Between two looks
 * of that at its own source the kernel lets it grow. */
nsec clock_error(void);
/* The power of ten from a millisecond on that is not below ERROR. */
nsec clock_error_bound(nsec error);

/* Minutes east of UTC of local time at WALL (nanoseconds since 1970). */
int clock_zone_minutes(nsec wall);

#endif
