/*
 * Queues of disks, and stalls, inside a session, shared by the files
 * src/core/session*.c only: their figure comes from many points, and depends on the
 * ticks before (core/backlog.h).
 */
#ifndef WEIR_CORE_SESSION_QUEUE_H
#define WEIR_CORE_SESSION_QUEUE_H

#include "core/backlog.h"
#include "core/session_private.h"

/* The readings that the queue of a disk is made from. */
enum {
	QUEUE_READS,
	QUEUE_WRITES,
	QUEUE_OTHERS,
	QUEUE_READ_MS,
	QUEUE_WRITE_MS,
	QUEUE_WEIGHTED,
	QUEUE_PENDING,
	QUEUE_SUM,
	QUEUE_SAMPLES,
	QUEUE_MAX,
	QUEUE_LIMIT,
	QUEUE_STATE,
	QUEUE_HOLD,
	QUEUE_GIVES_UP,
	QUEUE_POINTS
};

/* One disk's queue: what its track is made from beside the recipe. */
struct queue {
	const uint16_t *raws;
	uint32_t points[QUEUE_POINTS]; /* NOWHERE: nobody reads it */
	struct backlog backlog;
	enum backlog_state state; /* the last that was told */
	uint32_t stall;           /* the one under way in session->stalls, or NOWHERE */
};

/* Whether what METRIC says is followed here. */
bool session_queue_wanted(const struct metric *metric);
/* A new queue; its points from by_raw; its figure in this tick, from
 * WEIGHTED, that of its recipe alone. */
uint32_t session_queue_add(struct session *session, const struct metric *metric);
void session_queue_map(struct session *session, uint32_t queue);
struct value session_queue_step(
	struct session *session, size_t track, struct value weighted);

/* stall.c: the event of STALL, which begins or has ended. */
void stall_note(struct session *session, const struct stall *stall);

#endif
