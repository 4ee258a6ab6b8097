/*
 * The two tables that say what weir knows: RAW readings, as the kernel gives
 * them, and METRICS, the figures made from them. Store, panes, report and
 * export read these rows; a new metric is one row and nothing else.
 *
 * Both are followed by generated rows for the bad-packet classes
 * (packet/class.h): one raw counter and one metric per class and direction,
 * "packets.<class>.rx", ".tx" and, for an unknown direction, no ending; then the same
 * for each storage peer, "peer.packets.<class>.rx", and what it took to answer
 * (packet/peer.h).
 */
#ifndef WEIR_CORE_METRIC_H
#define WEIR_CORE_METRIC_H

#include "core/raw.h"

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
	KIND_CONNECTION, /* of a mount */
	KIND_CALL,       /* an operation kind of a mount */
	KIND_COUNTER,    /* a counter of a card, by the driver's own name */
	KIND_TRANSPORT,  /* iSCSI session, FC port, FC remote port */
	KIND_SOURCE,     /* of readings: only in facts, which say why it has none */
	KIND_COUNT
};

const char *kind_word(enum kind kind);
/* Part of something that has a row of its own. */
bool kind_is_detail(enum kind kind);
bool kind_find(const char *word, enum kind *kind);

enum raw_form {
	RAW_COUNTER,   /* grows; a difference means something */
	RAW_COUNTER32, /* as above, and wraps at 2^32 */
	RAW_GAUGE,     /* a state at the moment of reading */
};

/* RAW_FIXED + class * PACKET_DIRECTIONS + direction, see raw_packet(). */
unsigned raw_count(void);
unsigned raw_packet(unsigned packet_class, unsigned direction);
unsigned raw_peer_packet(unsigned packet_class, unsigned direction);

/* Answers of a peer to requests of KIND: how many, their microseconds, and how many
 * took longer than edge EDGE of the histogram. */
unsigned raw_response_count(unsigned kind);
unsigned raw_response_us(unsigned kind);
unsigned raw_response_slower(unsigned kind, unsigned edge);

/* Slots of the queue sampler that stood at STEP of the ladder (core/spread.h). */
unsigned raw_inflight_at(unsigned step);
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
	METRIC_QUEUE, /* as a rate where requests are fast; core/backlog.h */
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
/* Part of what another row says: it gets no verdict, so that asking for it costs the
 * others none of their power. */
bool metric_is_detail(const struct metric *metric);
/* What one kernel counts otherwise than another: at the device, %util. */
bool metric_is_of_kernel(const struct metric *metric);
/* The class row behind a packet metric, or -1; its direction through DIRECTION. */
int metric_packet_class(unsigned metric, unsigned *direction);
int metric_peer_class(unsigned metric, unsigned *direction); /* of a peer's */
/* The metric of a class and direction, of an interface or of a peer. */
unsigned metric_of_class(enum kind kind, unsigned packet_class, unsigned direction);
/* The share of a peer's answers that took longer than EDGE. */
unsigned metric_slower(unsigned kind, unsigned edge);

#endif
