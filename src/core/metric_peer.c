/* Metrics of storage peers. Where each comes from, and how it can mislead. */
#include "config.h"

#include "core/metric_rows.h"

#define INFO "tcp_info by NETLINK_SOCK_DIAG, "
#define EVENTS(id, title, better, raw, load, where, trap)                              \
	{                                                                              \
		id, title, KIND_PEER, METRIC_RATE, UNIT_PER_S, better, raw, 0, 1,      \
			load, INFO where, trap, 0                                      \
	}
#define BYTES(id, title, better, raw, load, where, trap)                               \
	{                                                                              \
		id, title, KIND_PEER, METRIC_RATE, UNIT_BYTES_S, better, raw, 0, 1,    \
			load, INFO where, trap, 0                                      \
	}
#define GAUGE(id, title, unit, better, raw, scale, where, trap)                        \
	{                                                                              \
		id, title, KIND_PEER, METRIC_GAUGE, unit, better, raw, 0, scale, 0,    \
			INFO where, trap, 0                                            \
	}

static const struct metric rows[] = {
	BYTES("peer.rx.bytes", "rx", BETTER_NEITHER, RAW_PEER_RX_BYTES, 0,
		"bytes_received",
		"Data of the storage protocol with its headers; of a connection that "
		"the kernel made for itself, what it did between the last reading and "
		"its end is missing."),
	BYTES("peer.tx.bytes", "tx delivered", BETTER_NEITHER, RAW_PEER_TX_BYTES, 0,
		"bytes_acked",
		"What the other side acknowledged, so it trails what was sent by a "
		"round trip."),
	EVENTS("peer.rx.segs", "rx segments", BETTER_NEITHER, RAW_PEER_RX_SEGS, 0,
		"segs_in", "Acknowledgements without data count too."),
	EVENTS("peer.tx.segs", "tx segments", BETTER_NEITHER, RAW_PEER_TX_SEGS, 0,
		"segs_out", "Acknowledgements without data count too."),
	EVENTS("peer.retrans", "retransmitted", BETTER_LOWER, RAW_PEER_RETRANS_SEGS,
		"peer.tx.segs", "total_retrans",
		"Sent again, needed or not: duplicates that the other side reports "
		"stand in their own row."),
	BYTES("peer.retrans.bytes", "retransmitted", BETTER_LOWER,
		RAW_PEER_RETRANS_BYTES, "peer.tx.bytes", "bytes_retrans",
		"Kernels before 4.19 do not count it."),
	EVENTS("peer.dsack", "came twice", BETTER_LOWER, RAW_PEER_DSACK, "peer.tx.segs",
		"dsack_dups",
		"Duplicates that the other side reported: retransmitted without need, "
		"by reordering or a late acknowledgement."),
	EVENTS("peer.ooo", "out of order", BETTER_LOWER, RAW_PEER_OOO, "peer.rx.segs",
		"rcv_ooopack",
		"Reordering and loss on the way in look the same here; kernels before "
		"5.4 do not count it."),
	{"peer.segments", "segments seen", KIND_PEER, METRIC_RATE, UNIT_PER_S,
		BETTER_NEITHER, RAW_PEER_SEGMENTS, 0, 1, 0, "weir-capture",
		"Wire segments of both directions that the capture of one interface "
		"saw: the measure for its bad packets.",
		0},
	GAUGE("peer.rtt", "round trip", UNIT_SECONDS, BETTER_LOWER, RAW_PEER_RTT_US,
		1e-6, "rtt",
		"Smoothed by the kernel; mean of the connections, of which an idle one "
		"keeps its last value; includes delayed acknowledgements."),
	GAUGE("peer.minrtt", "least round trip", UNIT_SECONDS, BETTER_LOWER,
		RAW_PEER_MIN_RTT_US, 1e-6, "min_rtt",
		"The least of all connections over the last minutes, not of this "
		"tick."),
	GAUGE("peer.unacked", "segments on the way", UNIT_COUNT, BETTER_NEITHER,
		RAW_PEER_UNACKED, 1, "unacked",
		"At the moment of reading only; sum of the connections."),
	GAUGE("peer.cwnd", "congestion window", UNIT_COUNT, BETTER_NEITHER,
		RAW_PEER_CWND, 1, "snd_cwnd",
		"Segments that may be on the way, sum of the connections: a limit, "
		"not use."),
	GAUGE("peer.delivery", "delivery rate", UNIT_BYTES_S, BETTER_NEITHER,
		RAW_PEER_DELIVERY, 1, "delivery_rate",
		"The kernel's latest measurement, of the fastest connection; an idle "
		"one keeps its last value, and little to send gives a low one."),
	GAUGE("peer.connections", "connections", UNIT_COUNT, BETTER_NEITHER,
		RAW_PEER_CONNECTIONS, 1, "sockets in state ESTABLISHED",
		"Those that came and went between two readings are not seen."),
	GAUGE("peer.pmtu", "path MTU", UNIT_BYTES, BETTER_NEITHER, RAW_PEER_PMTU, 1,
		"pmtu",
		"The least of the connections, as the kernel believes it; over "
		"loopback or a tunnel it says little about the wire."),
};

const struct metric_rows metric_rows_peer = {rows, sizeof rows / sizeof *rows};
