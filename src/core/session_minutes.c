/* From ticks to minutes; see core/minutes.h. */
#include "config.h"

#include "core/minutes.h"

#include "base/alloc.h"
#include "core/session_private.h"

#include <stdlib.h>

struct minutes {
	struct session *session;
	struct minute pair[2]; /* the one under way, and the last one */
	unsigned open;         /* which is under way */
	nsec after;
};

struct minutes *minutes_new(void)
{
	struct minutes *minutes = xalloc(sizeof *minutes);

	minutes->session = session_new("", 0);
	minutes->after = INT64_MIN;
	return minutes;
}

void minutes_free(struct minutes *minutes)
{
	if (!minutes)
		return;
	session_free(minutes->session);
	minute_fini(&minutes->pair[0]);
	minute_fini(&minutes->pair[1]);
	free(minutes);
}

void minutes_known(
	struct minutes *minutes, const struct subject *subject, unsigned metric)
{
	(void)session_adopt(minutes->session, subject, metric); /* the next number */
}

void minutes_after(struct minutes *minutes, nsec after)
{
	minutes->after = after;
}

/* The minute that ends at or after AT. */
static int64_t number_of(nsec at)
{
	return at > 0 ? (at - 1) / MINUTE : at / MINUTE - 1;
}

static int load_key_of(const struct session *session, const struct recipe *recipe)
{
	const struct value *load;

	if (recipe->load == NOWHERE)
		return -1;
	load = &session->tracks[recipe->load].now;
	return load->why == WHY_NONE ? (int)load_key(load->value, 0) : -1;
}

/* A gap reaches back into minutes that were not seen: this one begins with itself. */
static void add_time(struct minute *minute, const struct tick *tick, nsec before)
{
	nsec begin = minute->number * MINUTE;
	nsec start = tick->gap != GAP_NONE && before < begin ? begin : before;
	nsec beats = (tick->at - start + tick->interval / 2) / tick->interval;

	if (!minute->seen)
		minute->from = start;
	minute->to = tick->at;
	minute->interval = tick->interval;
	minute->seen++;
	if (tick->gap != GAP_NONE && beats > 1)
		minute->swallowed += (uint32_t)(beats - 1);
}

static void add_tick(struct minutes *minutes, nsec before)
{
	struct session *session = minutes->session;
	struct minute *minute = &minutes->pair[minutes->open];

	minute->number = number_of(session->last.at);
	add_time(minute, &session->last, before);
	xgrow(&minute->cells, &minute->room, session->track_count,
		sizeof *minute->cells);
	minute->count = session->track_count;
	for (size_t i = 0; i < session->track_count; i++) {
		const struct recipe *recipe = &session->private->recipes[i];

		minute_add(&minute->cells[i], recipe->metric, &session->tracks[i].now,
			load_key_of(session, recipe));
	}
}

const struct minute *minutes_put(
	struct minutes *minutes, const struct tick_decoder *decoder)
{
	struct session *session = minutes->session;
	struct minute *minute = &minutes->pair[minutes->open];
	nsec before = session->last.at;
	uint64_t ticks = session->ticks;
	bool over;

	session_put(session, decoder);
	/* the first one of all has no interval */
	if (!ticks || session->ticks == ticks || session->last.at <= minutes->after)
		return NULL;
	over = minute->seen && minute->number != number_of(session->last.at);
	if (over) {
		minutes->open = !minutes->open;
		minute_clear(&minutes->pair[minutes->open]);
	}
	add_tick(minutes, before);
	return over ? minute : NULL;
}

const struct minute *minutes_last(const struct minutes *minutes)
{
	const struct minute *minute = &minutes->pair[minutes->open];

	return minute->seen && minute->to == (minute->number + 1) * MINUTE ? minute
									   : NULL;
}

const struct session *minutes_session(const struct minutes *minutes)
{
	return minutes->session;
}

struct minute_row minute_row(
	const struct minute *minute, const uint32_t *numbers, struct buffer *data)
{
	size_t at = data->size;

	minute_encode(minute, numbers, data);
	return (struct minute_row){.number = minute->number,
		.from = minute->from,
		.to = minute->to,
		.interval = minute->interval,
		.seen = minute->seen,
		.swallowed = minute->swallowed,
		.data = data->data + at,
		.size = data->size - at};
}
