/* What mounts are made of, a line each: their connections and their operation kinds. A
 * page has the figures that matter most, machines get all of them. */
#include "config.h"

#include "report/figures.h"

#include "base/text.h"

#include <math.h>
#include <stdlib.h>

enum {
	FIGURES = 3, /* of a line and window */
	LABEL_WIDTH = 22,
	NARROW =
		7, /* a column, where there are so many windows that eight do not fit */
};

struct part_figure {
	const char *metric, *title;
	double factor;
	int width;
};

struct part_table {
	const char *id, *title, *aside;
	enum kind kind;
	struct part_figure figures[FIGURES];
};

static const struct part_table tables[] = {
	{"connections", "CONNECTIONS OF MOUNTS",
		"means of the window: in flight, depth at sends, calls that found no "
		"slot",
		KIND_CONNECTION,
		{{"connection.inflight", "inflt", 1, 8},
			{"connection.depth", "depth", 1, 8},
			{"connection.backlog", "noslot", 1, 8}}},
	{"calls", "OPERATIONS OF MOUNTS", "means of the window; ms: round trip",
		KIND_CALL,
		{{"call.rtt", "ms", 1e3, 8}, {"call.ops", "/s", 1, 8},
			{"call.errors", "fail/s", 1, 8}}},
};

struct layout {
	struct column columns[2 + REPORT_WINDOWS * FIGURES];
	char titles[REPORT_WINDOWS][FIGURES][20];
	size_t count;
};

/* Of many windows there is room for one figure each, of more than six for a narrow one.
 */
static void make_layout(
	struct layout *layout, const struct part_table *table, size_t windows)
{
	bool narrow = windows > 6;

	layout->columns[0] = (struct column){
		"label", "", COLUMN_LEFT, narrow ? LABEL_WIDTH - 1 : LABEL_WIDTH};
	layout->columns[1] = (struct column){"device", NULL, COLUMN_DATA, 0};
	layout->count = 2;
	for (size_t w = 0; w < windows; w++)
		for (size_t i = 0; i < FIGURES; i++) {
			const struct part_figure *figure = &table->figures[i];
			bool shown = windows < 3 || !i;
			char *title = layout->titles[w][i];

			(void)text_format(title, sizeof layout->titles[w][i], "%s %s",
				window_letter(w), figure->title); /* both short */
			layout->columns[layout->count++] =
				(struct column){figure->metric, title,
					shown ? COLUMN_RIGHT : COLUMN_DATA,
					!shown   ? 0
					: narrow ? NARROW
						 : figure->width};
		}
}

static void write_part(const struct comparison *comparison, struct writer *writer,
	const struct part_table *table, uint32_t subject)
{
	const struct subject *of = &comparison->session->subjects[subject];

	writer->ops->row(writer);
	write_cell(writer, cell_text(of->name));
	write_cell(writer, cell_text(of->name));
	for (size_t w = 0; w < comparison->window_count; w++) {
		writer->ops->group(writer, window_letter(w));
		for (size_t i = 0; i < FIGURES; i++) {
			const struct part_figure *part = &table->figures[i];
			struct figure figure =
				figure_named(comparison, w, subject, part->metric);
			char shown[CELL_SHOWN];

			unit_number(shown, sizeof shown, figure.mean * part->factor, 6);
			write_cell(writer, figure.known ? cell_real(figure.mean, shown)
							: cell_null("-"));
		}
		writer->ops->group_end(writer);
	}
	writer->ops->row_end(writer);
}

static void write_table(const struct comparison *comparison, struct writer *writer,
	const struct part_table *table)
{
	struct layout layout;
	size_t count;
	uint32_t *subjects = figures_subjects(comparison, table->kind, &count);

	if (count) {
		writer->ops->section(writer, table->id, table->title, table->aside);
		make_layout(&layout, table, comparison->window_count);
		writer->ops->table(writer, "parts", layout.columns, layout.count);
		for (size_t i = 0; i < count; i++)
			write_part(comparison, writer, table, subjects[i]);
		writer->ops->table_end(writer);
		if (writer->ops->complete)
			(void)write_figures(comparison, writer, table->kind,
				UNITS_SI_BYTES); /* nobody is spared anything */
		writer->ops->section_end(writer);
	}
	free(subjects);
}

void write_parts(const struct comparison *comparison, struct writer *writer)
{
	for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
		write_table(comparison, writer, &tables[i]);
}
