/*
 * A tick: everything that all sources said at one moment, raw, and its one
 * encoding, which is the same bytes in the session file and on the socket
 * (doc/tick.md). Rates are never stored: they are made when ticks are
 * decoded (core/session.h), so a repaired rule repairs old sessions.
 */
#ifndef WEIR_CORE_TICK_H
#define WEIR_CORE_TICK_H

#include "base/buffer.h"
#include "base/fault.h"
#include "base/nsec.h"
#include "core/metric.h"
#include "core/why.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	SUBJECT_NAME = 64,  /* kernel name: "sda", "eth0"; host: "host" */
	SUBJECT_LABEL = 96, /* as the person knows it: alias, LV, mount point */
	SUBJECT_ID = 128,   /* identity across renames: wwid, serial, mac@bus */
	SOURCES_MAX = 24,   /* a bit each in one number of a tick */
};

enum subject_flag {
	SUBJECT_STACKED = 1, /* dm, md, bond, VLAN...: shown beside, never summed */
	SUBJECT_VIRTUAL = 2, /* no bus parent */
	SUBJECT_NAMED = 4,   /* a disk that the person chose (-D) */
};

/* What a reading is about. All text is clean (base/text.h). */
struct subject {
	enum kind kind;
	unsigned flags;
	char name[SUBJECT_NAME];
	char label[SUBJECT_LABEL];
	char id[SUBJECT_ID];
	char detail[160]; /* one line: driver, transport, path; may be empty */
};

/* One raw reading's place in the tick. */
struct series {
	uint32_t subject; /* index into catalog.subjects */
	uint16_t raw;
	uint8_t source; /* whose stamp applies */
};

/* Where an entry is found: 1 + its index at the place of its hash, or a later one. */
struct catalog_index {
	uint32_t *places;
	size_t size; /* a power of two */
};

/* The subjects and series of one run. Only grows; an index, once given, stays.
 * A device that goes keeps its series with WHY_ABSENT. A device that comes back
 * as another one under the same name is a new subject. */
struct catalog {
	struct subject *subjects;
	size_t subject_count, subject_room;
	struct series *series;
	size_t series_count, series_room;
	uint32_t revision; /* grows when the words of a known subject change */
	struct catalog_index subject_index, series_index;
};

void catalog_fini(struct catalog *catalog);

/* Index of the subject of that kind, name and id, added if new; an existing one
 * gets SUBJECT's label, flags and detail, and *CHANGED says whether any moved. */
uint32_t catalog_subject(
	struct catalog *catalog, const struct subject *subject, bool *changed);
uint32_t catalog_series(struct catalog *catalog, struct series series);

struct reading {
	uint64_t raw; /* meaningless unless why is WHY_NONE */
	uint8_t why;  /* enum why: only NONE, LATE, OFF, UNSUPPORTED, DENIED, ABSENT */
};

enum tick_gap {
	GAP_NONE,
	GAP_RUN,     /* first tick of a run: start, resume or reboot */
	GAP_MISSED,  /* the recorder was stopped or starved for more than 1.5 ticks */
	GAP_SUSPEND, /* boot time outran monotonic time */
};

struct tick {
	nsec at;   /* session time of this tick: 0 at the session's first tick */
	nsec mono; /* monotonic clock of the run */
	nsec wall; /* label only */
	int zone_minutes;
	uint32_t run;             /* 1, 2, ... */
	nsec interval;            /* nominal interval in force */
	enum tick_gap gap;        /* before this tick */
	bool extra;               /* taken because of a mark, off the regular beat */
	nsec stamps[SOURCES_MAX]; /* monotonic time at which each source read; 0 never
				   */
	const struct catalog *catalog;
	struct reading *readings; /* catalog->series_count of them */
};

/* ---- encoding ---- */

/* Remembers what the other side knows. Zeroed at the start of a run. */
struct tick_encoder {
	struct reading *last;
	size_t last_count, last_room;
	uint16_t *raws; /* the raw readings named so far, in order */
	size_t raw_count, raw_room;
	size_t subjects_sent, series_sent;
	uint32_t revision; /* of the catalog, when it was last written whole */
	nsec at, mono, wall;
	nsec stamps[SOURCES_MAX];
	int zone_minutes;
	nsec interval;
	nsec full_at;   /* session time of the last full tick */
	uint8_t number; /* of the last tick since the full one, modulo 128 */
	bool started;
};

void tick_encoder_fini(struct tick_encoder *encoder);

/* Appends TICK to OUT. A full tick repeats the catalog and every reading, so that
 * reading can start there; it is written at the start of a run, when FULL is asked
 * for, when a known subject changed, and every TICK_FULL_EVERY. Returns whether
 * it was a full one. */
#define TICK_FULL_EVERY (600 * NSEC_PER_SEC)
bool tick_encode(struct tick_encoder *encoder, const struct tick *tick, bool full,
	struct buffer *out);

/* Owns its catalog and readings. Zeroed before the first tick. */
struct tick_decoder {
	struct tick tick; /* the last one decoded */
	struct catalog catalog;
	size_t readings_room;
	/* Grows with every full tick (indexes may have moved) and is never the same
	 * for two decoders of one program. */
	uint32_t generation;
	/* What the other side calls by number: its raw readings and series here, or
	 * a negative number for those unknown to this version. */
	int32_t *raws, *places;
	size_t raw_count, raw_room, place_count, place_room;
	uint8_t number;
	bool started; /* had a full tick and no fault since */
};

void tick_decoder_fini(struct tick_decoder *decoder);

/* Decodes one tick of exactly SIZE bytes. Anything else than a well-formed tick
 * is a fault, whatever the bytes; ticks before the first full one are "skipped"
 * (true, *HAVE false). After a fault the decoder waits for the next full tick.
 * Raw ids unknown here are kept out of the catalog. */
bool tick_decode(struct tick_decoder *decoder, const uint8_t *data, size_t size,
	bool *have, struct fault *fault);

#endif
