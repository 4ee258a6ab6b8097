/*
 * Between the files that put into a session what a report needs (store_sum_up()).
 */
#ifndef WEIR_STORE_STORE_SUM_H
#define WEIR_STORE_STORE_SUM_H

#include "store/store_private.h"

struct range {
	nsec from, to;
};

struct ranges {
	struct range *list;
	size_t count, room;
};

/* One report on its way from the file into a session. */
struct sum {
	struct store *store;
	struct session *session;
	struct minute_tracks tracks; /* of the session, by the numbers of the file */
	struct ranges minutes, ticks;
	struct range all;
	nsec followed; /* up to here the file has minutes */
	bool damaged;
};

/* Makes the minutes behind SUM->followed and tells their gaps and stalls; from the full
 * tick before FROM, so that the minute that FROM lies in is whole. */
bool sum_make_rest(struct sum *sum, nsec from, struct fault *fault);

/* A track of the file; false: of a metric that is not known here. */
bool store_take_track(
	sqlite3_stmt *row, uint32_t *number, struct subject *subject, unsigned *metric);

#endif
