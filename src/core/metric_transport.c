/* Metrics of iSCSI sessions and of FC ports. Where each comes from, and how it can
 * mislead. */
#include "config.h"

#include "core/metric_rows.h"

#define DISKS "sums of /sys/block/DISK/stat over its disks, "
#define FC    "/sys/class/fc_host/HOST/statistics/"
#define EVENTS(id, title, raw, where, trap)                                            \
	{                                                                              \
		id, title, KIND_TRANSPORT, METRIC_RATE, UNIT_PER_S, BETTER_LOWER, raw, \
			0, 1, 0, where, trap, 0                                        \
	}
#define OPS(id, title, raw, where)                                                     \
	{                                                                              \
		id, title, KIND_TRANSPORT, METRIC_RATE, UNIT_PER_S, BETTER_NEITHER,    \
			raw, 0, 1, 0, where,                                           \
			"What a disk did between the last reading and its end is "     \
			"missing.",                                                    \
			0                                                              \
	}
#define BYTES(id, title, raw, scale, load, where, trap)                                \
	{                                                                              \
		id, title, KIND_TRANSPORT, METRIC_RATE, UNIT_BYTES_S, BETTER_NEITHER,  \
			raw, 0, scale, load, where, trap, 0                            \
	}
#define WAIT(id, title, raw, ops, load, where)                                         \
	{                                                                              \
		id, title, KIND_TRANSPORT, METRIC_RATIO, UNIT_SECONDS, BETTER_LOWER,   \
			raw, ops, 1e-3, load, where,                                   \
			"Mean of requests that completed: those that hang are not in " \
			"it.",                                                         \
			0                                                              \
	}
#define STATE(id, title, better, raw, where, trap)                                     \
	{                                                                              \
		id, title, KIND_TRANSPORT, METRIC_GAUGE, UNIT_COUNT, better, raw, 0,   \
			1, 0, where, trap, 0                                           \
	}

