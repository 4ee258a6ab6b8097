/*
 * Workers that read for others; see the header. A worker and its caller share a lock;
 * whoever waits in vain leaves, and the worker is its own until the kernel lets it go.
 * What it read then nobody wants any more. There are never more workers than threads
 * that call at once, and files that hang. Where no thread can be had, the caller reads
 * for itself.
 */
#include "config.h"

#include "source/guard.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "base/scan.h"
#include "base/text.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* An attribute takes microseconds; a busy host may need longer to let us run. */
static const nsec patience = 100 * NSEC_PER_MSEC;
/* What a device is called is asked once: a busy host is no reason to show it later. */
static const nsec long_patience = NSEC_PER_SEC;

enum {
	BATCH = 64,
	WORKERS = 64, /* more that hang, and nothing is read any more */
	STACK = 128 << 10
};

struct worker {
	struct worker *next; /* of those at rest */
	pthread_cond_t bell; /* there is work; it is done */
	bool busy, left;     /* its caller has gone */
	/* the work: files that are open, or one by its name */
	struct guard_read reads[BATCH];
	size_t count, at; /* AT: the one being read */
	char path[ATTR_PATH], text[256];
	char what[ATTR_PATH]; /* what it is left with */
	size_t name;          /* where in PATH the attribute begins */
	enum why why;
	nsec since;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct worker *idle;
static struct worker *all[WORKERS];
static size_t count;
static atomic_size_t hanging; /* workers that were left */

static void hold(void)
{
	(void)pthread_mutex_lock(&lock); /* a plain mutex cannot fail here */
}

static void release(void)
{
	(void)pthread_mutex_unlock(&lock); /* held: cannot fail */
}

/* ---- a worker ---- */

static void read_named(struct worker *worker)
{
	char folder[ATTR_PATH], text[sizeof worker->text];
	enum why why;

	memcpy(folder, worker->path, worker->name - 1);
	folder[worker->name - 1] = 0;
	why = attr_read_text(folder, worker->path + worker->name, text, sizeof text);
	hold();
	worker->why = why;
	memcpy(worker->text, text, sizeof text);
	release();
}

static void read_open(struct worker *worker)
{
	bool left = false;

	for (size_t i = 0; i < worker->count && !left; i++) {
		struct guard_read *one = &worker->reads[i];
		struct attr attr = {.fd = one->fd, .why = one->why};
		char text[GUARD_TEXT];
		enum why why = attr_text(&attr, text, sizeof text);

		hold();
		one->why = why;
		memcpy(one->text, text, sizeof text);
		worker->at = i + 1;
		left = worker->left;
		release();
	}
}

static void *run(void *memory)
{
	struct worker *worker = memory;

	hold();
	for (;;) {
		while (!worker->busy)
			(void)pthread_cond_wait(&worker->bell, &lock);
		release();
		if (worker->count)
			read_open(worker);
		else
			read_named(worker);
		hold();
		worker->busy = false;
		if (worker->left) { /* nobody else gives it back */
			atomic_fetch_sub(&hanging, 1);
			worker->left = false;
			worker->next = idle;
			idle = worker;
		}
		(void)pthread_cond_broadcast(&worker->bell);
	}
	return NULL;
}

static bool start(struct worker *worker)
{
	pthread_condattr_t how;
	pthread_attr_t attr;
	pthread_t thread;
	sigset_t every, before;
	bool done;

	(void)pthread_condattr_init(&how); /* none of these fails on Linux */
	(void)pthread_condattr_setclock(&how, CLOCK_MONOTONIC);
	(void)pthread_cond_init(&worker->bell, &how);
	(void)pthread_condattr_destroy(&how);
	if (pthread_attr_init(&attr))
		return false;
	(void)pthread_attr_setstacksize(&attr, STACK); /* else the default */
	(void)pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
	(void)sigfillset(&every);
	(void)pthread_sigmask(SIG_SETMASK, &every, &before); /* signals: the loop's */
	done = !pthread_create(&thread, &attr, run, worker);
	(void)pthread_sigmask(SIG_SETMASK, &before, NULL);
	(void)pthread_attr_destroy(&attr);
	return done;
}

/* ---- those who ask; under the lock ---- */

static struct worker *take_worker(void)
{
	struct worker *worker = idle;

