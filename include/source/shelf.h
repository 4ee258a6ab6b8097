/*
 * The shared memory for evidence (packet/evidence_ring.h), as the recorder makes it: of
 * fixed size, sealed so that neither side can change that, and mapped for reading only.
 */
#ifndef WEIR_SOURCE_SHELF_H
#define WEIR_SOURCE_SHELF_H

#include "base/fault.h"
#include "packet/evidence_ring.h"

/* All zero: none. */
struct shelf {
	int fd; /* to be the helper's standard input; -1 once it has it */
	uint8_t *memory;
	size_t size;
	struct evidence_reader reader;
};

bool shelf_open(struct shelf *shelf, bool whole, struct fault *fault);
void shelf_handed(struct shelf *shelf); /* the helper has it */
void shelf_close(struct shelf *shelf);

#endif
