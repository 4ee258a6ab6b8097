/* The report as text for mails and ticket forms: ASCII, 80 columns, no tabs, no blanks
 * at the end of a line. */
#include "config.h"

#include "report/writer.h"

#include "report/report.h"

#include "base/alloc.h"
#include "base/text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
	LABEL_WIDTH = 13,  /* of a pair in the head of the report */
	HEADED_INDENT = 4, /* rows under a heading of their own */
};

/* TEXT with one byte per column: what is not ASCII becomes '?', a tab goes to the next
 * multiple of 8. Owned by the caller. */
static char *ascii(const char *text)
{
	char *to = xalloc(strlen(text) * 8 + 1);
	size_t used = 0;

	for (const unsigned char *at = (const unsigned char *)text; *at; at++) {
		if (*at == '\t')
			do
				to[used++] = ' ';
			while (used % 8);
		else if (*at >= 0x20 && *at < 0x7f)
			to[used++] = (char)*at;
		else if ((*at & 0xc0) != 0x80 || *at < 0x80)
			to[used++] = '?';
	}
	to[used] = 0;
	return to;
}

/* Appends COUNT bytes at TEXT as the end of a line. */
static void end_line(struct writer *writer, const char *text, size_t count)
{
	while (count && text[count - 1] == ' ')
		count--;
	buffer_add(writer->out, text, count);
	while (writer->out->size && writer->out->data[writer->out->size - 1] == ' ')
		writer->out->size--;
	buffer_byte(writer->out, '\n');
}

static void rule(struct writer *writer, char sign)
{
	char line[WRITER_WIDTH];

	memset(line, sign, sizeof line);
	end_line(writer, line, sizeof line);
}

/* How many bytes of TEXT go into WIDTH columns: up to a blank where there is one. */
static size_t fitting(const char *text, size_t width)
{
	size_t length = strlen(text);
	size_t at = width;

	if (length <= width)
		return length;
	while (at && text[at] != ' ')
		at--;
	return at ? at : width;
}

/* Writes TEXT from column AT, up to which the line stands already, and folds it. */
static void fold(struct writer *writer, const char *text, int at)
{
	char *plain = ascii(text);
	const char *left = plain;
	int width = WRITER_WIDTH - at;

	for (;;) {
		size_t count = fitting(left, (size_t)width);

		end_line(writer, left, count);
		left += count;
		while (*left == ' ')
			left++;
		if (!*left)
			break;
		buffer_format(writer->out, "%*s", at, "");
	}
	free(plain);
}

static int indent(const struct writer *writer)
{
	return writer->sections ? WRITER_INDENT : 0;
}

/* Puts TEXT into WIDTH columns of LINE from AT, cut in its middle; RIGHT: flush right
 * with a blank before it. */
static void put(char *line, int at, int width, const char *text, bool right)
{
	char *plain = ascii(text);
	char cut[WRITER_WIDTH + 1];
	size_t room = (size_t)width - 1;
	size_t length;

	text_middle(cut, sizeof cut, plain, room);
	length = strlen(cut);
	if (at + width <= WRITER_WIDTH)
		memcpy(line + at + (right ? (size_t)width - length : 0), cut, length);
	free(plain);
}

static void clear(struct writer *writer)
{
	memset(writer->line, ' ', WRITER_WIDTH);
	memset(writer->below, ' ', WRITER_WIDTH);
	writer->column = 0;
	writer->used = indent(writer);
	for (size_t i = 0; i < writer->column_count; i++)
		if (writer->columns[i].place == COLUMN_HEADING)
			writer->used = HEADED_INDENT;
}

static bool blank(const char *line)
{
	for (int i = 0; i < WRITER_WIDTH; i++)
		if (line[i] != ' ')
			return false;
	return true;
}

static void flush(struct writer *writer)
{
	if (!blank(writer->line))
		end_line(writer, writer->line, WRITER_WIDTH);
	if (!blank(writer->below))
		end_line(writer, writer->below, WRITER_WIDTH);
}

static void begin(struct writer *writer)
{
	char right[WRITER_WIDTH];

	(void)text_format(right, sizeof right,
		"weir %s, report format %d, page width %d", PACKAGE_VERSION,
		REPORT_VERSION, WRITER_WIDTH);
	memset(writer->line, ' ', WRITER_WIDTH);
	put(writer->line, 0, 30, "CHANGE REPORT", false);
	put(writer->line, 30, WRITER_WIDTH - 30, right, true);
	end_line(writer, writer->line, WRITER_WIDTH);
	rule(writer, '=');
}

