/* The table of averaged figures: one row per device and metric, the windows beside each
 * other. How much of each window a page holds depends on how many there are. */
#include "config.h"

#include "report/figures.h"

#include "base/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What is said of one window, in this order. */
enum part {
	PART_MEAN,
	PART_MEDIAN,
	PART_P95,
	PART_P99,
	PART_HIGHEST,
	PART_LOWEST,
	PART_SAMPLES,
	PART_WHY,
	PART_RATIO,
	PART_VERDICT,
	PART_LOW,
	PART_HIGH,
	PART_P,
	PART_COUNT,
};

static const char *const part_ids[PART_COUNT] = {"mean", "median", "p95", "p99",
	"highest", "lowest", "samples", "why", "ratio", "verdict", "low", "high", "p"};
static const char *const part_titles[PART_COUNT] = {"mean", "median", "p95", "p99",
	"max", "min", "samples", "", "change", "verdict", "", "", ""};

/* Columns of each part: alone, as A and B of two, and as A or another one of many. */
struct layout {
	int width[PART_COUNT];
};

static const struct layout alone = {{9, 9, 9, 9, 9, 0, 10}};
static const struct layout first_of_two = {{7, 0, 7, 0, 7}};
static const struct layout second_of_two = {{7, 0, 7, 0, 7, 0, 0, 0, 7, 9}};
static const struct layout of_many = {{8, 0, 0, 0, 0, 0, 0, 0, 8}};
static const struct layout of_most = {{7, 0, 0, 0, 0, 0, 0, 0, 7}}; /* eight of them */

/* Before the windows stand these. */
enum {
	SUBJECTS_SHOWN = 16, /* to a person; all with a clear change are */
	LEADING = 5,
	LABEL_WIDTH = 18
};

struct table {
	struct column columns[LEADING + REPORT_WINDOWS * PART_COUNT];
	char titles[REPORT_WINDOWS][PART_COUNT][12];
	size_t count;
};

static const struct layout *layout_of(size_t windows, size_t index)
{
	if (windows == 1)
		return &alone;
	if (windows > 2)
		return windows == REPORT_WINDOWS ? &of_most : &of_many;
	return index ? &second_of_two : &first_of_two;
}

static struct column part_column(
	struct table *table, size_t windows, size_t index, enum part part)
{
	char *title = table->titles[index][part];
	struct column column = {.id = part_ids[part], .title = title};

	column.width = layout_of(windows, index)->width[part];
	column.place = !column.width ? COLUMN_DATA : COLUMN_RIGHT;
	if (windows > 2 && part == PART_RATIO)
		column.place = COLUMN_BELOW;
	if (windows > 2)
		(void)text_copy(
			title, sizeof table->titles[index][part], window_letter(index));
	else if (part >= PART_RATIO)
		(void)text_copy(
			title, sizeof table->titles[index][part], part_titles[part]);
	else
		(void)text_format(title, sizeof table->titles[index][part], "%s %s",
			window_letter(index), part_titles[part]);
	return column;
}

static void make_table(struct table *table, size_t windows)
{
	static const struct column leading[LEADING] = {
		{"title", NULL, COLUMN_HEADING, 0},
		{"device", NULL, COLUMN_DATA, 0},
		{"metric", NULL, COLUMN_DATA, 0},
		{"unit", NULL, COLUMN_DATA, 0},
		{"label", "", COLUMN_LEFT, LABEL_WIDTH},
	};

	memcpy(table->columns, leading, sizeof leading);
	table->count = LEADING;
	for (size_t w = 0; w < windows; w++)
		for (int part = 0; part < PART_COUNT; part++)
			table->columns[table->count++] =
				part_column(table, windows, w, (enum part)part);
}

