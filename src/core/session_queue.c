/* The queue of each disk, tick by tick, and the stalls in it: what core/backlog.h
 * needs to know, from the points of a session. Mounts and their connections have
 * stalls too; how many requests are in flight there is known, and no queue to make. */
#include "config.h"

#include "base/alloc.h"
#include "base/text.h"
#include "core/session_private.h"
#include "core/session_queue.h"
#include "core/unit.h"

#include <math.h>
#include <string.h>

enum {
	NO_RAW = UINT16_MAX
};

static const uint16_t disk_raws[QUEUE_POINTS] = {
	[QUEUE_READS] = RAW_DISK_READ_OPS,
	[QUEUE_WRITES] = RAW_DISK_WRITE_OPS,
	[QUEUE_OTHERS] = RAW_DISK_OTHER_OPS,
	[QUEUE_READ_MS] = RAW_DISK_READ_MS,
	[QUEUE_WRITE_MS] = RAW_DISK_WRITE_MS,
	[QUEUE_WEIGHTED] = RAW_DISK_WEIGHTED_MS,
	[QUEUE_PENDING] = RAW_DISK_PENDING,
	[QUEUE_SUM] = RAW_DISK_INFLIGHT_SUM,
	[QUEUE_SAMPLES] = RAW_DISK_SAMPLES,
	[QUEUE_MAX] = RAW_DISK_INFLIGHT_MAX,
	[QUEUE_LIMIT] = RAW_DISK_LIMIT_LEAST,
	[QUEUE_STATE] = RAW_DISK_STATE,
	[QUEUE_HOLD] = RAW_DISK_HOLD,
	[QUEUE_GIVES_UP] = RAW_DISK_GIVES_UP_S,
};

/* In flight stands for the stamp as well: it is what the track is made from. */
#define ONLY(answers, inflight)                                                        \
	{                                                                              \
		[QUEUE_READS] = answers, [QUEUE_WRITES] = NO_RAW,                      \
		[QUEUE_OTHERS] = NO_RAW, [QUEUE_READ_MS] = NO_RAW,                     \
		[QUEUE_WRITE_MS] = NO_RAW, [QUEUE_WEIGHTED] = inflight,                \
		[QUEUE_PENDING] = inflight, [QUEUE_SUM] = NO_RAW,                      \
		[QUEUE_SAMPLES] = NO_RAW, [QUEUE_MAX] = NO_RAW,                        \
		[QUEUE_LIMIT] = NO_RAW, [QUEUE_STATE] = NO_RAW, [QUEUE_HOLD] = NO_RAW, \
		[QUEUE_GIVES_UP] = NO_RAW                                              \
	}

static const uint16_t mount_raws[QUEUE_POINTS] =
	ONLY(RAW_MOUNT_ANSWERS, RAW_MOUNT_INFLIGHT);
static const uint16_t connection_raws[QUEUE_POINTS] =
	ONLY(RAW_CONNECTION_ANSWERS, RAW_CONNECTION_INFLIGHT);

/* Sums over the disks of a session or port: nobody samples them. */
static const uint16_t transport_raws[QUEUE_POINTS] = {
	[QUEUE_READS] = RAW_TRANSPORT_READ_OPS,
	[QUEUE_WRITES] = RAW_TRANSPORT_WRITE_OPS,
	[QUEUE_OTHERS] = NO_RAW,
	[QUEUE_READ_MS] = RAW_TRANSPORT_READ_MS,
	[QUEUE_WRITE_MS] = RAW_TRANSPORT_WRITE_MS,
	[QUEUE_WEIGHTED] = RAW_TRANSPORT_WEIGHTED_MS,
	[QUEUE_PENDING] = RAW_TRANSPORT_PENDING,
	[QUEUE_SUM] = NO_RAW,
	[QUEUE_SAMPLES] = NO_RAW,
	[QUEUE_MAX] = NO_RAW,
	[QUEUE_LIMIT] = NO_RAW,
	[QUEUE_STATE] = RAW_TRANSPORT_STATE,
	[QUEUE_HOLD] = NO_RAW,
	[QUEUE_GIVES_UP] = NO_RAW,
};

static const uint16_t *raws_of(const struct metric *metric)
{
	if (metric->form == METRIC_QUEUE)
		return metric->kind == KIND_DISK ? disk_raws : transport_raws;
	if (metric->form != METRIC_GAUGE)
		return NULL;
	return metric->num == RAW_MOUNT_INFLIGHT        ? mount_raws
	       : metric->num == RAW_CONNECTION_INFLIGHT ? connection_raws
							: NULL;
}

bool session_queue_wanted(const struct metric *metric)
{
	return raws_of(metric) != NULL;
}

