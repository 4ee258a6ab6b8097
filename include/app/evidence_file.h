/*
 * Evidence as a file for others: pcapng with a comment on each packet that says why it
 * is there.
 */
#ifndef WEIR_APP_EVIDENCE_FILE_H
#define WEIR_APP_EVIDENCE_FILE_H

#include "base/buffer.h"
#include "base/fault.h"
#include "packet/evidence_batch.h"

/* Being written into OUT. */
struct evidence_file {
	struct buffer *out;
	struct evidence_interface *list; /* those that were named by their packets */
	size_t count, room;
	unsigned interfaces; /* said so far */
	size_t packets;
};

void evidence_file_begin(
	struct evidence_file *file, struct buffer *out, const char *about);
void evidence_file_end(struct evidence_file *file);

/* A new interface, whatever others are called; its number. */
unsigned evidence_file_interface(
	struct evidence_file *file, int linktype, const char *name);
void evidence_file_put(struct evidence_file *file, unsigned interface,
	const struct evidence_entry *entry, const char *classes);

/* A packet of the interface that it names. */
void evidence_file_add(struct evidence_file *file, const struct evidence_packet *packet,
	const char *classes);

/* All that the session at PATH has; *PACKETS says how many. Where there are none, FAULT
 * says why, and the answer is true all the same. */
bool evidence_file_of_session(
	const char *path, struct buffer *out, size_t *packets, struct fault *fault);

#endif
