/* The raw readings that weir knows: their stable ids and their forms. */
#include "config.h"

#include "core/metric.h"
#include "core/spread.h"

#include "packet/peer.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	PACKET_MAX = CLASS_MAX * PACKET_DIRECTIONS,
	PER_KIND = 2 + RESPONSE_EDGES,
	RESPONSE_MAX = RESPONSE_KINDS * PER_KIND,
	MADE_MAX = 2 * PACKET_MAX + RESPONSE_MAX + SPREAD_STEPS,
	RAW_MAX = RAW_FIXED + MADE_MAX
};

struct raw_row {
	const char *id;
	enum raw_form form;
	enum kind kind;
};

/* The millisecond fields of diskstats are printed as 32-bit numbers on every
 * kernel; the others are as wide as the machine. */
static const struct raw_row fixed[RAW_FIXED] = {
	/* clang-format off */
	[RAW_DISK_READ_OPS] =       {"disk.read.ops", RAW_COUNTER, KIND_DISK},
	[RAW_DISK_READ_SECTORS] =   {"disk.read.sectors", RAW_COUNTER, KIND_DISK},
	[RAW_DISK_READ_MS] =        {"disk.read.ms", RAW_COUNTER32, KIND_DISK},
	[RAW_DISK_WRITE_OPS] =      {"disk.write.ops", RAW_COUNTER, KIND_DISK},
	[RAW_DISK_WRITE_SECTORS] =  {"disk.write.sectors", RAW_COUNTER, KIND_DISK},
	[RAW_DISK_WRITE_MS] =       {"disk.write.ms", RAW_COUNTER32, KIND_DISK},
	[RAW_DISK_PENDING] =        {"disk.pending", RAW_GAUGE, KIND_DISK},
	[RAW_DISK_WEIGHTED_MS] =    {"disk.weighted.ms", RAW_COUNTER32, KIND_DISK},
	[RAW_DISK_BUSY_MS] =        {"disk.busy.ms", RAW_COUNTER32, KIND_DISK},
	[RAW_DISK_OTHER_OPS] =      {"disk.other.ops", RAW_COUNTER, KIND_DISK},
	[RAW_DISK_INFLIGHT] =       {"disk.inflight", RAW_GAUGE, KIND_DISK},
	[RAW_DISK_INFLIGHT_SUM] =   {"disk.inflight.sum", RAW_COUNTER, KIND_DISK},
	[RAW_DISK_SAMPLES] =        {"disk.samples", RAW_COUNTER, KIND_DISK},
	[RAW_DISK_INFLIGHT_MAX] =   {"disk.inflight.max", RAW_GAUGE, KIND_DISK},
	[RAW_DISK_FULL] =           {"disk.full.samples", RAW_COUNTER, KIND_DISK},
	[RAW_DISK_LIMIT] =          {"disk.limit", RAW_GAUGE, KIND_DISK},
	[RAW_DISK_LIMIT_LEAST] =    {"disk.limit.least", RAW_GAUGE, KIND_DISK},
	[RAW_DISK_STATE] =          {"disk.state", RAW_GAUGE, KIND_DISK},
	[RAW_DISK_HOLD] =           {"disk.hold", RAW_GAUGE, KIND_DISK},
	[RAW_DISK_GIVES_UP_S] =     {"disk.gives.up.s", RAW_GAUGE, KIND_DISK},
	[RAW_DISK_PATHS] =          {"disk.paths", RAW_GAUGE, KIND_DISK},
	[RAW_DISK_PATHS_USABLE] =   {"disk.paths.usable", RAW_GAUGE, KIND_DISK},
	[RAW_DISK_SG_READ_BYTES] =  {"disk.sg.read.bytes", RAW_COUNTER, KIND_DISK},
	[RAW_DISK_SG_WRITE_BYTES] = {"disk.sg.write.bytes", RAW_COUNTER, KIND_DISK},
	[RAW_NET_RX_BYTES] =        {"net.rx.bytes", RAW_COUNTER, KIND_NIC},
	[RAW_NET_TX_BYTES] =        {"net.tx.bytes", RAW_COUNTER, KIND_NIC},
	[RAW_NET_RX_PACKETS] =      {"net.rx.packets", RAW_COUNTER, KIND_NIC},
	[RAW_NET_TX_PACKETS] =      {"net.tx.packets", RAW_COUNTER, KIND_NIC},
	[RAW_NET_RX_ERRORS] =       {"net.rx.errors", RAW_COUNTER, KIND_NIC},
	[RAW_NET_TX_ERRORS] =       {"net.tx.errors", RAW_COUNTER, KIND_NIC},
	[RAW_NET_COLLISIONS] =      {"net.collisions", RAW_COUNTER, KIND_NIC},
	[RAW_NET_SPEED] =           {"net.speed", RAW_GAUGE, KIND_NIC},
	[RAW_NET_DUPLEX] =          {"net.duplex", RAW_GAUGE, KIND_NIC},
	[RAW_NET_LINK] =            {"net.link", RAW_GAUGE, KIND_NIC},
	[RAW_NET_RX_DROPPED] =      {"net.rx.dropped", RAW_COUNTER, KIND_NIC},
	[RAW_NET_TX_DROPPED] =      {"net.tx.dropped", RAW_COUNTER, KIND_NIC},
	[RAW_NET_RX_MISSED] =       {"net.rx.missed", RAW_COUNTER, KIND_NIC},
	[RAW_NET_RX_FIFO] =         {"net.rx.fifo", RAW_COUNTER, KIND_NIC},
	[RAW_NET_RX_CRC] =          {"net.rx.crc", RAW_COUNTER, KIND_NIC},
	[RAW_NET_RX_FRAME] =        {"net.rx.frame", RAW_COUNTER, KIND_NIC},
	[RAW_NET_RX_LENGTH] =       {"net.rx.length", RAW_COUNTER, KIND_NIC},
	[RAW_NET_RX_OVER] =         {"net.rx.over", RAW_COUNTER, KIND_NIC},
	[RAW_NET_RX_NOHANDLER] =    {"net.rx.nohandler", RAW_COUNTER, KIND_NIC},
	[RAW_NET_TX_CARRIER] =      {"net.tx.carrier", RAW_COUNTER, KIND_NIC},
	[RAW_NET_TX_FIFO] =         {"net.tx.fifo", RAW_COUNTER, KIND_NIC},
	[RAW_NET_TX_ABORTED] =      {"net.tx.aborted", RAW_COUNTER, KIND_NIC},
	[RAW_NET_TX_HEARTBEAT] =    {"net.tx.heartbeat", RAW_COUNTER, KIND_NIC},
	[RAW_NET_TX_WINDOW] =       {"net.tx.window", RAW_COUNTER, KIND_NIC},
	[RAW_NET_MULTICAST] =       {"net.multicast", RAW_COUNTER, KIND_NIC},
	[RAW_NET_CARRIER_CHANGES] = {"net.carrier.changes", RAW_COUNTER, KIND_NIC},
	[RAW_NET_HW_SYMBOL] = {"net.hw.symbol", RAW_COUNTER, KIND_NIC},
	[RAW_NET_HW_FCS] = {"net.hw.fcs", RAW_COUNTER, KIND_NIC},
	[RAW_NET_HW_ALIGNMENT] = {"net.hw.alignment", RAW_COUNTER, KIND_NIC},
	[RAW_NET_HW_LATE_COLLISION] = {"net.hw.late.collision", RAW_COUNTER, KIND_NIC},
	[RAW_NET_HW_TX_INTERNAL] = {"net.hw.tx.internal", RAW_COUNTER, KIND_NIC},
	[RAW_NET_HW_CARRIER_SENSE] = {"net.hw.carrier.sense", RAW_COUNTER, KIND_NIC},
	[RAW_NET_HW_RX_INTERNAL] = {"net.hw.rx.internal", RAW_COUNTER, KIND_NIC},
	[RAW_NET_HW_LENGTH] = {"net.hw.length", RAW_COUNTER, KIND_NIC},
	[RAW_NET_HW_OUT_OF_RANGE] = {"net.hw.out.of.range", RAW_COUNTER, KIND_NIC},
	[RAW_NET_HW_TOO_LONG] = {"net.hw.too.long", RAW_COUNTER, KIND_NIC},
	[RAW_NET_HW_CONTROL] = {"net.hw.control", RAW_COUNTER, KIND_NIC},
	[RAW_NET_HW_UNDERSIZE] = {"net.hw.undersize", RAW_COUNTER, KIND_NIC},
	[RAW_NET_HW_OVERSIZE] = {"net.hw.oversize", RAW_COUNTER, KIND_NIC},
	[RAW_NET_HW_FRAGMENTS] = {"net.hw.fragments", RAW_COUNTER, KIND_NIC},
	[RAW_NET_HW_JABBERS] = {"net.hw.jabbers", RAW_COUNTER, KIND_NIC},
	[RAW_NET_TX_PAUSE] = {"net.tx.pause", RAW_COUNTER, KIND_NIC},
	[RAW_NET_RX_PAUSE] = {"net.rx.pause", RAW_COUNTER, KIND_NIC},
	[RAW_CAPTURE_FRAMES] =      {"capture.frames", RAW_COUNTER, KIND_NIC},
	[RAW_CAPTURE_BYTES] =       {"capture.bytes", RAW_COUNTER, KIND_NIC},
	[RAW_CAPTURE_SEGMENTS] =    {"capture.segments", RAW_COUNTER, KIND_NIC},
	[RAW_CAPTURE_LOST] =        {"capture.lost", RAW_COUNTER, KIND_NIC},
	[RAW_CAPTURE_CUT] =         {"capture.cut", RAW_COUNTER, KIND_NIC},
	[RAW_CAPTURE_CPU_NS] =      {"capture.cpu.ns", RAW_COUNTER, KIND_NIC},
	[RAW_TCP_IN_SEGS] =         {"tcp.in.segs", RAW_COUNTER, KIND_HOST},
	[RAW_TCP_OUT_SEGS] =        {"tcp.out.segs", RAW_COUNTER, KIND_HOST},
	[RAW_TCP_RETRANS_SEGS] =    {"tcp.retrans.segs", RAW_COUNTER, KIND_HOST},
	[RAW_TCP_IN_ERRS] =         {"tcp.in.errs", RAW_COUNTER, KIND_HOST},
	[RAW_TCP_IN_CSUM_ERRORS] =  {"tcp.in.csum.errors", RAW_COUNTER, KIND_HOST},
	[RAW_TCP_OUT_RSTS] =        {"tcp.out.rsts", RAW_COUNTER, KIND_HOST},
	[RAW_TCP_TIMEOUTS] =        {"tcp.timeouts", RAW_COUNTER, KIND_HOST},
	[RAW_TCP_FAST_RETRANS] =    {"tcp.fast.retrans", RAW_COUNTER, KIND_HOST},
	[RAW_TCP_LOST_RETRANS] =    {"tcp.lost.retrans", RAW_COUNTER, KIND_HOST},
	[RAW_TCP_OFO_QUEUE] =       {"tcp.ofo.queue", RAW_COUNTER, KIND_HOST},
	[RAW_TCP_BACKLOG_DROP] =    {"tcp.backlog.drop", RAW_COUNTER, KIND_HOST},
	[RAW_UDP_IN_ERRORS] =       {"udp.in.errors", RAW_COUNTER, KIND_HOST},
	[RAW_UDP_IN_CSUM_ERRORS] =  {"udp.in.csum.errors", RAW_COUNTER, KIND_HOST},
	[RAW_IP_IN_HDR_ERRORS] =    {"ip.in.hdr.errors", RAW_COUNTER, KIND_HOST},
	[RAW_IP_IN_CSUM_ERRORS] =   {"ip.in.csum.errors", RAW_COUNTER, KIND_HOST},
	[RAW_IP_REASM_FAILS] =      {"ip.reasm.fails", RAW_COUNTER, KIND_HOST},
	[RAW_SOFTNET_DROPPED] =     {"softnet.dropped", RAW_COUNTER, KIND_HOST},
	[RAW_SOFTNET_SQUEEZED] =    {"softnet.squeezed", RAW_COUNTER, KIND_HOST},
	[RAW_CPU_BUSIEST] =         {"cpu.busiest", RAW_GAUGE, KIND_HOST},
	[RAW_CPU_BUSIEST_CORE] =    {"cpu.busiest.core", RAW_GAUGE, KIND_HOST},
	[RAW_CPU_BUSIEST_USER] =    {"cpu.busiest.user", RAW_GAUGE, KIND_HOST},
	[RAW_CPU_BUSIEST_SYSTEM] =  {"cpu.busiest.system", RAW_GAUGE, KIND_HOST},
	[RAW_CPU_BUSIEST_SOFTIRQ] = {"cpu.busiest.softirq", RAW_GAUGE, KIND_HOST},
	[RAW_CPU_ALL] =             {"cpu.all", RAW_GAUGE, KIND_HOST},
	[RAW_HOST_UPTIME_S] =       {"host.uptime.s", RAW_GAUGE, KIND_HOST},
	[RAW_WEIR_CPU_NS] =         {"weir.cpu.ns", RAW_COUNTER, KIND_HOST},
	[RAW_WEIR_MEMORY] =         {"weir.memory", RAW_GAUGE, KIND_HOST},
	[RAW_SAMPLER_LATE] =        {"sampler.late", RAW_COUNTER, KIND_HOST},
	[RAW_SAMPLER_US] =          {"sampler.us", RAW_GAUGE, KIND_HOST},
	[RAW_STALL_MS] =            {"stall.ms", RAW_GAUGE, KIND_HOST},
	[RAW_PEER_TX_BYTES] =       {"peer.tx.bytes", RAW_COUNTER, KIND_PEER},
	[RAW_PEER_RX_BYTES] =       {"peer.rx.bytes", RAW_COUNTER, KIND_PEER},
	[RAW_PEER_RETRANS_BYTES] =  {"peer.retrans.bytes", RAW_COUNTER, KIND_PEER},
	[RAW_PEER_TX_SEGS] =        {"peer.tx.segs", RAW_COUNTER, KIND_PEER},
	[RAW_PEER_RX_SEGS] =        {"peer.rx.segs", RAW_COUNTER, KIND_PEER},
	[RAW_PEER_RETRANS_SEGS] =   {"peer.retrans.segs", RAW_COUNTER, KIND_PEER},
	[RAW_PEER_DSACK] =          {"peer.dsack", RAW_COUNTER, KIND_PEER},
	[RAW_PEER_OOO] =            {"peer.ooo", RAW_COUNTER, KIND_PEER},
	[RAW_PEER_CONNECTIONS] =    {"peer.connections", RAW_GAUGE, KIND_PEER},
	[RAW_PEER_UNACKED] =        {"peer.unacked", RAW_GAUGE, KIND_PEER},
	[RAW_PEER_RTT_US] =         {"peer.rtt.us", RAW_GAUGE, KIND_PEER},
	[RAW_PEER_MIN_RTT_US] =     {"peer.minrtt.us", RAW_GAUGE, KIND_PEER},
	[RAW_PEER_CWND] =           {"peer.cwnd", RAW_GAUGE, KIND_PEER},
	[RAW_PEER_DELIVERY] =       {"peer.delivery", RAW_GAUGE, KIND_PEER},
	[RAW_PEER_PMTU] =           {"peer.pmtu", RAW_GAUGE, KIND_PEER},
	[RAW_PEER_SEGMENTS] =       {"peer.segments", RAW_COUNTER, KIND_PEER},
	[RAW_MOUNT_READ_OPS] =      {"mount.read.ops", RAW_COUNTER, KIND_MOUNT},
	[RAW_MOUNT_READ_RTT_MS] =   {"mount.read.rtt.ms", RAW_COUNTER, KIND_MOUNT},
	[RAW_MOUNT_READ_EXECUTE_MS] ={"mount.read.execute.ms", RAW_COUNTER, KIND_MOUNT},
	[RAW_MOUNT_WRITE_OPS] =     {"mount.write.ops", RAW_COUNTER, KIND_MOUNT},
	[RAW_MOUNT_WRITE_RTT_MS] =  {"mount.write.rtt.ms", RAW_COUNTER, KIND_MOUNT},
	[RAW_MOUNT_WRITE_EXECUTE_MS] ={"mount.write.execute.ms", RAW_COUNTER, KIND_MOUNT},
	[RAW_MOUNT_OTHER_OPS] =     {"mount.other.ops", RAW_COUNTER, KIND_MOUNT},
	[RAW_MOUNT_OTHER_RTT_MS] =  {"mount.other.rtt.ms", RAW_COUNTER, KIND_MOUNT},
	[RAW_MOUNT_OTHER_EXECUTE_MS] ={"mount.other.execute.ms", RAW_COUNTER, KIND_MOUNT},
	[RAW_MOUNT_READ_BYTES] =    {"mount.read.bytes", RAW_COUNTER, KIND_MOUNT},
	[RAW_MOUNT_WRITE_BYTES] =   {"mount.write.bytes", RAW_COUNTER, KIND_MOUNT},
	[RAW_MOUNT_RETRANS] =       {"mount.retrans", RAW_COUNTER, KIND_MOUNT},
	[RAW_MOUNT_TIMEOUTS] =      {"mount.timeouts", RAW_COUNTER, KIND_MOUNT},
	[RAW_MOUNT_ERRORS] =        {"mount.errors", RAW_COUNTER, KIND_MOUNT},
	[RAW_MOUNT_CONNECTS] =      {"mount.connects", RAW_COUNTER, KIND_MOUNT},
	[RAW_MOUNT_CONNECTIONS] =   {"mount.connections", RAW_GAUGE, KIND_MOUNT},
	[RAW_MOUNT_SIGNED] =        {"mount.signed", RAW_GAUGE, KIND_MOUNT},
	[RAW_MOUNT_ENCRYPTED] =     {"mount.encrypted", RAW_GAUGE, KIND_MOUNT},
	[RAW_MOUNT_INFLIGHT] =      {"mount.inflight", RAW_GAUGE, KIND_MOUNT},
	[RAW_MOUNT_ANSWERS] =       {"mount.answers", RAW_COUNTER, KIND_MOUNT},
	[RAW_CONNECTION_SENDS] =    {"connection.sends", RAW_COUNTER, KIND_CONNECTION},
	[RAW_CONNECTION_ANSWERS] =  {"connection.answers", RAW_COUNTER, KIND_CONNECTION},
	[RAW_CONNECTION_LATE] =     {"connection.late", RAW_COUNTER, KIND_CONNECTION},
	[RAW_CONNECTION_CONNECTS] = {"connection.connects", RAW_COUNTER, KIND_CONNECTION},
	[RAW_CONNECTION_DEPTH] =    {"connection.depth", RAW_COUNTER, KIND_CONNECTION},
	[RAW_CONNECTION_BACKLOG] =  {"connection.backlog", RAW_COUNTER, KIND_CONNECTION},
	[RAW_CONNECTION_WAITING] =  {"connection.waiting", RAW_COUNTER, KIND_CONNECTION},
	[RAW_CONNECTION_INFLIGHT] = {"connection.inflight", RAW_GAUGE, KIND_CONNECTION},
	[RAW_CONNECTION_SLOTS] =    {"connection.slots", RAW_GAUGE, KIND_CONNECTION},
	[RAW_CONNECTION_CREDITS] =  {"connection.credits", RAW_GAUGE, KIND_CONNECTION},
	[RAW_CALL_OPS] =            {"call.ops", RAW_COUNTER, KIND_CALL},
	[RAW_CALL_TX_BYTES] =       {"call.tx.bytes", RAW_COUNTER, KIND_CALL},
	[RAW_CALL_RX_BYTES] =       {"call.rx.bytes", RAW_COUNTER, KIND_CALL},
	[RAW_CALL_RETRANS] =        {"call.retrans", RAW_COUNTER, KIND_CALL},
	[RAW_CALL_TIMEOUTS] =       {"call.timeouts", RAW_COUNTER, KIND_CALL},
	[RAW_CALL_ERRORS] =         {"call.errors", RAW_COUNTER, KIND_CALL},
	[RAW_CALL_QUEUE_US] =       {"call.queue.us", RAW_COUNTER, KIND_CALL},
	[RAW_CALL_RTT_US] =         {"call.rtt.us", RAW_COUNTER, KIND_CALL},
	[RAW_CALL_EXECUTE_US] =     {"call.execute.us", RAW_COUNTER, KIND_CALL},
	[RAW_COUNTER_EVENTS] = {"counter.events", RAW_COUNTER, KIND_COUNTER},
	[RAW_TRANSPORT_UP] = {"transport.up", RAW_GAUGE, KIND_TRANSPORT},
	[RAW_TRANSPORT_STATE] = {"transport.state", RAW_GAUGE, KIND_TRANSPORT},
	[RAW_TRANSPORT_FAILURES] = {"transport.failures", RAW_COUNTER, KIND_TRANSPORT},
	[RAW_TRANSPORT_DISKS] = {"transport.disks", RAW_GAUGE, KIND_TRANSPORT},
	[RAW_TRANSPORT_READ_OPS] = {"transport.read.ops", RAW_COUNTER, KIND_TRANSPORT},
	[RAW_TRANSPORT_READ_SECTORS] = {"transport.read.sectors", RAW_COUNTER, KIND_TRANSPORT},
	[RAW_TRANSPORT_READ_MS] = {"transport.read.ms", RAW_COUNTER, KIND_TRANSPORT},
	[RAW_TRANSPORT_WRITE_OPS] = {"transport.write.ops", RAW_COUNTER, KIND_TRANSPORT},
	[RAW_TRANSPORT_WRITE_SECTORS] = {"transport.write.sectors", RAW_COUNTER, KIND_TRANSPORT},
	[RAW_TRANSPORT_WRITE_MS] = {"transport.write.ms", RAW_COUNTER, KIND_TRANSPORT},
	[RAW_TRANSPORT_PENDING] = {"transport.pending", RAW_GAUGE, KIND_TRANSPORT},
	[RAW_TRANSPORT_WEIGHTED_MS] = {"transport.weighted.ms", RAW_COUNTER, KIND_TRANSPORT},
	[RAW_FC_RX_FRAMES] = {"fc.rx.frames", RAW_COUNTER, KIND_TRANSPORT},
	[RAW_FC_TX_FRAMES] = {"fc.tx.frames", RAW_COUNTER, KIND_TRANSPORT},
	[RAW_FC_RX_WORDS] = {"fc.rx.words", RAW_COUNTER, KIND_TRANSPORT},
	[RAW_FC_TX_WORDS] = {"fc.tx.words", RAW_COUNTER, KIND_TRANSPORT},
	[RAW_FC_CRC] = {"fc.invalid.crc", RAW_COUNTER, KIND_TRANSPORT},
	[RAW_FC_INVALID_WORDS] = {"fc.invalid.words", RAW_COUNTER, KIND_TRANSPORT},
	[RAW_FC_LOSS_OF_SYNC] = {"fc.loss.of.sync", RAW_COUNTER, KIND_TRANSPORT},
	[RAW_FC_LOSS_OF_SIGNAL] = {"fc.loss.of.signal", RAW_COUNTER, KIND_TRANSPORT},
	[RAW_FC_LINK_FAILURES] = {"fc.link.failures", RAW_COUNTER, KIND_TRANSPORT},
	[RAW_FC_PROTOCOL] = {"fc.protocol.errors", RAW_COUNTER, KIND_TRANSPORT},
	[RAW_FC_LIP] = {"fc.lip", RAW_COUNTER, KIND_TRANSPORT},
	[RAW_FC_NOS] = {"fc.nos", RAW_COUNTER, KIND_TRANSPORT},
	[RAW_FC_ERROR_FRAMES] = {"fc.error.frames", RAW_COUNTER, KIND_TRANSPORT},
	[RAW_FC_DUMPED_FRAMES] = {"fc.dumped.frames", RAW_COUNTER, KIND_TRANSPORT},
	[RAW_FC_ABORTS] = {"fc.aborts", RAW_COUNTER, KIND_TRANSPORT},
	[RAW_FC_CONGESTION] = {"fc.congestion", RAW_COUNTER, KIND_TRANSPORT},
	[RAW_FC_LINK_INTEGRITY] = {"fc.link.integrity", RAW_COUNTER, KIND_TRANSPORT},
	/* clang-format on */
};

