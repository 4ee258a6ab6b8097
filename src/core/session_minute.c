/* Long windows: summed up from minutes (core/session.h). Time passes in them by whole
 * minutes, also where there is none or where a track said nothing, so that batches stay
 * equal in time. */
#include "config.h"

#include "base/alloc.h"
#include "core/minute.h"
#include "core/session_private.h"

void session_long(struct session *session, uint32_t window)
{
	struct span *span = session_span(session, window);

	if (!span)
		return;
	span->is_long = true;
	span->origin = -1;
}

static void pass_to(const struct span *span, struct cell *cell, uint64_t minutes)
{
	if (minutes <= cell->minutes)
		return;
	summary_pass(cell->summary, (minutes - cell->minutes) * span->weight);
	cell->minutes = minutes;
}

/* The next minutes lie in the slot that is open: their time may pass later, at once. */
static void look_ahead(const struct span *span, struct cell *cell)
{
	const struct slots *slots = &cell->summary->batches.slots;

	cell->roomy = cell->minutes + (slots->length - slots->in) / span->weight;
}

void session_catch_up(const struct span *span, struct cell *cell)
{
	if (span->is_long && cell->summary)
		pass_to(span, cell, span->minutes);
}

static uint64_t weight_of(nsec interval)
{
	nsec ticks = interval > 0 ? (MINUTE + interval / 2) / interval : 1;

	return ticks > 1 ? (uint64_t)ticks : 1;
}

/* With an interval above a minute most minutes have no tick, and that is no hole. */
static uint64_t minutes_between(int64_t from, int64_t to, nsec interval)
{
	nsec each = interval > MINUTE ? interval / MINUTE : 1;

	return to > from ? (uint64_t)((to - from) / each) : 0;
}

uint64_t session_minutes_lacking(const struct span *span, nsec end, nsec interval)
{
	nsec head = span->seen ? span->first - span->from : end - span->from;
	nsec tail = span->seen ? end - span->upto : 0;
	nsec each = interval > MINUTE ? interval : MINUTE;
	uint64_t weight = span->weight ? span->weight : weight_of(interval);

	if (head < 0 || tail < 0)
		return 0;
	return ((uint64_t)(head / each) + (uint64_t)(tail / each)) * weight;
}

static void merge_missing(struct summary *summary, const struct minute_cell *cell)
{
	for (unsigned why = 0; why < WHY_COUNT; why++)
		summary->missing[why] += cell->missing[why];
}

/* ZEROS: what the figures weigh if all were 0. */
static void merge_figures(
	struct summary *summary, const struct minute_cell *cell, uint32_t zeros)
{
	if (!summary->samples || cell->lowest < summary->lowest)
		summary->lowest = cell->lowest;
	if (!summary->samples || cell->highest > summary->highest)
		summary->highest = cell->highest;
	summary->samples += cell->samples;
	summary->num += cell->num;
	summary->den += cell->den;
	summary_put(summary, cell->buckets, cell->bucket_count);
	if (!cell->bucket_count && !(cell->highest > 0))
		summary_put(summary, &(struct bucket_count){zeros, 0}, 1);
	/* nobody asks for quantiles of events */
}

/* One row on its way into one span. */
struct transfer {
	struct session *session;
	struct span *span;
	bool settled;
	bool daily;       /* the window is so long that its hours and days count */
	uint64_t minutes; /* that have passed before it, as batches count them */
	int64_t minute;   /* from the first settled one */
	unsigned hour;    /* of the day */
};

static void put_batches(struct summary *summary, const struct minute_cell *cell,
	const struct transfer *transfer, uint32_t zeros)
{
	if (summary->daily && cell->samples)
		daily_put(summary->daily, transfer->minute,
			&(struct load_sum){cell->num, cell->den, cell->samples,
				(uint8_t)transfer->hour});
	batches_put(&summary->batches, cell->num, cell->den);
	if (!summary->tail)
		return;
	load_put(&summary->load, cell->loads, cell->load_count);
	quantile_put(summary->tail, cell->buckets, cell->bucket_count);
	if (!cell->bucket_count && cell->samples) /* all were 0 */
		quantile_put(summary->tail, &(struct bucket_count){zeros, 0}, 1);
}

static struct summary *begin(const struct transfer *transfer, uint32_t track)
{
	const struct metric *metric = transfer->session->private->recipes[track].metric;
	struct summary *summary = summary_new(metric, transfer->span->weight);

	if (transfer->daily && daily_applies(metric))
		summary->daily = daily_new(transfer->span->weight);
	return summary;
}

