/* The report as one JSON document (doc/report-json.md). */
#include "config.h"

#include "report/writer.h"

#include "report/report.h"

#include "base/alloc.h"
#include "base/text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
	ROW_DEPTH = 4 /* document, section, table, row: what a row holds is one line */
};

/* Text has been cleaned where it entered, but a session file may come from anywhere:
 * what is not UTF-8 becomes '?', what JSON may not hold raw is escaped. */
static void write_string(struct buffer *out, const char *text)
{
	size_t size = strlen(text) + 1;
	char *clean = xalloc(size);

	(void)text_clean_lines(clean, size, text); /* never longer than TEXT */
	buffer_byte(out, '"');
	for (const char *at = clean; *at; at++) {
		if (*at == '"' || *at == '\\')
			buffer_byte(out, '\\');
		if (*at == '\n')
			buffer_add(out, "\\n", 2);
		else if (*at == '\t')
			buffer_add(out, "\\t", 2);
		else
			buffer_byte(out, (uint8_t)*at);
	}
	buffer_byte(out, '"');
	free(clean);
}

/* What comes before the next member or element: a comma, and the place on the page. */
static void next(struct writer *writer)
{
	bool *filled = &writer->filled[writer->depth];

	if (*filled)
		buffer_byte(writer->out, ',');
	if (writer->depth < ROW_DEPTH)
		buffer_format(writer->out, "\n%*s", writer->depth * 2, "");
	else if (*filled)
		buffer_byte(writer->out, ' ');
	*filled = true;
}

static void key(struct writer *writer, const char *id)
{
	next(writer);
	write_string(writer->out, id);
	buffer_add(writer->out, ": ", 2);
}

static void open_with(struct writer *writer, char bracket)
{
	buffer_byte(writer->out, (uint8_t)bracket);
	writer->depth++;
	writer->filled[writer->depth] = false;
}

static void close_with(struct writer *writer, char bracket)
{
	bool filled = writer->filled[writer->depth];

	writer->depth--;
	if (filled && writer->depth + 1 < ROW_DEPTH)
		buffer_format(writer->out, "\n%*s", writer->depth * 2, "");
	buffer_byte(writer->out, (uint8_t)bracket);
}

static void value(struct writer *writer, const struct cell *cell)
{
	switch (cell->form) {
	case CELL_NULL:
		buffer_add(writer->out, "null", 4);
		break;
	case CELL_TEXT:
		write_string(writer->out, cell->text);
		break;
	case CELL_REAL:
		buffer_format(writer->out, "%.9g", cell->real);
		break;
	case CELL_TIME:
		buffer_format(writer->out, "%.3f", cell->real);
		break;
	case CELL_INTEGER:
		buffer_format(writer->out, "%" PRId64, cell->integer);
		break;
	case CELL_TRUTH:
		buffer_format(writer->out, "%s", cell->integer ? "true" : "false");
		break;
	}
}

static void begin(struct writer *writer)
{
	open_with(writer, '{');
	key(writer, "format");
	buffer_format(writer->out, "%d", REPORT_VERSION);
	key(writer, "weir");
	write_string(writer->out, PACKAGE_VERSION);
}

static void end(struct writer *writer)
{
	close_with(writer, '}');
	buffer_byte(writer->out, '\n');
}

static void section(
	struct writer *writer, const char *id, const char *title, const char *aside)
{
	(void)title; /* for people */
	(void)aside;
	key(writer, id);
	open_with(writer, '{');
}

static void section_end(struct writer *writer)
{
	close_with(writer, '}');
}

static void pair(struct writer *writer, const char *id, const char *label,
	const struct cell *cell)
{
	(void)label;
	key(writer, id);
	value(writer, cell);
}

static void table(struct writer *writer, const char *id, const struct column *columns,
	size_t count)
{
	writer->columns = columns;
	writer->column_count = count;
	key(writer, id);
	open_with(writer, '[');
}

static void table_end(struct writer *writer)
{
	close_with(writer, ']');
}

static void row(struct writer *writer)
{
	writer->column = 0;
	next(writer);
	open_with(writer, '{');
}

static void group(struct writer *writer, const char *id)
{
	key(writer, id);
	open_with(writer, '{');
}

static void cell(struct writer *writer, const struct cell *cell)
{
	pair(writer, writer->columns[writer->column].id, NULL, cell);
	writer->column++;
}

static void lines(struct writer *writer, const char *id, const char *body)
{
	key(writer, id);
	write_string(writer->out, body);
}

const struct writer_ops writer_json = {
	.format = "json",
	.complete = true,
	.begin = begin,
	.end = end,
	.section = section,
	.section_end = section_end,
	.pair = pair,
	.table = table,
	.table_end = table_end,
	.row = row,
	.row_end = section_end,
	.group = group,
	.group_end = section_end,
	.cell = cell,
	.lines = lines,
};
