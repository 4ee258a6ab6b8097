/* The help page: printed from the table of actions, in as many columns as fit. */
#include "config.h"

#include "base/text.h"
#include "tui/actions.h"
#include "tui/screen.h"

enum {
	HELP_COLUMNS = 66
};

static const char *const reading[] = {
	"",
	"How to read it",
	"queue     requests outstanding, mean of the tick; max: highest of the window",
	"0123..9   trend, newest at the right, one character per 2 s: queue 0 = below "
	"1,",
	"          1 = 1, 2 = 2-3, 3 = 4-7, 4 = 8-15 ...; interfaces: tenths of line "
	"speed,",
	"          or, where the speed is not known, zeros of b/s (6 = M, 9 = G)",
	"^^ ^ = v  the last 15 samples against the 15 before them",
	"[ | ] *   p5, median, p95 of BEFORE, and now, on the row's own scale",
	"ratio     mean of AFTER (or now) to the mean of BEFORE",
	"?  R  -   no sample; counter reset or restart; nothing completed",
};

/* From row TOP on; returns how many rows they take. */
static int draw_keys(
	struct canvas *canvas, int top, const struct action *rows, size_t count)
{
	int wide = canvas->width / HELP_COLUMNS, shown = 0;

	wide = wide < 1 ? 1 : wide;
	for (size_t i = 0; i < count; i++) {
		int row = top + shown / wide;
		int column = shown % wide * HELP_COLUMNS;

		if (!rows[i].help)
			continue;
		shown++;
		if (row < 1)
			continue;
		canvas_text(canvas, row, column + 1, CELL_KEY, rows[i].name);
		canvas_text(canvas, row, column + 11, CELL_PLAIN, rows[i].help);
	}
	return (shown + wide - 1) / wide;
}

static void draw_title(struct canvas *canvas, int row, const char *text)
{
	if (row > 0)
		canvas_text(canvas, row, 1, CELL_TITLE, text);
}

void page_help(const struct scene *scene, struct canvas *canvas)
{
	int top = 1 - scene->view->scroll;

	top += draw_keys(canvas, top, actions, action_count) + 1;
	draw_title(canvas, top++, "On the compare page (d)");
	top += draw_keys(canvas, top, compare_actions, compare_action_count) + 1;
	draw_title(canvas, top++, "In the list of windows (M)");
	top += draw_keys(canvas, top, window_actions, window_action_count);
	for (size_t i = 0; i < sizeof reading / sizeof *reading; i++) {
		int row = top + (int)i;

		if (row > 0)
			canvas_text(canvas, row, 1, i == 1 ? CELL_TITLE : CELL_PLAIN,
				reading[i]);
	}
	canvas_fill(canvas, (struct spot){0, 0, CELL_HEADER}, canvas->width, ' ');
	canvas_text(canvas, 0, 0, CELL_TITLE, "KEYS   Up and Down scroll, q goes back");
}
