/*
 * TCP connections and what is remembered of them: a table of fixed size, sets of
 * eight; when a set is full the connection that was silent longest is forgotten.
 */
#ifndef WEIR_PACKET_FLOW_H
#define WEIR_PACKET_FLOW_H

#include "base/nsec.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct network;

/* Findings about one segment (capture rules of doc/packets.md). */
enum tcp_finding {
	TCP_PROBE = 1 << 0,
	TCP_ZERO_WINDOW = 1 << 1,
	TCP_LOST_SEGMENT = 1 << 2,
	TCP_KEEP_ALIVE = 1 << 3,
	TCP_WINDOW_UPDATE = 1 << 4,
	TCP_WINDOW_FULL = 1 << 5,
	TCP_KEEP_ALIVE_ACK = 1 << 6,
	TCP_PROBE_ACK = 1 << 7,
	TCP_DUPLICATE_ACK = 1 << 8,
	TCP_ACK_LOST = 1 << 9,
	TCP_SPURIOUS = 1 << 10,
	TCP_FAST = 1 << 11,
	TCP_OUT_OF_ORDER = 1 << 12,
	TCP_RETRANSMISSION = 1 << 13,
	TCP_REUSED_PORTS = 1 << 14,
};

enum {
	RECENT = 4,
	SCALE_UNKNOWN = -1,
	SCALE_NOT_USED = -2,
};

/* One of the last segments of a direction, to know a second sight of it. */
struct recent {
	uint32_t print;   /* of IP id, numbers, length and header */
	uint32_t time_us; /* wraps, as differences may */
	uint32_t sequence, length;
	uint16_t sum; /* of the payload */
	bool used;
	bool judged; /* SUM is known to be right */
};

/* The sender's half of a connection. */
struct flow_side {
	uint32_t base;     /* initial sequence number, if has_base */
	uint32_t next;     /* highest seen, 0: none */
	uint32_t maxack;   /* highest without a hole, 0: none */
	uint32_t lastack;  /* acknowledgement of its last segment */
	uint32_t window;   /* of its last segment, unscaled */
	uint32_t stray;    /* where one went that nobody confirmed yet, 0: none */
	uint32_t dup;      /* duplicate acknowledgements in a row */
	nsec next_time;    /* when NEXT was set */
	nsec last_time;    /* of its last segment */
	uint32_t findings; /* of its last segment */
	uint16_t mss;      /* that it announced, 0: none */
	int8_t scale;      /* window scale */
	bool has_base;
	bool first_ack;      /* the last thing it sent was a SYN */
	uint16_t multipath;  /* options of MPTCP on its last segment */
	uint16_t unanswered; /* segments since the last one that was acknowledged */
	uint8_t recent_at;
};

/* Both ends, the smaller one first; compared bytewise. */
struct flow_key {
	uint8_t address[2][16];
	uint16_t port[2];
	uint16_t vlan;
	uint16_t version;
};

struct flow {
	struct flow_key key;
	uint16_t stream;    /* of its storage protocol, 0: none */
	uint16_t multipath; /* options of MPTCP on the last segment of both */
	nsec syn_time;      /* of the last pure SYN, 0: none */
	nsec rtt;           /* 0: unknown */
	struct flow_side side[2];
	struct recent recent[2][RECENT]; /* of each side */
	uint32_t used;                   /* when, for the choice of the oldest */
};

struct flow_table;

struct flow_table *flows_new(size_t room);
void flows_free(struct flow_table *table);

/* Where to look for the connection of a segment. */
struct flow_place {
	struct flow_key key;
	uint64_t hash;
	unsigned side; /* of the sender */
};

/* Tells the processor what will be needed soon; the sum over the payload hides the
 * way to memory. */
struct flow_place flows_place(const struct flow_table *table,
	const struct network *network, const uint8_t *ports, uint16_t vlan);

/* The connection between the two ends, a fresh one if there is none. */
struct flow *flows_get(struct flow_table *table, const struct flow_place *place);

/* Forgets all but who talks to whom: another connection between the same ends. */
void flow_reset(struct flow *flow);

#endif
