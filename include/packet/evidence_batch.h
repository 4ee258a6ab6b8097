/*
 * Packets that are kept, on their way: with the interface that saw them, and their
 * bytes in one place.
 */
#ifndef WEIR_PACKET_EVIDENCE_BATCH_H
#define WEIR_PACKET_EVIDENCE_BATCH_H

#include "base/buffer.h"
#include "packet/evidence.h"

struct evidence_packet {
	struct evidence_entry entry;
	int linktype;
	char interface[16];
};

/* A zeroed one is empty. */
struct evidence_batch {
	struct evidence_packet *list; /* their data: offsets, see below */
	size_t count, room;
	size_t *offsets;
	size_t offset_room;
	struct buffer bytes;
};

void evidence_batch_fini(struct evidence_batch *batch);
void evidence_batch_clear(struct evidence_batch *batch); /* keeps the memory */
void evidence_batch_add(
	struct evidence_batch *batch, const struct evidence_packet *packet);

/* Packet INDEX; its data is the batch's until something is added. */
struct evidence_packet evidence_batch_at(
	const struct evidence_batch *batch, size_t index);

#endif
