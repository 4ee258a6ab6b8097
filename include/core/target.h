/*
 * What a person wants of a change, by metric: so that a line that is not clear can say
 * whether that much is still possible. Pure.
 */
#ifndef WEIR_CORE_TARGET_H
#define WEIR_CORE_TARGET_H

#include "core/metric.h"
#include "core/verdict.h"

enum {
	TARGETS_MOST = 32
};

struct target {
	unsigned metric;
	double share; /* of the figure in A: 0.2 is a gain of 20 %; above 0, at most 10
		       */
};

struct targets {
	struct target list[TARGETS_MOST];
	size_t count;
};

/* Sets that of METRIC; false where there are too many. */
bool targets_put(struct targets *targets, unsigned metric, double share);
/* Null where there is none. */
const struct target *targets_find(const struct targets *targets, unsigned metric);

/* Whether the 95 % interval of V leaves out a gain of TARGET: a fall where lower is
 * better, a rise where higher is, either where neither is. V has to be tested. */
bool target_ruled_out(const struct target *target, const struct verdict *v);

/* "a gain of 20 % is ruled out" */
void target_words(
	char *to, size_t size, const struct target *target, const struct verdict *v);

#endif
