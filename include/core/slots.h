/*
 * The counter behind every bounded summary: ticks fill slots of equal time, and when
 * all are full neighbours merge and the length doubles, so that memory does not grow
 * with a window. It only counts; what lies in a slot belongs to who uses it
 * (core/batch.h, core/quantile.h, core/sameload.h). A zeroed struct is empty.
 */
#ifndef WEIR_CORE_SLOTS_H
#define WEIR_CORE_SLOTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	BATCHES = 128
};

struct slots {
	uint64_t length; /* ticks in a full slot; 0 in a zeroed struct means 1 */
	uint64_t in;     /* ticks in the open one */
	uint64_t ticks;
	size_t full; /* [full] is the open one, there if in > 0 */
};

/* Whether there is no room for a tick. Who uses the slots then merges neighbours (slot
 * i becomes 2i and 2i + 1) and says so by slots_halve(). */
static inline bool slots_full(const struct slots *slots)
{
	return slots->full == BATCHES;
}
void slots_halve(struct slots *slots);

/* Time passes by at most MOST ticks, but not beyond the open slot; returns by how many.
 * There must be room. */
uint64_t slots_pass(struct slots *slots, uint64_t most);

/* Number of slots in use, the open one included. */
size_t slots_count(const struct slots *slots);

#endif
