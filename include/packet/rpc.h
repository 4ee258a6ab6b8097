/*
 * One ONC RPC message, from a TCP record or a UDP datagram.
 */
#ifndef WEIR_PACKET_RPC_H
#define WEIR_PACKET_RPC_H

#include "packet/stream.h"

struct rpc_sight {
	struct calls *calls;
	uint64_t owner; /* of the conversation */
	nsec time;
	struct decode *decode; /* of the frame, for the peer */
};

enum {
	CALL_HEAD = 24, /* to the procedure */
};

struct rpc_found {
	uint64_t seen[SEEN_WORDS];
	uint64_t columns;
};

/* VIEW: the start of the message, as much of it as matters. */
void rpc_message(const struct rpc_sight *sight, const struct view *view,
	struct rpc_found *found);

/* Whether an NFS call reads, writes or does something else: enum response_kind, or
 * RESPONSE_KINDS where it cannot be told. VIEW has CALL_HEAD bytes and more. */
unsigned nfs_kind(const struct view *view);

void rpc_datagram(struct decode *decode, const struct network *network,
	const uint8_t *ports, const struct view *payload);

#endif
