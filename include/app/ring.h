/*
 * The encoded ticks of the last hours in memory. The journal, which writes them to
 * disk, and every viewer have a place of their own in it, so that none waits for
 * another. It always begins at a full tick; what is oldest goes, whether it was
 * written or not: that is the bound of what a hung disk may cost.
 */
#ifndef WEIR_APP_RING_H
#define WEIR_APP_RING_H

#include "base/buffer.h"
#include "base/nsec.h"

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ring_tick {
	nsec at;
	bool full;
	const uint8_t *data; /* given: borrowed; got: in the caller's buffer */
	size_t size;
};

struct ring {
	pthread_mutex_t lock;
	uint8_t *bytes;
	size_t room, head;
	struct ring_entry *entries; /* entry of tick N is N % entry_room */
	size_t entry_room;
	nsec age;             /* what is older goes */
	uint64_t first, next; /* held are first <= N < next */
	uint64_t saved;       /* all below are in the file */
	uint64_t lost;        /* went before they were saved */
};

void ring_init(struct ring *ring, size_t bytes, size_t ticks, nsec age);
void ring_fini(struct ring *ring);

/* False if the ring is empty and TICK is not full, or TICK is larger than the ring:
 * then the next one has to be full. */
bool ring_add(struct ring *ring, const struct ring_tick *tick);

/* Copies tick *NUMBER, or, if that has gone, the oldest that is there (*NUMBER tells);
 * false if there is none yet. */
bool ring_copy(struct ring *ring, uint64_t *number, struct buffer *out,
	struct ring_tick *tick);

/* Number of the last full tick at or before SINCE, else of the first. */
uint64_t ring_find(struct ring *ring, nsec since);

/* All ticks below NUMBER are in the file. */
void ring_saved(struct ring *ring, uint64_t number);

struct ring_state {
	uint64_t first, next, saved, lost;
	uint64_t unsaved;
	nsec unsaved_at;      /* session time of the oldest unsaved; 0 if none */
	double unsaved_share; /* of the room, that they take */
};
void ring_look(struct ring *ring, struct ring_state *state);

#endif
