/* A grid of cells with roles; see the header. Cells outside a part are clipped, so
 * that no pane has to know how small the terminal is. */
#include "config.h"

#include "tui/canvas.h"

#include "base/alloc.h"
#include "base/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <wchar.h>

static const char *const words[CELL_COUNT] = {
	[CELL_PLAIN] = "plain",
	[CELL_TITLE] = "title",
	[CELL_HEADER] = "header",
	[CELL_DIM] = "dim",
	[CELL_VALUE] = "value",
	[CELL_WORSE] = "worse",
	[CELL_BETTER] = "better",
	[CELL_ALERT] = "alert",
	[CELL_PAUSED] = "paused",
	[CELL_FOCUS] = "focus",
	[CELL_SELECT] = "select",
	[CELL_KEY] = "key",
	[CELL_GRAPH] = "graph",
	[CELL_UNKNOWN] = "unknown",
	[CELL_WINDOW_BEFORE] = "before",
	[CELL_WINDOW_CHANGE] = "change",
	[CELL_WINDOW_AFTER] = "after",
};

/* One letter per role for the second block of canvas_print. */
static const char letters[CELL_COUNT] = {
	[CELL_PLAIN] = '.',
	[CELL_TITLE] = 'T',
	[CELL_HEADER] = 'h',
	[CELL_DIM] = 'd',
	[CELL_VALUE] = 'v',
	[CELL_WORSE] = 'W',
	[CELL_BETTER] = 'b',
	[CELL_ALERT] = '!',
	[CELL_PAUSED] = 'P',
	[CELL_FOCUS] = 'F',
	[CELL_SELECT] = 'S',
	[CELL_KEY] = 'k',
	[CELL_GRAPH] = 'g',
	[CELL_UNKNOWN] = '?',
	[CELL_WINDOW_BEFORE] = 'B',
	[CELL_WINDOW_CHANGE] = 'C',
	[CELL_WINDOW_AFTER] = 'A',
};

const char *cell_word(enum role_cell role)
{
	return words[role];
}

void canvas_resize(struct canvas *canvas, int rows, int columns)
{
	free(canvas->cells);
	rows = rows < 1 ? 1 : rows;
	columns = columns < 1 ? 1 : columns;
	*canvas = (struct canvas){
		.rows = rows, .columns = columns, .height = rows, .width = columns};
	canvas->cells = xarray((size_t)rows * (size_t)columns, sizeof *canvas->cells);
	canvas_clear(canvas);
}

void canvas_fini(struct canvas *canvas)
{
	free(canvas->cells);
	*canvas = (struct canvas){0};
}

void canvas_clear(struct canvas *canvas)
{
	for (int row = 0; row < canvas->height; row++)
		canvas_fill(
			canvas, (struct spot){row, 0, CELL_PLAIN}, canvas->width, ' ');
}

struct canvas canvas_part(
	const struct canvas *canvas, int top, int left, int height, int width)
{
	struct canvas part = *canvas;
	int skip_rows = top < 0 ? -top : 0, skip_columns = left < 0 ? -left : 0;

	top += skip_rows;
	left += skip_columns;
	height -= skip_rows;
	width -= skip_columns;
	if (height > canvas->height - top)
		height = canvas->height - top;
	if (width > canvas->width - left)
		width = canvas->width - left;
	part.top = canvas->top + top;
	part.left = canvas->left + left;
	part.height = height < 0 ? 0 : height;
	part.width = width < 0 ? 0 : width;
	return part;
}

/* ROW and COLUMN must lie inside. */
static struct canvas_cell *cell_of(const struct canvas *canvas, int row, int column)
{
	return &canvas->cells[(size_t)(canvas->top + row) * (size_t)canvas->columns +
			      (size_t)(canvas->left + column)];
}

static struct canvas_cell *cell_at(const struct canvas *canvas, int row, int column)
{
	if (row < 0 || column < 0 || row >= canvas->height || column >= canvas->width)
		return NULL;
	return cell_of(canvas, row, column);
}

