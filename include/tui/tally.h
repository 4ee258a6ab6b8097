/*
 * The rows of the bad-packet pane: every counter of something bad that ever moved,
 * with its count and exposure. Packet classes first, then what needs no privilege:
 * error and drop counters of interfaces, TCP and IP counters of the host.
 */
#ifndef WEIR_TUI_TALLY_H
#define WEIR_TUI_TALLY_H

#include "tui/rows.h"

/* A count over a stretch of time. */
struct tally {
	bool known;
	double count;
	double seconds; /* observed, not elapsed */
};

/* Over the current window, or the last ten minutes where there is none. */
struct tally tally_current(const struct scene *scene, size_t track);
struct tally tally_window(
	const struct scene *scene, const struct window *window, size_t track);

/* "12.0/h", or "1 in 2m16s" for fewer than five. */
void tally_text(const struct tally *tally, char *to, size_t size);

/* Tracks, most telling first; filter obeyed. */
void tally_rows(const struct scene *scene, struct rows *rows);

/* "TCP retransmission rx eno1", cut in the middle of its first part to COLUMNS. */
void tally_name(
	const struct scene *scene, size_t track, char *to, size_t size, int columns);

/* Whether frames are captured on any interface at the moment shown; else WHY says
 * why not. */
bool tally_captures(const struct scene *scene, enum why *why);

/* "checksums judged: eno1 rx 4.1M of 4.1M, tx not judgeable here" or "". */
void tally_judged(const struct scene *scene, char *to, size_t size);

#endif
