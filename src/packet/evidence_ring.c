/* The ring of evidence; see the header. Each slot has a number that is odd while it is
 * being written: a reader that finds the same even number before and after its copy has
 * the entry whole. */
#include "config.h"

#include "packet/evidence_ring.h"

#include <string.h>

enum {
	SLOTS = 4096,
	SLOTS_WHOLE = 192,
	HEAD = 64, /* bytes in front of the slots: a cache line of its own */
};

struct slot {
	uint64_t sequence; /* 2n + 1 while entry n is written, then 2n + 2; 0: none */
	int64_t time;
	uint32_t captured, length;
	uint32_t finding;
	int32_t place;
	uint32_t direction;
	uint32_t classes; /* in the table of who wrote it */
	uint64_t seen[EVIDENCE_WORDS];
};

static size_t slot_size(bool whole)
{
	return sizeof(struct slot) + evidence_room(whole);
}

static uint64_t slots(bool whole)
{
	return whole ? SLOTS_WHOLE : SLOTS;
}

size_t evidence_ring_size(bool whole)
{
	return HEAD + (size_t)slots(whole) * slot_size(whole);
}

static size_t place_of(uint64_t number, bool whole)
{
	return HEAD + (size_t)(number % slots(whole)) * slot_size(whole);
}

void evidence_writer_put(void *context, const struct evidence_entry *entry)
{
	struct evidence_writer *writer = context;
	uint64_t number = writer->written++;
	uint8_t *at = writer->memory + place_of(number, writer->whole);
	struct slot *slot = (struct slot *)(void *)at;

	__atomic_store_n(&slot->sequence, 2 * number + 1, __ATOMIC_RELAXED);
	__atomic_thread_fence(__ATOMIC_RELEASE);
	slot->time = entry->time;
	slot->captured = entry->captured;
	slot->length = entry->length;
	slot->finding = entry->finding;
	slot->place = entry->place;
	slot->direction = entry->direction;
	slot->classes = packet_class_count;
	memcpy(slot->seen, entry->seen, sizeof slot->seen);
	memcpy(at + sizeof *slot, entry->data, entry->captured);
	__atomic_store_n(&slot->sequence, 2 * number + 2, __ATOMIC_RELEASE);
	__atomic_store_n(
		(uint64_t *)(void *)writer->memory, writer->written, __ATOMIC_RELEASE);
}

static bool makes_sense(const struct slot *slot, bool whole)
{
	return slot->captured <= evidence_room(whole) && slot->finding &&
	       slot->direction < PACKET_DIRECTIONS && slot->place >= -EVIDENCE_AROUND &&
	       slot->place <= EVIDENCE_AROUND && slot->classes == packet_class_count;
}

/* Copies entry NUMBER; false where it is not there whole, or nonsense. */
static bool take(const struct evidence_reader *reader, uint64_t number,
	struct slot *slot, uint8_t *data)
{
	const uint8_t *at = reader->memory + place_of(number, reader->whole);
	const struct slot *shared = (const struct slot *)(const void *)at;

	if (__atomic_load_n(&shared->sequence, __ATOMIC_ACQUIRE) != 2 * number + 2)
		return false;
	memcpy(slot, shared, sizeof *slot);
	if (!makes_sense(slot, reader->whole))
		return false;
	memcpy(data, at + sizeof *shared, slot->captured);
	__atomic_thread_fence(__ATOMIC_ACQUIRE);
	return __atomic_load_n(&shared->sequence, __ATOMIC_RELAXED) == 2 * number + 2;
}

bool evidence_reader_next(
	struct evidence_reader *reader, struct evidence_entry *entry, uint8_t *data)
{
	uint64_t written = __atomic_load_n(
		(const uint64_t *)(const void *)reader->memory, __ATOMIC_ACQUIRE);
	uint64_t room = slots(reader->whole);
	struct slot slot;

	/* a number that ran ahead or back is not followed further than the ring */
	if (written > reader->next && written - reader->next > room) {
		reader->lost += written - reader->next - room;
		reader->next = written - room;
	}
	for (; reader->next < written; reader->next++, reader->lost++) {
		if (!take(reader, reader->next, &slot, data))
			continue;
		reader->next++;
		*entry = (struct evidence_entry){.time = slot.time,
			.captured = slot.captured,
			.length = slot.length,
			.finding = slot.finding,
			.place = slot.place,
			.direction = slot.direction,
			.data = data};
		memcpy(entry->seen, slot.seen, sizeof entry->seen);
		return true;
	}
	return false;
}
