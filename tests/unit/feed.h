/*
 * Ticks by hand for tests: subjects and readings are set, a tick is encoded,
 * decoded and, where there is one, put into the session. Nothing is faked between.
 */
#ifndef WEIR_TESTS_FEED_H
#define WEIR_TESTS_FEED_H

#include "core/session.h"

struct feed {
	struct catalog catalog;
	struct reading *readings;
	size_t reading_room;
	struct tick tick;
	struct tick_encoder encoder;
	struct tick_decoder decoder;
	struct session *session; /* may be null */
	struct buffer bytes;     /* of the last tick */
	bool full;               /* whether that was a full one */
};

/* At session time 0, run 1, a tick each second; all sources have stamps. */
void feed_init(struct feed *feed, struct session *session);
void feed_fini(struct feed *feed); /* not the session */

uint32_t feed_subject(
	struct feed *feed, enum kind kind, const char *name, const char *id);
void feed_set(struct feed *feed, uint32_t subject, unsigned raw, uint64_t value);
void feed_none(struct feed *feed, uint32_t subject, unsigned raw, enum why why);

/* The next tick, STEP later. The sources read at its monotonic time, but those in
 * the mask LATE, which keep their stamp. */
void feed_tick(struct feed *feed, nsec step, unsigned late);

/* Forgets the catalog as a new run does; its first tick comes next. */
void feed_run(struct feed *feed);

#endif
