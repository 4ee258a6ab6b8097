/*
 * One source at work: its state, its sink, its thread if it has one, and where its
 * readings go in the catalog. The inside of the collector.
 */
#ifndef WEIR_APP_FEED_H
#define WEIR_APP_FEED_H

#include "core/tick.h"
#include "source/sink.h"

#include <pthread.h>

/* Where a reading went in the last read. The order of readings hardly ever changes,
 * so the place in the sink finds it again without a search. */
struct feed_slot {
	uint32_t subject; /* handle in the sink */
	uint32_t series;  /* index in the catalog */
	uint16_t raw;
	bool known;
};

struct feed {
	const struct source *source;
	const struct source_env *env;
	unsigned number; /* of its stamp */
	void *state;
	bool open;
	bool good; /* the last read went well */
	struct fault fault;
	struct sink sink;
	nsec stamp; /* of the last good read */
	nsec at;    /* session time of the tick that asked for it */
	bool taken; /* it went into a tick */

	/* from here on under the lock while the thread lives */
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t bell;
	bool threaded;
	bool opening;
	bool asked;   /* the loop wants a reading */
	bool marked;  /* ... for a mark, and has not had it */
	bool awaited; /* it was free to begin with it, so that it is waited for */
	bool busy;    /* the thread has the sink */
	bool done;    /* a reading is there to be taken */
	bool ending;
	nsec busy_since;
	nsec retry_at, retry_after; /* of a source that could not be opened */

	struct feed_slot *slots;
	size_t slot_room;
	uint32_t *subjects; /* catalog index by handle */
	size_t subject_count, subject_room;
};

/* Opens the source, here or in a new thread. */
void feed_start(struct feed *feed, const struct source *source, unsigned number,
	const struct source_env *env);

/* Asks for a reading for the tick at session time AT: at once, or of the thread if
 * that is free. Facts that came too late for their tick are not asked for again: they
 * go into this one. MARKED: the tick is that of a mark. */
void feed_ask(struct feed *feed, nsec at, bool marked);

/* True if a reading is there; a thread is waited for until DEADLINE, unless it has
 * been at it since an earlier tick. */
bool feed_wait(struct feed *feed, nsec deadline);

/* Ends it; a thread that hangs is left behind with all it holds. */
void feed_end(struct feed *feed);

/* How long the thread has been at its reading; 0: it is not. */
nsec feed_age(const struct feed *feed, nsec mono);

/* Puts the reading into TICK; *CHANGED is set if a known subject changed. */
void feed_merge(struct feed *feed, struct catalog *catalog, bool *changed);
void feed_fill(const struct feed *feed, struct reading *readings);

#endif
