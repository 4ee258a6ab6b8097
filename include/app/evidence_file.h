/*
 * Evidence as a file for others: pcapng with a comment on each packet that says why it
 * is there.
 */
#ifndef WEIR_APP_EVIDENCE_FILE_H
#define WEIR_APP_EVIDENCE_FILE_H

#include "base/buffer.h"
#include "base/fault.h"
#include "packet/evidence_batch.h"

enum {
	EVIDENCE_INTERFACES = 64
};

/* Being written into OUT. */
struct evidence_file {
	struct buffer *out;
	struct {
		char name[16];
		int linktype;
	} interfaces[EVIDENCE_INTERFACES];
	unsigned interface_count;
	size_t packets;
	size_t left_out; /* of interfaces beyond those */
};

void evidence_file_begin(
	struct evidence_file *file, struct buffer *out, const char *about);
void evidence_file_add(struct evidence_file *file, const struct evidence_packet *packet,
	const char *classes);

/* All that the session at PATH has; *PACKETS says how many. */
bool evidence_file_of_session(
	const char *path, struct buffer *out, size_t *packets, struct fault *fault);

#endif
