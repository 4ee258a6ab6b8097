/*
 * Who does it: counts per storage peer, the end of a connection that has a storage
 * port, and how long it takes to answer. A bounded table: when it is full, whoever is
 * new is counted among all others, and each frame of theirs takes weight from the row
 * that did least, until it has none and makes room (after the "frequent items" sketch
 * of Misra and Gries). What it had counted is added to the others, so that sums over
 * all rows never go back.
 */
#ifndef WEIR_PACKET_PEER_H
#define WEIR_PACKET_PEER_H

#include "base/nsec.h"
#include "packet/class.h"

#include <stddef.h>

enum {
	PEERS_TOLD_APART = 16,
	PEER_OTHERS = PEERS_TOLD_APART, /* the row of all the rest */
	PEER_ROWS,
	STORAGE_PORTS = 5,
	PEER_TEXT = 56, /* "[address]:port" */
};

/* iSCSI and its older port, NFS, SMB, NVMe over TCP. */
extern const uint16_t packet_storage_ports[STORAGE_PORTS];

/* What was asked for. */
enum response_kind {
	RESPONSE_READ,
	RESPONSE_WRITE,
	RESPONSE_OTHER,
	RESPONSE_KINDS
};

/* Edges of the histogram: 64 us, doubled each time, up to 16.8 s; these are edges
 * of core/histogram.h too. What is not slower than the first has no count of its
 * own: it is the rest. */
enum {
	RESPONSE_EDGES = 19
};
#define RESPONSE_EDGE_US(edge) (UINT64_C(64) << (edge))

struct response {
	uint64_t count, sum_us;
	uint64_t slower[RESPONSE_EDGES]; /* answers that took longer than the edge */
};

extern const char *const packet_response_words[RESPONSE_KINDS];

struct peer_end {
	uint8_t address[16]; /* IPv4: the first four bytes, the rest 0 */
	uint16_t port;
	uint8_t version; /* 4 or 6; 0: a free row, or the one of the others */
};

enum peer_digest {
	PEER_DIGEST_UNKNOWN,
	PEER_DIGEST_OFF,
	PEER_DIGEST_ON
};

/* Cumulative since the row is this peer's. */
struct peer_row {
	struct peer_end end;
	uint32_t tenant; /* grows when the row becomes another one's */
	uint64_t weight; /* for the choice of who makes room */
	uint64_t segments[PACKET_DIRECTIONS]; /* on the wire, as in the tally */
	uint64_t count[CLASS_MAX][PACKET_DIRECTIONS];
	struct response response[RESPONSE_KINDS];
	uint16_t dialect;                   /* SMB, 0: not seen */
	uint8_t header_digest, data_digest; /* iSCSI, enum peer_digest */
};

struct peer_table {
	uint32_t tenants;
	unsigned last;                   /* row of the last packet */
	unsigned victim;                 /* row that is pressed to make room */
	uint64_t victim_weight, pressed; /* when that began; frames since */
	struct peer_row row[PEER_ROWS];
	/* Where it is heard (wire_peer.h): what rows had said before they became
	 * another one's, and what the others are shown to have. */
	struct peer_row given_up, shown;
};

struct network;

/* The storage end among the two, where one is; the ports are those of the packet. */
bool peer_end_of(
	const struct network *network, const uint8_t *ports, struct peer_end *end);

/* The row of END, or the one of the others; never null. */
struct peer_row *peer_row_of(struct peer_table *table, const struct peer_end *end);

void peer_add_up(struct peer_row *to, const struct peer_row *from);

/* What the others did themselves, as far as it was heard: without what was shown as
 * somebody's own before. Never goes back. */
const struct peer_row *peer_others_heard(struct peer_table *table);

/* A request was answered after TIME. A clock that ran backwards is no answer. */
void peer_answered(struct peer_row *row, enum response_kind kind, nsec time);

/* The lowest edge that at least SHARE of the answers did not exceed; false where that
 * is none, or there were no answers. */
bool response_bound(const struct response *response, double share, uint64_t *us);

/* Classes that are counted per peer: TCP, and the protocol of END's port. */
bool peer_counts(const struct peer_end *end, unsigned row);

/* "10.1.0.20:3260", "[2001:db8::1]:445"; "others" where END is none. TO has
 * PEER_TEXT bytes. */
void peer_text(const struct peer_end *end, char *to);

#endif