static void take_cell(
	const struct transfer *transfer, uint32_t track, const struct minute_cell *from)
{
	struct span *span = transfer->span;
	uint32_t zeros;
	struct cell *cell;

	if (track >= span->cell_room)
		return; /* of a metric that this version does not know */
	cell = &span->cells[track];
	zeros = spread_weight(transfer->session->private->recipes[track].metric,
		from->den, from->samples);
	if (!cell->summary)
		cell->summary = begin(transfer, track);
	if (from->lacks)
		merge_missing(cell->summary, from);
	if (from->samples)
		merge_figures(cell->summary, from, zeros);
	if (!transfer->settled)
		return;
	if (transfer->minutes >= cell->roomy) {
		pass_to(span, cell, transfer->minutes);
		look_ahead(span, cell);
	}
	put_batches(cell->summary, from, transfer, zeros);
}

/* What is missing of the newest minute behind its last tick: a gap began in it. */
static uint64_t beats_to_its_end(const struct span *span, nsec interval)
{
	nsec left = (span->newest + 1) * MINUTE - span->upto;
	nsec beats = interval > 0 && interval <= MINUTE
			     ? (left + interval / 2) / interval
			     : 0;

	return beats > 1 ? (uint64_t)(beats - 1) : 0;
}

/* Counts the minute; returns whether verdicts look at it. */
static bool count_row(struct span *span, const struct minute_row *row)
{
	if (!span->weight)
		span->weight = weight_of(row->interval);
	if (!span->seen) {
		span->first = row->from;
	} else {
		uint64_t step =
			minutes_between(span->newest, row->number, row->interval);

		span->swallowed += step > 1 ? (step - 1) * span->weight : 0;
		span->swallowed += step ? beats_to_its_end(span, row->interval) : 0;
	}
	span->seen += row->seen;
	span->swallowed += row->swallowed;
	span->upto = row->to;
	span->newest = row->number;
	if (row->from < span->settled)
		return false;
	if (span->origin < 0)
		span->origin = row->number;
	span->minutes = minutes_between(span->origin, row->number, row->interval) + 1;
	return true;
}

static bool is_inside(const struct span *span, const struct minute_row *row)
{
	return row->from >= span->from && row->to <= span->to &&
	       !(span->seen && row->number <= span->newest);
}

static struct transfer transfer_of(
	struct session *session, struct span *span, const struct minute_row *row)
{
	struct transfer transfer = {.session = session, .span = span};

	transfer.settled = count_row(span, row);
	transfer.daily = ((double)span->to - (double)span->settled) / NSEC_PER_SEC >=
			 DAILY_SHORTEST;
	transfer.minutes = span->minutes - 1;
	transfer.minute = row->number - span->origin;
	transfer.hour = daily_hour(session_wall(session, row->from));
	return transfer;
}

/* Rows that are read together, track by track: what one track has summed up is then at
 * hand for all of them, and what comes next in one row came in the row before. */
struct together {
	struct minute_reader readers[MINUTES_TOGETHER];
	struct transfer transfers[MINUTES_TOGETHER];
	uint32_t next[MINUTES_TOGETHER]; /* number of the track, or NOWHERE */
	size_t count;
	const struct minute_tracks *tracks;
};

static void read_next(struct together *rows, size_t i)
{
	rows->next[i] =
		minute_next(&rows->readers[i]) ? rows->readers[i].number : NOWHERE;
}

/* Takes the cells of track NUMBER, and returns which comes next. */
static uint32_t take_track(struct together *rows, uint32_t number)
{
	uint32_t next = NOWHERE;

	for (size_t i = 0; i < rows->count; i++) {
		if (rows->next[i] == number) {
			take_cell(&rows->transfers[i], rows->tracks->list[number],
				&rows->readers[i].cell);
			read_next(rows, i);
		}
		if (rows->next[i] < next)
			next = rows->next[i];
	}
	return next;
}

static bool take_rows(struct together *rows)
{
	uint32_t number = 0;
	bool good = true;

	for (size_t i = 0; i < rows->count; i++)
		read_next(rows, i);
	while (number < rows->tracks->count)
		number = take_track(rows, number);
	for (size_t i = 0; i < rows->count; i++)
		good &= !rows->readers[i].input.bad;
	return good;
}

/* Those of ROWS that lie in SPAN. */
static void gather(struct session *session, struct span *span,
	const struct minute_row *rows, size_t count)
{
	struct together *together = session->private->together;

	together->count = 0;
	for (size_t i = 0; i < count; i++) {
		if (!is_inside(span, &rows[i]))
			continue;
		together->transfers[together->count] =
			transfer_of(session, span, &rows[i]);
		minute_reader_begin(&together->readers[together->count++], rows[i].data,
			rows[i].size);
	}
}

bool session_minutes(struct session *session, const struct minute_row *rows,
	size_t count, const struct minute_tracks *tracks)
{
	struct session_private *inside = session->private;
	bool good = true;

	if (!inside->together)
		inside->together = xalloc(sizeof *inside->together);
	inside->together->tracks = tracks;
	for (size_t i = 0; i < inside->span_count; i++) {
		struct span *span = &inside->spans[i];

		if (!span->is_long)
			continue;
		xgrow(&span->cells, &span->cell_room, session->track_count,
			sizeof *span->cells);
		gather(session, span, rows, count);
		good &= take_rows(inside->together);
	}
	return good;
}
