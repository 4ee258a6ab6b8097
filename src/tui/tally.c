/* Counts of bad things; see the header. */
#include "config.h"

#include "tui/tally.h"

#include "base/text.h"
#include "core/unit.h"
#include "packet/class.h"

#include <math.h>
#include <string.h>

enum {
	RECENT_S = 600,
	FEW = 5 /* events under which a rate would pretend to know */
};

struct tally tally_window(
	const struct scene *scene, const struct window *window, size_t track)
{
	const struct summary *summary = scene_summary(scene, window, (int)track);

	if (!summary || summary->den <= 0)
		return (struct tally){0};
	return (struct tally){true, summary->num, summary->den};
}

/* Seconds from the tick before to the one that lies BACK. */
static double tick_seconds(const struct session *session, size_t back)
{
	size_t slot = (size_t)((session->ticks - 1 - back) % session->ring_size);
	size_t before = (size_t)((session->ticks - 2 - back) % session->ring_size);

	return (double)(session->ring_at[slot] - session->ring_at[before]) /
	       (double)NSEC_PER_SEC;
}

/* Takes up the rate of a tick over the SECONDS for which it stands. The ring holds
 * rates over the stamps of their source, which are not quite those of the ticks; what
 * was counted is a whole number, so that the nearest one is it. */
static void take_up(struct tally *tally, double rate, double *seconds)
{
	if (*seconds <= 0)
		return;
	tally->known = true;
	tally->count += floor(rate * *seconds + 0.5);
	tally->seconds += *seconds;
	*seconds = 0;
}

/* Sum over the last ten minutes of the ring, newest first. A rate reaches back over
 * the ticks before it for which its source was late: they are in its interval. */
static struct tally recent(const struct scene *scene, size_t track)
{
	const struct session *session = scene->session;
	size_t held = session->ring_size;
	struct tally tally = {0};
	double rate = 0, seconds = 0;
	enum tick_gap gap;

	held = session->ticks < held ? (size_t)session->ticks : held;
	for (size_t back = scene->back; back + 1 < held; back++) {
		size_t slot =
			(size_t)((session->ticks - 1 - back) % session->ring_size);
		struct value value = session_past(session, track, back, &gap);

		if (scene->at - session->ring_at[slot] >= RECENT_S * NSEC_PER_SEC)
			break;
		if (value.why != WHY_LATE)
			take_up(&tally, rate, &seconds);
		if (value.why == WHY_NONE)
			rate = value.value;
		if (value.why == WHY_NONE || (value.why == WHY_LATE && seconds > 0))
			seconds += tick_seconds(session, back);
	}
	take_up(&tally, rate, &seconds);
	return tally;
}

struct tally tally_current(const struct scene *scene, size_t track)
{
	return scene->current ? tally_window(scene, scene->current, track)
			      : recent(scene, track);
}

void tally_text(const struct tally *tally, char *to, size_t size)
{
	char number[16], duration[24];

	if (!tally->known) {
		(void)text_copy(to, size, "?");
		return;
	}
	if (tally->count < FEW - 0.5) {
		unit_duration(duration, sizeof duration,
			(int64_t)(tally->seconds * (double)NSEC_PER_SEC));
		(void)text_format(to, size, "%.0f in %s", tally->count, duration);
		return;
	}
	unit_number(number, sizeof number, tally->count / tally->seconds * 3600, 5);
	(void)text_format(to, size, "%s/h", number);
}

/* What weir itself missed stands in the COVERAGE line. */
static bool is_our_own(const char *id)
{
	return !strncmp(id, "sampler.", 8) || !strncmp(id, "capture.", 8);
}

/* 0 to 2: the place among the rows; -1: not a row. */
static int group_of(unsigned number)
{
	const struct metric *metric = metric_at(number);
	unsigned direction;
	int class = metric_packet_class(number, &direction);

	if (class >= 0)
		return packet_classes[class].sense == CLASS_BAD ||
				       packet_classes[class].sense == CLASS_NOTE
			       ? 0
			       : -1;
	if (metric->form != METRIC_RATE || metric->unit != UNIT_PER_S ||
		metric->better != BETTER_LOWER || is_our_own(metric->id))
		return -1;
	if (metric->kind == KIND_TRANSPORT)
		return 1;
	return metric->kind == KIND_NIC ? 1 : metric->kind == KIND_HOST ? 2 : -1;
}

static double order_key(int group, const struct track *track)
{
	return group * 1e9 + track->metric * 1e4 + track->subject;
}

static void insert(struct rows *rows, size_t track, double key)
{
	size_t at = rows->count++;

	for (; at && rows->keys[at - 1] > key; at--) {
		rows->keys[at] = rows->keys[at - 1];
		rows->items[at] = rows->items[at - 1];
	}
	rows->keys[at] = key;
	rows->items[at] = (uint32_t)track;
}

