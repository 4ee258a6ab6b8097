/*
 * What stands on one side of a comparison: a window, or all windows of one name, which
 * repeat each other. A window around a command is one observation: those of one name
 * always stand together. Pure.
 */
#ifndef WEIR_CORE_SIDE_H
#define WEIR_CORE_SIDE_H

#include "base/nsec.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct session;
struct window;

enum {
	SIDE_MOST = 32 /* windows; of more the newest */
};

struct side {
	uint32_t ids[SIDE_MOST]; /* by time of setting */
	size_t count;
	/* Of that name, and left out: */
	size_t failed; /* commands that ended with another status than 0 */
	size_t open;   /* commands that had not ended */
	size_t brief;  /* windows under VERDICT_SHORTEST behind their settling time */
	size_t beyond; /* older than the newest SIDE_MOST */
};

/* How the windows of two sides are compared. */
enum sides {
	SIDES_SINGLE, /* one against one */
	SIDES_POOLED, /* repeated ones */
	SIDES_RUNS,   /* windows around commands */
};

struct side side_alone(uint32_t id);

/* All windows of the name of window ID. */
struct side side_pooled(const struct session *session, uint32_t id);
/* All commands of the name of ID that ended well. */
struct side side_runs(const struct session *session, uint32_t id);
/* Those called NAME from FROM to TO. */
struct side side_runs_in(
	const struct session *session, const char *name, nsec from, nsec to);

/* Fills SIDES with what stands for windows A and B. POOL: repeated ones are asked for;
 * two windows of one name stand for themselves all the same. */
enum sides sides_of(const struct session *session, uint32_t a, uint32_t b, bool pool,
	struct side sides[2]);

#endif
