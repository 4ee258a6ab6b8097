/* The report as Markdown (CommonMark with tables): for tickets and wikis. What comes
 * from outside is escaped, so that no name makes a heading, a link or a tag. */
#include "config.h"

#include "report/writer.h"

#include "report/report.h"

#include "base/alloc.h"
#include "base/text.h"

#include <stdlib.h>
#include <string.h>

/* What stands on the page and ends with a blank line before something else. */
enum block {
	BLOCK_NONE,
	BLOCK_LIST,
	BLOCK_TABLE,
};

static void escape(struct buffer *out, const char *text)
{
	size_t size = strlen(text) + 1;
	char *clean = xalloc(size);

	(void)text_clean(clean, size, text); /* never longer than TEXT */
	for (const char *at = clean; *at; at++) {
		if (strchr("\\`*_{}[]<>#|~&!", *at) ||
			(at == clean && strchr("+-", *at)))
			buffer_byte(out, '\\');
		buffer_byte(out, (uint8_t)*at);
	}
	free(clean);
}

static void end_block(struct writer *writer)
{
	if (writer->block != BLOCK_NONE)
		buffer_byte(writer->out, '\n');
	writer->block = BLOCK_NONE;
}

static void paragraph(struct writer *writer, const char *text)
{
	end_block(writer);
	escape(writer->out, text);
	buffer_add(writer->out, "\n\n", 2);
}

static void begin(struct writer *writer)
{
	buffer_format(writer->out, "# CHANGE REPORT\n\nweir %s, report format %d\n\n",
		PACKAGE_VERSION, REPORT_VERSION);
}

static void end(struct writer *writer)
{
	end_block(writer);
	buffer_format(writer->out, "---\n\nend of report\n");
}

static void section(
	struct writer *writer, const char *id, const char *title, const char *aside)
{
	(void)id;
	end_block(writer);
	if (!title)
		return;
	writer->sections++;
	buffer_format(writer->out, "## %d %s\n\n", writer->sections, title);
	if (aside)
		paragraph(writer, aside);
}

static void nothing(struct writer *writer)
{
	(void)writer;
}

static void pair(struct writer *writer, const char *id, const char *label,
	const struct cell *cell)
{
	(void)id;
	if (!label) {
		paragraph(writer, cell_shown(cell));
		return;
	}
	if (writer->block != BLOCK_LIST)
		end_block(writer);
	writer->block = BLOCK_LIST;
	buffer_format(writer->out, "* %s: ", label);
	escape(writer->out, cell_shown(cell));
	buffer_byte(writer->out, '\n');
}

static bool is_shown(const struct column *column)
{
	return column->place == COLUMN_LEFT || column->place == COLUMN_RIGHT ||
	       column->place == COLUMN_REST;
}

/* A table cannot be without a line of titles. */
static void table_titles(struct writer *writer)
{
	end_block(writer);
	for (size_t i = 0; i < writer->column_count; i++) {
		const struct column *column = &writer->columns[i];

		if (!is_shown(column))
			continue;
		buffer_format(writer->out, "| ");
		escape(writer->out, column->title ? column->title : "");
		buffer_byte(writer->out, ' ');
	}
	buffer_format(writer->out, "|\n");
	for (size_t i = 0; i < writer->column_count; i++)
		if (is_shown(&writer->columns[i]))
			buffer_format(writer->out, "%s",
				writer->columns[i].place == COLUMN_RIGHT ? "| ---: "
									 : "| --- ");
	buffer_format(writer->out, "|\n");
	writer->block = BLOCK_TABLE;
}

static void table(struct writer *writer, const char *id, const struct column *columns,
	size_t count)
{
	(void)id;
	writer->columns = columns;
	writer->column_count = count;
	end_block(writer);
	*writer->heading = 0;
}

static void row(struct writer *writer)
{
	writer->column = 0;
	writer->in_row = false;
}

/* The first cell of a row on the page: is there a table to put it into? */
static void open_row(struct writer *writer)
{
	if (writer->in_row)
		return;
	if (writer->block != BLOCK_TABLE)
		table_titles(writer);
	writer->in_row = true;
}

static void end_row(struct writer *writer)
{
	if (writer->in_row)
		buffer_format(writer->out, "|\n");
	writer->in_row = false;
}

static void group(struct writer *writer, const char *id)
{
	(void)writer;
	(void)id;
}

static void heading(struct writer *writer, const char *text)
{
	if (!strcmp(writer->heading, text))
		return;
	(void)text_copy(writer->heading, sizeof writer->heading, text);
	end_block(writer);
	buffer_format(writer->out, "**");
	escape(writer->out, text);
	buffer_format(writer->out, "**\n\n");
}

static void cell(struct writer *writer, const struct cell *cell)
{
	const struct column *column = &writer->columns[writer->column++];
	const char *text = cell_shown(cell);

	if (column->place == COLUMN_HEADING) {
		heading(writer, text);
	} else if (is_shown(column)) {
		open_row(writer);
		buffer_format(writer->out, "| ");
		escape(writer->out, text);
		buffer_byte(writer->out, ' ');
	} else if (column->place == COLUMN_BELOW && *text) {
		buffer_byte(writer->out, '(');
		escape(writer->out, text);
		buffer_format(writer->out, ") ");
	}
}

/* The longest run of SIGN. */
static size_t longest_run(const char *text, char sign)
{
	size_t most = 0, run = 0;

	for (; *text; text++) {
		run = *text == sign ? run + 1 : 0;
		most = run > most ? run : most;
	}
	return most;
}

/* As it is, between fences that are longer than any in it. */
static void lines(struct writer *writer, const char *id, const char *body)
{
	size_t size = strlen(body) + 1;
	char *clean = xalloc(size);
	size_t fence = longest_run(body, '~') + 3;

	(void)id;
	(void)text_clean_lines(clean, size, body); /* never longer than BODY */
	end_row(writer);
	end_block(writer);
	for (size_t i = 0; i < fence; i++)
		buffer_byte(writer->out, '~');
	buffer_format(writer->out, "\n%s%s", clean,
		size > 1 && clean[strlen(clean) - 1] == '\n' ? "" : "\n");
	for (size_t i = 0; i < fence; i++)
		buffer_byte(writer->out, '~');
	buffer_format(writer->out, "\n\n");
	free(clean);
}

const struct writer_ops writer_md = {
	.format = "md",
	.complete = false,
	.begin = begin,
	.end = end,
	.section = section,
	.section_end = nothing,
	.pair = pair,
	.table = table,
	.table_end = end_block,
	.row = row,
	.row_end = end_row,
	.group = group,
	.group_end = nothing,
	.cell = cell,
	.lines = lines,
};
