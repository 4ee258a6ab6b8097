/* What happened while nobody watched: shown once, when a screen comes back. */
#include "config.h"

#include "core/unit.h"
#include "tui/events.h"
#include "tui/screen.h"

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

void page_digest(const struct scene *scene, struct canvas *canvas)
{
	const struct session *session = scene->session;
	nsec since = scene->view->away_since;
	nsec after = since;
	char clock[16], length[32];
	int row = 3;
	nsec at;

	scene_clock(scene, since, clock, sizeof clock);
	unit_duration(length, sizeof length, session->last.at - since);
	canvas_fill(canvas, (struct spot){0, 0, CELL_HEADER}, canvas->width, ' ');
	canvas_format(canvas, (struct spot){0, 0, CELL_TITLE},
		"WELCOME BACK   any key: live, e: all events");
	canvas_format(canvas, (struct spot){1, 0, CELL_PLAIN},
		"Nobody watched since %s, for %s.  The recording went on.", clock,
		length);
	canvas_format(canvas, (struct spot){2, 0, CELL_PLAIN},
		"Since then: marks %zu, alerts %zu, notes and events %zu, gaps %zu",
		count_marks(scene, since), count_notes(scene, since, true),
		count_notes(scene, since, false), count_gaps(scene, since));
	for (; row < canvas->height && next_time(session, after, &at); after = at)
		row = draw_moment(scene, at, canvas, row);
}
