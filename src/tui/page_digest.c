/* What happened while nobody watched: shown once, when a screen comes back. */
#include "config.h"

#include "base/text.h"
#include "core/unit.h"
#include "tui/events.h"
#include "tui/lines.h"
#include "tui/screen.h"

#include <string.h>

/* One line of the list: a mark or an event. */
struct line {
	nsec at;
	char sign;
	const char *text;
	const char *author;
};

static size_t count_marks(const struct scene *scene, nsec since)
{
	const struct windows *windows = &scene->session->windows;
	size_t count = 0;

	for (size_t i = 0; i < windows->count; i++)
		count += windows->list[i].from > since;
	return count;
}

static size_t count_notes(const struct scene *scene, nsec since, bool alerts)
{
	const struct session *session = scene->session;
	size_t count = 0;

	for (size_t i = 0; i < session->note_count; i++)
		count += session->notes[i].at > since &&
			 (session->notes[i].kind == NOTE_ALERT) == alerts;
	return count;
}

static size_t count_gaps(const struct scene *scene, nsec since)
{
	const struct session *session = scene->session;
	size_t count = 0;

	for (size_t i = 0; i < session->gap_count; i++)
		count += session->gaps[i].to > since;
	return count;
}

bool digest_has_news(const struct session *session, nsec since)
{
	const struct scene scene = {.session = session};

	return count_marks(&scene, since) || count_notes(&scene, since, false) ||
	       count_notes(&scene, since, true) || count_gaps(&scene, since);
}

/* When something happened first after AFTER; false: never. */
static bool next_time(const struct session *session, nsec after, nsec *at)
{
	*at = INT64_MAX;
	for (size_t i = 0; i < session->windows.count; i++)
		if (session->windows.list[i].from > after &&
			session->windows.list[i].from < *at)
			*at = session->windows.list[i].from;
	for (size_t i = 0; i < session->note_count; i++)
		if (session->notes[i].at > after && session->notes[i].at < *at)
			*at = session->notes[i].at;
	return *at < INT64_MAX;
}

static void draw_line(const struct scene *scene, const struct line *line,
	struct canvas *canvas, int row)
{
	char clock[16];
	int at;

	scene_clock(scene, line->at, clock, sizeof clock);
	at = canvas_text(canvas, row, 2, CELL_DIM, clock);
	at = canvas_format(canvas,
		(struct spot){row, at, line->sign == '!' ? CELL_WORSE : CELL_PLAIN},
		" %c ", line->sign);
	at = canvas_text(canvas, row, at, CELL_PLAIN, line->text);
	if (line->sign != 'e' && line->sign != '!' && *line->author)
		canvas_format(canvas, (struct spot){row, at, CELL_DIM}, " (%s)",
			line->author);
}

/* All that happened at one moment. Returns the row behind it. */
static int draw_moment(
	const struct scene *scene, nsec at, struct canvas *canvas, int row)
{
	const struct session *session = scene->session;

	for (size_t i = 0; i < session->windows.count; i++) {
		const struct window *window = &session->windows.list[i];
		const struct line line = {at, 'm', window->name, window->author};

		if (window->from == at)
			draw_line(scene, &line, canvas, row++);
	}
	for (size_t i = 0; i < session->note_count; i++) {
		const struct note *note = &session->notes[i];
		const struct line line = {
			at, event_sign(note->kind), note->text, note->author};

		if (note->at == at)
			draw_line(scene, &line, canvas, row++);
	}
	return row;
}

/* ---- the worst moment, and what captures lost ---- */

/* Takes up a tick of TRACK that lies BACK and stands for SECONDS. */
static void look_at(struct away *away, const struct session *session, size_t track,
	size_t back, double seconds)
{
	enum tick_gap gap;
	struct value value = session_past(session, track, back, &gap);
	const struct track *of = &session->tracks[track];
	const char *id = metric_at(of->metric)->id;

	if (value.why != WHY_NONE)
		return;
	if (!strcmp(id, "capture.lost")) {
		away->lost = (away->lost < 0 ? 0 : away->lost) + value.value * seconds;
	} else if (value.value >= away->queue) { /* the first one of equals */
		away->queue = value.value;
		away->worst = of->subject;
		away->worst_at = session->ring_at[(session->ticks - 1 - back) %
						  session->ring_size];
	}
}

