/*
 * The two tables that say what weir knows: RAW readings, as the kernel gives
 * them, and METRICS, the figures made from them. Store, panes, report and
 * export read these rows; a new metric is one row and nothing else.
 *
 * Both are followed by generated rows for the bad-packet classes
 * (packet/class.h): one raw counter and one metric per class and direction,
 * "packets.<class>.rx", ".tx" and, for an unknown direction, no ending.
 */
#ifndef WEIR_CORE_METRIC_H
#define WEIR_CORE_METRIC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* In the order of export rows. */
enum kind {
	KIND_HOST,
	KIND_DISK,
	KIND_NIC,
	KIND_PEER,
	KIND_MOUNT,
	KIND_COUNT
};

const char *kind_word(enum kind kind);
bool kind_find(const char *word, enum kind *kind);

enum raw_form {
	RAW_COUNTER,   /* grows; a difference means something */
	RAW_COUNTER32, /* as above, and wraps at 2^32 (field.md B13) */
	RAW_GAUGE,     /* a state at the moment of reading */
};

/* Fixed raw readings. Their ids, not these numbers, are stored in sessions. */
enum raw {
	/* disk: /proc/diskstats (kernel: admin-guide/iostats) */
	RAW_DISK_READ_OPS,
	RAW_DISK_READ_SECTORS, /* of 512 bytes, whatever the device */
	RAW_DISK_READ_MS,
	RAW_DISK_WRITE_OPS,
	RAW_DISK_WRITE_SECTORS,
	RAW_DISK_WRITE_MS,
	RAW_DISK_PENDING,     /* field 12: in progress, gauge */
	RAW_DISK_WEIGHTED_MS, /* field 14: sum of requests in progress times ms */
	/* disk: the queue sampler, /sys/block/D/inflight */
	RAW_DISK_INFLIGHT,     /* last sample, gauge */
	RAW_DISK_INFLIGHT_SUM, /* sum over all slots sampled so far */
	RAW_DISK_SAMPLES,      /* slots of 20 ms that samples stood for so far */
	RAW_DISK_INFLIGHT_MAX, /* highest sample since the last tick, gauge */
	RAW_DISK_LIMIT,        /* requests that the device takes at once, gauge */
	/* disk: libstatgrab, where diskstats does not serve */
	RAW_DISK_SG_READ_BYTES,
	RAW_DISK_SG_WRITE_BYTES,
	/* nic: libstatgrab */
	RAW_NET_RX_BYTES,
	RAW_NET_TX_BYTES,
	RAW_NET_RX_PACKETS,
	RAW_NET_TX_PACKETS,
	RAW_NET_RX_ERRORS,
	RAW_NET_TX_ERRORS,
	RAW_NET_COLLISIONS,
	RAW_NET_SPEED,  /* bits per second, gauge */
	RAW_NET_DUPLEX, /* 1 half, 2 full, gauge */
	RAW_NET_LINK,   /* 1 up, 0 down, gauge */
	/* nic: /sys/class/net/I/statistics */
	RAW_NET_RX_DROPPED,
	RAW_NET_TX_DROPPED,
	RAW_NET_RX_MISSED,
	RAW_NET_RX_FIFO,
	RAW_NET_RX_CRC,
	RAW_NET_RX_FRAME,
	RAW_NET_RX_LENGTH,
	RAW_NET_RX_OVER,
	RAW_NET_RX_NOHANDLER,
	RAW_NET_TX_CARRIER,
	RAW_NET_TX_FIFO,
	RAW_NET_TX_ABORTED,
	RAW_NET_TX_HEARTBEAT,
	RAW_NET_TX_WINDOW,
	RAW_NET_MULTICAST,
	RAW_NET_CARRIER_CHANGES,
	/* nic: weir-capture */
	RAW_CAPTURE_FRAMES,
	RAW_CAPTURE_BYTES,
	RAW_CAPTURE_SEGMENTS, /* wire segments: the exposure of packet rates */
	RAW_CAPTURE_LOST,     /* dropped by the kernel because weir was slow */
	RAW_CAPTURE_CUT,      /* frames taken with headers only, not judged whole */
	RAW_CAPTURE_CPU_NS,   /* CPU time of the helper */
	/* host: /proc/net/snmp, netstat, softnet_stat */
	RAW_TCP_IN_SEGS,
	RAW_TCP_OUT_SEGS,
	RAW_TCP_RETRANS_SEGS,
	RAW_TCP_IN_ERRS,
	RAW_TCP_IN_CSUM_ERRORS,
	RAW_TCP_OUT_RSTS,
	RAW_TCP_TIMEOUTS,
	RAW_TCP_FAST_RETRANS,
	RAW_TCP_LOST_RETRANS,
	RAW_TCP_OFO_QUEUE,
	RAW_TCP_BACKLOG_DROP,
	RAW_UDP_IN_ERRORS,
	RAW_UDP_IN_CSUM_ERRORS,
	RAW_IP_IN_HDR_ERRORS,
	RAW_IP_IN_CSUM_ERRORS,
	RAW_IP_REASM_FAILS,
	RAW_SOFTNET_DROPPED,
	RAW_SOFTNET_SQUEEZED,
	/* host: /proc/stat, of the core that was busiest since the last reading.
	 * Shares in 1/1000 of that core; gauges, since the core may change. */
	RAW_CPU_BUSIEST,
	RAW_CPU_BUSIEST_CORE,
	RAW_CPU_BUSIEST_USER,
	RAW_CPU_BUSIEST_SYSTEM,
	RAW_CPU_BUSIEST_SOFTIRQ,
	RAW_CPU_ALL, /* mean over all cores, 1/1000 */
	/* host: libstatgrab and weir itself */
	RAW_HOST_UPTIME_S,
	RAW_WEIR_CPU_NS,
	RAW_WEIR_MEMORY,  /* resident bytes of the recorder, gauge */
	RAW_SAMPLER_LATE, /* samples that came too late for their slot */
	RAW_SAMPLER_US,   /* sampling interval in force, microseconds, gauge */
	RAW_FIXED,
};

