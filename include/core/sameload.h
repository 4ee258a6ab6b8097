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

/* One key's sums, batch for batch. */
struct load_slot {
	double num, den;
	uint32_t ticks;
};

/* What belongs to one batch lies together: a month puts millions of minutes. */
struct load_column {
	struct load_slot batches[BATCHES];
};

/* The same merging as struct batches. A column is made when its key first comes
 * up: a disk sees ten or so of the eighty. A zeroed struct is empty. */
struct load_batches {
	struct load_column *columns[LOAD_KEYS]; /* owned; null: key never seen */
	struct slots slots;
};

void load_batches_fini(struct load_batches *batches);

/* Key of LOAD (per second): 0 if idle, else clamp(floor(4 log2 load) + OFFSET, 1, 79).
 */
unsigned load_key(double load, int offset);

/* KEY < LOAD_KEYS. A tick without a figure is (key 0, 0, 0) with KNOWN false. */
void load_add(
	struct load_batches *batches, unsigned key, double num, double den, bool known);

/* TICKS without a figure at once; or those of a stretch whose COUNT sums were put. */
void load_pass(struct load_batches *batches, uint64_t ticks);

struct load_sum {
	double num, den;
	uint32_t ticks;
	uint8_t key;
};
void load_put(struct load_batches *batches, const struct load_sum *sums, size_t count);

struct load_comparison {
	struct contrast ratio;     /* change is observed / expected - 1 */
	double expected, observed; /* per unit of the den below */
	double den; /* of the after-ticks compared, whose load the before window knew */
	double cover; /* share of after-ticks whose load the before window knew */
	double ess;   /* smaller of the two */
};

/* False where nothing overlaps (expected or observed is 0). */
bool load_compare(const struct load_batches *before, const struct load_batches *after,
	struct load_comparison *result);

#endif
