/* Metrics of the host. Where each comes from, and how it can mislead. */
#include "config.h"

#include "core/metric_rows.h"

#define SNMP    "/proc/net/snmp, "
#define NETSTAT "/proc/net/netstat, TcpExt "
#define SOFTNET "/proc/net/softnet_stat, all cores, "
#define STAT    "/proc/stat, "

#define EVENTS(id, title, better, raw, load, where, trap)                              \
	{                                                                              \
		id, title, KIND_HOST, METRIC_RATE, UNIT_PER_S, better, raw, 0, 1,      \
			load, where, trap, 0                                           \
	}
#define SHARE(id, title, raw, where, trap)                                             \
	{                                                                              \
		id, title, KIND_HOST, METRIC_GAUGE, UNIT_SHARE, BETTER_LOWER, raw, 0,  \
			1e-3, 0, where, trap, 0                                        \
	}

static const struct metric rows[] = {
	EVENTS("tcp.in.segs", "tcp in", BETTER_NEITHER, RAW_TCP_IN_SEGS, 0,
		SNMP "Tcp InSegs",
		"All of the network namespace, loopback included; receive offload "
		"merges segments."),
	EVENTS("tcp.out.segs", "tcp out", BETTER_NEITHER, RAW_TCP_OUT_SEGS, 0,
		SNMP "Tcp OutSegs",
		"All of the network namespace, loopback included; without the "
		"retransmitted ones."),
	EVENTS("tcp.retrans", "tcp retrans", BETTER_LOWER, RAW_TCP_RETRANS_SEGS,
		"tcp.out.segs", SNMP "Tcp RetransSegs",
		"All connections of the host, not only those to storage; some are sent "
		"needlessly."),
	EVENTS("tcp.in.errors", "tcp in errors", BETTER_LOWER, RAW_TCP_IN_ERRS,
		"tcp.in.segs", SNMP "Tcp InErrs",
		"Includes the checksum errors that stand in their own row."),
	EVENTS("tcp.in.cksum", "tcp bad checksum", BETTER_LOWER, RAW_TCP_IN_CSUM_ERRORS,
		"tcp.in.segs", SNMP "Tcp InCsumErrors",
		"A card that checks sums itself may drop the packet before it counts "
		"here."),
	EVENTS("tcp.out.resets", "tcp resets sent", BETTER_LOWER, RAW_TCP_OUT_RSTS,
		"tcp.out.segs", SNMP "Tcp OutRsts",
		"A connection to a closed port is answered with one: scans raise it."),
	EVENTS("tcp.timeouts", "tcp timeouts", BETTER_LOWER, RAW_TCP_TIMEOUTS,
		"tcp.out.segs", NETSTAT "TCPTimeouts",
		"Also counts probes of idle and dead peers."),
	EVENTS("tcp.fast", "tcp fast retrans", BETTER_LOWER, RAW_TCP_FAST_RETRANS,
		"tcp.out.segs", NETSTAT "TCPFastRetrans",
		"Reordering on the path can cause it without any loss."),
	EVENTS("tcp.lost", "tcp retrans lost", BETTER_LOWER, RAW_TCP_LOST_RETRANS,
		"tcp.out.segs", NETSTAT "TCPLostRetransmit",
		"An estimate of the kernel from later acknowledgements."),
	EVENTS("tcp.ofo", "tcp out of order", BETTER_LOWER, RAW_TCP_OFO_QUEUE,
		"tcp.in.segs", NETSTAT "TCPOFOQueue",
		"Reordering and loss on the way in look the same here."),
	EVENTS("tcp.backlog.drop", "tcp backlog drop", BETTER_LOWER,
		RAW_TCP_BACKLOG_DROP, "tcp.in.segs", NETSTAT "TCPBacklogDrop",
		"The program was too slow to read, which is not the network's fault."),
	EVENTS("udp.in.errors", "udp in errors", BETTER_LOWER, RAW_UDP_IN_ERRORS, 0,
		SNMP "Udp InErrors",
		"Mostly full receive buffers of slow programs; includes checksum "
		"errors."),
	EVENTS("udp.in.cksum", "udp bad checksum", BETTER_LOWER, RAW_UDP_IN_CSUM_ERRORS,
		0, SNMP "Udp InCsumErrors",
		"Counted when a program reads the datagram, which may be later or "
		"never."),
	EVENTS("ip.in.header", "ip bad header", BETTER_LOWER, RAW_IP_IN_HDR_ERRORS, 0,
		SNMP "Ip InHdrErrors",
		"IPv4 only; also counts packets whose time to live ran out."),
	EVENTS("ip.in.cksum", "ip bad checksum", BETTER_LOWER, RAW_IP_IN_CSUM_ERRORS, 0,
		"/proc/net/netstat, IpExt InCsumErrors",
		"IPv4 only: IPv6 has no such sum."),
	EVENTS("ip.reasm.fails", "ip reassembly", BETTER_LOWER, RAW_IP_REASM_FAILS, 0,
		SNMP "Ip ReasmFails",
		"IPv4 only; one lost fragment counts once the timer ends, 30 s "
		"later."),
	EVENTS("softnet.dropped", "softnet dropped", BETTER_LOWER, RAW_SOFTNET_DROPPED,
		"tcp.in.segs", SOFTNET "column 2",
		"The host was too slow to take packets from the card; all cards "
		"together."),
	EVENTS("softnet.squeezed", "softnet squeezed", BETTER_LOWER,
		RAW_SOFTNET_SQUEEZED, "tcp.in.segs", SOFTNET "column 3",
		"The budget ran out with work left: nothing was lost by that alone."),
	SHARE("cpu.busiest", "busiest core", RAW_CPU_BUSIEST,
		STAT "the core with the least idle time",
		"The core may be another one in each tick."),
	{"cpu.busiest.core", "core number", KIND_HOST, METRIC_GAUGE, UNIT_COUNT,
		BETTER_NEITHER, RAW_CPU_BUSIEST_CORE, 0, 1, 0,
		STAT "number of the core with the least idle time",
		"A name, not an amount: its mean says nothing.", 0},
	SHARE("cpu.busiest.user", "its user", RAW_CPU_BUSIEST_USER,
		STAT "user and nice of the busiest core",
		"Of the core that was busiest in this tick only."),
	SHARE("cpu.busiest.system", "its system", RAW_CPU_BUSIEST_SYSTEM,
		STAT "system of the busiest core",
		"Of the core that was busiest in this tick only."),
	SHARE("cpu.busiest.softirq", "its softirq", RAW_CPU_BUSIEST_SOFTIRQ,
		STAT "irq and softirq of the busiest core",
		"Kernels without interrupt accounting put part of it under system."),
	SHARE("cpu.all", "all cores", RAW_CPU_ALL, STAT "mean of all cores",
		"One core at its limit hardly moves the mean of many."),
	{"host.uptime", "uptime", KIND_HOST, METRIC_GAUGE, UNIT_SECONDS, BETTER_NEITHER,
		RAW_HOST_UPTIME_S, 0, 1, 0, "libstatgrab, host, uptime",
		"Whole seconds.", 0},
	{"weir.cpu", "weir cpu", KIND_HOST, METRIC_RATE, UNIT_SHARE, BETTER_LOWER,
		RAW_WEIR_CPU_NS, 0, 1e-9, 0, "the recorder's own CPU time",
		"A share of one core, without the capture helpers, which have their "
		"own "
		"row.",
		0},
	{"weir.memory", "weir memory", KIND_HOST, METRIC_GAUGE, UNIT_BYTES,
		BETTER_LOWER, RAW_WEIR_MEMORY, 0, 1, 0,
		"/proc/self/statm of the recorder, resident",
		"Pages shared with other programs are counted whole.", 0},
	EVENTS("sampler.late", "late samples", BETTER_LOWER, RAW_SAMPLER_LATE, 0,
		"the recorder's queue sampler",
		"A busy host delays the sampler: peaks of the queue may be missed "
		"then."),
	{"sampler.interval", "sampling", KIND_HOST, METRIC_GAUGE, UNIT_SECONDS,
		BETTER_NEITHER, RAW_SAMPLER_US, 0, 1e-6, 0,
		"the recorder's queue sampler",
		"It grows on purpose while the disks rest.", 0},
};

const struct metric_rows metric_rows_host = {rows, sizeof rows / sizeof *rows};
