/*
 * Waiting in one place: descriptors that become ready, until a deadline. Signals
 * and other threads wake it through descriptors too.
 */
#ifndef WEIR_BASE_LOOP_H
#define WEIR_BASE_LOOP_H

#include "base/fault.h"
#include "base/nsec.h"

#include <stdbool.h>
#include <stddef.h>

enum {
	LOOP_ITEMS = 256
};

struct loop_item {
	int fd;       /* negative: left out */
	short events; /* POLLIN, POLLOUT */
	void (*ready)(void *context, short events);
	void *context;
};

/* Waits at most WAIT nanoseconds (0: not at all) and calls what is ready, in order.
 * At most LOOP_ITEMS. False only if waiting itself failed. */
bool loop_wait(
	const struct loop_item *items, size_t count, nsec wait, struct fault *fault);

/* Blocks SIGNALS (0-ended) in the calling thread and those it starts later, and
 * returns a descriptor from which they are read; -1 and a fault. */
int loop_signals(const int *signals, struct fault *fault);
int loop_signal_next(int fd); /* 0: no more */

/* A bell between threads: rings until it is cleared. -1 and a fault. */
int loop_bell(struct fault *fault);
void loop_ring(int bell);
void loop_silence(int bell);

#endif
