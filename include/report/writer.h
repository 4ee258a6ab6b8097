/*
 * One interface behind which the formats of a report stand. A section writes its
 * facts once: pairs, paragraphs, tables of cells. A cell carries the figure itself
 * and, where it is one for people, the text they see; the writer takes its pick.
 */
#ifndef WEIR_REPORT_WRITER_H
#define WEIR_REPORT_WRITER_H

#include "base/buffer.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum cell_form {
	CELL_NULL,    /* no figure */
	CELL_TEXT,    /* TEXT */
	CELL_REAL,    /* REAL */
	CELL_TIME,    /* REAL: seconds since 1970, to the millisecond */
	CELL_INTEGER, /* INTEGER */
	CELL_TRUTH,   /* INTEGER is 0 or 1 */
};

enum {
	CELL_SHOWN = 48
};

struct cell {
	enum cell_form form;
	double real;
	int64_t integer;
	const char *text;       /* borrowed for the call */
	char shown[CELL_SHOWN]; /* for people; "" shows TEXT or nothing */
};

struct cell cell_null(const char *shown);
struct cell cell_text(const char *text);
struct cell cell_real(double value, const char *shown); /* not finite: null */
struct cell cell_time(int64_t wall, const char *shown); /* WALL in nanoseconds */
struct cell cell_integer(int64_t value, const char *shown);
struct cell cell_truth(bool value, const char *shown);
const char *cell_shown(const struct cell *cell); /* to a person */

/* Where a column stands on a page. */
enum column_place {
	COLUMN_DATA,    /* nowhere: for machines only */
	COLUMN_LEFT,    /* WIDTH columns, flush left, cut in its middle */
	COLUMN_RIGHT,   /* WIDTH columns, flush right */
	COLUMN_BELOW,   /* under the last COLUMN_RIGHT, on a second line */
	COLUMN_HEADING, /* a line of its own, when it differs from the row before */
	COLUMN_REST,    /* what is left of the line, folded; must be last */
};

struct column {
	const char *id;    /* key of its value */
	const char *title; /* null in all columns: no line of titles */
	enum column_place place;
	int width;
};

struct writer;

struct writer_ops {
	const char *format; /* "text", "json": the word behind --format */
	bool complete;      /* wants rows that a person is spared, such as all zero */
	void (*begin)(struct writer *writer);
	void (*end)(struct writer *writer);
	/* TITLE null: the head of the report. ASIDE: beside the title, or null. */
	void (*section)(struct writer *writer, const char *id, const char *title,
		const char *aside);
	void (*section_end)(struct writer *writer);
	/* LABEL null: a paragraph. */
	void (*pair)(struct writer *writer, const char *id, const char *label,
		const struct cell *cell);
	/* One cell for each column, in order. A group joins the cells inside it
	 * under a key; it does not count as a column. */
	void (*table)(struct writer *writer, const char *id,
		const struct column *columns, size_t count);
	void (*table_end)(struct writer *writer);
	void (*row)(struct writer *writer);
	void (*row_end)(struct writer *writer);
	void (*group)(struct writer *writer, const char *id);
	void (*group_end)(struct writer *writer);
	void (*cell)(struct writer *writer, const struct cell *cell);
	/* Lines of an attachment, in full, inside a row, after its cells. */
	void (*lines)(struct writer *writer, const char *id, const char *body);
};

enum {
	WRITER_WIDTH = 80,
	WRITER_INDENT = 3,
	WRITER_DEPTH = 8,
};

/* The state of all formats: a report is written by one at a time. */
struct writer {
	const struct writer_ops *ops;
	struct buffer *out;
	/* text */
	int sections;
	bool titled; /* the line of titles is out */
	const struct column *columns;
	size_t column_count, column;
	int used, used_below; /* columns of the lines under way */
	int last_start, last_width;
	char line[WRITER_WIDTH + 1], below[WRITER_WIDTH + 1];
	char heading[160];
	/* md */
	int block;   /* what stands on the page */
	bool in_row; /* of a table */
	/* csv */
	const char *section_id, *table_id, *group;
	size_t rows;
	struct buffer pending; /* lines of the row under way */
	char device[160], metric[64], window[8];
	/* json */
	int depth;
	bool filled[WRITER_DEPTH]; /* something stands in this object or list */
};

extern const struct writer_ops writer_text, writer_md, writer_csv, writer_json;

#endif
