/*
 * Putting IP packets back together: a fixed pool of bytes, a bounded number of
 * packets at once; the oldest is given up when room is needed.
 */
#ifndef WEIR_PACKET_FRAGMENT_H
#define WEIR_PACKET_FRAGMENT_H

#include "base/nsec.h"
#include "packet/view.h"

struct fragments;

/* What makes fragments belong together; compared bytewise, so zero it first. */
struct fragment_key {
	uint8_t source[16];
	uint8_t target[16];
	uint32_t id;
	uint16_t vlan;
	uint8_t protocol;
	uint8_t version;
};

struct fragment_piece {
	struct fragment_key key;
	uint32_t offset; /* bytes */
	bool more;
	nsec time;
	struct view data; /* whole */
	uint32_t most;    /* bytes that a packet may have, at most 2 * 65535 */
};

/* What is known after a piece was added. */
struct fragment_answer {
	bool complete; /* WHOLE holds the packet, until the next call */
	bool overlap;  /* some piece of this packet covered another */
	bool conflict; /* and had other bytes */
	bool too_long; /* this piece ends past 65535: not added */
	bool fresh_overlap, fresh_conflict; /* this very piece did */
	uint8_t protocol;                   /* of the first fragment */
	struct view whole;
};

/* ROOM: packets that may be in the making at once. */
struct fragments *fragments_new(unsigned room);
void fragments_free(struct fragments *fragments);
void fragments_add(struct fragments *fragments, const struct fragment_piece *piece,
	struct fragment_answer *answer);

/* Packets given up since the last call because pieces were missing for 30 s at
 * NOW; counted for IPv4 and IPv6. */
void fragments_expire(struct fragments *fragments, nsec now, unsigned missing[2]);

#endif
