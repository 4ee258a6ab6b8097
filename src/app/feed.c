/* One source at work; see the header. */
#include "config.h"

#include "app/feed.h"

#include "base/clock.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <time.h>

/* What could not be opened is tried again, less and less often. */
static const nsec retry_first = NSEC_PER_SEC;
static const nsec retry_last = 60 * NSEC_PER_SEC;

static void read_once(struct feed *feed)
{
	nsec now;

	sink_begin(&feed->sink);
	if (feed->source->look)
		feed->source->look(feed->state, &feed->sink, clock_mono());
	now = clock_mono();
	feed->sink.stamp = now;
	feed->fault = (struct fault){0};
	feed->good = feed->source->read(feed->state, &feed->sink, now, &feed->fault);
	if (feed->good)
		feed->stamp = feed->sink.stamp; /* or what the source set */
}

static void put_off(struct feed *feed)
{
	feed->retry_after = feed->retry_after ? 2 * feed->retry_after : retry_first;
	if (feed->retry_after > retry_last)
		feed->retry_after = retry_last;
	feed->retry_at = clock_mono() + feed->retry_after;
}

/* Not FEED->open: others look at that under the lock while this may hang. */
static bool open_source(struct feed *feed, struct fault *fault)
{
	*fault = (struct fault){0};
	return feed->source->open(&feed->state, feed->env, fault);
}

static void opened(struct feed *feed, bool good, const struct fault *fault)
{
	feed->open = good;
	feed->fault = *fault;
	if (!good)
		put_off(feed);
}

/* Under the lock: waits until something is wanted. */
static bool wait_for_work(struct feed *feed)
{
	while (!feed->asked && !feed->ending)
		(void)pthread_cond_wait(&feed->bell, &feed->lock);
	feed->asked = false;
	return !feed->ending;
}

/* Called and left under the lock, which is not held while the source works. */
static void work_once(struct feed *feed)
{
	bool open = feed->open;
	struct fault fault;
	bool good = true;

	feed->busy = true;
	feed->busy_since = clock_mono();
	(void)pthread_mutex_unlock(&feed->lock);
	if (open)
		read_once(feed);
	else
		good = open_source(feed, &fault);
	(void)pthread_mutex_lock(&feed->lock);
	if (!open)
		opened(feed, good, &fault);
	/* one that could not be opened is asked anew when it is time to try again */
	feed->asked &= open || feed->open;
	feed->done = open;
	feed->opening = false;
	feed->busy = false;
	(void)pthread_cond_broadcast(&feed->bell);
}

static void *work(void *context)
{
	struct feed *feed = context;

	(void)pthread_mutex_lock(&feed->lock);
	do
		work_once(feed);
	while (wait_for_work(feed));
	(void)pthread_mutex_unlock(&feed->lock);
	return NULL;
}

static bool start_thread(struct feed *feed, struct fault *fault)
{
	sigset_t all;
	sigset_t before;
	int error;

	feed->busy = true;
	feed->opening = true;
	feed->busy_since = clock_mono();
	/* signals are for the loop */
	(void)sigfillset(&all);
	(void)pthread_sigmask(SIG_BLOCK, &all, &before);
	error = pthread_create(&feed->thread, NULL, work, feed);
	(void)pthread_sigmask(SIG_SETMASK, &before, NULL);
	feed->threaded = !error;
	if (error)
		return fault_errno(fault, error, "cannot start a thread");
	return true;
}

/* A thread opens its source by itself. */
static void begin(struct feed *feed)
{
	struct fault fault = {0};
	bool good;

	if (feed->source->may_block && start_thread(feed, &fault))
		return;
	feed->busy = feed->opening = false;
	good = !feed->source->may_block && open_source(feed, &fault);
	opened(feed, good, &fault);
}

void feed_start(struct feed *feed, const struct source *source, unsigned number,
	const struct source_env *env)
{
	pthread_condattr_t attributes;

	*feed = (struct feed){.source = source, .env = env, .number = number};
	(void)pthread_mutex_init(&feed->lock, NULL); /* none of these fails on Linux */
	(void)pthread_condattr_init(&attributes);
	(void)pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
	(void)pthread_cond_init(&feed->bell, &attributes);
	(void)pthread_condattr_destroy(&attributes);
	begin(feed);
}

