/*
 * The table of bad-packet classes: one row each, and everything else (counts,
 * metrics, pane, report, help, documentation) reads the rows. A new class is a
 * new row at the end of its group and the test that sets it.
 * Ids are stable: sessions and scripts hold them.
 */
#ifndef WEIR_PACKET_CLASS_H
#define WEIR_PACKET_CLASS_H

#include <stdbool.h>
#include <stdint.h>

enum packet_direction {
	PACKET_RX,
	PACKET_TX,
	PACKET_UNKNOWN,
	PACKET_DIRECTIONS
};

/* How a count is to be read. */
enum class_sense {
	CLASS_BAD,    /* something is wrong with this packet or its delivery */
	CLASS_NOTE,   /* normal in small numbers: compare, do not alarm */
	CLASS_JUDGED, /* a checksum found good: the M of "judged N of M" */
	CLASS_UNSURE, /* offloaded, cut or a fragment: not judged, never "good" */
};

/* Rows of the bad-packet pane; classes of one group are shown together. */
enum class_group {
	GROUP_CHECKSUM,
	GROUP_HEADER,
	GROUP_TCP,
	GROUP_ICMP,
	GROUP_FRAGMENT,
	GROUP_STORAGE,
	GROUP_CAPTURE,
	GROUP_COUNT,
};

struct class_info {
	const char *id;    /* "tcp.retrans": [a-z0-9._], unique */
	const char *title; /* for people, at most 24 columns */
	const char *layer; /* "ip4", "tcp", ... : where the rule looks */
	enum class_group group;
	enum class_sense sense;
	const char *means;    /* one sentence: what was seen */
	const char *todo;     /* one sentence: where to look */
	const char *harmless; /* one sentence: when it is no fault */
};

/* The rows, in pane order. CLASS_MAX bounds arrays in the helper. */
enum {
	CLASS_MAX = 160
};
extern const struct class_info packet_classes[];
extern const unsigned packet_class_count;

extern const char *const packet_group_titles[GROUP_COUNT];

/* "rx", "tx" or "" for unknown. */
const char *packet_direction_word(enum packet_direction direction);

/* Row number of ID, or -1. */
int packet_class_find(const char *id);

#endif