static const struct metric rows[] = {
	STATE("transport.up", "up", BETTER_HIGHER, RAW_TRANSPORT_UP,
		"state of iscsi_session, port_state of fc_host and fc_remote_ports",
		"1 is LOGGED_IN or Online; a session that lost its link is still "
		"logged in until a ping fails."),
	STATE("transport.state", "held", BETTER_LOWER, RAW_TRANSPORT_STATE,
		"the same: 0 serves, 1 blocked, 2 given up",
		"While it is blocked its disks have nothing in flight and everything "
		"waits."),
	EVENTS("transport.failures", "lost", RAW_TRANSPORT_FAILURES,
		"readings in which the state was not good any more",
		"Counted by weir from its start; one that came back between two "
		"readings is not seen."),
	STATE("transport.disks", "disks", BETTER_NEITHER, RAW_TRANSPORT_DISKS,
		"disks below its device in sysfs",
		"Disks that are hidden on the screen count too."),
	{"transport.queue", "queue", KIND_TRANSPORT, METRIC_QUEUE, UNIT_COUNT,
		BETTER_LOWER, RAW_TRANSPORT_WEIGHTED_MS, 0, 1e-3, "transport.ops",
		DISKS "field 11 over the interval; field 9 where requests are slow",
		"Where requests are slow it is made of one moment per tick: the rows "
		"of the disks are sampled.",
		0},
	STATE("transport.pending", "in progress", BETTER_LOWER, RAW_TRANSPORT_PENDING,
		DISKS "field 9", "A single moment per tick."),
	{"transport.ops", "ops", KIND_TRANSPORT, METRIC_SUM, UNIT_PER_S, BETTER_NEITHER,
		RAW_TRANSPORT_READ_OPS, RAW_TRANSPORT_WRITE_OPS, 1, 0,
		DISKS "fields 1 and 5",
		"What a disk did between the last reading and its end is missing.", 0},
	OPS("transport.read.ops", "reads", RAW_TRANSPORT_READ_OPS, DISKS "field 1"),
	OPS("transport.write.ops", "writes", RAW_TRANSPORT_WRITE_OPS, DISKS "field 5"),
	BYTES("transport.read.bytes", "read", RAW_TRANSPORT_READ_SECTORS, 512,
		"transport.read.ops", DISKS "field 3 (sectors of 512 bytes)",
		"Data alone, without the protocol's headers."),
	BYTES("transport.write.bytes", "write", RAW_TRANSPORT_WRITE_SECTORS, 512,
		"transport.write.ops", DISKS "field 7 (sectors of 512 bytes)",
		"Data alone, without the protocol's headers."),
	WAIT("transport.read.await", "read wait", RAW_TRANSPORT_READ_MS,
		RAW_TRANSPORT_READ_OPS, "transport.read.ops",
		DISKS "field 4 per field 1"),
	WAIT("transport.write.await", "write wait", RAW_TRANSPORT_WRITE_MS,
		RAW_TRANSPORT_WRITE_OPS, "transport.write.ops",
		DISKS "field 8 per field 5"),
	BYTES("fc.rx.bytes", "fc rx", RAW_FC_RX_WORDS, 4, 0, FC "rx_words",
		"Words of 4 bytes; some adapters count less than everything."),
	BYTES("fc.tx.bytes", "fc tx", RAW_FC_TX_WORDS, 4, 0, FC "tx_words",
		"Words of 4 bytes; some adapters count less than everything."),
	OPS("fc.rx.frames", "fc rx frames", RAW_FC_RX_FRAMES, FC "rx_frames"),
	OPS("fc.tx.frames", "fc tx frames", RAW_FC_TX_FRAMES, FC "tx_frames"),
	EVENTS("fc.invalid.crc", "FC invalid CRC", RAW_FC_CRC, FC "invalid_crc_count",
		"A cut-through switch passes bad frames on: the cause may be another "
		"link."),
	EVENTS("fc.invalid.words", "FC invalid words", RAW_FC_INVALID_WORDS,
		FC "invalid_tx_word_count",
		"A few at each start of the link are normal."),
	EVENTS("fc.loss.of.sync", "FC loss of sync", RAW_FC_LOSS_OF_SYNC,
		FC "loss_of_sync_count", "Each start of the link counts one."),
	EVENTS("fc.loss.of.signal", "FC loss of signal", RAW_FC_LOSS_OF_SIGNAL,
		FC "loss_of_signal_count", "Also counts pulled cables."),
	EVENTS("fc.link.failures", "FC link failures", RAW_FC_LINK_FAILURES,
		FC "link_failure_count", "Also counts restarts of the switch port."),
	EVENTS("fc.protocol.errors", "FC protocol errors", RAW_FC_PROTOCOL,
		FC "prim_seq_protocol_err_count", "Primitive sequences only."),
	EVENTS("fc.lip", "FC LIP", RAW_FC_LIP, FC "lip_count",
		"On a loop each device that comes or goes sends one."),
	EVENTS("fc.nos", "FC NOS", RAW_FC_NOS, FC "nos_count",
		"Not operational sequences: the other end reported a link failure."),
	EVENTS("fc.error.frames", "FC error frames", RAW_FC_ERROR_FRAMES,
		FC "error_frames", "What counts as one is the adapter's own matter."),
	EVENTS("fc.dumped.frames", "FC dumped frames", RAW_FC_DUMPED_FRAMES,
		FC "dumped_frames", "Frames for which the host had no buffer."),
	EVENTS("fc.aborts", "FCP aborts", RAW_FC_ABORTS, FC "fcp_packet_aborts",
		"Counted by software FC (FCoE) only."),
	EVENTS("fc.congestion", "FC congestion", RAW_FC_CONGESTION, FC "fpin_cn",
		"Notifications of the fabric; kernels before 5.10 do not count them."),
	EVENTS("fc.link.integrity", "FC link integrity", RAW_FC_LINK_INTEGRITY,
		FC "fpin_li",
		"Notifications of the fabric; kernels before 5.10 do not count them."),
};

const struct metric_rows metric_rows_transport = {rows, sizeof rows / sizeof *rows};
