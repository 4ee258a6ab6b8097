/*
 * The bytes of NETLINK_SOCK_DIAG: the request for TCP sockets of some ports, and
 * one socket after the other out of the kernel's answer. No input or output here,
 * so that tests and the fuzzer can feed any bytes.
 */
#ifndef WEIR_SOURCE_SOCKDIAG_H
#define WEIR_SOURCE_SOCKDIAG_H

#include "base/buffer.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What is taken of the kernel's struct tcp_info. Counters first. */
enum diag_value {
	DIAG_BYTES_ACKED,
	DIAG_BYTES_RECEIVED,
	DIAG_BYTES_RETRANS,
	DIAG_SEGS_OUT,
	DIAG_SEGS_IN,
	DIAG_RETRANS,
	DIAG_DSACK,
	DIAG_OOO,
	DIAG_COUNTERS,
	DIAG_UNACKED = DIAG_COUNTERS,
	DIAG_RTT,     /* microseconds */
	DIAG_MIN_RTT, /* microseconds */
	DIAG_CWND,    /* segments */
	DIAG_DELIVERY,
	DIAG_PMTU,
	DIAG_SILENCE, /* milliseconds since the other side acknowledged anything */
	DIAG_VALUES,
};

/* Whether the kernel keeps it in 32 bits: such a counter wraps. */
bool diag_is_narrow(enum diag_value value);

struct diag_end {
	uint8_t address[16];
	uint16_t port;
};

enum {
	DIAG_ESTABLISHED = 1,
	DIAG_SYN_SENT = 2,
	DIAG_LISTEN = 10,
};

struct diag_socket {
	uint64_t cookie; /* no two sockets of one boot have the same */
	uint32_t interface;
	bool ipv6;
	uint8_t state; /* as above and others of the kernel */
	struct diag_end local, remote;
	uint32_t have; /* bit of each enum diag_value that this kernel reports */
	uint64_t values[DIAG_VALUES];
};

/* Appends the request, for IPv4 and IPv6. The kernel leaves out sockets with none of
 * PORTS at either end. */
void diag_request(struct buffer *out, const uint16_t *ports, size_t port_count);

enum diag_step {
	DIAG_SOCKET,
	DIAG_MORE, /* these bytes are used up, the dump goes on */
	DIAG_DONE,
	DIAG_FAILED, /* reader.error: an errno */
};

struct diag_reader {
	const uint8_t *data;
	size_t size, at;
	int error;
	bool torn; /* sockets came or went during the dump: some may be missing */
};

enum diag_step diag_next(struct diag_reader *reader, struct diag_socket *socket);

/* "10.1.0.20:3260", "[2001:db8::1]:2049", "[fe80::1%2]:445". */
void diag_end_text(const struct diag_socket *socket, const struct diag_end *end,
	char *text, size_t size);

#endif