	if (worker) {
		idle = worker->next;
		return worker;
	}
	if (count == WORKERS)
		return NULL; /* all of them hang */
	worker = xalloc(sizeof *worker);
	if (!start(worker)) {
		free(worker);
		return NULL;
	}
	all[count++] = worker;
	return worker;
}

/* Lets it work. False: it does not come back in time, and is left. */
static bool work(struct worker *worker, nsec wait)
{
	nsec now = clock_mono(), deadline = now + wait;
	struct timespec until = {.tv_sec = (time_t)(deadline / NSEC_PER_SEC),
		.tv_nsec = (long)(deadline % NSEC_PER_SEC)};

	worker->since = now;
	worker->at = 0;
	worker->busy = true;
	(void)pthread_cond_broadcast(&worker->bell);
	while (worker->busy)
		if (pthread_cond_timedwait(&worker->bell, &lock, &until) == ETIMEDOUT)
			break;
	if (!worker->busy) {
		worker->next = idle;
		idle = worker;
		return true;
	}
	worker->left = true;
	atomic_fetch_add(&hanging, 1);
	return false;
}

static bool hangs_by_name(const char *path)
{
	for (size_t i = 0; i < count && atomic_load(&hanging); i++)
		if (all[i]->left && !all[i]->count && !strcmp(all[i]->path, path))
			return true;
	return false;
}

static bool hangs_open(int fd)
{
	for (size_t i = 0; i < count && atomic_load(&hanging); i++)
		if (all[i]->left && all[i]->at < all[i]->count &&
			all[i]->reads[all[i]->at].fd == fd)
			return true;
	return false;
}

/* A file by its name. */
struct named {
	const char *folder, *name;
	nsec wait;
};

static enum why text_of(const struct named *named, char *text, size_t size)
{
	const char *folder = named->folder, *name = named->name;
	struct worker *worker = NULL;
	enum why why = WHY_LATE;
	char path[ATTR_PATH];
	bool alone = false;

	text[0] = 0;
	if (!folder[0] || !text_format(path, sizeof path, "%s/%s", folder, name))
		return WHY_UNSUPPORTED;
	hold();
	if (!hangs_by_name(path)) {
		worker = take_worker();
		alone = !worker && count < WORKERS;
	}
	if (worker) {
		memcpy(worker->path, path, sizeof path);
		worker->name = strlen(folder) + 1;
		worker->count = 0;
		if (work(worker, named->wait)) {
			why = worker->why;
			(void)text_copy(text, size, worker->text); /* or its start */
		} else {
			(void)text_clean(worker->what, sizeof worker->what, path);
		}
	}
	release();
	return alone ? attr_read_text(folder, name, text, size) : why;
}

enum why guard_text(const char *folder, const char *name, char *text, size_t size)
{
	const struct named named = {folder, name, patience};

	return text_of(&named, text, size);
}

enum why guard_identity(const char *folder, const char *name, char *text, size_t size)
{
	const struct named named = {folder, name, long_patience};

	return text_of(&named, text, size);
}

enum why guard_u64(const char *folder, const char *name, uint64_t *value)
{
	char text[GUARD_TEXT];
	const char *at = text;
	enum why why = guard_text(folder, name, text, sizeof text);

	if (why != WHY_NONE)
		return why;
	return scan_u64(&at, value) && scan_end(at) ? WHY_NONE : WHY_UNSUPPORTED;
}

static void read_alone(struct guard_read *one)
{
	struct attr attr = {.fd = one->fd, .why = one->why};

	one->why = attr_text(&attr, one->text, sizeof one->text);
}

/* As many of READS as one worker takes, those that hang left out; how many were dealt
 * with. */
static size_t read_some(struct guard_read *reads, size_t number)
{
	struct worker *worker = take_worker();
	size_t places[BATCH], taken = 0, i = 0;

	for (; i < number && taken < BATCH; i++)
		if (reads[i].fd >= 0 && !worker && count < WORKERS)
			read_alone(&reads[i]);
		else if (reads[i].fd >= 0 && (!worker || hangs_open(reads[i].fd)))
			reads[i].why = WHY_LATE;
		else if (reads[i].fd >= 0)
			places[taken++] = i;
	if (!worker)
		return i;
	for (size_t k = 0; k < taken; k++)
		worker->reads[k] = reads[places[k]];
	worker->count = taken;
	if (!taken || work(worker, patience)) {
		for (size_t k = 0; k < taken; k++)
			reads[places[k]] = worker->reads[k];
		if (!taken) {
			worker->next = idle;
			idle = worker;
		}
		return i;
	}
	for (size_t k = 0; k < worker->at; k++)
		reads[places[k]] = worker->reads[k];
	if (worker->at == taken)
		return i; /* it had read the last one, and not yet said so */
	reads[places[worker->at]].why = WHY_LATE;
	(void)text_clean(worker->what, sizeof worker->what,
		reads[places[worker->at]].what); /* same size, or its beginning */
	return places[worker->at] + 1;
}

void guard_read(struct guard_read *reads, size_t number)
{
	hold();
	for (size_t i = 0; i < number;)
		i += read_some(reads + i, number - i);
	release();
}

void guard_trouble(char *text, size_t size)
{
	char key[ATTR_PATH + 8];
	nsec now = clock_mono();

	text[0] = 0;
	hold();
	for (size_t i = 0; i < count && atomic_load(&hanging); i++) {
		const struct worker *worker = all[i];
		size_t used = strlen(text);

		(void)text_format(key, sizeof key, "%s late ", worker->what); /* fits */
		if (!worker->left || strstr(text, key))
			continue; /* a path is a disk of its own, too: said once */
		(void)text_format(text + used, size - used, "%s%s late %llds",
			used ? "; " : "", worker->what,
			(long long)((now - worker->since) /
				    NSEC_PER_SEC)); /* a cut list is a list */
	}
	release();
}
