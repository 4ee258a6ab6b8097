/*
 * What a driver counts under names of its own. Of the hundreds of a card those are kept
 * that support engineers look for: by words in their names, and only once they move.
 */
#ifndef WEIR_SOURCE_DRIVER_COUNTERS_H
#define WEIR_SOURCE_DRIVER_COUNTERS_H

#include "source/ethtool.h"

/* Whether a counter of this name is about trouble. */
bool driver_counter_matters(const char *name);

/* Zeroed before the first reading. */
struct driver_counters {
	bool asked;
	uint32_t count; /* as the driver says; 0: it has none */
	uint32_t *kept; /* places of those that matter */
	char (*names)[64];
	uint64_t *last; /* of those kept */
	int *handles;   /* of their subjects; -1: it has not moved yet */
	size_t kept_count, shown;
	void *answer;
};

/* One reading of the interface NAME, whose subject in the tick is called the same. */
void driver_counters_put(struct driver_counters *counters, const struct ethtool *tool,
	const char *name, struct sink *sink);
void driver_counters_fini(struct driver_counters *counters);

#endif
