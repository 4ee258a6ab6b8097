/*
 * What `weir read --evidence` writes: opened before the cage, written in it.
 */
#ifndef WEIR_APP_READ_EVIDENCE_H
#define WEIR_APP_READ_EVIDENCE_H

#include "base/fault.h"
#include "packet/evidence.h"

#include <stdbool.h>

struct read_evidence;

/* A new file at PATH; null and a fault if there is one already. */
struct read_evidence *read_evidence_open(
	const char *path, bool whole, struct fault *fault);

/* For the engine that reads the capture file NAME; null where EVIDENCE is. */
struct evidence *read_evidence_for(
	struct read_evidence *evidence, const char *name, int linktype);

/* Writes the rest. A fault if not all of it could be written. */
bool read_evidence_close(struct read_evidence *evidence, struct fault *fault);

#endif
