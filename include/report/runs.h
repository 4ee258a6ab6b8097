/*
 * Runs of commands (`weir run`) in a report: each is a fact; three of one name on each
 * side are compared.
 */
#ifndef WEIR_REPORT_RUNS_H
#define WEIR_REPORT_RUNS_H

#include "report/section.h"

/* One figure of runs of one name in A and in another letter's windows. */
struct run_row {
	size_t window;      /* the letter that is compared with A */
	const char *name;   /* of the runs there; borrowed */
	const char *figure; /* "seconds", or the metric whose sum it is */
	const char *title;
	enum unit unit;
	enum better better;
	struct verdict verdict;
};

/* Fills in run_rows: measured, and decided as one family. */
void runs_take(struct comparison *comparison);

/* Table "run_verdicts", where there is anything to compare. */
void write_run_rows(const struct comparison *comparison, struct writer *writer);

/* Sum of METRIC over subjects that are not stacked on others. */
bool run_total(const struct comparison *comparison, const struct window *window,
	const char *metric, double *total);

#endif