/* RAW_FIXED + class * PACKET_DIRECTIONS + direction, see raw_packet(). */
unsigned raw_count(void);
unsigned raw_packet(unsigned packet_class, unsigned direction);
enum raw_form raw_form(unsigned raw);
enum kind raw_kind(unsigned raw);

/* The stable id, at most 47 characters. */
const char *raw_id(unsigned raw);

/* -1 if unknown: a session of a newer weir may hold such a reading. */
int raw_find(const char *id);

/* How a metric is made. dt is the interval between the two readings, in seconds,
 * on the monotonic clock of the source that read them. */
enum metric_form {
	METRIC_RATE,  /* scale * d(num) / dt */
	METRIC_RATIO, /* scale * d(num) / d(den); no completion where d(den) is 0 */
	METRIC_SUM,   /* scale * (d(num) + d(den)) / dt: two counters seen as one */
	METRIC_GAUGE, /* scale * num */
};

enum better {
	BETTER_LOWER,
	BETTER_HIGHER,
	BETTER_NEITHER
};

/* How a value is written for people (core/unit.h). */
enum unit {
	UNIT_COUNT,   /* plain number: queue depth, packets */
	UNIT_PER_S,   /* events per second */
	UNIT_BYTES_S, /* bytes per second (disks in bytes, NICs in bits on screen) */
	UNIT_BITS_S,
	UNIT_SECONDS,
	UNIT_SHARE, /* 0 to 1, shown in percent */
	UNIT_BYTES,
};

struct metric {
	const char *id;    /* "disk.queue": stable, as in export and JSON */
	const char *title; /* short, for rows: "queue", "read MB/s" has no unit here */
	enum kind kind;
	enum metric_form form;
	enum unit unit;
	enum better better;
	unsigned num;
	unsigned den; /* METRIC_RATIO and METRIC_SUM only */
	double scale;
	const char *load;  /* id of the metric that is its load, or null */
	const char *where; /* the file and field it comes from */
	const char *trap;  /* one sentence: how this figure can mislead */
	/* The same figure from another reading, for subjects that lack NUM; or null. */
	const struct metric *instead;
};

/* Whether the figure needs a second reading, DEN. */
bool metric_has_den(const struct metric *metric);

enum {
	METRIC_NONE = 0xffff
};

unsigned metric_count(void);
const struct metric *metric_at(unsigned metric); /* metric < metric_count() */
int metric_find(const char *id);                 /* -1 if unknown */

/* Counted, not averaged; about weir itself or of one moment; a state (link speed). */
bool metric_is_event(const struct metric *metric);
bool metric_is_apart(const struct metric *metric);
bool metric_is_state(const struct metric *metric);
/* The class row behind a packet metric, or -1; its direction through DIRECTION. */
int metric_packet_class(unsigned metric, unsigned *direction);

#endif
