/* Minutes that the file does not hold: of the last ones of a recording, and all of them
 * where an older weir recorded. Made from its ticks as the recorder would. */
#include "config.h"

#include "base/alloc.h"
#include "core/minutes.h"
#include "store/store_sum.h"

#include <stdlib.h>
#include <string.h>

struct making {
	struct sum *sum;
	struct minutes *minutes;
	struct tick_decoder decoder;
	struct buffer data;
	struct minute_tracks tracks; /* of the session, by those of MINUTES */
};

/* The one subject of SESSION that has the identity of SUBJECT; null: none, or several.
 */
static const struct subject *only_one(
	const struct session *session, const struct subject *subject)
{
	const struct subject *found = NULL;

	for (size_t i = 0; *subject->id && i < session->subject_count; i++) {
		const struct subject *one = &session->subjects[i];

		if (one->kind != subject->kind || strcmp(one->id, subject->id) != 0)
			continue;
		if (found)
			return NULL; /* two paths to one LUN */
		found = one;
	}
	return found;
}

/* As the file's minutes know it: it may be called otherwise in the ticks behind them.
 */
static struct subject known_as(const struct session *from, const struct session *to,
	const struct subject *subject)
{
	const struct subject *known =
		only_one(from, subject) ? only_one(to, subject) : NULL;

	return known ? *known : *subject;
}

static void adopt_tracks(struct making *making)
{
	const struct session *from = minutes_session(making->minutes);
	struct session *to = making->sum->session;
	struct minute_tracks *tracks = &making->tracks;
	struct subject subject = {.kind = KIND_COUNT};
	uint32_t last = UINT32_MAX;

	xgrow(&tracks->list, &tracks->room, from->track_count, sizeof *tracks->list);
	for (; tracks->count < from->track_count; tracks->count++) {
		const struct track *track = &from->tracks[tracks->count];

		if (track->subject != last) /* tracks come subject by subject */
			subject = known_as(from, to, &from->subjects[track->subject]);
		last = track->subject;
		tracks->list[tracks->count] =
			(uint32_t)session_adopt(to, &subject, track->metric);
	}
}

static void give_minute(struct making *making, const struct minute *minute)
{
	struct minute_row row;

	adopt_tracks(making);
	buffer_clear(&making->data);
	row = minute_row(minute, NULL, &making->data);
	/* our own bytes are good */
	(void)session_minutes(making->sum->session, &row, 1, &making->tracks);
}

/* One that was open in the file goes on in the ticks behind, where it seems to begin.
 */
static bool goes_on(struct session *to, const struct stall *stall, nsec followed)
{
	for (size_t i = 0; i < to->stall_count && stall->from <= followed; i++)
		if (to->stalls[i].subject == stall->subject &&
			to->stalls[i].to == WINDOW_OPEN) {
			to->stalls[i].to = stall->to;
			return true;
		}
	return false;
}

static bool make_minute(
	void *context, nsec at, bool full, const uint8_t *data, size_t size)
{
	struct making *making = context;
	const struct minute *minute;
	bool have;

	(void)at;
	(void)full; /* the decoder sees both in the bytes */
	if (!tick_decode(&making->decoder, data, size, &have, NULL) || !have)
		return true;
	minute = minutes_put(making->minutes, &making->decoder);
	if (minute)
		give_minute(making, minute);
	return true;
}

/* From a subject of MINUTES to that of the session. */
static bool same_subject(const struct making *making, uint32_t *subject)
{
	const struct session *from = minutes_session(making->minutes);

	for (size_t i = 0; i < making->tracks.count; i++)
		if (from->tracks[i].subject == *subject) {
			*subject = making->sum->session->tracks[making->tracks.list[i]]
					   .subject;
			return true;
		}
	return false;
}

/* Of the ticks behind the minutes of the file; those before are in its tables. */
static void tell_rest(struct making *making)
{
	const struct session *from = minutes_session(making->minutes);
	struct session *to = making->sum->session;
	nsec followed = making->sum->followed;

	adopt_tracks(making);
	for (size_t i = 0; i < from->gap_count; i++)
		if (from->gaps[i].to > followed)
			session_tell_gap(to, &from->gaps[i]);
	for (size_t i = 0; i < from->stall_count; i++) {
		struct stall stall = from->stalls[i];

		if (stall.to <= followed || !same_subject(making, &stall.subject))
			continue;
		if (!goes_on(to, &stall, followed))
			session_tell_stall(to, &stall);
	}
}

bool sum_make_rest(struct sum *sum, nsec from, struct fault *fault)
{
	struct making making = {.sum = sum, .minutes = minutes_new()};
	const struct minute *last;
	bool done;

	minutes_after(making.minutes, sum->followed);
	if (from > INT64_MIN + MINUTE)
		from = from / MINUTE * MINUTE - 1;
	/* the tick behind a minute ends it */
	done = store_ticks(sum->store, from, sum->all.to + 2 * MINUTE, make_minute,
		&making, fault);
	last = minutes_last(making.minutes);
	if (done && last)
		give_minute(&making, last);
	if (done)
		tell_rest(&making);
	minutes_free(making.minutes);
	tick_decoder_fini(&making.decoder);
	buffer_fini(&making.data);
	free(making.tracks.list);
	return done;
}