/* Built once: ids of the generated counters, and all raws sorted by id. */
static char made_ids[MADE_MAX][48];
static uint16_t by_id[RAW_MAX];
static pthread_once_t built = PTHREAD_ONCE_INIT;

static const char *id_of(unsigned raw)
{
	return raw < RAW_FIXED ? fixed[raw].id : made_ids[raw - RAW_FIXED];
}

static int compare_ids(const void *a, const void *b)
{
	return strcmp(id_of(*(const uint16_t *)a), id_of(*(const uint16_t *)b));
}

static unsigned per_subject(void)
{
	return packet_class_count * PACKET_DIRECTIONS;
}

unsigned raw_packet(unsigned packet_class, unsigned direction)
{
	return RAW_FIXED + packet_class * PACKET_DIRECTIONS + direction;
}

unsigned raw_peer_packet(unsigned packet_class, unsigned direction)
{
	return raw_packet(packet_class, direction) + per_subject();
}

unsigned raw_response_count(unsigned kind)
{
	return RAW_FIXED + 2 * per_subject() + kind * PER_KIND;
}

unsigned raw_response_us(unsigned kind)
{
	return raw_response_count(kind) + 1;
}

unsigned raw_response_slower(unsigned kind, unsigned edge)
{
	return raw_response_count(kind) + 2 + edge;
}

