/* Encoded ticks in a fixed piece of memory; see the header. */
#include "config.h"

#include "app/ring.h"

#include "base/alloc.h"

#include <stdlib.h>
#include <string.h>

struct ring_entry {
	nsec at;
	size_t offset;
	size_t size;
	bool full;
};

void ring_init(struct ring *ring, size_t bytes, size_t ticks, nsec age)
{
	*ring = (struct ring){.room = bytes, .entry_room = ticks, .age = age};
	(void)pthread_mutex_init(&ring->lock, NULL); /* cannot fail on Linux */
	/* pages that are not used yet cost nothing */
	ring->bytes = xarray(bytes, 1);
	ring->entries = xarray(ticks, sizeof *ring->entries);
}

void ring_fini(struct ring *ring)
{
	if (!ring->bytes)
		return;
	free(ring->bytes);
	free(ring->entries);
	(void)pthread_mutex_destroy(&ring->lock); /* nobody holds it */
	*ring = (struct ring){0};
}

static struct ring_entry *entry(const struct ring *ring, uint64_t number)
{
	return &ring->entries[number % ring->entry_room];
}

/* Drops ticks from the front up to the next full one. */
static void drop_segment(struct ring *ring)
{
	do {
		if (ring->first >= ring->saved)
			ring->lost++;
		ring->first++;
	} while (ring->first < ring->next && !entry(ring, ring->first)->full);
	if (ring->saved < ring->first)
		ring->saved = ring->first;
}

/* No tick lies in [OFFSET, OFFSET + SIZE); the oldest one is the first in the way,
 * since both ends move in one direction. */
static void make_room(struct ring *ring, size_t offset, size_t size)
{
	while (ring->first < ring->next) {
		const struct ring_entry *oldest = entry(ring, ring->first);

		if (oldest->offset >= offset + size ||
			oldest->offset + oldest->size <= offset)
			return;
		drop_segment(ring);
	}
}

/* Where SIZE bytes go: behind the last tick, or at the start if they do not fit. */
static size_t place(struct ring *ring, size_t size)
{
	if (ring->head + size <= ring->room) {
		make_room(ring, ring->head, size);
		return ring->head;
	}
	make_room(ring, ring->head, ring->room - ring->head);
	make_room(ring, 0, size);
	return 0;
}

static void drop_old(struct ring *ring, nsec now)
{
	while (ring->next - ring->first >= ring->entry_room)
		drop_segment(ring);
	while (ring->next - ring->first > 1 &&
		entry(ring, ring->first)->at < now - ring->age &&
		ring->first < ring->saved)
		drop_segment(ring);
}

static bool add(struct ring *ring, const struct ring_tick *tick)
{
	size_t offset;

	if (!tick->size || tick->size > ring->room)
		return false;
	drop_old(ring, tick->at);
	offset = place(ring, tick->size);
	if (ring->first == ring->next && !tick->full)
		return false;
	memcpy(ring->bytes + offset, tick->data, tick->size);
	*entry(ring, ring->next) =
		(struct ring_entry){tick->at, offset, tick->size, tick->full};
	ring->next++;
	ring->head = offset + tick->size;
	return true;
}

bool ring_add(struct ring *ring, const struct ring_tick *tick)
{
	bool added;

	(void)pthread_mutex_lock(&ring->lock);
	added = add(ring, tick);
	(void)pthread_mutex_unlock(&ring->lock);
	return added;
}

bool ring_copy(
	struct ring *ring, uint64_t *number, struct buffer *out, struct ring_tick *tick)
{
	const struct ring_entry *found;
	bool there;

	buffer_clear(out);
	(void)pthread_mutex_lock(&ring->lock);
	if (*number < ring->first)
		*number = ring->first;
	there = *number < ring->next;
	if (there) {
		found = entry(ring, *number);
		buffer_add(out, ring->bytes + found->offset, found->size);
		*tick = (struct ring_tick){
			found->at, found->full, out->data, out->size};
	}
	(void)pthread_mutex_unlock(&ring->lock);
	return there;
}

uint64_t ring_find(struct ring *ring, nsec since)
{
	uint64_t best;

	(void)pthread_mutex_lock(&ring->lock);
	best = ring->first;
	for (uint64_t i = ring->first; i < ring->next; i++) {
		if (entry(ring, i)->at > since)
			break;
		if (entry(ring, i)->full)
			best = i;
	}
	(void)pthread_mutex_unlock(&ring->lock);
	return best;
}

void ring_saved(struct ring *ring, uint64_t number)
{
	(void)pthread_mutex_lock(&ring->lock);
	if (number > ring->saved)
		ring->saved = number;
	(void)pthread_mutex_unlock(&ring->lock);
}

void ring_look(struct ring *ring, struct ring_state *state)
{
	(void)pthread_mutex_lock(&ring->lock);
	*state = (struct ring_state){.first = ring->first,
		.next = ring->next,
		.saved = ring->saved,
		.lost = ring->lost,
		.unsaved = ring->next - ring->saved};
	if (state->unsaved) {
		const struct ring_entry *oldest = entry(ring, ring->saved);

		state->unsaved_at = oldest->at;
		state->unsaved_share =
			(double)((ring->head + ring->room - 1 - oldest->offset) %
					 ring->room +
				 1) /
			(double)ring->room;
	}
	(void)pthread_mutex_unlock(&ring->lock);
}
