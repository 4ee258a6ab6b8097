/* One source at work; see the header. */
#include "config.h"

#include "app/feed.h"

#include "base/clock.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <time.h>

static void read_once(struct feed *feed)
{
	nsec now = clock_mono();

	sink_begin(&feed->sink);
	feed->sink.stamp = now;
	feed->fault = (struct fault){0};
	feed->good = feed->source->read(feed->state, &feed->sink, now, &feed->fault);
	if (feed->good)
		feed->stamp = feed->sink.stamp; /* or what the source set */
}

static void open_source(struct feed *feed)
{
	feed->fault = (struct fault){0};
	feed->open = feed->source->open(&feed->state, feed->env, &feed->fault);
}

/* Under the lock: waits until something is wanted. */
static bool wait_for_work(struct feed *feed)
{
	while (!feed->asked && !feed->ending)
		(void)pthread_cond_wait(&feed->bell, &feed->lock);
	feed->asked = false;
	return !feed->ending;
}

static void *work(void *context)
{
	struct feed *feed = context;

	open_source(feed);
	(void)pthread_mutex_lock(&feed->lock);
	feed->busy = false;
	feed->opening = false;
	(void)pthread_cond_broadcast(&feed->bell);
	while (feed->open && wait_for_work(feed)) {
		feed->busy = true;
		feed->busy_since = clock_mono();
		(void)pthread_mutex_unlock(&feed->lock);
		read_once(feed);
		(void)pthread_mutex_lock(&feed->lock);
		feed->busy = false;
		feed->done = true;
		(void)pthread_cond_broadcast(&feed->bell);
	}
	(void)pthread_mutex_unlock(&feed->lock);
	return NULL;
}

static bool start_thread(struct feed *feed)
{
	pthread_condattr_t attributes;
	sigset_t all;
	sigset_t before;
	int error;

	(void)pthread_mutex_init(&feed->lock, NULL); /* none of these fails on Linux */
	(void)pthread_condattr_init(&attributes);
	(void)pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
	(void)pthread_cond_init(&feed->bell, &attributes);
	(void)pthread_condattr_destroy(&attributes);
	feed->busy = true;
	feed->opening = true;
	feed->busy_since = clock_mono();
	/* signals are for the loop */
	(void)sigfillset(&all);
	(void)pthread_sigmask(SIG_BLOCK, &all, &before);
	error = pthread_create(&feed->thread, NULL, work, feed);
	(void)pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (error)
		return fault_errno(&feed->fault, error, "cannot start a thread");
	feed->threaded = true;
	return true;
}

void feed_start(struct feed *feed, const struct source *source, unsigned number,
	const struct source_env *env)
{
	*feed = (struct feed){.source = source, .env = env, .number = number};
	if (source->may_block)
		(void)start_thread(
			feed); /* without one it stays closed, with a fault */
	else
		open_source(feed);
}

void feed_ask(struct feed *feed)
{
	if (!feed->threaded) {
		if (feed->open)
			read_once(feed);
		feed->done = feed->open;
		return;
	}
	(void)pthread_mutex_lock(&feed->lock);
	feed->awaited = !feed->busy || feed->opening;
	if (feed->awaited) {
		feed->done = false;
		feed->asked = true;
		(void)pthread_cond_broadcast(&feed->bell);
	}
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
	(void)pthread_mutex_unlock(&feed->lock);
	return there;
}

nsec feed_age(const struct feed *feed, nsec mono)
{
	/* only a thread that is not this one writes both, and a torn age is only a
	 * wrong label once; the lock is not const */
	struct feed *mine = (struct feed *)(uintptr_t)feed;
	nsec age;

	if (!feed->threaded)
		return 0;
	(void)pthread_mutex_lock(&mine->lock);
	age = feed->busy ? mono - feed->busy_since : 0;
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
	if (feed->threaded) {
		(void)pthread_mutex_destroy(&feed->lock); /* nobody is left */
		(void)pthread_cond_destroy(&feed->bell);
	}
	sink_fini(&feed->sink);
	free(feed->slots);
	free(feed->subjects);
	*feed = (struct feed){0};
}
