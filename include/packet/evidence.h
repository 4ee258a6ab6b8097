/*
 * Evidence: the packets behind the findings, so that somebody else can look at them.
 * With each finding go the two packets before it and the two behind it in the same
 * connection, as far as they are among the last ones seen. Only headers and the first
 * bytes behind them are kept, unless whole packets were asked for: payload is private.
 * Nothing is allocated once it works.
 */
#ifndef WEIR_PACKET_EVIDENCE_H
#define WEIR_PACKET_EVIDENCE_H

#include "base/nsec.h"
#include "packet/class.h"

#include <stddef.h>

enum {
	EVIDENCE_BEHIND = 64,        /* bytes kept behind the headers */
	EVIDENCE_ROOM = 320,         /* most bytes of a packet, where not whole */
	EVIDENCE_ROOM_WHOLE = 65600, /* the longest merged frame */
	EVIDENCE_AROUND = 2,         /* packets before and behind */
	EVIDENCE_WORDS = (CLASS_MAX + 63) / 64,
	EVIDENCE_COMMENT = 700,
};

/* One packet that is kept. */
struct evidence_entry {
	nsec time; /* wall clock of the capture */
	uint32_t captured, length;
	uint32_t finding; /* number of what it belongs to, from 1 */
	int32_t place;    /* 0: it is the finding itself; -1: the one before it ... */
	uint32_t direction;
	uint64_t seen[EVIDENCE_WORDS]; /* classes that this packet has */
	const uint8_t *data;           /* CAPTURED bytes, borrowed */
};

struct evidence_options {
	bool whole;     /* all bytes of a packet */
	unsigned quota; /* findings of one class in PERIOD; more are only counted */
	nsec period;    /* 0: for ever */
	void (*put)(void *context, const struct evidence_entry *entry);
	void *context;
};

struct evidence;
struct decode;

struct evidence *evidence_new(const struct evidence_options *options);
void evidence_free(struct evidence *evidence);
size_t evidence_room(bool whole);

/* A frame was looked at. */
void evidence_frame(struct evidence *evidence, const struct decode *decode);

/* Classes that are worth a packet: wrong, or to be compared. */
bool evidence_wants(unsigned row);

/* Ids of the classes in SEEN, "a b c"; TO is cut to whole ids. */
void evidence_classes(const uint64_t seen[EVIDENCE_WORDS], char *to, size_t size);

/* Why the packet is there, for people. CLASSES as evidence_classes() gave them. */
void evidence_comment(
	const struct evidence_entry *entry, const char *classes, char *to, size_t size);

#endif
