/*
 * What was not there to be seen: sources that had no readings, and why, by window.
 */
#ifndef WEIR_REPORT_ABSENT_H
#define WEIR_REPORT_ABSENT_H

#include "report/section.h"

/* One reason of one source. The texts are borrowed from the session's facts. */
struct absent {
	const char *source;
	char kind[16];             /* "absent", "denied", "failed" */
	const char *text;          /* "no NFS mount is in this mount namespace" */
	nsec held[REPORT_WINDOWS]; /* how long, within each */
};

/* Those of any of the windows, in the order in which they began; to be freed. */
struct absent *absent_find(const struct comparison *comparison, size_t *count);

/* "" where it held in all windows from end to end; else " (A, part of B)". */
void absent_where(const struct comparison *comparison, const struct absent *absent,
	char *text, size_t size);

#endif
