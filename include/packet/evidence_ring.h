/*
 * Evidence on its way from weir-capture to the recorder: a ring of fixed size in a
 * shared memory that the recorder made and sealed, so that nobody can make it longer or
 * shorter. The helper writes and is never waited for; the recorder reads, and since
 * the other side has looked at hostile bytes it takes nothing for granted: an entry
 * that was torn, or whose numbers make no sense, is passed over and counted.
 */
#ifndef WEIR_PACKET_EVIDENCE_RING_H
#define WEIR_PACKET_EVIDENCE_RING_H

#include "packet/evidence.h"

/* Bytes of the memory. */
size_t evidence_ring_size(bool whole);

/* ---- the helper's side ---- */

struct evidence_writer {
	uint8_t *memory;
	bool whole;
	uint64_t written;
};

void evidence_writer_put(void *writer, const struct evidence_entry *entry);

/* ---- the recorder's side ---- */

struct evidence_reader {
	const uint8_t *memory;
	bool whole;
	uint64_t next; /* number of the entry to be read */
	uint64_t lost; /* overwritten, torn or senseless so far */
};

/* The next entry, whose bytes are copied to DATA (evidence_room() of them fit); false
 * where there is none yet. */
bool evidence_reader_next(
	struct evidence_reader *reader, struct evidence_entry *entry, uint8_t *data);

#endif