/* A row: one metric of one subject over all windows. */
struct row {
	const struct metric *metric;
	const struct subject *subject;
	struct figure figures[REPORT_WINDOWS];
	const struct verdict *verdicts[REPORT_WINDOWS];
	struct unit_scale scale;
	bool signs; /* there is no column for verdicts */
	bool empty; /* nothing or 0 in every window, or a state that stood still */
};

/* A state, such as a link's speed, that is the same in every window. */
static bool stood_still(const struct row *row, size_t windows)
{
	const struct summary *first = row->figures[0].summary;

	if (!metric_is_state(row->metric))
		return false;
	for (size_t w = 0; w < windows; w++) {
		const struct summary *summary = row->figures[w].summary;

		if (!row->figures[w].known || summary->lowest != summary->highest ||
			summary->lowest != first->lowest)
			return false;
	}
	return true;
}

static struct row make_row(
	const struct comparison *comparison, size_t track, enum unit_system system)
{
	const struct track *t = &comparison->session->tracks[track];
	struct row row = {.metric = metric_at(t->metric),
		.subject = &comparison->session->subjects[t->subject],
		.empty = true};
	double largest = 0;

	for (size_t w = 0; w < comparison->window_count; w++) {
		const struct figure *figure = &row.figures[w];

		row.figures[w] = figure_of(comparison, w, track);
		row.verdicts[w] = verdict_of(comparison, w, track);
		if (!figure->known)
			continue;
		row.empty = row.empty && figure->summary->highest == 0.0;
		largest = fmax(largest, figure->summary->highest);
	}
	row.signs = comparison->window_count > 2 &&
		    comparison->window_count < REPORT_WINDOWS;
	row.empty = row.empty || stood_still(&row, comparison->window_count);
	row.scale = unit_scale(row.metric, largest, system);
	return row;
}

static struct cell cell_scaled(const struct row *row, double value)
{
	char shown[CELL_SHOWN];

	if (!isfinite(value))
		return cell_null("-");
	unit_figure(shown, sizeof shown, row->metric, value, row->scale.factor, 6);
	return cell_real(value, shown);
}

/* "3.1x!": where there is no room for a word. */
static void add_sign(struct cell *cell, enum verdict_word word)
{
	size_t used = strlen(cell->shown);

	if (word == VERDICT_WORSE || word == VERDICT_BETTER)
		(void)text_format(cell->shown + used, sizeof cell->shown - used, "%s",
			word == VERDICT_WORSE ? "!" : "+"); /* there is room */
}

/* Where the load moved, means are not compared: what A would show at B's load is. */
static struct cell cell_at_load(const struct verdict *verdict)
{
	struct cell cell = cell_ratio(verdict->expected, verdict->b, "");
	size_t used = strlen(cell.shown);

	(void)text_format(cell.shown + used, sizeof cell.shown - used, "*"); /* fits */
	return cell;
}

static struct cell cell_change(const struct row *row, size_t window)
{
	const struct figure *a = &row->figures[0], *b = &row->figures[window];
	const struct verdict *verdict = row->verdicts[window];
	char otherwise[CELL_SHOWN] = "";

	if (verdict && verdict->word == VERDICT_KERNEL)
		return cell_null("kernel");
	if (verdict && verdict->kind == VERDICT_LOAD && verdict->tested)
		return cell_at_load(verdict);
	if (window && a->known != b->known)
		(void)text_format(otherwise, sizeof otherwise, "not in %s",
			window_letter(a->known ? window : 0));
	return cell_ratio(window && a->known ? a->mean : (double)NAN,
		b->known ? b->mean : (double)NAN, otherwise);
}

static void write_ratio(struct writer *writer, const struct row *row, size_t window)
{
	struct cell cell = cell_change(row, window);

	if (row->signs && row->verdicts[window])
		add_sign(&cell, row->verdicts[window]->word);
	write_cell(writer, cell);
}

