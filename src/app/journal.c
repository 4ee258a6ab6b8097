/* The writing thread; see the header. */
#include "config.h"

#include "app/journal.h"

#include "app/journal_job.h"
#include "base/alloc.h"
#include "base/clock.h"
#include "base/loop.h"
#include "base/text.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>

static const nsec sync_every = 30 * NSEC_PER_SEC;
static const nsec retry_first = NSEC_PER_SEC;
static const nsec retry_last = 30 * NSEC_PER_SEC;

enum {
	BATCH = 256, /* ticks in one transaction */
	FOLLOW_AT_ONCE = 2000,
	THIN_AT_ONCE = 4000 /* old ticks taken away, each time it syncs */
};

struct journal {
	struct store *store;
	const char *file;
	dev_t device; /* of the file that is written */
	ino_t inode;
	struct ring *ring;
	int bell;
	pthread_t thread;
	struct buffer tick; /* the thread's own */

	pthread_mutex_t lock;
	pthread_cond_t wake;
	struct job *first, **last;
	uint64_t given;  /* number of the newest job */
	size_t evidence; /* bytes of it that wait */
	bool kicked, ending, ended;
	bool behind;     /* there are minutes to be made of older ticks */
	nsec busy_since; /* 0: no call into the store is under way */
	nsec synced_at, retry_at, retry_after;
	struct journal_state state;
};

static void busy(struct journal *journal, nsec since)
{
	(void)pthread_mutex_lock(&journal->lock);
	journal->busy_since = since;
	(void)pthread_mutex_unlock(&journal->lock);
}

static bool write_batch(struct journal *journal, uint64_t *number, struct fault *fault)
{
	struct ring_tick tick;
	bool good = true;

	for (int i = 0; good && i < BATCH; i++) {
		if (!ring_copy(journal->ring, number, &journal->tick, &tick))
			break;
		good = store_tick(journal->store, tick.at, tick.full, tick.data,
			tick.size, fault);
		*number += good;
	}
	return good;
}

static bool write_ticks(struct journal *journal, struct fault *fault)
{
	struct ring_state ring;

	ring_look(journal->ring, &ring);
	while (ring.saved < ring.next) {
		uint64_t number = ring.saved;
		bool good;

		if (!store_begin(journal->store, fault))
			return false;
		good = write_batch(journal, &number, fault);
		/* what went in before a failure may stay: it is in order */
		if (!store_end(journal->store, good ? fault : NULL))
			return false;
		ring_saved(journal->ring, number);
		loop_ring(journal->bell);
		if (!good)
			return false;
		ring_look(journal->ring, &ring);
	}
	return true;
}

static struct job *next_job(struct journal *journal)
{
	struct job *job;

	(void)pthread_mutex_lock(&journal->lock);
	job = journal->first;
	(void)pthread_mutex_unlock(&journal->lock);
	return job;
}

static void job_done(struct journal *journal, struct job *job)
{
	(void)pthread_mutex_lock(&journal->lock);
	journal->first = job->next;
	if (!journal->first)
		journal->last = &journal->first;
	journal->state.done = job->number;
	journal->evidence -= job->evidence_size;
	(void)pthread_mutex_unlock(&journal->lock);
	job_free(job);
	loop_ring(journal->bell);
}

/* Each sync of a mark takes its time: the ticks that came meanwhile go before the next.
 */
static bool write_all(struct journal *journal, struct fault *fault)
{
	struct job *job;

	while (write_ticks(journal, fault)) {
		job = next_job(journal);
		if (!job)
			return true;
		if (!job_write(job, journal->store, fault))
			return false;
		job_done(journal, job);
	}
	return false;
}

static bool sync_now(struct journal *journal, nsec now, struct fault *fault)
{
	if (!store_sync(journal->store, fault) ||
		!store_thin(journal->store, THIN_AT_ONCE, fault))
		return false;
	journal->synced_at = now;
	return true;
}

