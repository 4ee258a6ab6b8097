/*
 * What was done to windows and notes, by whom, so that each can take back their own
 * last deed and nobody else's.
 */
#ifndef WEIR_APP_DEEDS_H
#define WEIR_APP_DEEDS_H

#include "core/window.h"

enum {
	DEEDS_MAX = 100
};

struct deed {
	char author[AUTHOR_NAME];
	uint32_t note; /* 0: windows */
	struct window_change changes[WINDOW_CHANGES];
	size_t count;
	char text[128]; /* what it was: "BEFORE begun" */
};

struct deeds {
	struct deed list[DEEDS_MAX]; /* oldest first */
	size_t count;
};

void deeds_add(struct deeds *deeds, const struct deed *deed);

/* The last deed of AUTHOR, taken out of the list into DEED. A fault if there is
 * none, or if somebody has touched the same windows since. */
bool deeds_take(struct deeds *deeds, const char *author, struct deed *deed,
	struct fault *fault);

#endif
