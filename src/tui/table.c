/* Fitting columns, drawing cells; see the header. */
#include "config.h"

#include "tui/table.h"

#include "base/text.h"
#include "core/unit.h"

#include <string.h>

static int total(const int *widths, int count)
{
	int sum = 0;

	for (int i = 0; i < count; i++)
		sum += widths[i];
	return sum;
}

enum {
	SHRUNK = 5 /* what a column that may grow is worth at least */
};

/* Takes out the column that matters least, or shrinks it first where it can; false
 * if only those that stay are left. */
static bool drop(const struct column *columns, int count, int *widths)
{
	int least = -1;

	for (int i = 0; i < count; i++)
		if (widths[i] && columns[i].keep < 100 &&
			(least < 0 || columns[i].keep < columns[least].keep))
			least = i;
	if (least >= 0)
		widths[least] =
			columns[least].most && widths[least] > SHRUNK ? SHRUNK : 0;
	return least >= 0;
}

/* One more column of the screen for each that may grow; false if none may. */
static bool grow(
	const struct column *columns, int count, int first, int *widths, int *left)
{
	bool any = false;

	for (int i = 0; i<count && * left> 0; i++) {
		int most = i == 0 && first < columns[i].most ? first : columns[i].most;

		if (!widths[i] || widths[i] >= most)
			continue;
		widths[i]++;
		(*left)--;
		any = true;
	}
	return any;
}

void table_fit(
	const struct column *columns, int count, int width, int first, int *widths)
{
	int left;

	for (int i = 0; i < count; i++)
		widths[i] = columns[i].from <= width ? columns[i].least : 0;
	while (total(widths, count) > width && drop(columns, count, widths))
		;
	left = width - total(widths, count);
	while (left > 0 && grow(columns, count, first, widths, &left))
		;
}

void table_head(const struct table *table, const struct scene *scene,
	struct canvas *canvas, const char *title)
{
	int at = 0;

	canvas_fill(canvas, (struct spot){0, 0, CELL_HEADER}, canvas->width, ' ');
	for (int i = 0; i < table->count; i++) {
		const struct column *column = &table->columns[i];
		int width = table->widths[i];
		char head[64] = "";
		int columns;

		at += width;
		if (!width || i == 0)
			continue;
		if (column->head)
			column->head(scene, head, sizeof head, width - 1);
		else
			(void)text_copy(head, sizeof head, column->title);
		columns = (int)text_columns(head);
		canvas_text(canvas, 0, column->most ? at - width + 1 : at - columns,
			CELL_HEADER, head);
	}
	canvas_text(canvas, 0, 0, CELL_TITLE, title);
}

void table_row(const struct table *table, const struct scene *scene,
	struct canvas *canvas, int row, size_t item)
{
	int at = 0;

	for (int i = 0; i < table->count; i++) {
		int width = table->widths[i], blank = i > 0;
		struct cell cell = {.scene = scene, .item = item, .role = CELL_VALUE};

		if (!width)
			continue;
		cell.canvas = canvas_part(canvas, row, at + blank, 1, width - blank);
		table->columns[i].draw(&cell);
		at += width;
	}
}

void cell_right(struct cell *cell, const char *text)
{
	int columns = (int)text_columns(text), at = cell->canvas.width - columns;

	canvas_text(&cell->canvas, 0, at > 0 ? at : 0, cell->role, text);
}

void cell_left(struct cell *cell, const char *text)
{
	char cut[256];

	text_middle(cut, sizeof cut, text, (size_t)cell->canvas.width);
	canvas_text(&cell->canvas, 0, 0, cell->role, cut);
}

void cell_amount(struct cell *cell, struct value value)
{
	char text[24];

	if (value.why != WHY_NONE || value.value < 0 || value.value >= 99999.5) {
		cell_figure(cell, value, 1);
		return;
	}
	(void)text_format(text, sizeof text, "%.0f", value.value); /* five digits */
	cell_right(cell, text);
}

static enum role_cell verdict_role(enum verdict_word word)
{
	return word == VERDICT_WORSE || word == VERDICT_MIXED ? CELL_WORSE
	       : word == VERDICT_BETTER                       ? CELL_BETTER
							      : CELL_PLAIN;
}

/* Words that say something the ratio does not; a wait is said once, in line 2. */
static bool is_word(enum verdict_word word)
{
	return word >= VERDICT_BETTER;
}

void cell_verdict(struct cell *cell, int track, const char *before)
{
	const struct verdict *verdict = scene_verdict(cell->scene, track);
	char ratio[16], text[24];
	double a, b;

	if (verdict && is_word(verdict->word)) {
		if (verdict->word >= VERDICT_HINT)
			(void)text_copy(text, sizeof text, "~"); /* no clear change */
		else
			verdict_short(text, sizeof text, verdict);
		cell->role = verdict_role(verdict->word);
		cell_right(cell, text);
		return;
	}
	if (track < 0 || !scene_pair(cell->scene, track, &a, &b) || (a <= 0 && b <= 0))
		return; /* idle in both */
	unit_ratio(ratio, sizeof ratio, a, b);
	(void)text_format(text, sizeof text, "%s%s", before, ratio); /* at most 9 */
	cell_right(cell, text);
}

/* ">=16": at least so many. */
static void cell_bound(struct cell *cell, double value)
{
	char number[24], text[32];

	if (value < 999.5)
		(void)text_format(number, sizeof number, "%.0f", value);
	else
		unit_number(number, sizeof number, value, 4);
	(void)text_format(text, sizeof text, ">=%s", number); /* fits */
	cell_right(cell, text);
}

void cell_figure(struct cell *cell, struct value value, double factor)
{
	char text[48];
	int width = cell->canvas.width < 5 ? cell->canvas.width : 5;

	if (value.why == WHY_ABSENT)
		return;
	if (value.why == WHY_NONE) {
		unit_number(text, sizeof text, value.value * factor, width);
	} else if (value.why == WHY_NO_COMPLETION && value.value > 0) {
		cell_bound(cell, value.value * factor);
		return;
	} else {
		(void)text_copy(
			text, sizeof text, value.why == WHY_NO_COMPLETION ? "-" : "?");
		cell->role = CELL_UNKNOWN;
	}
	cell_right(cell, text);
}

void cell_metric(struct cell *cell, const char *metric, double factor)
{
	struct value value = scene_figure(cell->scene, (uint32_t)cell->item, metric);
	int number = metric_find(metric);
	char text[48];

	if (number < 0 || value.why != WHY_NONE ||
		!unit_is_below(metric_at((unsigned)number), value.value)) {
		cell_figure(cell, value, factor);
		return;
	}
	unit_figure(
		text, sizeof text, metric_at((unsigned)number), value.value, factor, 5);
	cell_right(cell, text);
}
