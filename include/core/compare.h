/*
 * Two windows of one metric compared: the change, its 95 % interval and p. Pure;
 * each function is one section of the method (doc/design.md, "Verdicts").
 */
#ifndef WEIR_CORE_COMPARE_H
#define WEIR_CORE_COMPARE_H

#include "core/batch.h"
#include "core/histogram.h"

#include <stdbool.h>

/* Changes are fractions: -0.46 is "46 % less". */
struct contrast {
	double change, low, high; /* 95 % interval */
	double p, df;
};

/* Welch on logarithms with the two squared relative standard errors. */
struct contrast compare_means(
	const struct batch_mean *before, const struct batch_mean *after);

enum {
	BORROW_FACTOR = 8
};

/* As it should be used: where one window has at least BORROW_FACTOR times the ticks
 * of the other, the long one also says how much windows of the short length wander,
 * and that counts if it is wider. *BORROWED says so. */
struct contrast compare_batches(
	const struct batches *before, const struct batches *after, bool *borrowed);

/* Rare events: num are counts, den is exposure. Exact conditional binomial on counts
 * divided by their dispersion, with a t correction. Works with 0 events. */
struct count_comparison {
	double k1, k2, rate1, rate2; /* events, and events per exposure */
	double phi, df, p0, p;
	double ratio, low, high; /* of the rates, 95 % interval */
	double attainable; /* smallest p that all events in one window could give */
};
struct count_comparison compare_counts(
	const struct batches *before, const struct batches *after);

/* Holm: replaces the COUNT (at most 4096) p-values by adjusted ones. */
void compare_holm(double *p, size_t count);

#endif
