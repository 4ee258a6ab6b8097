/*
 * Which devices a pane lists, and in which order: those that ever did something
 * first, each in the order of discovery, so that rows do not jump by themselves;
 * or sorted as the person asked.
 */
#ifndef WEIR_TUI_ROWS_H
#define WEIR_TUI_ROWS_H

#include "tui/table.h"

enum {
	ROWS_MAX = 8192,
	ROWS_TALLY = KIND_COUNT /* beside those of each kind */
};

struct rows {
	uint32_t *items; /* subjects or tracks */
	double *keys;
	size_t count;
	size_t quiet;  /* the last so many never did anything */
	size_t hidden; /* by the filter, or beyond ROWS_MAX */
	size_t gone;   /* subjects that are not there any more */
};

/* What one kind of device rows is made of. */
struct row_source {
	enum pane_id pane;
	enum kind kind;
	const char *const
		*activity; /* metrics, null-ended: what "did something" means */
	/* the value to sort by, for sort number SORT (1 = name is handled) */
	double (*key)(const struct scene *scene, uint32_t subject, int sort);
};

/* Empties ROWS. The room for their items is one for each WHICH (a kind, or ROWS_TALLY),
 * too large for a stack: the last that were begun are the ones in it. */
void rows_begin(struct rows *rows, unsigned which);

void rows_of(
	const struct row_source *source, const struct scene *scene, struct rows *rows);

/* Moves row I of ROWS in place by falling key (rising if the person inverted). */
void rows_sort(const struct scene *scene, enum pane_id pane, struct rows *rows);

/* Columns that the longest name needs, with the mark before it; at most 28. */
int rows_longest(const struct scene *scene, const struct rows *rows);

/* The first row to draw so that the selected one is among SHOWN. */
size_t rows_top(const struct scene *scene, enum pane_id pane, size_t count, int shown);

/* Draws the mark of the selected row over ROW of CANVAS if INDEX is it. */
void rows_select(const struct scene *scene, enum pane_id pane, size_t index,
	struct canvas *canvas, int row);

/* " 1 DISK" or ">1 DISK": the title says which pane has the focus. */
void rows_title(const struct scene *scene, enum pane_id pane, const char *name,
	char *to, size_t size);

/* The rows below the title, and, where not all fit, a line that says what is left:
 * "+7 quiet: sda sdb  GONE sdc". */
void rows_draw(const struct row_source *source, const struct table *table,
	const struct scene *scene, const struct rows *rows, struct canvas *canvas);

/* The pane functions of every device pane. */
int rows_wants(const struct row_source *source, const struct scene *scene);
size_t rows_count(
	const struct row_source *source, const struct scene *scene, size_t *hidden);
bool rows_subject(const struct row_source *source, const struct scene *scene,
	size_t index, uint32_t *subject);
/* The first column: the name of the subject. */
void rows_name(struct cell *cell);
/* A figure to sort by: unknown ones are last. */
double rows_key(struct value value);

#endif
