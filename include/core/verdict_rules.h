/*
 * The data rules that verdicts of all kinds share; of src/core/verdict*.c only.
 */
#ifndef WEIR_CORE_VERDICT_RULES_H
#define WEIR_CORE_VERDICT_RULES_H

#include "core/verdict.h"

enum {
	LEAST_ESS = 10
};

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

#endif
