/*
 * What disks and network moved in a window: the sum over the devices themselves,
 * without those stacked on them.
 */
#ifndef WEIR_APP_MOVED_H
#define WEIR_APP_MOVED_H

#include "app/place.h"
#include "core/session.h"

struct moved {
	double sum;
	bool whole; /* else some of it was not seen, or is not in memory any more */
};

/* What METRIC moved in WINDOW over all devices that have it; false if none has. */
bool moved_sum(const struct session *session, uint32_t window, const char *metric,
	struct moved *moved);

/* Asks the recorder of PLACE for the window and prints it on standard error. */
bool moved_print(const struct place *place, uint32_t window, struct fault *fault);

#endif
