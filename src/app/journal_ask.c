/* What can be asked of the journal, each as a job; see app/journal.h. */
#include "config.h"

#include "app/journal.h"

#include "app/journal_job.h"

uint64_t journal_run(struct journal *journal, const struct run *run)
{
	return journal_give(journal, job_run(run), true);
}

void journal_run_ended(struct journal *journal, uint32_t run)
{
	(void)journal_give(
		journal, job_end(run), true); /* the end itself is waited for */
}

uint64_t journal_windows(struct journal *journal, const struct windows *windows)
{
	return journal_give(journal, job_windows(windows), true);
}

uint64_t journal_note(struct journal *journal, const struct note *note)
{
	return journal_give(journal, job_note(note), true);
}

void journal_event(struct journal *journal, const struct note *note)
{
	(void)journal_give(journal, job_event(note), false); /* nobody waits for it */
}

uint64_t journal_remove_note(struct journal *journal, uint32_t id)
{
	return journal_give(journal, job_remove_note(id), true);
}

void journal_facts(struct journal *journal, const struct facts *facts, size_t from)
{
	(void)journal_give(
		journal, job_facts(facts, from), false); /* nobody waits for it */
}

void journal_evidence(struct journal *journal, nsec at, struct evidence_batch *batch)
{
	(void)journal_give(
		journal, job_evidence(at, batch), false); /* nobody waits for it */
}
