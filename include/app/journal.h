/*
 * The thread that alone touches the session file. It takes ticks from the ring and
 * jobs from a queue, and tells how far it is; the recorder never waits for it, so a
 * full, failing or hung disk costs nothing but memory.
 */
#ifndef WEIR_APP_JOURNAL_H
#define WEIR_APP_JOURNAL_H

#include "app/ring.h"
#include "store/store.h"

enum {
	JOURNAL_PACKETS = 16 * 1024 * 1024
};

struct journal;

/* Takes STORE, which is closed at the end; borrows RING and FILE. BELL is rung when
 * ticks are in the file or a job is done (base/loop.h). Null and a fault if no thread
 * can be started. */
struct journal *journal_new(struct store *store, const char *file, struct ring *ring,
	int bell, struct fault *fault);

/* There is a new tick in the ring. */
void journal_kick(struct journal *journal);

/* Each is copied, written in order and synced; the number of the job comes back. */
uint64_t journal_run(struct journal *journal, const struct run *run);
/* The run came to an orderly end: to be given last. */
void journal_run_ended(struct journal *journal, uint32_t run);
uint64_t journal_windows(struct journal *journal, const struct windows *windows);
uint64_t journal_note(struct journal *journal, const struct note *note);
uint64_t journal_remove_note(struct journal *journal, uint32_t id);
/* Written in order too, but not synced: an event is worth no more than a tick. */
void journal_event(struct journal *journal, const struct note *note);
/* Those that were put as number FROM and later; not synced either. */
void journal_facts(struct journal *journal, const struct facts *facts, size_t from);
/* Takes BATCH, of the tick at AT; not synced either. Where JOURNAL_PACKETS bytes of
 * them wait for the disk already, it is dropped and counted: whole packets of a night
 * would fill the memory. What else waits is small, and the session holds it too. */
void journal_evidence(struct journal *journal, nsec at, struct evidence_batch *batch);

struct journal_state {
	uint64_t done;     /* jobs up to this number are in the file and synced */
	uint64_t bytes;    /* size of the file and its log */
	uint64_t dropped;  /* packets of evidence for which there was no room */
	nsec hung;         /* how long the disk has not answered; 0: it does */
	char trouble[200]; /* "" or why the last attempt failed */
};
void journal_look(struct journal *journal, nsec mono, struct journal_state *state);

/* Writes what is left and ends. False after PATIENCE: then the thread is left behind,
 * and what was not written is lost with the process. It can still be looked at. */
bool journal_end(struct journal *journal, nsec patience);
/* Null, or one that has ended. */
void journal_free(struct journal *journal);

#endif