static void look_back(struct away *away, const struct session *session, size_t track)
{
	size_t held = session->ticks < session->ring_size ? (size_t)session->ticks
							  : session->ring_size;

	for (size_t back = 0; back + 1 < held; back++) {
		size_t slot = (session->ticks - 1 - back) % session->ring_size;
		size_t before = (session->ticks - 2 - back) % session->ring_size;

		if (session->ring_at[slot] <= away->since)
			return;
		look_at(away, session, track, back,
			(double)(session->ring_at[slot] - session->ring_at[before]) /
				(double)NSEC_PER_SEC);
	}
}

void digest_open(struct view *view, const struct session *session, nsec since)
{
	int queue = metric_find("disk.queue"), lost = metric_find("capture.lost");

	view->page = PAGE_DIGEST;
	/* a queue below 1 is nobody's worst moment */
	view->away = (struct away){.since = since, .queue = 1, .lost = -1};
	for (size_t i = 0; i < session->track_count; i++)
		if (session->tracks[i].metric == (unsigned)queue ||
			session->tracks[i].metric == (unsigned)lost)
			look_back(&view->away, session, i);
}

static void draw_worst(const struct scene *scene, struct canvas *canvas, int row)
{
	const struct away *away = &scene->view->away;
	char clock[16], queue[16];

	if (!away->worst_at)
		return;
	scene_clock(scene, away->worst_at, clock, sizeof clock);
	unit_number(queue, sizeof queue, away->queue, 5);
	canvas_format(canvas, (struct spot){row, 0, CELL_PLAIN},
		"Worst moment: %s %s, queue %s   (g goes there)", clock,
		scene_name(&scene->session->subjects[away->worst]), queue);
}

static void draw_counts(const struct scene *scene, struct canvas *canvas, int row)
{
	const struct away *away = &scene->view->away;
	char lost[32] = "no capture", number[16];

	if (away->lost >= 0) {
		unit_number(number, sizeof number, away->lost, 5);
		(void)text_format(lost, sizeof lost, "lost packets %s", number);
	}
	canvas_format(canvas, (struct spot){row, 0, CELL_PLAIN},
		"Since then: marks %zu, alerts %zu, notes and events %zu, gaps %zu, %s",
		count_marks(scene, away->since), count_notes(scene, away->since, true),
		count_notes(scene, away->since, false), count_gaps(scene, away->since),
		lost);
}

/* What happened, oldest first; what does not fit is counted. */
static void draw_list(const struct scene *scene, struct canvas *canvas)
{
	size_t all = count_marks(scene, scene->view->away.since) +
		     count_notes(scene, scene->view->away.since, true) +
		     count_notes(scene, scene->view->away.since, false);
	size_t room = canvas->height > 1 ? (size_t)canvas->height : 1;
	size_t shown = all > room ? room - 1 : all;
	struct canvas list = canvas_part(canvas, 0, 0, (int)shown, canvas->width);
	nsec after = scene->view->away.since, at;

	for (int row = 0; row < list.height && next_time(scene->session, after, &at);
		after = at)
		row = draw_moment(scene, at, &list, row);
	if (all > shown)
		canvas_format(canvas, (struct spot){(int)shown, 2, CELL_KEY},
			"+%zu more (e)", all - shown);
}

void page_digest(const struct scene *scene, struct canvas *canvas)
{
	const struct session *session = scene->session;
	struct canvas list;
	char clock[16], length[32], verdict[512];

	scene_clock(scene, scene->view->away.since, clock, sizeof clock);
	unit_duration(
		length, sizeof length, session->last.at - scene->view->away.since);
	canvas_fill(canvas, (struct spot){0, 0, CELL_HEADER}, canvas->width, ' ');
	canvas_format(canvas, (struct spot){0, 0, CELL_TITLE},
		"WELCOME BACK   any key: live, e: all events");
	canvas_format(canvas, (struct spot){1, 0, CELL_PLAIN},
		"Nobody watched since %s, for %s.  The recording %s.", clock, length,
		count_gaps(scene, scene->view->away.since) ? "has gaps" : "went on");
	draw_counts(scene, canvas, 2);
	draw_worst(scene, canvas, 3);
	line_verdict_text(scene, verdict, sizeof verdict, canvas->width);
	canvas_line(canvas, 4, CELL_KEY, verdict);
	list = canvas_part(canvas, 6, 0, canvas->height - 6, canvas->width);
	draw_list(scene, &list);
}
