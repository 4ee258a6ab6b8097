/*
 * Pane 4: notes, alerts and events, the newest first; how many are unread; and what
 * weir itself costs, so that nobody has to wonder.
 */
#include "config.h"

#include "base/text.h"
#include "tui/events.h"
#include "tui/pane.h"
#include "tui/rows.h"

#include <string.h>

static bool shows(const struct scene *scene, const struct note *note)
{
	return note->at <= scene->at &&
	       view_shows(scene->view, PANE_EVENTS, note->text, note->author);
}

size_t events_count(const struct scene *scene, size_t *hidden, size_t *unread)
{
	size_t count = 0;

	*hidden = *unread = 0;
	for (size_t i = 0; i < scene->session->note_count; i++) {
		const struct note *note = &scene->session->notes[i];

		if (note->at > scene->at)
			continue;
		*unread += note->at > scene->view->read_at;
		count += shows(scene, note);
		*hidden += !shows(scene, note);
	}
	return count;
}

static const char signs[] = {[NOTE_TEXT] = 'n',
	[NOTE_ATTACHMENT] = 'n',
	[NOTE_EVENT] = 'e',
	[NOTE_ALERT] = '!'};

char event_sign(enum note_kind kind)
{
	return signs[kind];
}

static void draw_event(const struct scene *scene, const struct note *note,
	struct canvas *canvas, int row)
{
	char clock[16];
	bool own = note->kind == NOTE_TEXT || note->kind == NOTE_ATTACHMENT;
	int at;

	scene_clock(scene, note->at, clock, sizeof clock);
	at = canvas_text(canvas, row, 0, CELL_DIM, clock);
	at = canvas_format(canvas,
		(struct spot){
			row, at, note->kind == NOTE_ALERT ? CELL_WORSE : CELL_PLAIN},
		" %c ", event_sign(note->kind));
	at = canvas_text(canvas, row, at, CELL_PLAIN, note->text);
	if (own && *note->author)
		canvas_format(canvas, (struct spot){row, at, CELL_DIM}, " (%s)",
			note->author);
}

void events_draw(const struct scene *scene, size_t skip, struct canvas *canvas)
{
	int row = 0;

	for (size_t i = scene->session->note_count; i-- && row < canvas->height;) {
		const struct note *note = &scene->session->notes[i];

		if (!shows(scene, note))
			continue;
		if (skip) {
			skip--;
			continue;
		}
		draw_event(scene, note, canvas, row++);
	}
	if (!row)
		canvas_text(canvas, 0, 0, CELL_DIM,
			"  nothing yet; n writes a note at this second");
}

static int wants(const struct scene *scene)
{
	size_t hidden, unread;
	size_t count = events_count(scene, &hidden, &unread);

	return count ? (int)count : 1;
}

static size_t count_rows(const struct scene *scene, size_t *hidden)
{
	size_t unread;

	return events_count(scene, hidden, &unread);
}

/* "weir 0.3% + capture 4.1% of a core", as far as it is known. */
static void own_cost(const struct scene *scene, char *text, size_t size)
{
	int host = session_find_subject(scene->session, KIND_HOST, "host");
	struct value own = {.why = WHY_ABSENT};
	double capture = 0;
	bool captures = false;

	text[0] = 0;
	if (host >= 0)
		own = scene_figure(scene, (uint32_t)host, "weir.cpu");
	if (own.why != WHY_NONE)
		return;
	for (size_t i = 0; i < scene->session->subject_count; i++) {
		struct value value = scene_figure(scene, (uint32_t)i, "capture.cpu");

		if (scene->session->subjects[i].kind != KIND_NIC ||
			value.why != WHY_NONE)
			continue;
		capture += value.value;
		captures = true;
	}
	if (captures)
		(void)text_format(text, size, "weir %.1f%% + capture %.1f%% of a core",
			own.value * 100, capture * 100);
	else
		(void)text_format(text, size, "weir %.1f%% of a core, no capture",
			own.value * 100);
}

static void draw(const struct scene *scene, struct canvas *canvas)
{
	struct canvas rows =
		canvas_part(canvas, 1, 0, canvas->height - 1, canvas->width);
	char title[48], cost[64];
	size_t hidden, unread, count, top;
	int at;

	if (canvas->height == 1) {
		events_draw(scene, 0, canvas);
		return;
	}
	count = events_count(scene, &hidden, &unread);
	rows_title(scene, PANE_EVENTS, "EVENTS", title, sizeof title);
	canvas_fill(canvas, (struct spot){0, 0, CELL_HEADER}, canvas->width, ' ');
	at = canvas_text(canvas, 0, 0, CELL_TITLE, title);
	if (unread)
		at = canvas_format(canvas, (struct spot){0, at, CELL_KEY},
			"   %zu unread (x = read)", unread);
	own_cost(scene, cost, sizeof cost);
	if (at + 2 + (int)strlen(cost) <= canvas->width)
		canvas_text(canvas, 0, canvas->width - (int)strlen(cost), CELL_HEADER,
			cost);
	top = rows_top(scene, PANE_EVENTS, count, rows.height);
	events_draw(scene, top, &rows);
	rows_select(scene, PANE_EVENTS,
		(size_t)scene->view->panes[PANE_EVENTS].selected, &rows,
		scene->view->panes[PANE_EVENTS].selected - (int)top);
}

static const char *const sorts[] = {"newest first", NULL};

const struct pane pane_events = {"EVENTS", wants, count_rows, draw, sorts, NULL};