uint32_t session_queue_add(struct session *session, const struct metric *metric)
{
	struct session_private *inside = session->private;
	size_t queue = inside->queue_count++;

	xgrow(&inside->queues, &inside->queue_room, queue + 1, sizeof *inside->queues);
	inside->queues[queue] =
		(struct queue){.stall = NOWHERE, .raws = raws_of(metric)};
	return (uint32_t)queue;
}

void session_queue_map(struct session *session, uint32_t queue)
{
	struct session_private *inside = session->private;

	struct queue *of = &inside->queues[queue];

	for (unsigned i = 0; i < QUEUE_POINTS; i++)
		of->points[i] =
			of->raws[i] == NO_RAW ? NOWHERE : inside->by_raw[of->raws[i]];
}

/* ---- from points to facts ---- */

/* The points of one queue in this tick. */
struct scope {
	const struct session_private *inside;
	const struct queue *queue;
	nsec now; /* session time */
};

static const struct point *point_of(const struct scope *scope, unsigned which)
{
	uint32_t at = scope->queue->points[which];

	return at == NOWHERE ? NULL : &scope->inside->points[at];
}

/* Side 1 is that of this tick; a late source has not said it again. */
static double reading(const struct scope *scope, unsigned which, unsigned side)
{
	const struct point *point = point_of(scope, which);
	const struct sample *sample = point ? &point->side[side] : NULL;

	if (!sample || !sample->stamp || sample->reading.why != WHY_NONE)
		return (double)NAN;
	if (side && sample->stamp == point->side[0].stamp)
		return (double)NAN;
	return (double)sample->reading.raw;
}

static double growth(const struct scope *scope, unsigned which)
{
	const struct point *point = point_of(scope, which);
	enum raw_form form;
	uint64_t by;

	if (!point)
		return (double)NAN;
	form = raw_form(point->raw);
	if (form == RAW_GAUGE || isnan(reading(scope, which, 0)) ||
		isnan(reading(scope, which, 1)))
		return (double)NAN;
	if (rate_difference(form, point->side[0].reading.raw,
		    point->side[1].reading.raw, &by) != WHY_NONE)
		return (double)NAN;
	return (double)by;
}

static void take_counters(const struct scope *scope, struct backlog_facts *facts)
{
	/* it is there: the track is made from it */
	const struct point *weighted =
		&scope->inside->points[scope->queue->points[QUEUE_WEIGHTED]];

	facts->now = weighted->side[1].stamp;
	facts->seconds = (double)NAN;
	if (weighted->side[0].stamp)
		facts->seconds =
			(double)(facts->now - weighted->side[0].stamp) / NSEC_PER_SEC;
	facts->weighted = growth(scope, QUEUE_WEIGHTED) * 1e-3;
	facts->ops[BACKLOG_READS] = growth(scope, QUEUE_READS);
	facts->ops[BACKLOG_WRITES] = growth(scope, QUEUE_WRITES);
	facts->ops[BACKLOG_OTHERS] = growth(scope, QUEUE_OTHERS);
	facts->spent[BACKLOG_READS] = growth(scope, QUEUE_READ_MS) * 1e-3;
	facts->spent[BACKLOG_WRITES] = growth(scope, QUEUE_WRITE_MS) * 1e-3;
	facts->spent[BACKLOG_OTHERS] = (double)NAN;
	facts->pending[0] = reading(scope, QUEUE_PENDING, 0);
	facts->pending[1] = reading(scope, QUEUE_PENDING, 1);
}

static bool is_late(const struct point *point)
{
	const struct sample *now = &point->side[1];

	return now->stamp &&
	       (now->reading.why == WHY_LATE || now->stamp == point->side[0].stamp);
}

/* Who is late has not said that it is over. */
static void take_state(const struct scope *scope, struct queue *queue)
{
	const struct point *point = point_of(scope, QUEUE_STATE);
	double state = reading(scope, QUEUE_STATE, 1);

	if (point && is_late(point))
		return;
	queue->state = BACKLOG_RUNNING;
	if (state >= BACKLOG_BLOCKED)
		queue->state =
			state > BACKLOG_BLOCKED ? BACKLOG_OFFLINE : BACKLOG_BLOCKED;
}

static void take_samples(const struct scope *scope, struct backlog_facts *facts)
{
	double samples = growth(scope, QUEUE_SAMPLES);

	facts->mean = samples > 0 ? growth(scope, QUEUE_SUM) / samples : (double)NAN;
	facts->highest = reading(scope, QUEUE_MAX, 1);
	facts->limit = reading(scope, QUEUE_LIMIT, 1);
	facts->state = scope->queue->state;
}

/* ---- stalls ---- */

/* A connection whose mount as a whole gets no answer: said of the mount. The id of a
 * connection is that of its mount and a number. */
