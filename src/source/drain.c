/* A thread that empties what would fill up; see the header. */
#include "config.h"

#include "source/drain.h"

#include "base/clock.h"

#include <signal.h>
#include <time.h>

/* Sleeps until it is time, or told to end. */
static bool sleep_on(struct drain *drain)
{
	nsec until = clock_mono() + drain->every;
	const struct timespec at = {
		.tv_sec = until / NSEC_PER_SEC, .tv_nsec = until % NSEC_PER_SEC};

	while (!drain->stop && clock_mono() < until)
		(void)pthread_cond_timedwait(&drain->wake, &drain->lock, &at);
	return !drain->stop;
}

static void *run(void *context)
{
	struct drain *drain = context;

	drain_hold(drain);
	while (sleep_on(drain))
		drain->step(drain->context);
	drain_release(drain);
	return NULL;
}

void drain_start(
	struct drain *drain, nsec every, void (*step)(void *context), void *context)
{
	pthread_condattr_t attributes;
	sigset_t all, before;

	drain->every = every;
	drain->step = step;
	drain->context = context;
	(void)pthread_mutex_init(&drain->lock, NULL); /* cannot fail on Linux */
	(void)pthread_condattr_init(&attributes);     /* nor this */
	(void)pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
	(void)pthread_cond_init(&drain->wake, &attributes);
	(void)pthread_condattr_destroy(&attributes);
	(void)sigfillset(&all);
	(void)pthread_sigmask(SIG_SETMASK, &all, &before); /* signals go to the loop */
	drain->running = !pthread_create(&drain->thread, NULL, run, drain);
	(void)pthread_sigmask(SIG_SETMASK, &before, NULL);
}

void drain_stop(struct drain *drain)
{
	if (!drain->running)
		return;
	drain_hold(drain);
	drain->stop = true;
	(void)pthread_cond_signal(&drain->wake); /* cannot fail */
	drain_release(drain);
	(void)pthread_join(drain->thread, NULL); /* a thread of our own */
	(void)pthread_cond_destroy(&drain->wake);
	(void)pthread_mutex_destroy(&drain->lock);
	drain->running = false;
}

/* Where there is no thread there is nobody to wait for. */
void drain_hold(struct drain *drain)
{
	if (drain->step)
		(void)pthread_mutex_lock(&drain->lock); /* cannot fail here */
}

void drain_release(struct drain *drain)
{
	if (drain->step)
		(void)pthread_mutex_unlock(&drain->lock); /* held: cannot fail */
}
