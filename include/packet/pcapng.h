/*
 * Writing pcapng (draft-ietf-opsawg-pcapng): sections with interfaces, packets, and a
 * comment on each packet. Little-endian, nanoseconds.
 */
#ifndef WEIR_PACKET_PCAPNG_H
#define WEIR_PACKET_PCAPNG_H

#include "base/buffer.h"
#include "packet/class.h"
#include "packet/evidence.h"

/* The file begins; its interfaces and packets follow. */
void pcapng_begin(struct buffer *buffer, const char *comment);

/* The next interface, from 0 on. LINKTYPE is a DLT value; 0 bytes: no limit. */
void pcapng_interface(struct buffer *buffer, int linktype, const char *name);

void pcapng_packet(struct buffer *buffer, unsigned interface,
	const struct evidence_entry *entry, const char *comment);

#endif
