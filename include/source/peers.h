/*
 * Storage peers out of the TCP sockets of this host: sums that never go back while
 * connections come and go. For its source, tests and the fuzzer.
 */
#ifndef WEIR_SOURCE_PEERS_H
#define WEIR_SOURCE_PEERS_H

#include "core/tick.h"
#include "source/ports.h"
#include "source/sockdiag.h"
#include "source/source.h"

enum {
	PEERS_MAX = 256,
	PEER_GAUGES = DIAG_SILENCE - DIAG_COUNTERS
};

struct peer {
	struct subject subject;
	bool served; /* storage is on this host: clients come and go, no events */
	uint32_t have;
	uint64_t sums[DIAG_COUNTERS];
	/* of this look */
	unsigned connections, opened, closed;
	unsigned rtt_count;
	uint64_t gauges[PEER_GAUGES];
	uint32_t have_gauges;
};

struct connection {
	uint64_t cookie;
	unsigned peer;
	uint32_t look; /* the last one that saw it */
	bool ended;
	uint64_t last[DIAG_COUNTERS];
};

struct peers {
	struct peer *list;
	size_t count, room;
	struct connection *connections;
	size_t connection_count, connection_room;
	size_t hint;        /* where the next search begins: dumps keep their order */
	uint32_t look;      /* number of this look; 1 is the first */
	struct ports ports; /* set before the first look */
	uint32_t listening; /* bit of each of them that somebody here serves */
	size_t refused;     /* sockets of peers beyond PEERS_MAX, of this look */
};

void peers_fini(struct peers *peers);
void peers_begin(struct peers *peers);
/* One socket of this look. Others than those of storage are left out. */
void peers_add(struct peers *peers, const struct diag_socket *socket);
/* The last figures of a socket that ended. One that was never seen counts if it was
 * alive within SINCE: others were seen before and given up. */
void peers_ended(struct peers *peers, const struct diag_socket *socket, nsec since);
/* Every socket was seen. One that two looks in a row did not see is gone: a dump may
 * miss one whose neighbour went, and it must not count anew when it is back. */
void peers_end(struct peers *peers);
void peers_put(const struct peers *peers, struct sink *sink);

#endif
