/*
 * One frame on its way through the layers, and the functions that take it from
 * one header to the next. Inside the packet layer only.
 */
#ifndef WEIR_PACKET_DECODE_H
#define WEIR_PACKET_DECODE_H

#include "packet/class_id.h"
#include "packet/column.h"
#include "packet/engine.h"
#include "packet/peer.h"
#include "packet/view.h"

#include <string.h>

enum {
	DEPTH_MAX = 32, /* headers inside headers; deeper ones are not looked at */
	SEEN_WORDS = (CLASS_MAX + 63) / 64,
};

struct decode {
	struct engine *engine;
	const struct packet_frame *frame;
	enum packet_rules rules;
	enum packet_direction direction; /* as given, or as the link header says */
	uint64_t seen[SEEN_WORDS];       /* classes of this frame */
	uint64_t columns;
	uint32_t segments;     /* wire segments that the frame stands for */
	uint32_t resent;       /* of them retransmitted */
	uint64_t flow;         /* tells connections apart; 0: none was found */
	uint32_t headers;      /* bytes of the frame up to the payload; 0: not known */
	struct peer_row *peer; /* whose storage traffic it is; null: none */
	uint16_t vlan;         /* innermost tag */
	uint8_t depth;
	uint8_t ip4s, ip6s, tcps, udps, icmps; /* headers met so far */
	bool quoted;                           /* inside the quote of an ICMP error */
	bool damaged; /* behind an IPv4 header that came in from the wire with a bad sum
		       */
	bool untrue;  /* behind one that went out so, or came in */
};

/* What the network layer tells the transport. */
struct network {
	uint8_t version;    /* 4 or 6 */
	uint8_t protocol;   /* of what follows */
	uint16_t id;        /* IPv4 identification, 0 for IPv6 */
	uint8_t source[16]; /* IPv4: the first four bytes, the rest 0 */
	uint8_t target[16]; /* where it finally goes, source routes followed */
	uint64_t pseudo;    /* sum of both addresses */
	bool rebuilt;       /* from fragments */
	bool fragment;      /* the first fragment of a packet whose rest is missing */
	bool damaged;       /* came in from the wire with a bad header sum */
	bool untrue;        /* went out so, or came in */
};

static inline void see(struct decode *decode, enum seen seen)
{
	decode->seen[seen / 64] |= UINT64_C(1) << (seen % 64);
}

static inline void mark(struct decode *decode, enum column column)
{
	decode->columns |= UINT64_C(1) << column;
}

/* The four answers to a checksum; the rows of the class table are in this order. */
enum answer {
	SUM_BAD,
	SUM_GOOD,
	SUM_OFFLOADED,
	SUM_UNJUDGED
};

static inline void see_sum(struct decode *decode, enum seen first, enum answer answer)
{
	see(decode, (enum seen)((unsigned)first + (unsigned)answer));
}

/* A read met the end END of its bytes: past the wire is malformed; a cut by the
 * capture is not, nor is the end of a quote, which is short on purpose. */
static inline void ended(struct decode *decode, enum view_end end, enum seen seen)
{
	if (end != VIEW_PAST || decode->quoted)
		return;
	see(decode, seen);
	mark(decode, COLUMN_malformed_l2l4);
}

/* Link layer: by link type, and by Ethernet type. */
bool link_known(int linktype);
void link_decode(struct decode *decode, int linktype, struct view view);
void ethernet_decode(struct decode *decode, struct view view);
void ethertype_decode(struct decode *decode, uint16_t type, struct view view);

/* The headers end SIZE bytes into VIEW. In a packet put together they are not known. */
static inline void headers_end(
	struct decode *decode, const struct view *view, uint32_t size)
{
	uintptr_t start = (uintptr_t)decode->frame->data, at = (uintptr_t)view->data;

	if (at >= start && at - start <= decode->frame->captured)
		decode->headers = (uint32_t)(at - start) + size;
}

/* Which storage peer the packet belongs to, by its ends. */
void peer_decode(
	struct decode *decode, const struct network *network, const uint8_t *ports);

/* Sent or received, by the addresses that somebody named as this side. */
void host_direction(struct decode *decode, const struct network *network);

void arp_decode(struct decode *decode, struct view view);
void fcoe_decode(struct decode *decode, struct view view);
void ip4_decode(struct decode *decode, struct view view);
void ip6_decode(struct decode *decode, struct view view);

/* What follows an IP header: NETWORK->protocol says what. */
void transport_decode(
	struct decode *decode, const struct network *network, struct view view);

/* The inside of an ICMPv6 message, and of one of RPL: lengths and options. */
void icmp6_message(struct decode *decode, const struct view *view);
bool rpl_fits(const struct view *view);

typedef void transport_function(
	struct decode *decode, const struct network *network, struct view view);
transport_function tcp_decode, udp_decode, icmp_decode, icmp6_decode, gre_decode;
transport_function ip6_extensions;

#endif