/* Asked of the folder: the file itself is opened by nobody but SQLite. */
static uint64_t size_of(const char *file, const char *ending)
{
	char path[PATH_MAX + 8];
	struct stat status;

	if (!text_format(path, sizeof path, "%s%s", file, ending) ||
		stat(path, &status) < 0)
		return 0;
	return (uint64_t)status.st_size;
}

/* A file without a name takes all that is written and gives nothing back: what waits
 * stays in memory, for the case that the file comes back. */
static bool is_in_place(const struct journal *journal, struct fault *fault)
{
	struct stat status;

	if (stat(journal->file, &status) < 0)
		return errno == ENOENT
			       ? fault_set(fault, "%s was deleted or moved away",
					 journal->file)
			       : fault_errno(fault, errno, "%s", journal->file);
	return (status.st_dev == journal->device && status.st_ino == journal->inode) ||
	       fault_set(
		       fault, "another file was put in the place of %s", journal->file);
}

static void note_result(
	struct journal *journal, bool good, const struct fault *fault, nsec now)
{
	uint64_t bytes = size_of(journal->file, "") + size_of(journal->file, "-wal");

	(void)pthread_mutex_lock(&journal->lock);
	journal->busy_since = 0;
	journal->state.bytes = bytes;
	if (good) {
		journal->retry_after = 0;
		journal->retry_at = 0;
		journal->state.trouble[0] = 0;
	} else {
		journal->retry_after =
			journal->retry_after ? 2 * journal->retry_after : retry_first;
		if (journal->retry_after > retry_last)
			journal->retry_after = retry_last;
		journal->retry_at = now + journal->retry_after;
		(void)text_copy(journal->state.trouble, sizeof journal->state.trouble,
			job_trouble(fault)); /* cut is fine */
	}
	(void)pthread_mutex_unlock(&journal->lock);
}

/* Under the lock: the time until which there is nothing to do. */
static nsec rest(const struct journal *journal)
{
	nsec sync_at = journal->synced_at + sync_every;

	if (journal->retry_at)
		return journal->retry_at;
	return journal->kicked || journal->first ? 0 : sync_at;
}

/* Under the lock. */
static void wait_for_work(struct journal *journal)
{
	while (!journal->ending && rest(journal) > clock_mono()) {
		nsec until = rest(journal);
		struct timespec ts = {.tv_sec = (time_t)(until / NSEC_PER_SEC),
			.tv_nsec = (long)(until % NSEC_PER_SEC)};

		(void)pthread_cond_timedwait(&journal->wake, &journal->lock, &ts);
	}
	journal->kicked = false;
}

/* ENDING: what there is is synced, too. */
static bool work_once(struct journal *journal, bool ending)
{
	struct fault fault = {0};
	nsec now = clock_mono();
	bool due = ending || now - journal->synced_at >= sync_every;
	bool good, more;

	busy(journal, now);
	/* A few ticks are summed up at a time: what waits to be written comes first. */
	good = is_in_place(journal, &fault) && write_all(journal, &fault) &&
	       store_follow(journal->store, FOLLOW_AT_ONCE, &more, &fault) &&
	       (!due || sync_now(journal, now, &fault));
	note_result(journal, good, &fault, clock_mono());
	return good;
}

static void *work(void *context)
{
	struct journal *journal = context;
	bool ending = false;

	while (!ending) {
		(void)pthread_mutex_lock(&journal->lock);
		wait_for_work(journal);
		ending = journal->ending;
		(void)pthread_mutex_unlock(&journal->lock);
		/* at the end it is tried until journal_end() loses its patience */
		while (!work_once(journal, ending) && ending) {
			const struct timespec rest_a_little = {.tv_nsec = 250000000};

			(void)nanosleep(&rest_a_little, NULL); /* cut short is fine */
		}
	}
	store_close(journal->store);
	(void)pthread_mutex_lock(&journal->lock);
	journal->ended = true;
	(void)pthread_cond_broadcast(&journal->wake);
	(void)pthread_mutex_unlock(&journal->lock);
	return NULL;
}

