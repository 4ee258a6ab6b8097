/*
 * What one weir-capture says about storage peers, as readings: a subject for each
 * peer and interface, "10.1.0.20:3260@eth0". A capture on two interfaces sees two
 * paths, and which one is bad is the question.
 */
#ifndef WEIR_SOURCE_PACKET_PEERS_H
#define WEIR_SOURCE_PACKET_PEERS_H

#include "packet/peer.h"
#include "source/source.h"

/* What was told about a row and when, so that it is told once, and seldom where it
 * changes all the time. */
struct peer_told {
	uint32_t tenant;
	uint16_t dialect;
	uint8_t header_digest, data_digest;
	nsec next; /* not before */
};

struct peer_telling {
	struct peer_told row[PEER_ROWS];
};

void packet_peers_put(struct peer_table *peers, const char *interface, nsec now,
	struct peer_telling *telling, struct sink *sink);

#endif
