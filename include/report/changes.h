/*
 * What changed on the host: between the end of A and the end of another window, and
 * inside the windows, each with the note that announced it, if there is one.
 */
#ifndef WEIR_REPORT_CHANGES_H
#define WEIR_REPORT_CHANGES_H

#include "report/section.h"

struct change {
	struct fact a, b;
	size_t window;           /* that it leads to; inside: in which it happened */
	bool differs;            /* between the end of A and that of the window */
	bool inside;             /* seen after the beginning of that window */
	const struct note *note; /* that announced it; null: nobody did */
};

struct changes {
	struct change *list; /* by window; those that nobody announced first */
	size_t count, room;
	size_t compared[REPORT_WINDOWS]; /* facts, with A */
};

void changes_find(struct changes *changes, const struct comparison *comparison);
void changes_fini(struct changes *changes);

/* '+' came, '-' went, '~' is another one. */
const char *change_sign(const struct change *change);

#endif