static void write_window(struct writer *writer, const struct row *row, size_t window)
{
	const struct figure *figure = &row->figures[window];
	static const double shares[] = {0.5, 0.95, 0.99}; /* PART_MEDIAN to PART_P99 */
	const double nothing = (double)NAN;

	writer->ops->group(writer, window_letter(window));
	write_cell(writer, cell_scaled(row, figure->known ? figure->mean : nothing));
	for (size_t i = 0; i < sizeof shares / sizeof *shares; i++)
		write_cell(writer, cell_scaled(row, figure_quantile(figure, row->metric,
							    shares[i])));
	write_cell(writer,
		cell_scaled(row, figure->known ? figure->summary->highest : nothing));
	write_cell(writer,
		cell_scaled(row, figure->known ? figure->summary->lowest : nothing));
	write_cell(writer, cell_count(figure->summary ? figure->summary->samples : 0));
	write_cell(writer, figure->known || !figure->summary
				   ? cell_null("")
				   : cell_text(why_word(figure->why)));
	write_ratio(writer, row, window);
	write_verdict(writer, row->verdicts[window]);
	writer->ops->group_end(writer);
}

static void write_row(const struct comparison *comparison, struct writer *writer,
	const struct row *row)
{
	char title[WRITER_WIDTH * 2], label[64];

	subject_title(row->subject, title, sizeof title);
	(void)text_format(label, sizeof label, "%s%s%s", row->metric->title,
		*row->scale.word ? " " : "", row->scale.word);
	writer->ops->row(writer);
	write_cell(writer, cell_text(title));
	write_cell(writer, cell_text(row->subject->name));
	write_cell(writer, cell_text(row->metric->id));
	write_cell(writer, cell_text(unit_base(row->metric)));
	write_cell(writer, cell_text(label));
	for (size_t w = 0; w < comparison->window_count; w++)
		write_window(writer, row, w);
	writer->ops->row_end(writer);
}

/* The rows of one subject; how many were spared. */
static size_t write_subject(const struct comparison *comparison, struct writer *writer,
	uint32_t subject, enum unit_system system)
{
	size_t spared = 0;

	for (unsigned m = 0; m < metric_count(); m++) {
		const struct metric *metric = metric_at(m);
		int track = session_track(comparison->session, subject, m);
		struct row row;

		if (track < 0 || metric_is_event(metric))
			continue;
		if (metric_is_apart(metric) && !writer->ops->complete)
			continue;
		row = make_row(comparison, (size_t)track, system);
		if (row.empty && !writer->ops->complete)
			spared++;
		else
			write_row(comparison, writer, &row);
	}
	return spared;
}

/* Whether a figure of SUBJECT is clearly another one in any window. */
static bool is_told(const struct comparison *comparison, uint32_t subject)
{
	for (size_t t = 0; t < comparison->session->track_count; t++)
		for (size_t w = 1; comparison->session->tracks[t].subject == subject &&
				   w < comparison->window_count;
			w++) {
			const struct verdict *verdict = verdict_of(comparison, w, t);

			if (verdict && verdict->word >= VERDICT_BETTER &&
				verdict->word <= VERDICT_HIGHER)
				return true;
		}
	return false;
}

size_t write_figures(const struct comparison *comparison, struct writer *writer,
	enum kind kind, enum unit_system system)
{
	struct table table;
	size_t count, spared = 0, shown = 0, left = 0;
	uint32_t *subjects = figures_subjects(comparison, kind, &count);

	make_table(&table, comparison->window_count);
	writer->ops->table(writer, "figures", table.columns, table.count);
	for (size_t i = 0; i < count; i++) {
		if (!writer->ops->complete && shown >= SUBJECTS_SHOWN &&
			!is_told(comparison, subjects[i])) {
			left++;
			continue;
		}
		shown++;
		spared += write_subject(comparison, writer, subjects[i], system);
	}
	writer->ops->table_end(writer);
	free(subjects);
	if (left)
		write_line(writer, "left",
			"%zu more without a clear change are in the formats CSV and "
			"JSON.",
			left);
	return spared;
}
