/*
 * TCP segments and the analysis of their order. Inside the packet layer only.
 */
#ifndef WEIR_PACKET_TCP_H
#define WEIR_PACKET_TCP_H

#include "packet/decode.h"
#include "packet/flow.h"

enum tcp_flag {
	TCP_FIN = 0x01,
	TCP_SYN = 0x02,
	TCP_RST = 0x04,
	TCP_PSH = 0x08,
	TCP_ACK = 0x10,
	TCP_URG = 0x20,
};

struct tcp_segment {
	const struct network *network;
	const uint8_t *header; /* the fixed 20 bytes */
	struct view view;      /* header and payload */
	uint32_t size;         /* of the header, as its data offset says */
	uint32_t sequence, acknowledgement;
	uint32_t window; /* unscaled */
	uint32_t length; /* of the payload; wraps below 0 where SIZE is too large */
	uint8_t flags;
	enum answer sum;
	uint16_t payload_sum; /* folded, where SUM is not SUM_UNJUDGED */
	/* From the options: */
	int8_t scale;       /* or SCALE_UNKNOWN */
	uint16_t mss;       /* or 0 */
	uint16_t multipath; /* a bit for each subtype of MPTCP that it carries */
	bool cut_short;     /* they run past the end of the segment */
	nsec time;
	bool sent;  /* by this host */
	bool plain; /* the rules as they are, without weir's corrections */
};

/* Reads the options; a bad one is counted. */
void tcp_options(struct decode *decode, struct tcp_segment *segment);

/* A SYN may begin a new connection between the same ends; remembers where the
 * numbers begin. Returns TCP_REUSED_PORTS or 0. */
uint32_t tcp_begin(struct flow *flow, unsigned side, const struct tcp_segment *segment);

/* After tcp_options: compares the segment with what was seen and updates it; returns
 * findings. */
uint32_t tcp_track(struct flow *flow, unsigned side, const struct tcp_segment *segment);

/* After tcp_track: round trip, window scale, segment size. */
void tcp_learn(struct flow *flow, unsigned side, const struct tcp_segment *segment);

/* Has this very frame been seen just before? If not, remembers it. DIFFERS is set
 * where the same stretch of data was seen with other bytes. */
bool tcp_seen_twice(struct flow *flow, unsigned side, const struct tcp_segment *segment,
	bool *differs);

#endif
