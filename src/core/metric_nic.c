/* Metrics of network cards. Where each comes from, and how it can mislead. */
#include "config.h"

#include "core/metric_rows.h"

#define STATGRAB "libstatgrab, network I/O, "
#define SYSFS    "/sys/class/net/NIC/statistics/"
#define ETHTOOL  "ethtool netlink, "
#define CAPTURE  "weir-capture, "
#define SEGMENTS "capture.segments"

/* Events per second of one raw counter: nearly all rows are of this form. */
#define EVENTS(id, title, better, raw, load, where, trap)                              \
	{                                                                              \
		id, title, KIND_NIC, METRIC_RATE, UNIT_PER_S, better, raw, 0, 1, load, \
			where, trap, 0                                                 \
	}
#define STATE(id, title, unit, better, raw, where, trap)                               \
	{                                                                              \
		id, title, KIND_NIC, METRIC_GAUGE, unit, better, raw, 0, 1, 0, where,  \
			trap, 0                                                        \
	}

static const struct metric rows[] = {
	{"net.rx.bytes", "rx", KIND_NIC, METRIC_RATE, UNIT_BYTES_S, BETTER_NEITHER,
		RAW_NET_RX_BYTES, 0, 1, SEGMENTS, STATGRAB "bytes received",
		"Drivers differ on whether the frame check and preamble count.", 0},
	{"net.tx.bytes", "tx", KIND_NIC, METRIC_RATE, UNIT_BYTES_S, BETTER_NEITHER,
		RAW_NET_TX_BYTES, 0, 1, SEGMENTS, STATGRAB "bytes sent",
		"With segmentation offload the headers of the segments that the card "
		"makes may be missing.",
		0},
	EVENTS("net.rx.packets", "rx packets", BETTER_NEITHER, RAW_NET_RX_PACKETS, 0,
		STATGRAB "packets received",
		"With receive offload several packets of the wire may count as one."),
	EVENTS("net.tx.packets", "tx packets", BETTER_NEITHER, RAW_NET_TX_PACKETS, 0,
		STATGRAB "packets sent",
		"With segmentation offload one packet here is many on the wire."),
	EVENTS("net.rx.errors", "rx errors", BETTER_LOWER, RAW_NET_RX_ERRORS, SEGMENTS,
		STATGRAB "receive errors",
		"A sum of kinds that the driver chooses; behind a cut-through switch "
		"the "
		"cause may be another link."),
	EVENTS("net.tx.errors", "tx errors", BETTER_LOWER, RAW_NET_TX_ERRORS, SEGMENTS,
		STATGRAB "transmit errors", "A sum of kinds that the driver chooses."),
	EVENTS("net.collisions", "collisions", BETTER_LOWER, RAW_NET_COLLISIONS,
		SEGMENTS, STATGRAB "collisions",
		"On a full-duplex link any collision means a duplex mismatch; on half "
		"duplex some are normal."),
	STATE("net.speed", "speed", UNIT_BITS_S, BETTER_HIGHER, RAW_NET_SPEED,
		"libstatgrab, interface, speed",
		"The speed of the link, not of the path behind it; virtual cards "
		"report "
		"none."),
	STATE("net.duplex", "duplex", UNIT_COUNT, BETTER_HIGHER, RAW_NET_DUPLEX,
		"libstatgrab, interface, duplex: 1 half, 2 full",
		"Virtual cards report none or what the driver was written to say."),
	STATE("net.link", "link", UNIT_COUNT, BETTER_HIGHER, RAW_NET_LINK,
		"libstatgrab, interface, up: 1 up, 0 down",
		"A flap shorter than the tick is seen only in the carrier changes."),
	EVENTS("net.rx.dropped", "rx dropped", BETTER_LOWER, RAW_NET_RX_DROPPED,
		SEGMENTS, SYSFS "rx_dropped",
		"Also counts unknown protocols and frames for nobody here: not the "
		"same "
		"as bad packets."),
	EVENTS("net.tx.dropped", "tx dropped", BETTER_LOWER, RAW_NET_TX_DROPPED,
		SEGMENTS, SYSFS "tx_dropped",
		"Drops of the queueing discipline above the card are not in it."),
	EVENTS("net.rx.missed", "rx missed", BETTER_LOWER, RAW_NET_RX_MISSED, SEGMENTS,
		SYSFS "rx_missed_errors",
		"Full receive ring: several drivers count this elsewhere and show 0."),
	EVENTS("net.rx.fifo", "rx fifo", BETTER_LOWER, RAW_NET_RX_FIFO, SEGMENTS,
		SYSFS "rx_fifo_errors", "Drivers mix this with missed and over."),
	EVENTS("net.rx.crc", "rx crc", BETTER_LOWER, RAW_NET_RX_CRC, SEGMENTS,
		SYSFS "rx_crc_errors",
		"Cut-through switches forward bad frames: this cable may be sound."),
	EVENTS("net.rx.frame", "rx frame", BETTER_LOWER, RAW_NET_RX_FRAME, SEGMENTS,
		SYSFS "rx_frame_errors", "Many drivers never count it."),
	EVENTS("net.rx.length", "rx length", BETTER_LOWER, RAW_NET_RX_LENGTH, SEGMENTS,
		SYSFS "rx_length_errors",
		"A frame above the MTU of this card may be legal for the sender."),
	EVENTS("net.rx.over", "rx over", BETTER_LOWER, RAW_NET_RX_OVER, SEGMENTS,
		SYSFS "rx_over_errors", "Drivers mix this with missed and fifo."),
	EVENTS("net.rx.nohandler", "rx nohandler", BETTER_NEITHER, RAW_NET_RX_NOHANDLER,
		SEGMENTS, SYSFS "rx_nohandler",
		"Normal on the inactive card of a bond."),
	EVENTS("net.tx.carrier", "tx carrier", BETTER_LOWER, RAW_NET_TX_CARRIER,
		SEGMENTS, SYSFS "tx_carrier_errors",
		"Also grows when a cable is pulled."),
	EVENTS("net.tx.fifo", "tx fifo", BETTER_LOWER, RAW_NET_TX_FIFO, SEGMENTS,
		SYSFS "tx_fifo_errors", "Many drivers never count it."),
	EVENTS("net.tx.aborted", "tx aborted", BETTER_LOWER, RAW_NET_TX_ABORTED,
		SEGMENTS, SYSFS "tx_aborted_errors",
		"Normal on half duplex under load."),
	EVENTS("net.tx.heartbeat", "tx heartbeat", BETTER_LOWER, RAW_NET_TX_HEARTBEAT,
		SEGMENTS, SYSFS "tx_heartbeat_errors",
		"Of old half-duplex media; other drivers put what they like here."),
	EVENTS("net.tx.window", "tx window", BETTER_LOWER, RAW_NET_TX_WINDOW, SEGMENTS,
		SYSFS "tx_window_errors",
		"Late collisions: a duplex mismatch or a cable that is too long."),
	EVENTS("net.multicast", "multicast", BETTER_NEITHER, RAW_NET_MULTICAST, 0,
		SYSFS "multicast", "Some drivers count it only when filtering is on."),
	EVENTS("net.carrier.changes", "link changes", BETTER_LOWER,
		RAW_NET_CARRIER_CHANGES, 0, "/sys/class/net/NIC/carrier_changes",
		"Up and down count one each; so does switching the card off on "
		"purpose."),
	EVENTS("net.hw.symbol", "symbol errors", BETTER_LOWER, RAW_NET_HW_SYMBOL,
		SEGMENTS, ETHTOOL "eth-phy SymbolErrorDuringCarrier",
		"A bad cable, a dirty optic or a dying transceiver; some links have a "
		"few."),
	EVENTS("net.hw.fcs", "bad checksums (FCS)", BETTER_LOWER, RAW_NET_HW_FCS,
		SEGMENTS, ETHTOOL "eth-mac FrameCheckSequenceErrors",
		"Cut-through switches forward bad frames: this cable may be sound."),
	EVENTS("net.hw.alignment", "alignment", BETTER_LOWER, RAW_NET_HW_ALIGNMENT,
		SEGMENTS, ETHTOOL "eth-mac AlignmentErrors",
		"Of slow copper links; others never count it."),
	EVENTS("net.hw.late.collision", "late collisions", BETTER_LOWER,
		RAW_NET_HW_LATE_COLLISION, SEGMENTS, ETHTOOL "eth-mac LateCollisions",
		"A duplex mismatch or a cable that is too long."),
	EVENTS("net.hw.tx.internal", "tx lost in card", BETTER_LOWER,
		RAW_NET_HW_TX_INTERNAL, SEGMENTS,
		ETHTOOL "eth-mac FramesLostDueToIntMACXmitError",
		"Underruns of the card, so the host was too slow, not the wire."),
	EVENTS("net.hw.carrier.sense", "carrier lost", BETTER_LOWER,
		RAW_NET_HW_CARRIER_SENSE, SEGMENTS,
		ETHTOOL "eth-mac CarrierSenseErrors",
		"Many full-duplex cards count nothing here."),
	EVENTS("net.hw.rx.internal", "rx lost in card", BETTER_LOWER,
		RAW_NET_HW_RX_INTERNAL, SEGMENTS,
		ETHTOOL "eth-mac FramesLostDueToIntMACRcvError",
		"Overruns of the card, so the host was too slow, not the wire."),
	EVENTS("net.hw.length", "bad length", BETTER_LOWER, RAW_NET_HW_LENGTH, SEGMENTS,
		ETHTOOL "eth-mac InRangeLengthErrors",
		"Length field and frame do not agree."),
	EVENTS("net.hw.out.of.range", "length out of range", BETTER_LOWER,
		RAW_NET_HW_OUT_OF_RANGE, SEGMENTS,
		ETHTOOL "eth-mac OutOfRangeLengthField",
		"Some protocols use such length fields on purpose."),
	EVENTS("net.hw.too.long", "too long", BETTER_LOWER, RAW_NET_HW_TOO_LONG,
		SEGMENTS, ETHTOOL "eth-mac FrameTooLongErrors",
		"The MTU of this card is less than that of the sender."),
	EVENTS("net.hw.control", "unknown control frames", BETTER_LOWER,
		RAW_NET_HW_CONTROL, SEGMENTS,
		ETHTOOL "eth-ctrl UnsupportedOpcodesReceived",
		"Flow control that this card does not speak."),
	EVENTS("net.hw.undersize", "undersize", BETTER_LOWER, RAW_NET_HW_UNDERSIZE,
		SEGMENTS, ETHTOOL "rmon etherStatsUndersizePkts",
		"Whole frames that are too short."),
	EVENTS("net.hw.oversize", "oversize", BETTER_LOWER, RAW_NET_HW_OVERSIZE,
		SEGMENTS, ETHTOOL "rmon etherStatsOversizePkts",
		"Jumbo frames count here on some cards although they are welcome."),
	EVENTS("net.hw.fragments", "fragments", BETTER_LOWER, RAW_NET_HW_FRAGMENTS,
		SEGMENTS, ETHTOOL "rmon etherStatsFragments",
		"Pieces with a bad checksum: collisions, or a bad cable."),
	EVENTS("net.hw.jabbers", "jabbers", BETTER_LOWER, RAW_NET_HW_JABBERS, SEGMENTS,
		ETHTOOL "rmon etherStatsJabbers", "Too long and with a bad checksum."),
	EVENTS("net.tx.pause", "pause sent", BETTER_LOWER, RAW_NET_TX_PAUSE, SEGMENTS,
		ETHTOOL "pause tx_pause_frames",
		"This host was too slow to take what came: the sender was stopped."),
	EVENTS("net.rx.pause", "pause received", BETTER_LOWER, RAW_NET_RX_PAUSE,
		SEGMENTS, ETHTOOL "pause rx_pause_frames",
		"The switch stopped this host: drops appear nowhere, throughput is "
		"lost."),
	EVENTS("capture.frames", "frames seen", BETTER_NEITHER, RAW_CAPTURE_FRAMES, 0,
		CAPTURE "frames taken",
		"Offload merges segments into one frame: segments are the measure of "
		"load."),
	{"capture.bytes", "bytes seen", KIND_NIC, METRIC_RATE, UNIT_BYTES_S,
		BETTER_NEITHER, RAW_CAPTURE_BYTES, 0, 1, 0,
		CAPTURE "bytes as on the wire",
		"A capture filter makes it less than what the card moved.", 0},
	EVENTS("capture.segments", "segments", BETTER_NEITHER, RAW_CAPTURE_SEGMENTS, 0,
		CAPTURE "segments as on the wire",
		"Computed from the segment size of each connection, which is estimated "
		"where its start was not seen."),
	EVENTS("capture.lost", "not seen", BETTER_LOWER, RAW_CAPTURE_LOST,
		"capture.frames", CAPTURE "frames dropped by the kernel",
		"While it is not 0, lost segments and gaps may be weir's own loss."),
	EVENTS("capture.cut", "headers only", BETTER_NEITHER, RAW_CAPTURE_CUT,
		"capture.frames", CAPTURE "frames taken with headers only",
		"Checksums over the payload of these frames are not judged."),
	{"capture.cpu", "capture cpu", KIND_NIC, METRIC_RATE, UNIT_SHARE, BETTER_LOWER,
		RAW_CAPTURE_CPU_NS, 0, 1e-9, SEGMENTS, CAPTURE "its own CPU time",
		"A share of one core; the kernel's part of capturing is not in it.", 0},
};

const struct metric_rows metric_rows_nic = {rows, sizeof rows / sizeof *rows};
