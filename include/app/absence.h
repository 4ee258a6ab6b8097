/*
 * Why a source has no readings, kept by time as a fact (FACT_NOTHING), so that report
 * and export can say of any window what was not there to be seen.
 */
#ifndef WEIR_APP_ABSENCE_H
#define WEIR_APP_ABSENCE_H

#include "app/feed.h"
#include "core/fact.h"

/* What was put last of one source in this run. Zeroed at its start. */
struct absence {
	enum {
		ABSENCE_UNKNOWN,
		ABSENCE_SERVES,
		ABSENCE_NOTHING
	} is;
	nsec empty; /* monotonic: since when it has nothing, not told yet; 0: no */
};

/* FRESH: the source has answered for TICK. */
void absence_follow(struct absence *absence, const struct feed *feed, bool fresh,
	const struct tick *tick, struct facts *facts);

#endif
