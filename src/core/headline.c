/* Which rows are of the headline family; see the header. */
#include "config.h"

#include "core/headline.h"

#include "base/alloc.h"
#include "core/judgement_row.h"
#include "packet/class.h"

#include <stdlib.h>
#include <string.h>

/* The busiest subjects by one metric, A and B together; and the rows of theirs. */
struct busiest {
	const char *by;
	const char *const *ids;
	size_t id_count;
	size_t most; /* at most HEADLINE_NAMED */
	bool named;  /* only those that were chosen, idle ones too */
	double size[HEADLINE_NAMED];
	uint32_t subjects[HEADLINE_NAMED];
	size_t count;
};

static const char *const of_disks[] = {
	"disk.queue", "disk.read.await", "disk.write.await"};
static const char *const of_peers[] = {
	"peer.retrans", "peer.rtt", "peer.response.read", "peer.response.write"};

static const char *id_of(const struct session *session, size_t track)
{
	return metric_at(session->tracks[track].metric)->id;
}

static void rank(struct busiest *list, uint32_t subject, double size)
{
	size_t place = list->count;

	while (place && list->size[place - 1] < size)
		place--;
	if (place == list->most)
		return;
	if (list->count < list->most)
		list->count++;
	for (size_t k = list->count - 1; k > place; k--) {
		list->size[k] = list->size[k - 1];
		list->subjects[k] = list->subjects[k - 1];
	}
	list->size[place] = size;
	list->subjects[place] = subject;
}

static bool is_named(const struct session *session, size_t track)
{
	return session->subjects[session->tracks[track].subject].flags & SUBJECT_NAMED;
}

static bool any_named(const struct session *session)
{
	for (size_t i = 0; i < session->track_count; i++)
		if (is_named(session, i))
			return true;
	return false;
}

static void find(
	struct busiest *list, const struct judgement *j, const struct session *session)
{
	for (size_t i = 0; i < j->count; i++) {
		double size = j->rows[i].raw.a + j->rows[i].raw.b;
		bool fits = list->named ? is_named(session, i) : size > 0;

		if (fits && !strcmp(id_of(session, i), list->by))
			rank(list, session->tracks[i].subject, size);
	}
}

static bool is_in(
	const struct busiest *list, const struct session *session, size_t track)
{
	const char *id = id_of(session, track);

	for (size_t s = 0; s < list->count; s++)
		for (size_t i = 0; i < list->id_count; i++)
			if (list->subjects[s] == session->tracks[track].subject &&
				!strcmp(id, list->ids[i]))
				return true;
	return false;
}

/* ---- peaks ---- */

static bool any(const struct batches *b)
{
	for (size_t i = 0; i < slots_count(&b->slots); i++)
		if (b->num[i] > 0)
			return true;
	return false;
}

static void add_row(struct judgement *j, const struct headline_row *row)
{
	xgrow(&j->extra, &j->extra_room, j->extra_count + 1, sizeof *j->extra);
	j->extra[j->extra_count++] = *row;
}

static void add_peaks(struct judgement *j, const struct contest *contest, uint32_t disk)
{
	const struct session *session = contest->session;
	int track = session_track(session, disk, (unsigned)metric_find("disk.queue"));
	struct headline_row row = {.id = "disk.queue.peaks",
		.label = "peaks of the queue",
		.subject = disk};
	struct batches sides[2];
	double seconds[2];

	for (size_t s = 0; s < 2; s++) {
		uint32_t id = contest->sides[s].ids[0];
		const struct summary *summary =
			session_summary(session, id, (size_t)track);

		if (!summary || !summary->tail || !summary->tail->slots.ticks)
			return;
		if (!s)
			row.limit = quantile_at(summary->tail, HEADLINE_PEAK);
		quantile_above(summary->tail, row.limit, &sides[s]);
		row.has_stretches = summary->stretches && (!s || row.has_stretches);
		if (summary->stretches)
			row.stretches[s] = stretches_above(
				summary->stretches, row.limit, &row.longest[s]);
		seconds[s] = judgement_seconds(
			session, windows_by_id(&session->windows, id));
	}
	if (!any(&sides[0]))
		return; /* A stood still at its highest: what is above says nothing */
	row.limit *= summary_step(metric_at(session->tracks[track].metric));
	row.neutral = j->rows[track].load_differs || j->rows[track].hours_differ;
	verdict_counts(&row.verdict, &sides[0], &sides[1], seconds);
	add_row(j, &row);
}

