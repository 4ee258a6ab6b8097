/*
 * A grid of cells with roles: what panes draw into. Knows no terminal and no
 * colours; text and roles can be printed, which is what golden tests compare.
 */
#ifndef WEIR_TUI_CANVAS_H
#define WEIR_TUI_CANVAS_H

#include "base/buffer.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What a cell means. A theme gives each an attribute and colour. */
enum role_cell {
	CELL_PLAIN,
	CELL_TITLE,
	CELL_HEADER,
	CELL_DIM,
	CELL_VALUE,
	CELL_WORSE,
	CELL_BETTER,
	CELL_ALERT, /* first line: something is wrong with the recording */
	CELL_PAUSED,
	CELL_FOCUS,
	CELL_SELECT,
	CELL_KEY,
	CELL_GRAPH,
	CELL_UNKNOWN, /* '?' */
	CELL_WINDOW_BEFORE,
	CELL_WINDOW_CHANGE,
	CELL_WINDOW_AFTER,
	CELL_COUNT,
};

struct canvas_cell {
	uint32_t code; /* one Unicode character of width 1 */
	uint8_t role;
};

struct canvas {
	int rows, columns; /* 1x1 to 500x1000 */
	struct canvas_cell *cells;
	/* where drawing goes: a part of the whole; everything outside is clipped */
	int top, left, height, width;
};

/* Where something is drawn, and as what. */
struct spot {
	int row, column;
	enum role_cell role;
};

void canvas_resize(struct canvas *canvas, int rows, int columns); /* clears */
void canvas_fini(struct canvas *canvas);
void canvas_clear(struct canvas *canvas);
/* A view of a part, sharing the cells; clipped to its parent. */
struct canvas canvas_part(
	const struct canvas *canvas, int top, int left, int height, int width);
/* Draws TEXT (clean UTF-8) at ROW, COLUMN of the part; wide characters become '?'.
 * Returns the column behind it. Anything outside is clipped. */
int canvas_text(struct canvas *canvas, int row, int column, enum role_cell role,
	const char *text);
/* A line of its own from the left edge on: ".." at its end where it does not fit. */
void canvas_line(struct canvas *canvas, int row, enum role_cell role, const char *text);
int canvas_format(struct canvas *canvas, struct spot spot, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
void canvas_fill(struct canvas *canvas, struct spot spot, int count, uint32_t code);
/* Only the role of COUNT cells. */
void canvas_paint(
	struct canvas *canvas, int row, int column, int count, enum role_cell role);

/* The text, lines without trailing blanks; with ROLES a second block of letters. */
void canvas_print(const struct canvas *canvas, struct buffer *out, bool roles);

const char *cell_word(enum role_cell role);

#endif
