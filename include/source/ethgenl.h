/*
 * What hardware counts in the standard's own words, by the "ethtool" family of generic
 * netlink: the same names for every driver. Requests and answers as bytes, so that
 * tests and the fuzzer can feed any; and the one file that asks the kernel.
 */
#ifndef WEIR_SOURCE_ETHGENL_H
#define WEIR_SOURCE_ETHGENL_H

#include "base/buffer.h"
#include "base/fault.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* IEEE 802.3 and RFC 2819; pause frames last. */
enum hardware {
	HARDWARE_SYMBOL,
	HARDWARE_FCS,
	HARDWARE_ALIGNMENT,
	HARDWARE_LATE_COLLISION,
	HARDWARE_TX_INTERNAL,
	HARDWARE_CARRIER_SENSE,
	HARDWARE_RX_INTERNAL,
	HARDWARE_LENGTH,
	HARDWARE_OUT_OF_RANGE,
	HARDWARE_TOO_LONG,
	HARDWARE_CONTROL,
	HARDWARE_UNDERSIZE,
	HARDWARE_OVERSIZE,
	HARDWARE_FRAGMENTS,
	HARDWARE_JABBERS,
	HARDWARE_TX_PAUSE,
	HARDWARE_RX_PAUSE,
	HARDWARE_COUNT,
};

struct hardware_counts {
	uint32_t have; /* bit of each that this driver reports */
	uint64_t values[HARDWARE_COUNT];
};

enum hardware_request {
	HARDWARE_GROUPS,
	HARDWARE_PAUSE,
	HARDWARE_REQUESTS,
};

/* Appends the request for the interface NAME, to the family of number FAMILY. */
void ethgenl_request(struct buffer *out, enum hardware_request request, uint16_t family,
	const char *name);

/* Takes one answer; false where it is none of them, *ERROR is then an errno or 0. */
bool ethgenl_take(
	struct hardware_counts *counts, const uint8_t *data, size_t size, int *error);

/* The number of the family in an answer of the kernel's registry; 0: not there. */
uint16_t ethgenl_family(const uint8_t *data, size_t size);

struct ethgenl {
	int fd;
	uint16_t family;
	struct buffer request;
	uint8_t answer[8192];
};

/* Needs no privilege. A fault: kernels before 5.6 do not know the family. */
bool ethgenl_open(struct ethgenl *genl, struct fault *fault);
void ethgenl_close(struct ethgenl *genl);
/* All counts of NAME; those that nobody reports are not in COUNTS->have. Returns 0, or
 * the errno of the last question. */
int ethgenl_read(
	struct ethgenl *genl, const char *name, struct hardware_counts *counts);

#endif