static void end(struct writer *writer)
{
	buffer_byte(writer->out, '\n');
	rule(writer, '=');
	fold(writer, "end of report", 0);
}

static void section(
	struct writer *writer, const char *id, const char *title, const char *aside)
{
	bool beside;

	(void)id;
	if (!title)
		return;
	writer->sections++;
	buffer_format(writer->out, "\n%d  %s", writer->sections, title);
	beside = aside && strlen(title) + strlen(aside) + 6 <= WRITER_WIDTH;
	if (beside)
		buffer_format(writer->out, "   %s", aside);
	buffer_byte(writer->out, '\n');
	rule(writer, '-');
	if (aside && !beside) {
		buffer_format(writer->out, "%*s", WRITER_INDENT, "");
		fold(writer, aside, WRITER_INDENT);
	}
}

static void nothing(struct writer *writer)
{
	(void)writer;
}

static void pair(struct writer *writer, const char *id, const char *label,
	const struct cell *cell)
{
	int at = indent(writer) + (label ? LABEL_WIDTH : 0);

	(void)id;
	buffer_format(writer->out, "%*s", indent(writer), "");
	if (label)
		buffer_format(writer->out, "%-*s", LABEL_WIDTH, label);
	fold(writer, cell_shown(cell), at);
}

static void table_titles(struct writer *writer)
{
	bool any = false;

	clear(writer);
	for (size_t i = 0; i < writer->column_count; i++) {
		const struct column *column = &writer->columns[i];
		bool right = column->place == COLUMN_RIGHT;

		if (column->place != COLUMN_LEFT && !right)
			continue;
		any = any || column->title;
		put(writer->line, writer->used, column->width,
			column->title ? column->title : "", right);
		writer->used += column->width;
	}
	if (any)
		flush(writer);
}

static void table(struct writer *writer, const char *id, const struct column *columns,
	size_t count)
{
	(void)id;
	writer->columns = columns;
	writer->column_count = count;
	writer->titled = false;
	if (!writer->sections)
		buffer_byte(writer->out, '\n');
	*writer->heading = 0;
}

static void row(struct writer *writer)
{
	if (!writer->titled)
		table_titles(writer);
	writer->titled = true;
	clear(writer);
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
	buffer_format(writer->out, "%*s", WRITER_INDENT, "");
	fold(writer, text, WRITER_INDENT);
}

static void cell(struct writer *writer, const struct cell *cell)
{
	const struct column *column = &writer->columns[writer->column++];

	switch (column->place) {
	case COLUMN_DATA:
		break;
	case COLUMN_LEFT:
	case COLUMN_RIGHT:
		put(writer->line, writer->used, column->width, cell_shown(cell),
			column->place == COLUMN_RIGHT);
		writer->last_start = writer->used;
		writer->last_width = column->width;
		writer->used += column->width;
		break;
	case COLUMN_BELOW:
		put(writer->below, writer->last_start, writer->last_width,
			cell_shown(cell), true);
		break;
	case COLUMN_HEADING:
		heading(writer, cell_shown(cell));
		break;
	case COLUMN_REST:
		buffer_add(writer->out, writer->line, (size_t)writer->used);
		fold(writer, cell_shown(cell), writer->used);
		memset(writer->line, ' ', WRITER_WIDTH);
		break;
	}
}

/* Each line behind a bar; what a line has too many goes on behind a plus. */
static void lines(struct writer *writer, const char *id, const char *body)
{
	const size_t width = WRITER_WIDTH - HEADED_INDENT - 2;

	(void)id;
	while (*body) {
		size_t length = strcspn(body, "\n");
		char *line = xalloc(length + 1);
		char *plain;
		char sign = '|';

		(void)text_copy(line, length + 1, body);
		plain = ascii(line);
		for (size_t at = 0; !at || at < strlen(plain); at += width) {
			buffer_format(writer->out, "%*s%c ", HEADED_INDENT, "", sign);
			end_line(writer, plain + at,
				strlen(plain + at) < width ? strlen(plain + at)
							   : width);
			sign = '+';
		}
		free(plain);
		free(line);
		body += length + (body[length] == '\n');
	}
}

const struct writer_ops writer_text = {
	.format = "text",
	.complete = false,
	.begin = begin,
	.end = end,
	.section = section,
	.section_end = nothing,
	.pair = pair,
	.table = table,
	.table_end = nothing,
	.row = row,
	.row_end = flush,
	.group = group,
	.group_end = nothing,
	.cell = cell,
	.lines = lines,
};