static bool is_part(const struct session *session, const struct stall *stall)
{
	const struct subject *subject = &session->subjects[stall->subject];

	for (size_t i = 0;
		subject->kind == KIND_CONNECTION && i + 1 < session->stall_count; i++) {
		const struct stall *other = &session->stalls[i];
		const struct subject *mount = &session->subjects[other->subject];
		size_t length = strlen(mount->id);

		if (other->to == WINDOW_OPEN && mount->kind == KIND_MOUNT &&
			!strncmp(subject->id, mount->id, length) &&
			subject->id[length] == '#')
			return true;
	}
	return false;
}

static void begin_stall(
	struct session *session, struct queue *queue, const struct stall *stall)
{
	xgrow(&session->stalls, &session->stall_room, session->stall_count + 1,
		sizeof *session->stalls);
	queue->stall = (uint32_t)session->stall_count++;
	session->stalls[queue->stall] = *stall;
	session->stalls[queue->stall].part = is_part(session, stall);
	stall_note(session, &session->stalls[queue->stall]);
}

/* A run that ended in a stall has not seen how it went on. */
static nsec end_of_stall(const struct session *session)
{
	if (session->last.gap == GAP_RUN && session->gap_count)
		return session->gaps[session->gap_count - 1].from;
	return session->last.at;
}

/* Who holds the disk back, as of this tick; the last word stays when nobody says it. */
static void take_hold(const struct scope *scope, struct stall *stall)
{
	const struct point *limit = point_of(scope, QUEUE_GIVES_UP);
	double hold = reading(scope, QUEUE_HOLD, 1);

	if (isnan(hold) || hold >= HOLD_COUNT)
		return;
	if (stall->hold < 0)
		stall->held = scope->now;
	stall->hold = (int)hold;
	stall->limit = reading(scope, QUEUE_GIVES_UP, 1);
	if (limit && limit->side[1].reading.why == WHY_OFF)
		stall->limit = (double)INFINITY;
}

/* Readings come a little early or late: two ticks of a second are two seconds. */
static const nsec jitter = 50 * NSEC_PER_MSEC;

/* Of a server that falls silent one connection is seen first: the mount has time to
 * say so for all of them. */
static nsec patience(const struct session *session, const struct queue *queue)
{
	nsec stall = session->private->stall;

	return queue->raws == connection_raws ? 2 * stall : stall;
}

/* The stall that this tick belongs to is begun, brought up to date or ended. */
static void follow_stall(struct session *session, struct queue *queue,
	const struct backlog_facts *facts, uint32_t subject)
{
	const struct scope scope = {session->private, queue, session->last.at};
	const struct backlog *backlog = &queue->backlog;
	nsec age = backlog->since ? facts->now - backlog->since : 0;
	struct stall stall = {.subject = subject,
		.kind = (enum stall_kind)facts->state,
		.from = session->last.at - age,
		.to = WINDOW_OPEN,
		.after = session->private->stall,
		.depth = backlog->depth,
		.hold = -1,
		.limit = (double)NAN};
	struct stall *known =
		queue->stall == NOWHERE ? NULL : &session->stalls[queue->stall];

	if (known && !age) {
		known->to = end_of_stall(session);
		stall_note(session, known);
		queue->stall = NOWHERE;
	} else if (known) {
		bool worse = stall.kind > known->kind;

		known->depth = fmax(known->depth, stall.depth);
		known->kind = worse ? stall.kind : known->kind;
		take_hold(&scope, known);
		if (worse && known->hold >= 0)
			stall_note(session, known);
	} else if (age + jitter >= patience(session, queue) ||
		   stall.kind != STALL_SILENT) {
		take_hold(&scope, &stall);
		begin_stall(session, queue, &stall);
	}
}

struct value session_queue_step(
	struct session *session, size_t track, struct value weighted)
{
	struct session_private *inside = session->private;
	struct queue *queue = &inside->queues[inside->recipes[track].queue];
	const struct scope scope = {inside, queue, session->last.at};
	struct backlog_facts facts;
	struct value value;

	take_counters(&scope, &facts);
	take_state(&scope, queue);
	take_samples(&scope, &facts);
	if (queue->raws != disk_raws && isnan(facts.ops[BACKLOG_READS]))
		facts.pending[1] = (double)NAN; /* nobody counts the answers */
	value = backlog_step(&queue->backlog, &facts, weighted);
	if (queue->raws != disk_raws && queue->raws != transport_raws)
		value = weighted;
	/* the disks of a session tell their stalls themselves */
	if (weighted.why != WHY_LATE && queue->raws != transport_raws && !inside->told)
		follow_stall(session, queue, &facts, session->tracks[track].subject);
	return value;
}
