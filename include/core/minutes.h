/*
 * From ticks to minutes: a session of its own is fed tick by tick and hands out each
 * minute when it is over. The recorder stores them; a reader makes those that a file
 * lacks. Both by this code, so that it does not show who made them.
 */
#ifndef WEIR_CORE_MINUTES_H
#define WEIR_CORE_MINUTES_H

#include "core/minute.h"
#include "core/session.h"

struct minutes;

struct minutes *minutes_new(void);
void minutes_free(struct minutes *minutes);

/* The tracks are numbered as they come; those known from before come first, in order.
 * Ticks up to AFTER belong to minutes that are there. */
void minutes_known(
	struct minutes *minutes, const struct subject *subject, unsigned metric);
void minutes_after(struct minutes *minutes, nsec after);

/* Takes the next tick. Returns the minute that it ended, or null; valid until the
 * next call. */
const struct minute *minutes_put(
	struct minutes *minutes, const struct tick_decoder *decoder);

/* The last minute, if its last tick is at its very end; else null. */
const struct minute *minutes_last(const struct minutes *minutes);

/* Its tracks, subjects, gaps and stalls. */
const struct session *minutes_session(const struct minutes *minutes);

/* MINUTE as it is stored; the bytes are appended to DATA. */
struct minute_row minute_row(
	const struct minute *minute, const uint32_t *numbers, struct buffer *data);

#endif
