/*
 * The session file: the only code that knows SQLite. One writer (the recorder),
 * any number of readers, all through SQLite, never by hand (doc/schema.md).
 */
#ifndef WEIR_STORE_STORE_H
#define WEIR_STORE_STORE_H

#include "base/buffer.h"
#include "base/fault.h"
#include "core/session.h"
#include "packet/evidence_batch.h"

struct store;

enum store_mode {
	STORE_CREATE, /* a new file, 0600; a fault if it is there */
	STORE_WRITE,  /* the recorder resumes */
	STORE_READ,   /* never changes the file */
};

/* A file of a newer version, a damaged or foreign one: a fault that names it. */
struct store *store_open(const char *path, enum store_mode mode, struct fault *fault);
void store_close(struct store *store);

/* A file that is only read and turns out to be damaged gives what it can. True if that
 * happened up to now; FAULT says so. */
bool store_damage(const struct store *store, struct fault *fault);

/* The older format from which opening for writing brought the file up to date (on a
 * copy: the file as it was is beside it, with ".vFORMAT" behind its name), or 0. */
int store_upgraded(const struct store *store);

bool store_meta_set(
	struct store *store, const char *key, const char *value, struct fault *fault);
bool store_meta(struct store *store, const char *key, char *value, size_t size);
/* Whether the last of the runs came to an orderly end (meta "ended": its number). */
bool store_ended_well(struct store *store, const struct session *session);

/* Writing. Ticks are committed without a sync; marks, notes and runs are synced
 * before the call returns (WAL, synchronous=NORMAL, doc/schema.md). */
bool store_tick(struct store *store, nsec at, bool full, const uint8_t *data,
	size_t size, struct fault *fault);
bool store_run(struct store *store, const struct run *run, struct fault *fault);
bool store_windows(struct store *store, const struct windows *windows,
	struct fault *fault); /* the whole list, replaced */
bool store_note(struct store *store, const struct note *note, struct fault *fault);
/* As safe as a tick, and as cheap: what weir itself found worth a line. */
bool store_event(struct store *store, const struct note *note, struct fault *fault);
bool store_remove_note(struct store *store, uint32_t id, struct fault *fault);
/* All of them, in one transaction; without a sync, as ticks. */
bool store_facts(struct store *store, const struct facts *facts, struct fault *fault);
/* The packets of the tick at AT, without a sync. Where there are too many the oldest
 * go, those of the first hour behind an edge of a window last. */
bool store_evidence(struct store *store, nsec at, const struct evidence_batch *batch,
	struct fault *fault);
/* The highest number of a finding; 0 where there is none or it cannot be read. */
uint32_t store_evidence_last(struct store *store);
/* Checkpoint with sync; called every 30 s. */
bool store_sync(struct store *store, struct fault *fault);
/* Several ticks in one transaction: begin, store_tick..., end. */
bool store_begin(struct store *store, struct fault *fault);
bool store_end(struct store *store, struct fault *fault);

/* Makes minutes of ticks that have none yet, of at most MOST ticks; *MORE says whether
 * there is more to do at once. Cheap where no minute is over. Without a sync. */
bool store_follow(struct store *store, unsigned most, bool *more, struct fault *fault);
/* Ticks older than STORE_FULL, of which there are minutes, and that lie in no window
 * of at most STORE_KEPT: at most MOST of them are taken away. */
#define STORE_FULL (48 * 3600 * NSEC_PER_SEC)
#define STORE_KEPT (24 * 3600 * NSEC_PER_SEC)
bool store_thin(struct store *store, unsigned most, struct fault *fault);

/* Reading. */
bool store_load(struct store *store, struct session *session, struct fault *fault);
/* name, runs, windows, notes, facts; no ticks */

/* Every packet, by time; its bytes and CLASSES (ids with blanks between) are borrowed.
 */
typedef void store_evidence_take(
	void *context, const struct evidence_packet *packet, const char *classes);
bool store_evidence_each(struct store *store, store_evidence_take *take, void *context,
	struct fault *fault);

/* Calls EACH for every tick from the last full one at or before FROM up to TO, in
 * order; EACH returns false to stop. */
typedef bool store_each(
	void *context, nsec at, bool full, const uint8_t *data, size_t size);
bool store_ticks(struct store *store, nsec from, nsec to, store_each *each,
	void *context, struct fault *fault);

/* Decodes and puts all ticks in [FROM, TO] into SESSION. */
bool store_replay(struct store *store, nsec from, nsec to, struct session *session,
	struct fault *fault);

/* Puts into SESSION, of which nothing was put yet, what its COUNT windows IDS need:
 * minutes for long ones, and where ticks were thinned, ticks for others; the gaps and
 * stalls that are known; and the last tick of all. */
bool store_sum_up(struct store *store, struct session *session, const uint32_t *ids,
	size_t count, struct fault *fault);

/* Session time of the first and last tick; false where there is none. */
bool store_span(struct store *store, nsec *first, nsec *last);
uint64_t store_tick_count(struct store *store);

/* One closed file for handing over (VACUUM INTO); PATH must not exist. */
bool store_copy(struct store *store, const char *path, struct fault *fault);

#endif