/* One character of clean UTF-8; a byte that is none counts as '?'. */
static uint32_t next_code(const unsigned char **at)
{
	const unsigned char *from = *at;
	int more = from[0] < 0x80 ? 0 : from[0] < 0xe0 ? 1 : from[0] < 0xf0 ? 2 : 3;
	uint32_t code = more ? from[0] & (0x3fu >> more) : from[0];

	(*at)++;
	if (from[0] >= 0x80 && (from[0] < 0xc2 || from[0] > 0xf4))
		return '?';
	for (int i = 1; i <= more; i++) {
		if ((from[i] & 0xc0) != 0x80)
			return '?';
		code = code << 6 | (from[i] & 0x3fu);
		(*at)++;
	}
	return code;
}

int canvas_text(struct canvas *canvas, int row, int column, enum role_cell role,
	const char *text)
{
	const unsigned char *at = (const unsigned char *)text;

	while (*at && column < canvas->width) {
		uint32_t code = next_code(&at);
		struct canvas_cell *cell = cell_at(canvas, row, column);

		/* wcwidth says -1 for what the locale cannot show */
		if (code < 0x20 || (code >= 0x7f && wcwidth((wchar_t)code) != 1))
			code = '?';
		if (cell)
			*cell = (struct canvas_cell){code, (uint8_t)role};
		column++;
	}
	return column;
}

void canvas_line(struct canvas *canvas, int row, enum role_cell role, const char *text)
{
	static const char cut[] = "..";
	int end = canvas->width - (int)sizeof cut + 1;

	canvas_text(canvas, row, 0, role, text);
	if (end > 0 && text_columns(text) > (size_t)canvas->width)
		canvas_text(canvas, row, end, role, cut);
}

int canvas_format(struct canvas *canvas, struct spot spot, const char *format, ...)
{
	char text[1024];
	va_list list;

	va_start(list, format);
	/* cut at 1023 bytes: wider than any terminal that is drawn */
	(void)vsnprintf(text, sizeof text, format, list);
	va_end(list);
	return canvas_text(canvas, spot.row, spot.column, spot.role, text);
}

void canvas_fill(struct canvas *canvas, struct spot spot, int count, uint32_t code)
{
	for (int i = 0; i < count && spot.column + i < canvas->width; i++) {
		struct canvas_cell *cell = cell_at(canvas, spot.row, spot.column + i);

		if (cell)
			*cell = (struct canvas_cell){code, (uint8_t)spot.role};
	}
}

void canvas_paint(
	struct canvas *canvas, int row, int column, int count, enum role_cell role)
{
	for (int i = 0; i < count && column + i < canvas->width; i++) {
		struct canvas_cell *cell = cell_at(canvas, row, column + i);

		if (cell)
			cell->role = (uint8_t)role;
	}
}

static void add_code(struct buffer *out, uint32_t code)
{
	if (code < 0x80) {
		buffer_byte(out, (uint8_t)code);
		return;
	}
	if (code < 0x800) {
		buffer_byte(out, (uint8_t)(0xc0 | code >> 6));
	} else {
		if (code < 0x10000) {
			buffer_byte(out, (uint8_t)(0xe0 | code >> 12));
		} else {
			buffer_byte(out, (uint8_t)(0xf0 | code >> 18));
			buffer_byte(out, (uint8_t)(0x80 | (code >> 12 & 0x3f)));
		}
		buffer_byte(out, (uint8_t)(0x80 | (code >> 6 & 0x3f)));
	}
	buffer_byte(out, (uint8_t)(0x80 | (code & 0x3f)));
}

void canvas_print(const struct canvas *canvas, struct buffer *out, bool roles)
{
	for (int row = 0; row < canvas->height; row++) {
		int end = canvas->width;

		while (end > 0 && cell_of(canvas, row, end - 1)->code == ' ')
			end--;
		for (int column = 0; column < end; column++)
			add_code(out, cell_of(canvas, row, column)->code);
		buffer_byte(out, '\n');
	}
	for (int row = 0; roles && row < canvas->height; row++) {
		int end = canvas->width;

		while (end > 0 && cell_of(canvas, row, end - 1)->role == CELL_PLAIN)
			end--;
		for (int column = 0; column < end; column++)
			buffer_byte(out,
				(uint8_t)letters[cell_of(canvas, row, column)->role]);
		buffer_byte(out, '\n');
	}
}
