/*
 * Something small that has to be done more often than a source is read: a thread that
 * does it every so often, and never while the source is at work.
 */
#ifndef WEIR_SOURCE_DRAIN_H
#define WEIR_SOURCE_DRAIN_H

#include "base/nsec.h"

#include <pthread.h>
#include <stdbool.h>

/* All zero before it starts; one that never starts can be held all the same. */
struct drain {
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t wake;
	bool running, stop;
	nsec every;
	void (*step)(void *context);
	void *context;
};

/* Where no thread can be made there is none: the source is read at its ticks. */
void drain_start(
	struct drain *drain, nsec every, void (*step)(void *context), void *context);
void drain_stop(struct drain *drain);

/* Around what the source does itself. */
void drain_hold(struct drain *drain);
void drain_release(struct drain *drain);

#endif
