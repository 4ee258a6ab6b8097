/* Bad packets and other counted events: how many in each window, and how often where
 * there are enough of them to say so. */
#include "config.h"

#include "report/figures.h"

#include "base/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Fewer events have no rate, and a short window none per hour: it would be an
 * extrapolation. */
enum {
	FEW = 5,
	HOUR = 3600
};

enum part {
	PART_COUNT_OF,
	PART_PER_HOUR,
	PART_PER_MILLION,
	PART_SECONDS,
	PART_SAMPLES,
	PART_WHY,
	PART_RATIO,
	PART_VERDICT,
	PART_LOW,
	PART_HIGH,
	PART_P,
	PARTS,
};

static const char *const part_ids[PARTS] = {"count", "per_hour", "per_million",
	"seconds", "samples", "why", "ratio", "verdict", "low", "high", "p"};
static const char *const part_titles[PARTS] = {
	"", "/h", "/1M", "", "", "", "change", "verdict", "", "", ""};

static const int side_by_side[PARTS] = {7, 6, 6, 0, 0, 0, 7, 9};
static const int of_many[PARTS] = {6, 0, 0, 0, 0, 0, 6};

enum {
	LEADING = 4,
	LABEL_WIDTH = 22,
};

struct table {
	struct column columns[LEADING + REPORT_WINDOWS * PARTS];
	char titles[REPORT_WINDOWS][PARTS][12];
	size_t count;
};

static struct column part_column(
	struct table *table, size_t windows, size_t index, enum part part)
{
	char *title = table->titles[index][part];
	size_t size = sizeof table->titles[index][part];
	struct column column = {.id = part_ids[part], .title = title};

	column.width = (windows > 2 ? of_many : side_by_side)[part];
	column.place = column.width ? COLUMN_RIGHT : COLUMN_DATA;
	if (part == PART_RATIO && windows > 2)
		column.place = COLUMN_BELOW;
	if (part >= PART_RATIO && !index)
		column.place = COLUMN_DATA;
	(void)text_format(title, size, "%s%s",
		part >= PART_RATIO ? "" : window_letter(index), part_titles[part]);
	return column;
}

static void make_table(struct table *table, size_t windows)
{
	static const struct column leading[LEADING] = {
		{"title", NULL, COLUMN_HEADING, 0},
		{"device", NULL, COLUMN_DATA, 0},
		{"metric", NULL, COLUMN_DATA, 0},
		{"label", "", COLUMN_LEFT, LABEL_WIDTH},
	};

	memcpy(table->columns, leading, sizeof leading);
	table->count = LEADING;
	for (size_t w = 0; w < windows; w++)
		for (int part = 0; part < PARTS; part++)
			table->columns[table->count++] =
				part_column(table, windows, w, (enum part)part);
}

struct row {
	const struct metric *metric;
	const struct subject *subject;
	struct figure figures[REPORT_WINDOWS];
	const struct verdict *verdicts[REPORT_WINDOWS];
	double exposure[REPORT_WINDOWS]; /* segments; NaN: not known */
	bool empty;
};

static struct row make_row(
	const struct comparison *comparison, uint32_t subject, unsigned m, size_t track)
{
	struct row row = {.metric = metric_at(m),
		.subject = &comparison->session->subjects[subject],
		.empty = true};

	for (size_t w = 0; w < comparison->window_count; w++) {
		struct figure load =
			figure_named(comparison, w, subject, row.metric->load);

		row.figures[w] = figure_of(comparison, w, track);
		row.verdicts[w] = verdict_of(comparison, w, track);
		row.exposure[w] = load.known ? load.total : (double)NAN;
		row.empty = row.empty &&
			    (!row.figures[w].known || row.figures[w].total == 0.0);
	}
	return row;
}

static struct cell cell_events(const struct figure *figure)
{
	char shown[CELL_SHOWN];

	if (!figure->known)
		return cell_null("-");
	count_text(shown, sizeof shown, figure->total);
	return cell_integer(llround(figure->total), shown);
}

static struct cell cell_rate(double rate)
{
	char shown[CELL_SHOWN];

	if (!isfinite(rate))
		return cell_null("-");
	unit_number(shown, sizeof shown, rate, 5);
	return cell_real(rate, shown);
}

static bool enough(const struct figure *figure)
{
	return figure->known && figure->total >= FEW;
}

static double per_million(const struct row *row, size_t window)
{
	const struct figure *figure = &row->figures[window];

	if (!enough(figure) || !(row->exposure[window] > 0))
		return (double)NAN;
	return figure->total / row->exposure[window] * 1e6;
}

