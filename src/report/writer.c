/* Cells, and shorthand for sections; see the header. */
#include "config.h"

#include "report/writer.h"

#include "report/section.h"

#include "base/text.h"
#include "core/unit.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>

static struct cell shown_as(struct cell cell, const char *shown)
{
	(void)text_copy(cell.shown, sizeof cell.shown, shown); /* may be cut */
	return cell;
}

struct cell cell_null(const char *shown)
{
	return shown_as((struct cell){.form = CELL_NULL}, shown);
}

struct cell cell_text(const char *text)
{
	return (struct cell){.form = CELL_TEXT, .text = text};
}

struct cell cell_real(double value, const char *shown)
{
	if (!isfinite(value))
		return cell_null(shown);
	if (value == 0.0)
		value = 0; /* and not minus 0, which programs print as "-0" */
	return shown_as((struct cell){.form = CELL_REAL, .real = value}, shown);
}

struct cell cell_time(int64_t wall, const char *shown)
{
	double seconds = (double)(wall / 1000000) / 1000;

	return shown_as((struct cell){.form = CELL_TIME, .real = seconds}, shown);
}

struct cell cell_integer(int64_t value, const char *shown)
{
	return shown_as((struct cell){.form = CELL_INTEGER, .integer = value}, shown);
}

struct cell cell_truth(bool value, const char *shown)
{
	return shown_as((struct cell){.form = CELL_TRUTH, .integer = value}, shown);
}

const char *cell_shown(const struct cell *cell)
{
	return *cell->shown || cell->form != CELL_TEXT ? cell->shown : cell->text;
}

struct cell cell_count(uint64_t count)
{
	char shown[CELL_SHOWN];

	(void)text_format(shown, sizeof shown, "%" PRIu64, count);
	return cell_integer(count > INT64_MAX ? INT64_MAX : (int64_t)count, shown);
}

struct cell cell_length(nsec length)
{
	char shown[CELL_SHOWN];

	unit_duration(shown, sizeof shown, length);
	return cell_real((double)length / (double)NSEC_PER_SEC, shown);
}

void write_cell(struct writer *writer, struct cell cell)
{
	writer->ops->cell(writer, &cell);
}

void write_pair(
	struct writer *writer, const char *id, const char *label, struct cell cell)
{
	writer->ops->pair(writer, id, label, &cell);
}

void write_line(struct writer *writer, const char *id, const char *format, ...)
{
	char text[1024];
	va_list args;

	va_start(args, format);
	(void)vsnprintf(text, sizeof text, format, args); /* a cut line is a line */
	va_end(args);
	write_pair(writer, id, NULL, cell_text(text));
}
