/* Jobs of the journal; see the header. */
#include "config.h"

#include "app/journal_job.h"

#include "base/alloc.h"
#include "base/text.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static bool write_run(const struct job *job, struct store *store, struct fault *fault)
{
	return store_run(store, &job->run, fault);
}

static bool write_windows(
	const struct job *job, struct store *store, struct fault *fault)
{
	return store_windows(store, &job->windows, fault);
}

static bool write_note(const struct job *job, struct store *store, struct fault *fault)
{
	return store_note(store, &job->note, fault);
}

static bool write_event(const struct job *job, struct store *store, struct fault *fault)
{
	return store_event(store, &job->note, fault);
}

static bool remove_note(const struct job *job, struct store *store, struct fault *fault)
{
	return store_remove_note(store, job->note.id, fault);
}

static bool write_facts(const struct job *job, struct store *store, struct fault *fault)
{
	return store_facts(store, &job->facts, fault);
}

/* Which run it was that came to an orderly end. */
static bool write_end(const struct job *job, struct store *store, struct fault *fault)
{
	char number[16];

	(void)text_format(number, sizeof number, "%u", (unsigned)job->run.number);
	return store_meta_set(store, "ended", number, fault);
}

struct job *job_end(uint32_t run)
{
	struct job *job = xalloc(sizeof *job);

	job->write = write_end;
	job->run.number = run;
	return job;
}

struct job *job_run(const struct run *run)
{
	struct job *job = xalloc(sizeof *job);

	job->write = write_run;
	job->run = *run;
	return job;
}

struct job *job_windows(const struct windows *windows)
{
	struct job *job = xalloc(sizeof *job);

	job->write = write_windows;
	job->windows = *windows;
	job->windows.room = windows->count;
	job->windows.list = xarray(windows->count, sizeof *windows->list);
	if (windows->count)
		memcpy(job->windows.list, windows->list,
			windows->count * sizeof *windows->list);
	return job;
}

struct job *job_note(const struct note *note)
{
	struct job *job = xalloc(sizeof *job);

	job->write = write_note;
	job->note = *note;
	if (note->body)
		job->note.body = xstrdup(note->body);
	return job;
}

struct job *job_event(const struct note *note)
{
	struct job *job = job_note(note);

	job->write = write_event;
	return job;
}

struct job *job_remove_note(uint32_t id)
{
	struct job *job = xalloc(sizeof *job);

	job->write = remove_note;
	job->note.id = id;
	return job;
}

struct job *job_facts(const struct facts *facts, size_t from)
{
	struct job *job = xalloc(sizeof *job);

	job->write = write_facts;
	for (size_t i = from; i < facts->count; i++) {
		struct fact fact = facts_at_index(facts, i);

		(void)facts_put(&job->facts, &fact); /* each was new there */
	}
	return job;
}

static bool write_evidence(
	const struct job *job, struct store *store, struct fault *fault)
{
	return store_evidence(store, job->note.at, &job->evidence, fault);
}

struct job *job_evidence(nsec at, struct evidence_batch *batch)
{
	struct job *job = xalloc(sizeof *job);

	job->write = write_evidence;
	job->note.at = at;
	job->evidence = *batch;
	job->evidence_size = batch->bytes.room + batch->room * sizeof *batch->list +
			     batch->offset_room * sizeof *batch->offsets;
	*batch = (struct evidence_batch){0};
	return job;
}

bool job_write(const struct job *job, struct store *store, struct fault *fault)
{
	return job->write(job, store, fault);
}

void job_free(struct job *job)
{
	free(job->note.body);
	windows_fini(&job->windows);
	facts_fini(&job->facts);
	evidence_batch_fini(&job->evidence);
	free(job);
}

const char *job_trouble(const struct fault *fault)
{
	static const struct {
		int code;
		const char *words;
	} known[] = {
		{ENOSPC, "the disk under the session is full"},
		{EDQUOT, "the quota for the session is used up"},
		{EROFS, "the disk under the session is read-only"},
		{EUCLEAN, "the disk under the session fails, or its file is damaged"},
		{EIO, "the disk under the session fails (I/O error)"},
	};

	for (size_t i = 0; i < sizeof known / sizeof *known; i++)
		if (fault->code == known[i].code)
			return known[i].words;
	return fault->text;
}
