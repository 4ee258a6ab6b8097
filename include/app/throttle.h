/*
 * How many events a recording takes: a burst at once, then one a second, and a
 * line that says how many were left out. A storm costs neither the disk nor memory.
 * Pure: the clock is an argument.
 */
#ifndef WEIR_APP_THROTTLE_H
#define WEIR_APP_THROTTLE_H

#include "base/nsec.h"

#include <stdbool.h>
#include <stdint.h>

enum {
	THROTTLE_BURST = 60, /* events at once */
	THROTTLE_PAUSE = 8   /* seconds that nothing passes after too many */
};

struct throttle {
	nsec at;           /* up to then it was earned back */
	unsigned used;     /* of the burst */
	uint64_t left_out; /* not yet told */
};

/* Whether one more event at MONO passes; else it is counted. */
bool throttle_pass(struct throttle *throttle, nsec mono);

/* COUNT more were left out by somebody else. */
void throttle_left_out(struct throttle *throttle, uint64_t count);

/* How many were left out, once it is time to say so; 0: nothing to say. */
uint64_t throttle_tell(struct throttle *throttle, nsec mono);

#endif
