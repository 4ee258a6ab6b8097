/*
 * The bounded summary behind a verdict: one metric over one window as at most 128
 * batches of equal time, each a pair (num, den) of sums. The metric is
 * R = sum(num) / sum(den). When the batches are full, neighbours merge and the
 * length doubles, so memory does not grow with the window. Pure.
 *
 * Method: long-run variance of the batch residuals as the widest of eight cosines
 * (EWC: Lazarus, Lewis, Stock, Watson 2018) and AR(1) on batches and on pairs.
 */
#ifndef WEIR_CORE_BATCH_H
#define WEIR_CORE_BATCH_H

#include "core/slots.h"

struct batches {
	double num[BATCHES], den[BATCHES];
	struct slots slots;
};

/* One tick. A tick without a figure is (0, 0): time passes, nothing is known. */
void batches_add(struct batches *batches, double num, double den);

/* TICKS of them at once: a gap of days costs no time. */
void batches_pass(struct batches *batches, uint64_t ticks);

/* Sums of a stretch that was summed up elsewhere; its time is then passed. */
void batches_put(struct batches *batches, double num, double den);

struct variance {
	double value; /* of the sum of the residuals */
	double df;
	double ess; /* effective sample size: the smaller of the two AR(1) ones */
	double lag1, lag2; /* bias-corrected autocorrelation of batches, of pairs */
};

/* Long-run variance of N residuals D that sum to (about) 0; batches of which nothing is
 * known have none. */
struct variance batch_variance(const double *residuals, size_t n);

/* One window's mean. */
struct batch_mean {
	double mean;
	double relative; /* squared relative standard error */
	double df, ess;
	double lag1, lag2; /* as in struct variance */
	double kish; /* (sum g)^2 / sum g^2 over 16 groups of num: 1 is one burst */
};

/* DEN and NUM must not sum to 0. */
struct batch_mean batches_mean(const struct batches *batches);

/* How much windows of TICKS ticks wander, seen in the longer window LONG: the
 * squared relative standard error of such a piece, and its df. */
struct batch_mean batches_borrow(const struct batches *lengthy, uint64_t ticks);

#endif
