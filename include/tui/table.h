/*
 * Rows and columns of a pane: which columns fit, how wide each is, and cells that
 * draw themselves. A column is one row of a pane's table.
 */
#ifndef WEIR_TUI_TABLE_H
#define WEIR_TUI_TABLE_H

#include "tui/scene.h"

enum {
	TABLE_COLUMNS = 20
};

struct cell {
	const struct scene *scene;
	struct canvas canvas; /* one row, without the blank before it */
	size_t item;          /* what the row is about: the pane knows */
	enum role_cell role;
};

struct column {
	/* fills HEAD; COLUMNS is the width there is */
	void (*head)(const struct scene *scene, char *head, size_t size, int columns);
	const char *title; /* where head is null */
	signed char least; /* with the blank before it; the first has none */
	signed char most;  /* it may grow so far, and shrink; 0: neither */
	signed char keep;  /* the lowest goes first; 100: never */
	short from;        /* not in a pane that is narrower */
	void (*draw)(struct cell *cell);
};

/* WIDTHS of COUNT columns in WIDTH; 0 for those that do not fit. What is left goes to
 * the columns that may grow, in equal parts. FIRST: what the first one needs. */
void table_fit(
	const struct column *columns, int count, int width, int first, int *widths);

struct table {
	const struct column *columns;
	int count;
	int widths[TABLE_COLUMNS];
};
void table_head(const struct table *table, const struct scene *scene,
	struct canvas *canvas, const char *title);
void table_row(const struct table *table, const struct scene *scene,
	struct canvas *canvas, int row, size_t item);

/* For draw functions: at the right edge; in the middle cut, at the left. */
void cell_right(struct cell *cell, const char *text);
void cell_left(struct cell *cell, const char *text);
/* As cell_figure, for what is counted in whole numbers. */
void cell_amount(struct cell *cell, struct value value);
/* The verdict on TRACK where there is one, else how its means stand to each other. */
void cell_verdict(struct cell *cell, int track, const char *before);
/* The figure times FACTOR, or '?'; "" if nobody reads it, "-" if nothing completed,
 * ">=16" if a bound is known (core/backlog.h). */
void cell_figure(struct cell *cell, struct value value, double factor);
/* The same of METRIC at the cell's subject, with "<1" for a wait too short to count. */
void cell_metric(struct cell *cell, const char *metric, double factor);

#endif
