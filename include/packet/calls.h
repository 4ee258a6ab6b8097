/*
 * Requests that wait for their answer: a bounded table that forgets the oldest.
 */
#ifndef WEIR_PACKET_CALLS_H
#define WEIR_PACKET_CALLS_H

#include "base/nsec.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct call {
	uint64_t owner; /* the connection, never 0 */
	uint32_t id;    /* task tag or transaction id */
	uint32_t kind;  /* what the protocol wants to know with the answer */
	nsec time;
	uint8_t what; /* enum response_kind, where it is not in KIND */
	bool answered;
};

struct calls;

struct calls *calls_new(size_t room);
void calls_free(struct calls *calls);

/* Null where the request was not seen. */
struct call *calls_find(struct calls *calls, uint64_t owner, uint32_t id);

/* The call as it was, if it is there already, else null after adding it. */
struct call *calls_add(struct calls *calls, const struct call *call);

#endif