static int start(struct journal *journal)
{
	pthread_condattr_t attributes;
	sigset_t all;
	sigset_t before;
	int error;

	(void)pthread_mutex_init(&journal->lock, NULL); /* none of these can fail */
	(void)pthread_condattr_init(&attributes);
	(void)pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
	(void)pthread_cond_init(&journal->wake, &attributes);
	(void)pthread_condattr_destroy(&attributes);
	(void)sigfillset(&all);
	(void)pthread_sigmask(SIG_BLOCK, &all, &before);
	error = pthread_create(&journal->thread, NULL, work, journal);
	(void)pthread_sigmask(SIG_SETMASK, &before, NULL);
	return error;
}

struct journal *journal_new(struct store *store, const char *file, struct ring *ring,
	int bell, struct fault *fault)
{
	struct journal *journal = xalloc(sizeof *journal);
	struct stat status = {0};
	int error;

	if (stat(file, &status) < 0) {
		(void)fault_errno(fault, errno, "%s", file);
		free(journal);
		return NULL;
	}
	journal->device = status.st_dev;
	journal->inode = status.st_ino;
	journal->store = store;
	journal->file = file;
	journal->ring = ring;
	journal->bell = bell;
	journal->last = &journal->first;
	journal->synced_at = clock_mono();
	error = start(journal);
	if (!error)
		return journal;
	(void)fault_errno(fault, error, "cannot start the writing thread");
	free(journal);
	return NULL;
}

void journal_kick(struct journal *journal)
{
	(void)pthread_mutex_lock(&journal->lock);
	journal->kicked = true;
	(void)pthread_cond_signal(&journal->wake);
	(void)pthread_mutex_unlock(&journal->lock);
}

/* Under the lock. That of one tick may go beyond the bound: what is larger than it
 * still passes where nothing waits. */
static bool has_room(const struct journal *journal, const struct job *job)
{
	return !job->evidence_size || journal->evidence < JOURNAL_PACKETS;
}

/* Under the lock. */
static uint64_t put_last(struct journal *journal, struct job *job, bool awaited)
{
	job->number = ++journal->given;
	journal->evidence += job->evidence_size;
	*journal->last = job;
	journal->last = &job->next;
	if (awaited) /* by a person: the disk is tried at once */
		journal->retry_at = 0;
	(void)pthread_cond_signal(&journal->wake);
	return job->number;
}

uint64_t journal_give(struct journal *journal, struct job *job, bool awaited)
{
	uint64_t number = 0;
	bool room;

	(void)pthread_mutex_lock(&journal->lock);
	room = has_room(journal, job);
	if (room)
		number = put_last(journal, job, awaited);
	else
		journal->state.dropped += job->evidence.count;
	(void)pthread_mutex_unlock(&journal->lock);
	if (!room)
		job_free(job);
	return number;
}

void journal_look(struct journal *journal, nsec mono, struct journal_state *state)
{
	(void)pthread_mutex_lock(&journal->lock);
	*state = journal->state;
	state->hung = journal->busy_since ? mono - journal->busy_since : 0;
	(void)pthread_mutex_unlock(&journal->lock);
}

/* Under the lock. */
static bool wait_for_end(struct journal *journal, nsec deadline)
{
	struct timespec until = {.tv_sec = (time_t)(deadline / NSEC_PER_SEC),
		.tv_nsec = (long)(deadline % NSEC_PER_SEC)};
	int error = 0;

	while (!journal->ended && !error)
		error = pthread_cond_timedwait(&journal->wake, &journal->lock, &until);
	return journal->ended;
}

bool journal_end(struct journal *journal, nsec patience)
{
	bool ended;

	(void)pthread_mutex_lock(&journal->lock);
	journal->ending = true;
	journal->retry_at = 0;
	(void)pthread_cond_broadcast(&journal->wake);
	ended = wait_for_end(journal, clock_mono() + patience);
	(void)pthread_mutex_unlock(&journal->lock);
	if (ended)
		(void)pthread_join(journal->thread, NULL); /* it is as good as gone */
	return ended;
}

void journal_free(struct journal *journal)
{
	if (!journal)
		return;
	buffer_fini(&journal->tick);
	(void)pthread_mutex_destroy(&journal->lock);
	(void)pthread_cond_destroy(&journal->wake);
	free(journal);
}
