/*
 * The comparison at the same load: what would the before window have shown at the
 * load of the after window? Observed over expected, key by key. Pure.
 * A key is a quarter octave of the load, 0 for idle; or an hour of the day.
 */
#ifndef WEIR_CORE_SAMELOAD_H
#define WEIR_CORE_SAMELOAD_H

#include "core/batch.h"
#include "core/compare.h"

#include <stdbool.h>

enum {
	LOAD_KEYS = 80
};

/* 200 KiB; batch for batch the same merging as struct batches. */
struct load_batches {
	double num[BATCHES][LOAD_KEYS], den[BATCHES][LOAD_KEYS];
	uint32_t ticks_of[BATCHES][LOAD_KEYS];
	uint64_t length, in, ticks;
	size_t full;
};

/* Key of LOAD (per second): 0 if idle, else clamp(floor(4 log2 load) + OFFSET, 1, 79).
 */
unsigned load_key(double load, int offset);

/* KEY < LOAD_KEYS. A tick without a figure is (key 0, 0, 0) with KNOWN false. */
void load_add(
	struct load_batches *batches, unsigned key, double num, double den, bool known);

struct load_comparison {
	struct comparison ratio;   /* change is observed / expected - 1 */
	double expected, observed; /* per unit of den in the after window */
	double cover; /* share of after-ticks whose load the before window knew */
	double ess;   /* smaller of the two */
};

/* False where nothing overlaps (expected or observed is 0). */
bool load_compare(const struct load_batches *before, const struct load_batches *after,
	struct load_comparison *result);

#endif