/* ---- all bad packets ---- */

static bool is_bad(const struct session *session, const struct track *track)
{
	unsigned direction;
	int class = metric_packet_class(track->metric, &direction);

	return class >= 0 && packet_classes[class].sense == CLASS_BAD &&
	       !(session->subjects[track->subject].flags & SUBJECT_STACKED);
}

static bool is_segments(const struct session *session, const struct track *track)
{
	return !strcmp(metric_at(track->metric)->id, "capture.segments") &&
	       !(session->subjects[track->subject].flags & SUBJECT_STACKED);
}

/* Adds the num of all tracks that IS picks to SUM. False: one of them was not there
 * for the whole of the window. */
static bool add_up(const struct session *session, uint32_t window,
	bool (*is)(const struct session *session, const struct track *track),
	double *sum, struct slots *slots)
{
	for (size_t t = 0; t < session->track_count; t++) {
		const struct summary *one =
			is(session, &session->tracks[t])
				? session_summary(session, window, t)
				: NULL;

		if (!one)
			continue;
		if (slots->ticks && slots->ticks != one->batches.slots.ticks)
			return false;
		*slots = one->batches.slots;
		for (size_t i = 0; i < slots_count(slots); i++)
			sum[i] += one->batches.num[i];
	}
	return slots->ticks;
}

static void add_packets(struct judgement *j, const struct contest *contest)
{
	const struct session *session = contest->session;
	struct headline_row row = {.id = "packets.bad",
		.label = "bad packets, all",
		.subject = UINT32_MAX};
	struct batches *sides = xarray(2, sizeof *sides);
	double seconds[2];
	bool good = true;

	for (size_t s = 0; s < 2; s++) {
		uint32_t id = contest->sides[s].ids[0];

		good = good &&
		       add_up(session, id, is_segments, sides[s].den,
			       &sides[s].slots) &&
		       add_up(session, id, is_bad, sides[s].num, &sides[s].slots);
		seconds[s] = judgement_seconds(
			session, windows_by_id(&session->windows, id));
	}
	if (good) {
		verdict_counts(&row.verdict, &sides[0], &sides[1], seconds);
		add_row(j, &row);
	}
	free(sides);
}

void headline_choose(struct judgement *j, const struct contest *contest)
{
	const struct session *session = contest->session;
	struct busiest disks = {.by = "disk.queue",
		.ids = of_disks,
		.id_count = sizeof of_disks / sizeof *of_disks,
		.named = any_named(session)};
	struct busiest peers = {.by = "peer.tx.bytes",
		.ids = of_peers,
		.id_count = sizeof of_peers / sizeof *of_peers,
		.most = HEADLINE_BUSIEST};

	disks.most = disks.named ? HEADLINE_NAMED : HEADLINE_BUSIEST;
	j->extra_count = 0;
	find(&disks, j, session);
	find(&peers, j, session);
	for (size_t i = 0; i < j->count; i++)
		j->rows[i].headline = is_in(&disks, session, i) ||
				      is_in(&peers, session, i) ||
				      !strcmp(id_of(session, i), "tcp.retrans");
	if (contest->how != SIDES_SINGLE)
		return; /* of one window against one */
	for (size_t i = 0; i < disks.count; i++)
		add_peaks(j, contest, disks.subjects[i]);
	add_packets(j, contest);
}
