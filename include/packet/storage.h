/*
 * Storage protocols inside TCP connections.
 */
#ifndef WEIR_PACKET_STORAGE_H
#define WEIR_PACKET_STORAGE_H

#include "packet/tcp.h"

/* Takes the payload of a segment; FOUND is what the analysis said about it. */
void storage_segment(struct decode *decode, struct flow *flow, unsigned side,
	const struct tcp_segment *segment, uint32_t found);

#endif
