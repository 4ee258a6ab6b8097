/*
 * One row per storage peer, the sum over its TCP connections; see the header.
 *
 * A sum over a changing set of connections is not a kernel counter: it would fall
 * when one closes. So the last values of each connection are kept here, and what
 * it did since is added to the sum of its peer. This is the one source that
 * computes, because no reader could: what is summed is gone when a tick is read.
 * What a connection did between the last look and its end is told at its end
 * (source/ended.h), but for those that the kernel made for itself.
 *
 * The peer is the storage side: the remote end of a connection that this host
 * made, the local end of one that it serves. A local port alone does not say that
 * (clients of NFS use low ports, 860 among them): somebody must listen on it.
 */
#include "config.h"

#include "source/peers.h"

#include "base/alloc.h"
#include "base/text.h"

#include <stdlib.h>
#include <string.h>

static const unsigned counter_raws[DIAG_COUNTERS] = {
	[DIAG_BYTES_ACKED] = RAW_PEER_TX_BYTES,
	[DIAG_BYTES_RECEIVED] = RAW_PEER_RX_BYTES,
	[DIAG_BYTES_RETRANS] = RAW_PEER_RETRANS_BYTES,
	[DIAG_SEGS_OUT] = RAW_PEER_TX_SEGS,
	[DIAG_SEGS_IN] = RAW_PEER_RX_SEGS,
	[DIAG_RETRANS] = RAW_PEER_RETRANS_SEGS,
	[DIAG_DSACK] = RAW_PEER_DSACK,
	[DIAG_OOO] = RAW_PEER_OOO,
};

/* How the gauges of several connections become one. */
enum join {
	JOIN_SUM,
	JOIN_MEAN,
	JOIN_LEAST,
	JOIN_MOST,
};

static const struct gauge {
	unsigned raw;
	enum join join;
} gauges[PEER_GAUGES] = {
	[DIAG_UNACKED - DIAG_COUNTERS] = {RAW_PEER_UNACKED, JOIN_SUM},
	[DIAG_RTT - DIAG_COUNTERS] = {RAW_PEER_RTT_US, JOIN_MEAN},
	[DIAG_MIN_RTT - DIAG_COUNTERS] = {RAW_PEER_MIN_RTT_US, JOIN_LEAST},
	[DIAG_CWND - DIAG_COUNTERS] = {RAW_PEER_CWND, JOIN_SUM},
	[DIAG_DELIVERY - DIAG_COUNTERS] = {RAW_PEER_DELIVERY, JOIN_MOST},
	[DIAG_PMTU - DIAG_COUNTERS] = {RAW_PEER_PMTU, JOIN_LEAST},
};

void peers_fini(struct peers *peers)
{
	free(peers->list);
	free(peers->connections);
	*peers = (struct peers){0};
}

void peers_begin(struct peers *peers)
{
	peers->look++;
	peers->hint = 0;
	peers->refused = 0;
	for (size_t i = 0; i < peers->count; i++) {
		struct peer *peer = &peers->list[i];

		peer->connections = peer->opened = peer->closed = 0;
		peer->rtt_count = 0;
		peer->have_gauges = 0;
		memset(peer->gauges, 0, sizeof peer->gauges);
	}
}

/* ---- which peer ---- */

/* Index of the port on the storage side, or -1: not one of storage. */
static int storage_side(
	const struct peers *peers, const struct diag_socket *socket, bool *served)
{
	int local = ports_find(&peers->ports, socket->local.port);
	int remote = ports_find(&peers->ports, socket->remote.port);

	*served = local >= 0 && (peers->listening >> local & 1);
	return *served ? local : remote;
}