unsigned raw_inflight_at(unsigned step)
{
	return raw_response_count(RESPONSE_KINDS) + step;
}

unsigned raw_count(void)
{
	return raw_inflight_at(SPREAD_STEPS);
}

/* An id that does not fit would be a mistake in a table; a test looks. */
__attribute__((format(printf, 2, 3))) static void name(
	unsigned raw, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	(void)vsnprintf(made_ids[raw - RAW_FIXED], sizeof *made_ids, format, args);
	va_end(args);
}

static void name_class(unsigned class, unsigned direction)
{
	const char *id = packet_classes[class].id;
	const char *word = packet_direction_word((enum packet_direction)direction);
	const char *dot = *word ? "." : "";

	name(raw_packet(class, direction), "packets.%s%s%s", id, dot, word);
	name(raw_peer_packet(class, direction), "peer.packets.%s%s%s", id, dot, word);
}

static void name_response(unsigned kind)
{
	const char *word = packet_response_words[kind];

	name(raw_response_count(kind), "peer.response.%s.count", word);
	name(raw_response_us(kind), "peer.response.%s.us", word);
	for (unsigned edge = 0; edge < RESPONSE_EDGES; edge++)
		name(raw_response_slower(kind, edge), "peer.slower.%s.%" PRIu64 "us",
			word, RESPONSE_EDGE_US(edge));
}

