/*
 * What weir-capture says about storage peers (packet/peer.h): lines as in wire.h,
 * behind the classes of a report.
 *
 *   peer N TENANT END dialect=N header=WORD data=WORD     (row N is now about END)
 *   peer-segments N RX TX UNKNOWN
 *   peer-class N ID RX TX UNKNOWN
 *   peer-times N KIND COUNT MICROSECONDS
 *   peer-slower N KIND EDGE COUNT...                      (PEER_SLOWER edges from EDGE)
 *
 * A row whose TENANT changed begins at 0.
 */
#ifndef WEIR_PACKET_WIRE_PEER_H
#define WEIR_PACKET_WIRE_PEER_H

#include "packet/peer.h"
#include "packet/wire.h"

enum {
	PEER_SLOWER = 5, /* edges on one line */
};

/* ---- the helper's side ---- */

struct wire_peers {
	const struct peer_table *now;
	const struct peer_table *sent;
	bool everything;
};

/* How many items there are to go through. */
unsigned wire_peer_items(void);

/* As wire_chunk(), from item *FROM on; may be empty. */
size_t wire_peer_chunk(
	const struct wire_peers *speech, unsigned *from, char *to, size_t size);
void wire_peer_sent(struct peer_table *sent, const struct peer_table *now,
	unsigned from, unsigned to);

/* ---- the reader's side: takes the rest of a line ---- */

bool wire_take_peer(struct wire_input *input, const char *at);
bool wire_take_peer_segments(struct wire_input *input, const char *at);
bool wire_take_peer_class(struct wire_input *input, const char *at);
bool wire_take_peer_times(struct wire_input *input, const char *at);
bool wire_take_peer_slower(struct wire_input *input, const char *at);

#endif
