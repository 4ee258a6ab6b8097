/*
 * The live end of libpcap: one interface, opened with the privilege and read
 * without. Only tap.c knows pcap.h here. Never the pseudo device `any`: it neither
 * reports that an interface went away nor counts a bonded frame once.
 */
#ifndef WEIR_CAPTURE_TAP_H
#define WEIR_CAPTURE_TAP_H

#include "base/fault.h"
#include "base/nsec.h"
#include "packet/wire.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	TAP_SNAPLEN = 262144, /* whole frames, also merged ones */
	TAP_SNAPLEN_LEAST = 64,
	TAP_BATCH = 4096, /* frames between two looks at the clock */
};

struct tap_options {
	const char *interface;
	const char *filter; /* null: none */
	unsigned snaplen;
	unsigned ring; /* MiB */
	bool promiscuous;
};

struct tap_frame {
	const uint8_t *data; /* borrowed for the call */
	uint32_t captured, length;
	nsec time; /* wall clock */
};

struct tap;

/* Null and a fault if it cannot be opened; STATUS says which kind. Keeps the name of
 * the interface. */
struct tap *tap_open(const struct tap_options *options, enum wire_status *status,
	struct fault *fault);
int tap_linktype(const struct tap *tap);
int tap_descriptor(const struct tap *tap); /* to wait for */

/* Sent frames come with headers only: the card makes their checksums, so there is
 * nothing to verify in the rest. Read when it was opened. */
bool tap_cuts_sent(const struct tap *tap);

/* From now on all frames come with headers only, or whole again. */
bool tap_cut_all(struct tap *tap, bool cut, struct fault *fault);

/* Hands at most TAP_BATCH frames to TAKE, without waiting. -1 and a fault, with
 * STATUS, when there will never be another one; otherwise how many. */
int tap_read(struct tap *tap,
	void (*take)(void *context, const struct tap_frame *frame), void *context,
	enum wire_status *status, struct fault *fault);

/* From inside TAKE: what is being read ends with this frame, the rest comes next time.
 */
void tap_pause(struct tap *tap);

/* Frames that the kernel dropped because the ring was full, since the start. */
uint64_t tap_lost(struct tap *tap);

#endif
