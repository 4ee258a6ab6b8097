/*
 * What IPv4 and IPv6 share: reassembly and the way to the transport.
 */
#ifndef WEIR_PACKET_IP_H
#define WEIR_PACKET_IP_H

#include "packet/decode.h"
#include "packet/fragment.h"

/* Where a piece lies in its packet. */
struct ip_piece {
	uint32_t id;
	uint32_t offset;
	bool more;
};

/* Goes on with the whole packet where PIECE completes it, else nowhere. */
void ip_reassemble(struct decode *decode, struct network *network,
	const struct ip_piece *piece, struct view data);

#endif
