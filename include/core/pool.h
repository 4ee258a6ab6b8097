/*
 * Repeated windows (A B A B) compared: sums are pooled on each side, and what windows
 * of one side differ by counts where it is wider than what happens within them. The
 * only design that a drift slower than the windows does not deceive. Pure.
 */
#ifndef WEIR_CORE_POOL_H
#define WEIR_CORE_POOL_H

#include "core/compare.h"
#include "core/sameload.h"
#include "core/side.h"

/* The same metric in the windows of one side. */
struct batch_list {
	const struct batches *list[SIDE_MOST];
	size_t count;
};
struct load_list {
	const struct load_batches *list[SIDE_MOST];
	size_t count;
};

/* Means. Each window's num and den are over 0. POOLED, two of them, may be null. */
struct contrast pool_means(
	const struct batch_list sides[2], struct batch_mean *pooled, bool *between);

/* Events; each window has exposure. */
struct count_comparison pool_counts(const struct batch_list sides[2]);

/* At the same load, as load_compare(), which it is for one window a side. */
bool pool_load(const struct load_list sides[2], struct load_comparison *result);

/* Squared standard error of the difference of two sides' means of LOGARITHMS, from what
 * windows of one side differ by; its df are their number less 2. 0 for two windows. */
double pool_between(const double *const logarithms[2], const size_t count[2]);

#endif
