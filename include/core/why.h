/*
 * Why a figure is not there. Unknown is never 0: each value in weir travels
 * with one of these, and only WHY_NONE means that the number may be read.
 */
#ifndef WEIR_CORE_WHY_H
#define WEIR_CORE_WHY_H

enum why {
	WHY_NONE,          /* there is a figure */
	WHY_FIRST,         /* first reading: no interval yet */
	WHY_GAP,           /* ticks were missed, the host slept, or a new run began */
	WHY_RESET,         /* the counter went backwards or the device is another one */
	WHY_LATE,          /* the source has not answered for this tick */
	WHY_OFF,           /* switched off (accounting, capture, link) */
	WHY_UNSUPPORTED,   /* the kernel or driver does not report it */
	WHY_DENIED,        /* the privilege is missing */
	WHY_NO_COMPLETION, /* a mean per operation, and nothing completed */
	WHY_ABSENT,        /* the device is not there: no row at all */
	WHY_COUNT,
};

/* "first", "gap", ... as export prints them; "" for WHY_NONE. */
const char *why_word(enum why why);

#endif
