/*
 * The inside of a session, shared by the files src/core/session*.c only.
 *
 * A point is one raw reading of one subject: it remembers the last good sample
 * and outlives runs. A track (one metric of one subject) is made from one point
 * or two. A span is what has been summed up for one window.
 */
#ifndef WEIR_CORE_SESSION_PRIVATE_H
#define WEIR_CORE_SESSION_PRIVATE_H

#include "core/session.h"

#define NOWHERE UINT32_MAX

struct point {
	uint32_t subject;
	uint32_t next; /* point of the same subject, or NOWHERE */
	uint16_t raw;
	uint8_t source;
	uint8_t broken;        /* enum why: no rate can be made from side[0], or NONE */
	bool live;             /* has a series in this run */
	struct sample side[2]; /* the last good one, and that of this tick */
};

/* What a track is made from. */
struct recipe {
	const struct metric *metric; /* the row, or its `instead` */
	uint32_t num, den;         /* points; DEN may be NOWHERE; both where adopted */
	uint32_t load;             /* track of its load metric, or NOWHERE */
	uint32_t packets;          /* bytes of a card: the point of their packets */
	uint32_t queue;            /* METRIC_QUEUE only: its place among them */
	uint32_t spread;           /* means of samples only: its place among them */
	struct ring_piece *pieces; /* of the ring; null where there is none */
};

/* Of one track in one window. Most counters never move: a row of zeros is kept as
 * a count, and becomes a summary with the first figure that is not 0. */
struct cell {
	struct summary *summary;
	double zero_den;
	uint32_t zeros;
	uint32_t missing[WHY_COUNT];
	/* of them behind the settling time, and ticks that gaps swallowed */
	double settled_den;
	uint32_t settled_zeros;
	uint64_t silent;
	/* of a long span: how many have passed in SUMMARY's batches, and how many will
	 * have when their open slot is full */
	uint64_t minutes, roomy;
};

struct span {
	uint32_t id;
	nsec from, to;
	nsec settled;     /* verdicts look at what comes after */
	nsec first, upto; /* from where to where ticks lie inside, without holes */
	uint64_t seen, gaps, swallowed;
	struct cell *cells; /* by track */
	size_t cell_room;

	/* Of a long one, which is made from minutes: */
	bool is_long;
	uint64_t weight;  /* ticks that each of its minutes counts for */
	int64_t origin;   /* number of its first settled minute; before it: -1 */
	uint64_t minutes; /* from there to its last one, whether seen or not */
	int64_t newest;   /* number of its last minute */
};

struct session_private {
	struct point *points;
	size_t point_count, point_room;
	struct recipe *recipes; /* by track */
	size_t recipe_room;
	uint32_t *chains; /* by subject: its first point, or NOWHERE */
	int32_t **index;  /* by subject: the track of each metric, or -1 */
	size_t chain_room, index_room;
	struct queue *queues; /* core/session_queue.h */
	size_t queue_count, queue_room;
	struct spreads *spreads; /* core/session_spread.h; null: there are none */
	struct spread past;      /* of the last figure that came from the ring */
	uint32_t *by_raw;        /* scratch: the points of one subject */

	/* The run of the decoder that ticks come from. */
	uint32_t generation;
	uint32_t *rows;   /* its subjects: here */
	uint32_t *places; /* its series: points */
	bool *taken;      /* subjects here that one of its subjects is */
	uint32_t *heard;  /* its subjects: a bit for each source that speaks of it */
	uint32_t stall_point; /* of the threshold of stalls, or NOWHERE */
	nsec stall;           /* that threshold, as of this tick */
	bool shares;          /* two of its subjects are one here: it was renamed */
	size_t row_count, row_room, place_count, place_room, taken_room, heard_room;

	nsec (*ring_stamps)[SOURCES_MAX];
	nsec *ring_before; /* session time of the tick before that of the slot */

	struct span *spans;
	size_t span_count, span_room;
	struct together *together; /* session_minute.c; null: none were read */
	bool told;   /* gaps and stalls come from session_tell_*(), not from ticks */
	bool jumped; /* the next tick does not follow the last one */
};

/* session_map.c: brings subjects, points and tracks up to DECODER's catalog. */
void session_map(struct session *session, const struct tick_decoder *decoder);

/* session_ring.c */
void session_ring_init(struct session *session);
void session_ring_fini(struct session *session);
void session_ring_track(struct session *session, size_t track);
void session_ring_tick(struct session *session, nsec before, enum tick_gap gap);
size_t session_ring_held(const struct session *session);
size_t session_ring_slot(const struct session *session, size_t back);
struct value session_ring_value(
	const struct session *session, size_t track, size_t slot);

/* session_window.c */
struct span *session_span(const struct session *session, uint32_t id);

/* session_minute.c: lets time pass in CELL up to the end of its long SPAN. */
void session_catch_up(const struct span *span, struct cell *cell);
/* Ticks, one each INTERVAL, that the whole minutes of SPAN up to END would have had and
 * that are missing. */
uint64_t session_minutes_lacking(const struct span *span, nsec end, nsec interval);

/* session_window.c: one tick, which followed one at BEFORE, for all windows. */
void session_spans_tick(struct session *session, nsec before, enum tick_gap gap);
void session_spans_fini(struct session *session);

#endif