static double sort_key(const struct scene *scene, size_t track, double order)
{
	const struct pane_view *view = &scene->view->panes[PANE_PACKETS];
	double key = 0;

	if (!view->sort)
		return order;
	key = view->sort == 1 ? rows_key(scene_track(scene, track))
			      : tally_current(scene, track).count;
	return view->invert ? key : -key;
}

void tally_rows(const struct scene *scene, struct rows *rows)
{
	const struct session *session = scene->session;

	rows_begin(rows, ROWS_TALLY);
	for (size_t i = 0; i < session->track_count; i++) {
		const struct track *track = &session->tracks[i];
		int group = group_of(track->metric);
		char name[160];

		if (group < 0 || track->last_event < 0)
			continue;
		tally_name(scene, i, name, sizeof name, 120);
		if (rows->count == ROWS_MAX ||
			!view_shows(scene->view, PANE_PACKETS, name, NULL))
			rows->hidden++;
		else
			insert(rows, i, sort_key(scene, i, order_key(group, track)));
	}
}

void tally_name(
	const struct scene *scene, size_t track, char *to, size_t size, int columns)
{
	const struct track *of = &scene->session->tracks[track];
	const struct subject *subject = &scene->session->subjects[of->subject];
	const struct metric *metric = metric_at(of->metric);
	const char *title = metric->title, *word = "";
	char tail[SUBJECT_LABEL + 8], cut[SUBJECT_LABEL + 8];
	unsigned direction = PACKET_UNKNOWN;
	int class = metric_packet_class(of->metric, &direction), room;

	if (class >= 0) {
		title = packet_classes[class].title;
		word = packet_direction_word((enum packet_direction)direction);
	}
	(void)text_format(tail, sizeof tail, "%s%s%s%s", *word ? " " : "", word,
		subject->kind == KIND_HOST ? "" : " ",
		subject->kind == KIND_HOST ? "" : scene_name(subject));
	room = columns - (int)text_columns(tail);
	text_middle(cut, sizeof cut, title, room > 4 ? (size_t)room : 4);
	(void)text_format(to, size, "%s%s", cut, tail); /* cut by the cell */
}

bool tally_captures(const struct scene *scene, enum why *why)
{
	*why = WHY_ABSENT;
	for (size_t i = 0; i < scene->session->subject_count; i++) {
		struct value value;

		if (scene->session->subjects[i].kind != KIND_NIC)
			continue;
		value = scene_figure(scene, (uint32_t)i, "capture.frames");
		if (value.why == WHY_NONE || value.why == WHY_FIRST ||
			value.why == WHY_GAP)
			return true;
		if (value.why != WHY_ABSENT)
			*why = (enum why)value.why;
	}
	return false;
}

/* Adds up the checksum classes of one interface and direction. */
static void judged(const struct scene *scene, uint32_t subject, unsigned direction,
	double *done, double *all)
{
	const struct session *session = scene->session;

	*done = *all = 0;
	for (size_t i = 0; i < session->track_count; i++) {
		const struct track *track = &session->tracks[i];
		unsigned way;
		int class = metric_packet_class(track->metric, &way);
		struct tally tally;

		if (track->subject != subject || class < 0 || way != direction ||
			packet_classes[class].group != GROUP_CHECKSUM)
			continue;
		tally = tally_current(scene, i);
		if (!tally.known)
			continue;
		*all += tally.count;
		if (packet_classes[class].sense != CLASS_UNSURE)
			*done += tally.count;
	}
}

static size_t add_judged(char *to, size_t size, double done, double all)
{
	char done_text[16], all_text[16];
	size_t used = strlen(to);

	unit_number(done_text, sizeof done_text, done, 5);
	unit_number(all_text, sizeof all_text, all, 5);
	if (done < all)
		(void)text_format(to + used, size - used, "%s/%s", done_text, all_text);
	else
		(void)text_format(to + used, size - used, "all %s", all_text);
	return strlen(to);
}

void tally_judged(const struct scene *scene, char *to, size_t size)
{
	const struct session *session = scene->session;
	size_t used = 0;

	to[0] = 0;
	for (size_t i = 0; i < session->subject_count; i++) {
		const char *name = scene_name(&session->subjects[i]);

		for (unsigned way = 0; way < PACKET_DIRECTIONS; way++) {
			double done, all;

			judged(scene, (uint32_t)i, way, &done, &all);
			if (all <= 0)
				continue;
			(void)text_format(to + used, size - used, "%s%s %s ",
				!used   ? ""
				: *name ? ", "
					: "",
				name,
				packet_direction_word((enum packet_direction)way));
			used = add_judged(to, size, done, all);
			name = ""; /* once for all directions */
		}
	}
}
