/*
 * Log-linear histogram of unsigned integers: exact below 32, then 16 buckets
 * per power of two (at most 6.3 % wide); doc/design.md, "Verdicts". Merging adds.
 */
#ifndef WEIR_CORE_HISTOGRAM_H
#define WEIR_CORE_HISTOGRAM_H

#include <stdint.h>

enum {
	HISTOGRAM_BUCKETS = 528
};

struct histogram {
	uint32_t count[HISTOGRAM_BUCKETS];
	uint64_t total;
};

/* One bucket of a sparse one. */
struct bucket_count {
	uint32_t count;
	uint16_t bucket;
};

unsigned histogram_index(uint64_t value); /* clamped to the last bucket */
/* The lowest value of bucket INDEX, and how many integers it holds. */
double histogram_low(unsigned index);
double histogram_width(unsigned index);

void histogram_add(struct histogram *histogram, uint64_t value);

/* Quantile P (0 to 1), interpolated inside its bucket. Total must not be 0. */
double histogram_quantile(const struct histogram *histogram, double p);

#endif
