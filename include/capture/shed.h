/*
 * When to look at headers only: at once when the ring was more than half full, or
 * when more than a quarter of a core went into looking. Whole frames again when the
 * traffic has been below half of its highest rate since then for ten seconds:
 * cutting lowers the cost, so a low cost alone proves nothing. Pure.
 */
#ifndef WEIR_CAPTURE_SHED_H
#define WEIR_CAPTURE_SHED_H

#include "base/nsec.h"
#include "packet/wire.h"

#include <stdbool.h>
#include <stdint.h>

struct shed {
	enum wire_effort effort;
	nsec from, cpu_from; /* start of the second that is being looked at */
	uint64_t bytes_from;
	uint64_t highest; /* wire bytes per second since cutting began */
	unsigned calm;    /* seconds in a row below half of it */
	bool started;
};

struct shed_now {
	nsec mono, cpu;
	uint64_t bytes; /* on the wire, all so far */
	bool ring_half; /* since the last step */
};

/* True if the effort changed. */
bool shed_step(struct shed *shed, const struct shed_now *now);

#endif
