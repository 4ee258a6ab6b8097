/*
 * Quantiles of one metric over one window with honest intervals: one log-linear
 * histogram (core/histogram.h) per time batch, so that autocorrelation shows in
 * the batch counts. Pure. The interval is Woodruff's, on the logit of the rank;
 * two windows are compared on logarithms by MOVER.
 */
#ifndef WEIR_CORE_QUANTILE_H
#define WEIR_CORE_QUANTILE_H

#include "core/batch.h"
#include "core/histogram.h"

/* The same merging as struct batches. A column is made when its bucket is first hit. A
 * zeroed struct is empty. */
struct quantile_batches {
	uint32_t *columns[HISTOGRAM_BUCKETS]; /* owned, BATCHES each; null: never hit */
	struct slots slots;
};

void quantile_batches_fini(struct quantile_batches *batches);

/* One tick with a figure. */
void quantile_add(struct quantile_batches *batches, uint64_t value);

/* TICKS without a figure; or those of a stretch whose COUNT buckets were put. */
void quantile_pass(struct quantile_batches *batches, uint64_t ticks);
void quantile_put(struct quantile_batches *batches, const struct bucket_count *buckets,
	size_t count);

struct quantile {
	double value; /* Q(p), in histogram steps */
	double error; /* standard error of the exceedance share */
	double df, ess;
	double tail;      /* independent samples beyond the quantile */
	double low, high; /* 95 % interval; high may be infinite */
};

/* At least one tick with a figure must be there; 0 < p < 1. */
struct quantile quantile_of(const struct quantile_batches *batches, double p);

/* As above, the value alone. */
double quantile_at(const struct quantile_batches *batches, double p);
/* Fills ABOVE with how many ticks (den) had a figure, and how many (num) one in the
 * buckets above that of VALUE. */
void quantile_above(
	const struct quantile_batches *batches, double value, struct batches *above);

/* The change from BEFORE to AFTER (fractions, 95 % interval) and its p; both Q > 0. */
struct quantile_change {
	double change, low, high, p;
};
struct quantile_change quantile_compare(const struct quantile_batches *before,
	const struct quantile_batches *after, double p);

#endif
