/*
 * What the journal has to write besides ticks, each with a copy of its own of all
 * it needs.
 */
#ifndef WEIR_APP_JOURNAL_JOB_H
#define WEIR_APP_JOURNAL_JOB_H

#include "store/store.h"

struct job {
	struct job *next;
	uint64_t number;
	bool (*write)(const struct job *job, struct store *store, struct fault *fault);
	struct run run;
	struct note note;
	struct windows windows;
	struct facts facts;
	struct evidence_batch evidence;
	size_t evidence_size; /* of memory; 0: it has none */
};

struct job *job_run(const struct run *run);
struct job *job_end(uint32_t run);
struct job *job_windows(const struct windows *windows);
struct job *job_note(const struct note *note);
struct job *job_event(const struct note *note); /* not synced */
struct job *job_remove_note(uint32_t id);
struct job *job_evidence(nsec at, struct evidence_batch *batch); /* takes it */
struct job *job_facts(const struct facts *facts, size_t from);

struct journal;

/* Takes JOB, to be written in order; returns its number, or 0 for evidence that was
 * dropped. AWAITED: by a person. */
uint64_t journal_give(struct journal *journal, struct job *job, bool awaited);

bool job_write(const struct job *job, struct store *store, struct fault *fault);
void job_free(struct job *job);

/* Why the disk did not take something, in words that are short enough for a line of the
 * screen; the path is known there. */
const char *job_trouble(const struct fault *fault);

#endif