static void name_peer(struct peer *peer, const struct diag_socket *socket, int port)
{
	struct subject *subject = &peer->subject;
	char end[SUBJECT_NAME - 8];

	subject->kind = KIND_PEER;
	diag_end_text(socket, peer->served ? &socket->local : &socket->remote, end,
		sizeof end);
	/* both fit: an address with its zone and port is at most 58 */
	(void)text_format(subject->name, sizeof subject->name, "%s%s", end,
		peer->served ? "/served" : "");
	(void)text_format(subject->detail, sizeof subject->detail, "%s, %s",
		ports_protocol((size_t)port),
		peer->served ? "served by this host" : "this host is the client");
}

/* -1 if there is no room for another one. */
static int peer_of(struct peers *peers, const struct diag_socket *socket)
{
	struct peer new = {0};
	int port = storage_side(peers, socket, &new.served);

	name_peer(&new, socket, port);
	for (size_t i = 0; i < peers->count; i++)
		if (!strcmp(peers->list[i].subject.name, new.subject.name))
			return (int)i;
	if (peers->count == PEERS_MAX)
		return -1;
	xgrow(&peers->list, &peers->room, peers->count + 1, sizeof *peers->list);
	peers->list[peers->count] = new;
	return (int)peers->count++;
}

/* ---- which connection ---- */

static struct connection *find(struct peers *peers, uint64_t cookie)
{
	for (size_t i = 0; i < peers->connection_count; i++) {
		size_t at = (peers->hint + i) % peers->connection_count;

		if (peers->connections[at].cookie == cookie) {
			peers->hint = at + 1;
			return &peers->connections[at];
		}
	}
	return NULL;
}

static struct connection *add_connection(
	struct peers *peers, const struct diag_socket *socket)
{
	struct connection *connection;
	int peer = peer_of(peers, socket);

	if (peer < 0) {
		peers->refused++;
		return NULL;
	}
	xgrow(&peers->connections, &peers->connection_room, peers->connection_count + 1,
		sizeof *peers->connections);
	connection = &peers->connections[peers->connection_count++];
	*connection =
		(struct connection){.cookie = socket->cookie, .peer = (unsigned)peer};
	peers->list[peer].opened++;
	return connection;
}

/* ---- figures ---- */

static void add_counters(struct peer *peer, struct connection *connection,
	const struct diag_socket *socket)
{
	for (size_t i = 0; i < DIAG_COUNTERS; i++) {
		uint64_t step = socket->values[i] - connection->last[i];

		if (!(socket->have >> i & 1))
			continue;
		if (diag_is_narrow((enum diag_value)i))
			step = (uint32_t)step;
		else if (socket->values[i] < connection->last[i])
			step = 0; /* never so for one socket */
		peer->sums[i] += step;
		connection->last[i] = socket->values[i];
	}
	peer->have |= socket->have;
}

/* What these say before there was a first measurement. */
static bool is_measured(size_t gauge, uint64_t value)
{
	if (gauge == DIAG_MIN_RTT - DIAG_COUNTERS)
		return value && value != UINT32_MAX;
	return value || gauge == DIAG_UNACKED - DIAG_COUNTERS;
}

static void join(struct peer *peer, size_t gauge, uint64_t value)
{
	uint64_t *joined = &peer->gauges[gauge];
	bool first = !(peer->have_gauges >> gauge & 1);

	peer->have_gauges |= 1U << gauge;
	switch (gauges[gauge].join) {
	case JOIN_MEAN:
		peer->rtt_count++;
		*joined += value;
		break;
	case JOIN_SUM:
		*joined += value;
		break;
	case JOIN_LEAST:
		*joined = first || value < *joined ? value : *joined;
		break;
	case JOIN_MOST:
		*joined = value > *joined ? value : *joined;
		break;
	}
}

static void add_gauges(struct peer *peer, const struct diag_socket *socket)
{
	for (size_t i = 0; i < PEER_GAUGES; i++) {
		uint64_t value = socket->values[DIAG_COUNTERS + i];

		if ((socket->have >> (DIAG_COUNTERS + i) & 1) && is_measured(i, value))
			join(peer, i, value);
	}
}

