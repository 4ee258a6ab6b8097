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

/* From a logarithm of the ratio, its variance (over 0) and its degrees of freedom. */
struct contrast compare_logarithms(double log_ratio, double variance, double df);

/* Whole runs: each figure one observation, over 0, COUNT of them on each side, at
 * least two. Welch on their logarithms; the change is that of the geometric means. */
struct contrast compare_runs(const double *const figures[2], const size_t count[2]);

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

/* Events, exposure and the long-run variance of the events of one window. */
struct event_sums {
	double events, exposure;
	struct variance variance; /* 0 with 1 df where nothing happened */
};
struct event_sums compare_events(const struct batches *batches);
/* The test itself, with dispersion PHI (1 or more), which has DF degrees of freedom. */
struct count_comparison compare_dispersed(
	const struct event_sums sides[2], double phi, double df);
/* PHI, and its degrees of freedom, from the variances of SIDES. */
double compare_dispersion(const struct event_sums sides[2], double *df);

/* Holm: replaces the COUNT p-values by adjusted ones. */
void compare_holm(double *p, size_t count);

#endif