static void build(void)
{
	for (unsigned i = 0; i < packet_class_count; i++)
		for (unsigned d = 0; d < PACKET_DIRECTIONS; d++)
			name_class(i, d);
	for (unsigned kind = 0; kind < RESPONSE_KINDS; kind++)
		name_response(kind);
	for (unsigned step = 0; step < SPREAD_STEPS; step++)
		name(raw_inflight_at(step), "disk.inflight.at.%" PRIu64,
			spread_low(step));
	for (unsigned i = 0; i < raw_count(); i++)
		by_id[i] = (uint16_t)i;
	qsort(by_id, raw_count(), sizeof *by_id, compare_ids);
}

enum raw_form raw_form(unsigned raw)
{
	return raw < RAW_FIXED ? fixed[raw].form : RAW_COUNTER;
}

enum kind raw_kind(unsigned raw)
{
	if (raw < RAW_FIXED)
		return fixed[raw].kind;
	if (raw >= raw_inflight_at(0))
		return KIND_DISK;
	return raw < raw_peer_packet(0, 0) ? KIND_NIC : KIND_PEER;
}

const char *raw_id(unsigned raw)
{
	(void)pthread_once(&built, build); /* cannot fail with these arguments */
	return id_of(raw);
}

int raw_find(const char *id)
{
	unsigned low = 0, high = raw_count();

	(void)pthread_once(&built, build); /* cannot fail with these arguments */
	while (low < high) {
		unsigned middle = (low + high) / 2;
		int order = strcmp(id, id_of(by_id[middle]));

		if (!order)
			return by_id[middle];
		if (order < 0)
			high = middle;
		else
			low = middle + 1;
	}
	return -1;
}
