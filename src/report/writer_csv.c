/* The report as CSV (RFC 4180, lines end in a newline alone): one line for each figure,
 * with its section, table, row, device, metric and window, so that a filter finds it
 * (doc/report-json.md). */
#include "config.h"

#include "report/writer.h"

#include "report/report.h"

#include "base/alloc.h"
#include "base/text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* A text that a spreadsheet would take for a formula gets an apostrophe in front. */
static bool is_formula(const char *text)
{
	return *text && strchr("=+-@\t", *text) && text[1];
}

static void write_field(struct buffer *out, const char *text)
{
	size_t size = strlen(text) + 1;
	char *clean = xalloc(size);
	bool quoted;

	(void)text_clean_lines(clean, size, text); /* never longer than TEXT */
	quoted = strpbrk(clean, "\",\n") != NULL;
	if (quoted)
		buffer_byte(out, '"');
	if (is_formula(clean))
		buffer_byte(out, '\'');
	for (const char *at = clean; *at; at++) {
		if (*at == '"')
			buffer_byte(out, '"');
		buffer_byte(out, (uint8_t)*at);
	}
	if (quoted)
		buffer_byte(out, '"');
	free(clean);
}

static void write_value(struct buffer *out, const struct cell *cell)
{
	switch (cell->form) {
	case CELL_NULL:
		break;
	case CELL_TEXT:
		write_field(out, cell->text);
		break;
	case CELL_REAL:
		buffer_format(out, "%.9g", cell->real);
		break;
	case CELL_TIME:
		buffer_format(out, "%.3f", cell->real);
		break;
	case CELL_INTEGER:
		buffer_format(out, "%" PRId64, cell->integer);
		break;
	case CELL_TRUTH:
		buffer_format(out, "%s", cell->integer ? "true" : "false");
		break;
	}
}

static void begin(struct writer *writer)
{
	buffer_format(writer->out,
		"section,table,row,device,metric,window,key,value\n"
		",,,,,,format,%d\n,,,,,,weir,%s\n",
		REPORT_VERSION, PACKAGE_VERSION);
}

static void nothing(struct writer *writer)
{
	(void)writer;
}

static void end(struct writer *writer)
{
	buffer_fini(&writer->pending);
}

static void section(
	struct writer *writer, const char *id, const char *title, const char *aside)
{
	(void)title; /* for people */
	(void)aside;
	writer->section_id = id;
}

static void pair(struct writer *writer, const char *id, const char *label,
	const struct cell *cell)
{
	(void)label;
	buffer_format(writer->out, "%s,,,,,,%s,", writer->section_id, id);
	write_value(writer->out, cell);
	buffer_byte(writer->out, '\n');
}

static void table(struct writer *writer, const char *id, const struct column *columns,
	size_t count)
{
	writer->columns = columns;
	writer->column_count = count;
	writer->table_id = id;
	writer->rows = 0;
}

static void row(struct writer *writer)
{
	writer->column = 0;
	writer->rows++;
	writer->group = "";
	*writer->device = *writer->metric = *writer->window = 0;
	buffer_clear(&writer->pending);
}

/* Says of what the row's figures are; returns whether the cell was about that. */
static bool take_subject(struct writer *writer, const char *id, const struct cell *cell)
{
	const char *text = cell->form == CELL_TEXT ? cell->text : "";

	/* cut ones are still names */
	if (!strcmp(id, "device"))
		(void)text_copy(writer->device, sizeof writer->device, text);
	else if (!strcmp(id, "metric"))
		(void)text_copy(writer->metric, sizeof writer->metric, text);
	else if (!strcmp(id, "window") || !strcmp(id, "letter"))
		(void)text_copy(writer->window, sizeof writer->window, text);
	else
		return false;
	return true;
}

/* A line in waiting: the group, a zero, key and value, a zero. */
static void add_pending(struct writer *writer, const char *id, const struct cell *cell)
{
	buffer_add(&writer->pending, writer->group, strlen(writer->group) + 1);
	buffer_format(&writer->pending, "%s,", id);
	write_value(&writer->pending, cell);
	buffer_byte(&writer->pending, 0);
}

static void cell(struct writer *writer, const struct cell *cell)
{
	const char *id = writer->columns[writer->column++].id;

	if (!take_subject(writer, id, cell))
		add_pending(writer, id, cell);
}

static void lines(struct writer *writer, const char *id, const char *body)
{
	struct cell cell = cell_text(body);

	add_pending(writer, id, &cell);
}

static void end_row(struct writer *writer)
{
	const char *at = buffer_string(&writer->pending);
	const char *stop = at + writer->pending.size;

	while (at < stop) {
		const char *window = *at ? at : writer->window;

		buffer_format(writer->out, "%s,%s,%zu,", writer->section_id,
			writer->table_id, writer->rows);
		write_field(writer->out, writer->device);
		buffer_format(writer->out, ",%s,%s,", writer->metric, window);
		at += strlen(at) + 1;
		buffer_format(writer->out, "%s\n", at);
		at += strlen(at) + 1;
	}
}

static void group(struct writer *writer, const char *id)
{
	writer->group = id;
}

static void group_end(struct writer *writer)
{
	writer->group = "";
}

const struct writer_ops writer_csv = {
	.format = "csv",
	.complete = true,
	.begin = begin,
	.end = end,
	.section = section,
	.section_end = nothing,
	.pair = pair,
	.table = table,
	.table_end = nothing,
	.row = row,
	.row_end = end_row,
	.group = group,
	.group_end = group_end,
	.cell = cell,
	.lines = lines,
};
