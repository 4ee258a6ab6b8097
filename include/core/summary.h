/*
 * What is kept of one metric over one window: sums, extremes and a distribution.
 * Bounded, mergeable.
 */
#ifndef WEIR_CORE_SUMMARY_H
#define WEIR_CORE_SUMMARY_H

#include "core/batch.h"
#include "core/daily.h"
#include "core/histogram.h"
#include "core/metric.h"
#include "core/quantile.h"
#include "core/rate.h"
#include "core/sameload.h"
#include "core/stretch.h"

struct summary {
	uint64_t samples;            /* ticks with a figure */
	uint64_t missing[WHY_COUNT]; /* ticks without, by reason */
	double num, den;             /* R = num / den is the mean of the window */
	double lowest, highest;
	struct histogram histogram; /* of value / unit step, see summary_step() */
	/* For verdicts: every tick of the window behind its settling time, those
	 * without a figure too, so that batches are equal in time. */
	struct batches batches;
	struct load_batches load;      /* by load; only where summary_has_load() */
	struct daily *daily;           /* owned; of windows of a day or more, or null */
	struct quantile_batches *tail; /* owned; only where summary_has_load() */
	struct stretches *stretches;   /* owned; of queues, tick by tick; or null */
};

void summary_free(struct summary *summary);

/* Whether METRIC is judged and means something different at another load: waits and
 * queues. */
bool summary_has_load(const struct metric *metric);

/* The histogram's unit for METRIC: queue depth and shares 1/1000, seconds 1 us,
 * bytes and bits 1, events per second 1/1000. */
double summary_step(const struct metric *metric);
unsigned summary_bucket(const struct metric *metric, double value);

/* An empty one for METRIC, whose batches grow by stretches of TICKS ticks. */
struct summary *summary_new(const struct metric *metric, uint64_t ticks);

/* Of the samples behind VALUE, or itself. */
double value_lowest(const struct value *value);
double value_highest(const struct value *value);

void summary_put(
	struct summary *summary, const struct bucket_count *buckets, size_t count);
void summary_add(struct summary *summary, const struct metric *metric,
	const struct value *value);

/* TICKS of which nothing is known: batches stay equal in time. */
void summary_pass(struct summary *summary, uint64_t ticks);

/* Sums, extremes and distribution of FROM are added; nothing for verdicts is. */
void summary_merge(struct summary *summary, const struct summary *from);

/* Each returns false where there is no figure. */
bool summary_mean(const struct summary *summary, double *mean);
bool summary_quantile(const struct summary *summary, const struct metric *metric,
	double p, double *value);

#endif
