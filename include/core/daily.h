/*
 * Windows of a day or more at the same hours of the day: nights against nights. The
 * keys are the hours of UTC; the sums of each 24 hours from the window's beginning say
 * how much days differ by. Pure.
 */
#ifndef WEIR_CORE_DAILY_H
#define WEIR_CORE_DAILY_H

#include "base/nsec.h"
#include "core/metric.h"
#include "core/sameload.h"

enum {
	DAILY_DAYS = 64 /* those of a longer window that follow are not looked at */
};

struct daily {
	struct load_batches hours; /* all that daily_pass() has passed */
	struct load_sum now;       /* of the hour that it is, not in HOURS yet */
	double num[DAILY_DAYS], den[DAILY_DAYS];
};

/* Windows from here on are compared by the hour. */
#define DAILY_SHORTEST (20 * 3600.0)

/* Whether METRIC has no other load by which it could be compared. */
bool daily_applies(const struct metric *metric);
struct daily *daily_new(uint64_t ticks);
void daily_free(struct daily *daily);
unsigned daily_hour(nsec wall);
/* TICKS that end in MINUTE (from the window's beginning), at HOUR. */
void daily_put(struct daily *daily, int64_t minute, const struct load_sum *hour);

/* Time passes in HOURS. */
void daily_pass(struct daily *daily, uint64_t ticks);

/* Means of the whole days in SECONDS, to MEANS. Returns how many. */
size_t daily_means(const struct daily *daily, double seconds, double means[DAILY_DAYS]);

/* Whether two windows of clock time, from the beginning of one to the end of the other
 * over 4 h and one of them short, share less than half of the hours of the shorter. */
bool daily_differs(const nsec from[2], const nsec to[2]);

#endif