static void ask_here(struct feed *feed)
{
	if (!feed->open && clock_mono() >= feed->retry_at)
		begin(feed);
	feed->done = !feed->threaded && feed->open;
	if (feed->done)
		read_once(feed);
}

/* Under the lock: facts or packets are there that no tick has taken. */
static bool has_facts(const struct feed *feed)
{
	return !feed->busy && feed->done && feed->good && !feed->taken &&
	       (feed->sink.whole || feed->sink.evidence.count);
}

/* Under the lock, the thread is free or has not begun. */
static void ask(struct feed *feed, nsec at)
{
	feed->sink.marked = feed->marked;
	feed->marked = false;
	feed->at = at;
	feed->taken = false;
	feed->done = false;
	feed->asked = true;
	(void)pthread_cond_broadcast(&feed->bell);
}

void feed_ask(struct feed *feed, nsec at, bool marked)
{
	bool due;

	if (!feed->threaded) {
		feed->sink.marked = marked;
		feed->at = at;
		ask_here(feed);
		return;
	}
	(void)pthread_mutex_lock(&feed->lock);
	feed->marked |= marked;
	due = feed->open || feed->opening || clock_mono() >= feed->retry_at;
	/* opening once more is not waited for: the next tick has the reading */
	feed->awaited = (!feed->busy && feed->open) || feed->opening;
	if ((feed->awaited || (due && !feed->busy)) && !has_facts(feed))
		ask(feed, at);
	(void)pthread_mutex_unlock(&feed->lock);
}

/* Under the lock. */
static bool wait_until(struct feed *feed, nsec deadline)
{
	struct timespec until = {.tv_sec = (time_t)(deadline / NSEC_PER_SEC),
		.tv_nsec = (long)(deadline % NSEC_PER_SEC)};

	while (feed->awaited && !feed->done && (feed->open || feed->opening))
		if (pthread_cond_timedwait(&feed->bell, &feed->lock, &until) ==
			ETIMEDOUT)
			break;
	return feed->awaited && feed->done && !feed->busy;
}

bool feed_wait(struct feed *feed, nsec deadline)
{
	bool there;

	if (!feed->threaded)
		return feed->done && feed->good;
	(void)pthread_mutex_lock(&feed->lock);
	there = wait_until(feed, deadline) && feed->good;
	feed->taken |= there;
	(void)pthread_mutex_unlock(&feed->lock);
	return there;
}

nsec feed_age(const struct feed *feed, nsec mono)
{
	/* the lock is not const */
	struct feed *mine = (struct feed *)(uintptr_t)feed;
	nsec age;

	if (!feed->threaded)
		return 0;
	(void)pthread_mutex_lock(&mine->lock);
	age = feed->busy ? mono - feed->busy_since : 0;
	if (feed->busy && age < 1) /* MONO is of the tick that set it to work */
		age = 1;
	(void)pthread_mutex_unlock(&mine->lock);
	return age;
}

static bool end_thread(struct feed *feed)
{
	struct timespec until;
	nsec deadline = clock_mono() + NSEC_PER_SEC;

	until = (struct timespec){.tv_sec = (time_t)(deadline / NSEC_PER_SEC),
		.tv_nsec = (long)(deadline % NSEC_PER_SEC)};
	(void)pthread_mutex_lock(&feed->lock);
	feed->ending = true;
	(void)pthread_cond_broadcast(&feed->bell);
	(void)pthread_mutex_unlock(&feed->lock);
	return pthread_clockjoin_np(feed->thread, NULL, CLOCK_MONOTONIC, &until) == 0;
}

void feed_end(struct feed *feed)
{
	if (feed->threaded && !end_thread(feed))
		return;
	if (feed->open)
		feed->source->close(feed->state);
	(void)pthread_mutex_destroy(&feed->lock); /* nobody is left */
	(void)pthread_cond_destroy(&feed->bell);
	sink_fini(&feed->sink);
	free(feed->slots);
	free(feed->subjects);
	*feed = (struct feed){0};
}
