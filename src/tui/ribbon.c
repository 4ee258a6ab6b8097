/*
 * The ribbon: the windows on a time axis that ends now, and below it what happened:
 * notes, alerts, gaps, runs. Columns stand for fixed stretches of time, so that the
 * picture moves only when a column is full.
 */
#include "config.h"

#include "base/text.h"
#include "core/unit.h"
#include "tui/lines.h"

#include <string.h>

struct axis {
	nsec from, step;
	int left, columns; /* of the canvas */
};

static const int steps[] = {1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 25, 30, 40, 50, 60, 90,
	120, 180, 240, 300, 450, 600, 900, 1200, 1800, 2700, 3600, 5400, 7200, 10800,
	14400, 21600, 43200, 86400, 172800, 604800};

/* From BEFORE on, with a little of what was ahead of it; else all there is. */
static nsec axis_start(const struct scene *scene)
{
	nsec last = scene->session->last.at, from = 0;

	for (size_t i = 0; i < scene->session->windows.count; i++) {
		const struct window *window = &scene->session->windows.list[i];

		if (window->role == ROLE_BEFORE)
			from = window->from;
	}
	if (!from && last > 3600 * NSEC_PER_SEC)
		from = last - 3600 * NSEC_PER_SEC;
	return from > (last - from) / 20 ? from - (last - from) / 20 : 0;
}

static void axis_make(const struct scene *scene, struct axis *axis)
{
	nsec last = scene->session->last.at, from = axis_start(scene);
	size_t i = 0, count = sizeof steps / sizeof *steps;

	for (; i + 1 < count; i++)
		if ((last - from) / (steps[i] * NSEC_PER_SEC) + 1 < axis->columns)
			break;
	axis->step = steps[i] * NSEC_PER_SEC;
	axis->from = from / axis->step * axis->step;
}

/* Column of session time AT, or -1. */
static int column_of(const struct axis *axis, nsec at)
{
	nsec column = (at - axis->from) / axis->step;

	return at < axis->from || column >= axis->columns ? -1 : (int)column;
}

static enum role_cell role_of(enum role role)
{
	return role == ROLE_BEFORE   ? CELL_WINDOW_BEFORE
	       : role == ROLE_CHANGE ? CELL_WINDOW_CHANGE
	       : role == ROLE_AFTER  ? CELL_WINDOW_AFTER
				     : CELL_PLAIN;
}

static void window_label(const struct window *window, nsec now, int room,
	struct canvas *canvas, int column)
{
	char length[24], text[WINDOW_NAME + 32];
	int columns;

	unit_duration(length, sizeof length, window_until(window, now) - window->from);
	(void)text_format(text, sizeof text, "%s %s", window->name, length);
	if ((int)strlen(text) > room)
		(void)text_copy(text, sizeof text, window->name);
	if ((int)strlen(text) > room)
		text[room < 1 ? 0 : 1] = 0;
	columns = (int)strlen(text);
	canvas_text(
		canvas, 0, column + (room - columns) / 2, role_of(window->role), text);
}

static void draw_window(const struct scene *scene, const struct axis *axis,
	const struct window *window, struct canvas *canvas)
{
	nsec now = scene->session->last.at;
	bool open = window_runs(window, now);
	int from =
		column_of(axis, window->from < axis->from ? axis->from : window->from);
	int to = column_of(axis, window_until(window, now));
	enum role_cell role = role_of(window->role);

	if (from < 0 || to < 0 || window->role == ROLE_RUN)
		return;
	canvas_fill(canvas, (struct spot){0, axis->left + from, role}, to - from + 1,
		window->role == ROLE_CHANGE  ? '~'
		: window->role == ROLE_OTHER ? '-'
					     : '=');
	if (window->role != ROLE_CHANGE) {
		canvas_fill(canvas, (struct spot){0, axis->left + from, role}, 1, '[');
		canvas_fill(canvas, (struct spot){0, axis->left + to, role}, 1,
			open ? '>' : ']');
	}
	window_label(window, now, to - from - 1, canvas, axis->left + from + 1);
}

static void put(const struct axis *axis, struct canvas *canvas, nsec at,
	enum role_cell role, char sign)
{
	int column = column_of(axis, at);

	if (column >= 0)
		canvas_fill(canvas, (struct spot){1, axis->left + column, role}, 1,
			(uint32_t)sign);
}

/* Time without ticks: '?' in every column of it. */
static void draw_gaps(
	const struct scene *scene, const struct axis *axis, struct canvas *canvas)
{
	for (size_t i = 0; i < scene->session->gap_count; i++) {
		const struct gap *gap = &scene->session->gaps[i];
		nsec from = gap->from < axis->from ? axis->from : gap->from;

		for (nsec at = from; at < gap->to; at += axis->step)
			put(axis, canvas, at, CELL_UNKNOWN, '?');
		put(axis, canvas, gap->to, CELL_UNKNOWN,
			gap->kind == GAP_RUN ? 'R' : '?');
	}
}

static void draw_marks(
	const struct scene *scene, const struct axis *axis, struct canvas *canvas)
{
	const struct session *session = scene->session;

	draw_gaps(scene, axis, canvas);
	for (size_t i = 0; i < session->note_count; i++) {
		const struct note *note = &session->notes[i];
		bool alert = note->kind == NOTE_ALERT;

		if (alert || note->kind != NOTE_EVENT)
			put(axis, canvas, note->at, alert ? CELL_WORSE : CELL_KEY,
				alert ? '!' : 'n');
	}
	if (scene->view->paused)
		put(axis, canvas, scene->at, CELL_PAUSED, '^');
}

void ribbon_draw(const struct scene *scene, struct canvas *canvas)
{
	static const char legend[] = "n note  ! alert  R run  ? unseen";
	char start[16], end[32], step[24];
	struct axis axis = {.left = 6};
	int used, room;

	axis.columns = canvas->width - axis.left - 16;
	if (axis.columns < 8) {
		axis.left = 0;
		axis.columns = canvas->width;
	}
	axis_make(scene, &axis);
	scene_clock(scene, axis.from, start, sizeof start);
	unit_duration(step, sizeof step, axis.step);
	(void)text_format(end, sizeof end, " now  1col=%s", step);
	if (axis.left)
		canvas_format(canvas, (struct spot){0, 0, CELL_DIM}, "%.5s", start);
	for (size_t i = 0; i < scene->session->windows.count; i++)
		draw_window(scene, &axis, &scene->session->windows.list[i], canvas);
	used = column_of(&axis, scene->session->last.at);
	canvas_fill(canvas, (struct spot){1, axis.left, CELL_PLAIN}, axis.columns, ' ');
	room = canvas->width - axis.left - used - 1;
	if (axis.left && room >= (int)strlen(end))
		canvas_text(canvas, 0, axis.left + used + 1, CELL_DIM, end);
	draw_marks(scene, &axis, canvas);
	if (room > (int)strlen(legend) + 1)
		canvas_text(canvas, 1, canvas->width - (int)strlen(legend), CELL_DIM,
			legend);
	else if (room > 10)
		canvas_text(canvas, 1, canvas->width - 8, CELL_DIM, "n ! R ?");
}
