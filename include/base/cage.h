/*
 * The cage: what a process does to itself before it looks at hostile bytes. It
 * gives up identity, capabilities and, by a filter on system calls, nearly all of
 * the kernel. There is no way back.
 *
 * It lives in base because both weir-capture and `weir read` enter it, and the
 * layers of those two may not include each other. Only cage_filter.c knows
 * libseccomp.
 */
#ifndef WEIR_BASE_CAGE_H
#define WEIR_BASE_CAGE_H

#include "base/fault.h"

#include <stdbool.h>

/* Who enters decides what stays allowed (the table in cage_filter.c). */
enum cage_kind {
	CAGE_CAPTURE = 1, /* a packet socket in fd 3 or above, lines to fd 1 and 2 */
	CAGE_READ = 2,    /* open files to read, text to write */
};

/* What was reached. Nobody has a capability afterwards, whatever this says. */
struct cage {
	unsigned uid; /* 0 only in a container that has no other identity to give */
	bool filter;  /* false in sanitizer and coverage builds, which it would kill */
};

/* Order: groups, ids, capabilities, no new privileges, not dumpable, limits,
 * filter. On false the process must end: part of it may have been done. Whatever
 * needs a file (names, time zone, locale, output) must have been opened before. */
bool cage_enter(enum cage_kind kind, struct cage *got, struct fault *fault);

/* The last step alone, for cage.c. */
bool cage_filter(enum cage_kind kind, struct fault *fault);

#endif