/* Per million where the load of both windows is known, else per time. */
static struct cell cell_change(const struct row *row, size_t window)
{
	const struct figure *a = &row->figures[0], *b = &row->figures[window];
	double rate_a = per_million(row, 0), rate_b = per_million(row, window);

	if (!window || (!a->known && !b->known))
		return cell_null("");
	if (!a->known || !b->known) {
		char shown[CELL_SHOWN];

		(void)text_format(shown, sizeof shown, "not in %s",
			window_letter(a->known ? window : 0));
		return cell_null(shown);
	}
	if (!enough(a) || !enough(b))
		return cell_null("few");
	if (!isfinite(rate_a) || !isfinite(rate_b))
		return cell_ratio(a->mean, b->mean, "");
	return cell_ratio(rate_a, rate_b, "");
}

static void write_window(struct writer *writer, const struct row *row, size_t window)
{
	const struct figure *figure = &row->figures[window];
	bool hourly = enough(figure) && figure->seconds >= HOUR;

	writer->ops->group(writer, window_letter(window));
	write_cell(writer, cell_events(figure));
	write_cell(writer, cell_rate(hourly ? figure->mean * HOUR : (double)NAN));
	write_cell(writer, cell_rate(per_million(row, window)));
	write_cell(
		writer, figure->known ? cell_real(figure->seconds, "") : cell_null(""));
	write_cell(writer, cell_count(figure->summary ? figure->summary->samples : 0));
	write_cell(writer, figure->known || !figure->summary
				   ? cell_null("")
				   : cell_text(why_word(figure->why)));
	write_cell(writer, cell_change(row, window));
	write_verdict(writer, row->verdicts[window]);
	writer->ops->group_end(writer);
}

static void write_row(const struct comparison *comparison, struct writer *writer,
	const struct row *row)
{
	char title[WRITER_WIDTH * 2];

	subject_title(row->subject, title, sizeof title);
	writer->ops->row(writer);
	write_cell(writer, cell_text(title));
	write_cell(writer, cell_text(row->subject->name));
	write_cell(writer, cell_text(row->metric->id));
	write_cell(writer, cell_text(row->metric->title));
	for (size_t w = 0; w < comparison->window_count; w++)
		write_window(writer, row, w);
	writer->ops->row_end(writer);
}

/* The rows of one subject. A person is spared those without any event; how many these
 * were is said in one line. */
static void write_subject(const struct comparison *comparison, struct writer *writer,
	uint32_t subject, size_t *spared)
{
	for (unsigned m = 0; m < metric_count(); m++) {
		int track = session_track(comparison->session, subject, m);
		struct row row;

		if (track < 0 || !metric_is_event(metric_at(m)))
			continue;
		row = make_row(comparison, subject, m, (size_t)track);
		if (row.empty && !writer->ops->complete)
			*spared += 1;
		else
			write_row(comparison, writer, &row);
	}
}

static void write_kind(const struct comparison *comparison, struct writer *writer,
	enum kind kind, size_t *spared)
{
	size_t count;
	uint32_t *subjects = figures_subjects(comparison, kind, &count);

	for (size_t i = 0; i < count; i++)
		write_subject(comparison, writer, subjects[i], spared);
	free(subjects);
}

static void write(const struct comparison *comparison, struct writer *writer)
{
	static const char aside[] =
		"counts of the window; /1M: per million segments on the wire; /h only "
		"for windows of an hour; no rate and no ratio under 5 events (few)";
	struct table table;
	size_t spared = 0;

	make_table(&table, comparison->window_count);
	writer->ops->section(writer, "packets", "BAD PACKETS AND ERRORS", aside);
	writer->ops->table(writer, "counts", table.columns, table.count);
	write_kind(comparison, writer, KIND_NIC, &spared);
	write_kind(comparison, writer, KIND_COUNTER, &spared);
	write_kind(comparison, writer, KIND_TRANSPORT, &spared);
	write_kind(comparison, writer, KIND_HOST, &spared);
	write_kind(comparison, writer, KIND_PEER, &spared);
	write_kind(comparison, writer, KIND_MOUNT, &spared);
	if (writer->ops->complete) { /* a page has them beside their mounts */
		write_kind(comparison, writer, KIND_CONNECTION, &spared);
		write_kind(comparison, writer, KIND_CALL, &spared);
	}
	writer->ops->table_end(writer);
	if (spared)
		write_line(writer, "spared",
			"%zu more kinds of events did not occur, or were not counted, "
			"in "
			"any window.",
			spared);
	write_checksums(comparison, writer);
	writer->ops->section_end(writer);
}

const struct section section_packets = {"packets", write};
