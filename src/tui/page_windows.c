/* The list of all windows, by their beginnings: which two are compared, how long they
 * are and how much of them was seen. */
#include "config.h"

#include "base/text.h"
#include "core/unit.h"
#include "tui/actions.h"
#include "tui/screen.h"

#include <string.h>

enum {
	NAME = 20,   /* columns of a name */
	WHEN = 16,   /* of a time, with the blank behind it */
	AUTHOR = 10, /* of a person's name */
};

/* "02:06:10", or with its day where that is not the day of the moment shown. */
static void when(const struct scene *scene, nsec at, char *to, size_t size)
{
	int zone = scene->session->last.zone_minutes;
	char date[48], now[48];

	unit_date(date, sizeof date, session_wall(scene->session, at), zone);
	unit_date(now, sizeof now, session_wall(scene->session, scene->at), zone);
	if (strncmp(date, now, 10) != 0)
		(void)text_format(to, size, "%.14s", date + 5); /* 10-01 02:06:10 */
	else
		(void)text_format(to, size, "%.8s", date + 11);
}

static char letter_of(const struct scene *scene, const struct window *window)
{
	return window == scene->a ? 'A' : window == scene->b ? 'B' : ' ';
}

/* How a command ended, or who set the window. */
static void last_words(const struct window *window, char *to, size_t size)
{
	bool ended = window->role == ROLE_RUN && window->to != WINDOW_OPEN;

	if (ended && window->exit_status < 0)
		(void)text_copy(to, size, "exit ?"); /* its weir run was lost */
	else if (ended)
		(void)text_format(to, size, "exit %d", window->exit_status);
	else
		(void)text_copy(to, size, window->author);
}

static void draw_row(const struct scene *scene, const struct window *window,
	struct canvas *canvas, int row)
{
	struct coverage seen = session_coverage(scene->session, window->id);
	nsec end = window_until(window, scene->session->last.at);
	char name[4 * NAME + 1], from[24], to[24] = "open", length[24];
	char samples[48], words[4 * AUTHOR + 16];

	text_middle(name, sizeof name, window->name, NAME);
	when(scene, window->from, from, sizeof from);
	if (window->to != WINDOW_OPEN)
		when(scene, window->to, to, sizeof to);
	unit_duration(length, sizeof length, end - window->from);
	(void)text_format(samples, sizeof samples, "%llu/%llu",
		(unsigned long long)seen.seen, (unsigned long long)seen.expected);
	last_words(window, words, sizeof words);
	canvas_format(canvas, (struct spot){row, 0, CELL_PLAIN},
		"%c %-*s %-*s%-*s%7s %11s %s", letter_of(scene, window), NAME, name,
		WHEN, from, WHEN, to, length, samples, words);
	if (window->id == scene->view->window)
		canvas_paint(canvas, row, 0, canvas->width, CELL_SELECT);
}

/* Where the list begins, so that the selected row is on the page. */
static size_t first_row(
	const struct scene *scene, const uint16_t *order, size_t count, size_t height)
{
	size_t at = 0;

	while (at < count &&
		scene->session->windows.list[order[at]].id != scene->view->window)
		at++;
	return at < count && at >= height ? at - height + 1 : 0;
}

static void draw_head(const struct scene *scene, struct canvas *canvas, size_t count)
{
	canvas_fill(canvas, (struct spot){0, 0, CELL_HEADER}, canvas->width, ' ');
	canvas_format(canvas, (struct spot){0, 0, CELL_TITLE},
		"WINDOWS  %zu, labels on time: they can be moved; A %s, B %s", count,
		scene->a ? scene->a->name : "none", scene->b ? scene->b->name : "none");
	canvas_fill(canvas, (struct spot){1, 0, CELL_HEADER}, canvas->width, ' ');
	canvas_format(canvas, (struct spot){1, 0, CELL_HEADER},
		"  %-*s %-*s%-*s%7s %11s %s", NAME, "name", WHEN, "from", WHEN, "to",
		"length", "samples", "by");
}

void page_windows(const struct scene *scene, struct canvas *canvas)
{
	struct canvas rest =
		canvas_part(canvas, 2, 0, canvas->height - 2, canvas->width);
	size_t height = rest.height > 0 ? (size_t)rest.height : 1;
	uint16_t order[WINDOW_MAX];
	size_t count = windows_in_order(scene->session, order);
	size_t first = first_row(scene, order, count, height);

	draw_head(scene, canvas, count);
	if (!count)
		canvas_text(&rest, 0, 0, CELL_DIM,
			"  none yet: b begins BEFORE, B takes the last 10 minutes");
	for (size_t i = first; i < count && i - first < height; i++)
		draw_row(scene, &scene->session->windows.list[order[i]], &rest,
			(int)(i - first));
}
