/*
 * The data rules that verdicts of all kinds share; of src/core/verdict*.c only.
 */
#ifndef WEIR_CORE_VERDICT_RULES_H
#define WEIR_CORE_VERDICT_RULES_H

#include "core/compare.h"
#include "core/pool.h"
#include "core/verdict.h"

enum {
	LEAST_ESS = 10,
	LEAST_RUNS = 3 /* on each side */
};

#define VERDICT_RELATIVE 0.25 /* relative standard error 0.5, squared: the most */

/* MORE: seconds still needed. */
void verdict_refuse(struct verdict *verdict, enum verdict_word word, const char *lacks,
	double more);
/* More time until VALUE, which grows with time, reaches NEEDED. */
double verdict_until(double seconds, double needed, double value);
/* Whether it is refused because a window has no tick behind its settling time yet. */
bool verdict_is_young(struct verdict *verdict, uint64_t ticks_a, uint64_t ticks_b,
	const double seconds[2]);
/* Else it is refused. */
bool verdict_long_enough(struct verdict *verdict, const double seconds[2]);

void verdict_sums(const struct batches *batches, double *num, double *den);
/* All batches have the same ratio: there is no variance to work with. */
bool verdict_is_constant(const struct batches *batches, double mean);
void verdict_take(struct verdict *verdict, const struct contrast *contrast);
/* Rates and counts, and if there is ENOUGH time also the test, or why not. */
void verdict_take_counts(
	struct verdict *verdict, const struct count_comparison *counts, bool enough);
void verdict_load_lists(
	struct verdict *verdict, const struct load_list sides[2], double seconds);

#endif
