/*
 * How full the ring was. libpcap does not show it; but what is older than the moment
 * when we began to empty the ring must have been in it at that moment. Pure.
 */
#ifndef WEIR_CAPTURE_FILL_H
#define WEIR_CAPTURE_FILL_H

#include "base/nsec.h"

#include <stdbool.h>
#include <stdint.h>

struct fill {
	nsec caught_up;   /* wall clock: frames up to here were in the ring together */
	nsec newest;      /* frame so far */
	uint64_t backlog; /* their bytes */
	uint64_t half;    /* of the ring, in bytes */
};

/* A frame of TIME is read: must the clock be looked at, and fill_begin() called? */
bool fill_is_new(const struct fill *fill, nsec time);
void fill_begin(struct fill *fill, nsec now);

/* The frame has SIZE bytes in the ring. True where more than half of it was full. */
bool fill_add(struct fill *fill, nsec time, uint32_t size);

#endif