void peers_add(struct peers *peers, const struct diag_socket *socket)
{
	struct connection *connection;
	struct peer *peer;
	bool served;

	if (socket->state == DIAG_LISTEN) {
		int port = ports_find(&peers->ports, socket->local.port);

		if (port >= 0)
			peers->listening |= UINT32_C(1) << port;
		return;
	}
	if (storage_side(peers, socket, &served) < 0 || !socket->have ||
		socket->state == DIAG_SYN_SENT)
		return;
	connection = find(peers, socket->cookie);
	if (!connection)
		connection = add_connection(peers, socket);
	if (!connection)
		return;
	peer = &peers->list[connection->peer];
	add_counters(peer, connection, socket);
	/* a socket that moved during the dump comes twice */
	if (connection->look != peers->look && socket->state == DIAG_ESTABLISHED) {
		peer->connections++;
		add_gauges(peer, socket);
	}
	connection->look = peers->look;
}

void peers_ended(struct peers *peers, const struct diag_socket *socket, nsec since)
{
	struct connection *connection = find(peers, socket->cookie);
	uint64_t silence = socket->values[DIAG_SILENCE];
	bool served;

	if (storage_side(peers, socket, &served) < 0 || !socket->have)
		return;
	if (!connection && silence <= (uint64_t)(since / NSEC_PER_MSEC))
		connection = add_connection(peers, socket);
	if (!connection)
		return;
	add_counters(&peers->list[connection->peer], connection, socket);
	connection->ended = true;
}

/* What the kernel tells of an end may come after looks that do not see the socket any
 * more: forgotten before, it would be taken for one that was never seen. */
enum {
	GONE = 2,
	FORGOTTEN = 20
};

void peers_end(struct peers *peers)
{
	size_t kept = 0;

	for (size_t i = 0; i < peers->connection_count; i++) {
		struct connection *connection = &peers->connections[i];
		uint32_t unseen = peers->look - connection->look;

		/* told at its second look without it; or now, if no look had it at all
		 * or the second is this one */
		if (unseen == GONE ||
			(connection->ended && (unseen < GONE || !connection->look)))
			peers->list[connection->peer].closed++;
		if (!connection->ended && unseen < FORGOTTEN)
			peers->connections[kept++] = *connection;
	}
	peers->connection_count = kept;
}

/* ---- into the tick ---- */

static void put_counters(const struct peer *peer, struct sink *sink, unsigned subject)
{
	for (size_t i = 0; i < DIAG_COUNTERS; i++)
		if (peer->have >> i & 1)
			sink_put(sink, subject, counter_raws[i], peer->sums[i]);
		else
			sink_none(sink, subject, counter_raws[i], WHY_UNSUPPORTED);
}

static void put_gauges(const struct peer *peer, struct sink *sink, unsigned subject)
{
	for (size_t i = 0; i < PEER_GAUGES; i++) {
		uint64_t value = peer->gauges[i];

		if (!(peer->have_gauges >> i & 1))
			continue; /* no connection has measured it yet */
		if (gauges[i].join == JOIN_MEAN)
			value /= peer->rtt_count;
		sink_put(sink, subject, gauges[i].raw, value);
	}
}

/* A client's connections to storage are few and meant to last. */
static void tell(const struct peers *peers, const struct peer *peer, struct sink *sink)
{
	if (peers->look == 1 || peer->served || (!peer->opened && !peer->closed))
		return;
	sink_event(sink, "%s: %u connections opened, %u closed, %u now",
		peer->subject.name, peer->opened, peer->closed, peer->connections);
}

void peers_put(const struct peers *peers, struct sink *sink)
{
	for (size_t i = 0; i < peers->count; i++) {
		const struct peer *peer = &peers->list[i];
		unsigned subject = sink_subject(sink, &peer->subject);

		sink_put(sink, subject, RAW_PEER_CONNECTIONS, peer->connections);
		put_counters(peer, sink, subject);
		put_gauges(peer, sink, subject);
		tell(peers, peer, sink);
	}
}
