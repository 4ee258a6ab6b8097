/*
 * The headline family: the few comparisons that whoever watches storage asks for first.
 * Each comparison of a family costs the others some of their power, so that it is kept
 * small: queue and waits of the disks that the person chose (else of the busiest ones),
 * how often their queue stood above what was a peak before, the busiest storage peers,
 * retransmissions of the host, and all bad packets together. Pure.
 */
#ifndef WEIR_CORE_HEADLINE_H
#define WEIR_CORE_HEADLINE_H

#include "core/session.h"
#include "core/verdict.h"

enum {
	HEADLINE_BUSIEST = 4, /* disks, and storage peers */
	HEADLINE_NAMED = 16,  /* disks instead, where the person chose some */
	HEADLINE_ROWS = HEADLINE_NAMED + 1
};

#define HEADLINE_PEAK 0.99 /* the quantile of A above which the queue peaks */

/* A row that no single track says. */
struct headline_row {
	const char *id, *label;
	uint32_t subject; /* UINT32_MAX: all interfaces */
	bool neutral;     /* the load moved, or the hour */
	double limit;     /* of peaks */
	/* of peaks: unbroken stretches of them, and the ticks of the longest */
	bool has_stretches; /* windows of minutes do not know */
	uint32_t stretches[2], longest[2];
	struct verdict verdict;
};

struct judgement;
struct contest;

/* Marks the rows of J that are of the family, and measures those of its own. */
void headline_choose(struct judgement *j, const struct contest *contest);

/* Whether ROW is of the peaks of one disk's queue. */
bool headline_is_peaks(const struct headline_row *row);
/* " in 12 > 85 stretches, the longest 1s > 9s", ticks being INTERVAL apart; "" for a
 * row of other things. */
void headline_stretches(
	const struct headline_row *row, nsec interval, char *to, size_t size);

#endif
