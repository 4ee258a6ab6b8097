/*
 * Verdicts on more than one window against another: on hours and days of long ones, on
 * repeated ones, on runs of commands (core/verdict.h).
 */
#ifndef WEIR_CORE_VERDICT_SIDES_H
#define WEIR_CORE_VERDICT_SIDES_H

#include "core/daily.h"
#include "core/pool.h"
#include "core/verdict.h"

/* At the same hours of the day, and by whole days where there are three on each side:
 * the less clear of the two. False: the windows are too short for it, or their hours
 * hardly overlap. */
bool verdict_hours(struct verdict *verdict, const struct daily *a,
	const struct daily *b, const double seconds[2]);

/* Repeated windows; SECONDS are the sums of each side. */
void verdict_pooled_means(struct verdict *verdict, const struct batch_list sides[2],
	const double seconds[2]);
void verdict_pooled_counts(struct verdict *verdict, const struct batch_list sides[2]);
void verdict_pooled_load(struct verdict *verdict, const struct load_list sides[2],
	const double seconds[2]);

/* Runs of any length: one figure for each, three on each side. */
void verdict_runs(
	struct verdict *verdict, const double *const figures[2], const size_t count[2]);
void verdict_run_counts(struct verdict *verdict, const struct batch_list sides[2]);

#endif
