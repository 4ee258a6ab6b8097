/*
 * What weir-capture says: ASCII lines on its standard output, one direction, at
 * most WIRE_LINE bytes with the newline, every figure cumulative since the helper
 * started. A line that is lost, repeated or not understood does no harm: the next
 * one about the same thing replaces it (doc/protocol.md). Pure on both sides.
 *
 *   hello VERSION link=N uid=N cage=full|open tx=full|headers
 *   at NANOSECONDS lost N cpu N effort full|ring|cpu     (a report begins)
 *   frames RX TX UNKNOWN
 *   bytes RX TX UNKNOWN
 *   segments RX TX UNKNOWN
 *   cut N
 *   class ID RX TX UNKNOWN
 *   peer ..., peer-segments ..., peer-class ...          (packet/wire_peer.h)
 *   bye STATUS %-quoted-reason
 */
#ifndef WEIR_PACKET_WIRE_H
#define WEIR_PACKET_WIRE_H

#include "base/nsec.h"
#include "packet/engine.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	WIRE_VERSION = 1,
	WIRE_LINE = 256,
	WIRE_CHUNK = 4096, /* PIPE_BUF of Linux: written whole or not at all */
};

/* The kernel's ring for the frames of one interface, in MiB: 32 are 26 ms of a full
 * 10 Gbit/s. With more than the most the helper would not fit into its limits. */
enum {
	CAPTURE_RING = 32,
	CAPTURE_RING_LEAST = 1,
	CAPTURE_RING_MOST = 512,
};

/* Reports are made at whole multiples of this on the monotonic clock, so that the
 * reports of several helpers are about the same moments; every WIRE_SILENCE even
 * if nothing changed, and all figures again every WIRE_REPEAT. */
#define WIRE_BEAT    (100 * NSEC_PER_MSEC)
#define WIRE_SILENCE (1 * NSEC_PER_SEC)
#define WIRE_REPEAT  (10 * NSEC_PER_SEC)

/* Exit status of weir-capture, and the status in `bye`. */
enum wire_status {
	WIRE_DONE,
	WIRE_FAILED,
	WIRE_USAGE,
	WIRE_GONE,   /* the interface is not there any more */
	WIRE_DENIED, /* the privilege is missing */
};

/* How much of a frame is looked at. */
enum wire_effort {
	EFFORT_FULL,
	EFFORT_RING, /* headers only: the ring was more than half full */
	EFFORT_CPU,  /* headers only: more than a quarter of a core was used */
	EFFORT_COUNT,
};

struct wire_hello {
	unsigned version; /* 0: none came yet */
	int linktype;
	unsigned uid;
	bool caged;      /* with the system call filter */
	bool tx_headers; /* sent frames are cut: the card makes their checksums */
};

/* The figures beside the tally. */
struct wire_report {
	nsec at; /* monotonic clock; 0: none came yet */
	uint64_t lost;
	uint64_t cpu; /* nanoseconds */
	enum wire_effort effort;
};

/* ---- the helper's side ---- */

size_t wire_hello(const struct wire_hello *hello, char *to, size_t size);
size_t wire_bye(enum wire_status status, const char *reason, char *to, size_t size);

struct wire_speech {
	const struct wire_report *report;
	const struct tally *now;
	const struct tally *sent; /* classes as they were said last */
	bool everything;          /* all classes that were ever seen, not only news */
};

/* Formats as much of a report as fits into SIZE (WIRE_CHUNK): the head, then classes
 * from row *FROM on. Moves *FROM behind the last row looked at; the report is complete
 * when that is packet_class_count. Changes nothing else: the caller copies the rows
 * to SENT by wire_sent() once the bytes are out. */
size_t wire_chunk(
	const struct wire_speech *speech, unsigned *from, char *to, size_t size);
void wire_sent(struct tally *sent, const struct tally *now, unsigned from, unsigned to);

/* ---- the reader's side ---- */

struct peer_table;

struct wire_input {
	struct wire_hello hello;
	struct wire_report report;
	struct tally tally;
	struct peer_table *peers; /* the caller's; null: not listened to */
	bool ended;               /* bye came */
	enum wire_status status;
	char reason[128];     /* of bye, clean */
	uint64_t bad;         /* lines that were not understood */
	char line[WIRE_LINE]; /* the line that is not complete yet */
	size_t used;
	bool skipping; /* it is too long: dropped up to its end */
};

/* Takes BYTES, whatever they are, cut anywhere. Unknown words and unknown class
 * ids are passed over: a newer helper may say more. */
void wire_feed(struct wire_input *input, const char *bytes, size_t size);

#endif
