/* Runs of commands compared: each run is one observation, and three on each side give a
 * verdict; see the header. Time and throughput of a command are its result and not a
 * load that somebody else chose, so that they may be better or worse. */
#include "config.h"

#include "report/runs.h"

#include "base/alloc.h"
#include "base/text.h"
#include "core/verdict_sides.h"
#include "report/figures.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Throughput below this share of the largest is not what the command was about. */
static const double least_share = 0.05;

static const struct {
	const char *figure, *title;
	enum unit unit;
	enum better better;
} kinds[] = {
	{"seconds", "time", UNIT_SECONDS, BETTER_LOWER},
	{"disk.read.bytes", "disks read", UNIT_BYTES_S, BETTER_HIGHER},
	{"disk.write.bytes", "disks wrote", UNIT_BYTES_S, BETTER_HIGHER},
	{"mount.read.bytes", "mounts read", UNIT_BYTES_S, BETTER_HIGHER},
	{"mount.write.bytes", "mounts wrote", UNIT_BYTES_S, BETTER_HIGHER},
	{"net.rx.bytes", "network received", UNIT_BYTES_S, BETTER_HIGHER},
	{"net.tx.bytes", "network sent", UNIT_BYTES_S, BETTER_HIGHER},
};

enum {
	KINDS = sizeof kinds / sizeof *kinds
};

static double value_of(
	const struct comparison *comparison, const struct window *run, size_t kind)
{
	double seconds =
		(double)(window_end(comparison, run) - run->from) / NSEC_PER_SEC;
	double total;

	if (!kind)
		return seconds;
	if (!run_total(comparison, run, kinds[kind].figure, &total) || !(seconds > 0))
		return 0;
	return total / seconds;
}

static void measure(const struct comparison *comparison, const struct side sides[2],
	size_t kind, struct run_row *row)
{
	const struct windows *all = &comparison->session->windows;
	double values[2][SIDE_MOST];
	const double *const figures[] = {values[0], values[1]};
	const size_t count[] = {sides[0].count, sides[1].count};

	for (size_t s = 0; s < 2; s++)
		for (size_t i = 0; i < count[s]; i++)
			values[s][i] = value_of(
				comparison, windows_by_id(all, sides[s].ids[i]), kind);
	row->figure = kinds[kind].figure;
	row->title = kinds[kind].title;
	row->unit = kinds[kind].unit;
	row->better = kinds[kind].better;
	verdict_runs(&row->verdict, figures, count);
}

static double size_of(const struct run_row *row)
{
	return fmax(row->verdict.a, row->verdict.b);
}

/* The rows of two sides; what the commands hardly moved is left out. */
static void add_pair(struct comparison *comparison, size_t window, const char *name,
	const struct side sides[2])
{
	struct run_row rows[KINDS];
	size_t room = comparison->run_row_count; /* it grows by one at a time */
	double most = 0;

	if (!sides[0].count || !sides[1].count)
		return;
	for (size_t k = 0; k < KINDS; k++) {
		rows[k] = (struct run_row){.window = window, .name = name};
		measure(comparison, sides, k, &rows[k]);
		most = k ? fmax(most, size_of(&rows[k])) : 0;
	}
	for (size_t k = 0; k < KINDS; k++) {
		if (k && !(size_of(&rows[k]) > least_share * most))
			continue;
		xgrow(&comparison->run_rows, &room, comparison->run_row_count + 1,
			sizeof *comparison->run_rows);
		comparison->run_rows[comparison->run_row_count++] = rows[k];
	}
}

/* Runs called NAME in the windows of letter INDEX. */
static struct side runs_inside(
	const struct comparison *comparison, size_t index, const char *name)
{
	struct side all = {.count = 0};

	for (size_t i = 0; i < comparison->sides[index].count; i++) {
		const struct window *window = side_window(comparison, index, i);
		struct side here = side_runs_in(comparison->session, name, window->from,
			window_end(comparison, window));

		for (size_t k = 0; k < here.count && all.count < SIDE_MOST; k++)
			all.ids[all.count++] = here.ids[k];
	}
	return all;
}

static void add_inside(struct comparison *comparison, size_t window)
{
	const struct windows *all = &comparison->session->windows;

	for (size_t i = 0; i < all->count; i++) {
		const char *name = all->list[i].name;
		struct side sides[2];
		bool known = all->list[i].role != ROLE_RUN;

		for (size_t k = 0; k < i && !known; k++)
			known = all->list[k].role == ROLE_RUN &&
				!strcasecmp(all->list[k].name, name);
		if (known)
			continue;
		sides[0] = runs_inside(comparison, 0, name);
		sides[1] = runs_inside(comparison, window, name);
		add_pair(comparison, window, name, sides);
	}
}

void runs_take(struct comparison *comparison)
{
	struct verdict_row *rows;

	for (size_t w = 1; w < comparison->window_count; w++) {
		const struct window *a = comparison->windows[0];
		const struct window *b = comparison->windows[w];

		if (a->role == ROLE_RUN && b->role == ROLE_RUN)
			add_pair(comparison, w, b->name,
				(struct side[]){
					comparison->sides[0], comparison->sides[w]});
		else if (a->role != ROLE_RUN && b->role != ROLE_RUN)
			add_inside(comparison, w);
	}
	rows = xarray(comparison->run_row_count + 1, sizeof *rows);
	for (size_t i = 0; i < comparison->run_row_count; i++)
		rows[i] = (struct verdict_row){
			.verdict = &comparison->run_rows[i].verdict,
			.better = comparison->run_rows[i].better,
			.level = VERDICT_LEVEL};
	verdict_family(rows, comparison->run_row_count);
	free(rows);
}

static const struct column columns[] = {
	{"window", NULL, COLUMN_DATA, 0},
	{"word", NULL, COLUMN_LEFT, 10},
	{"name", NULL, COLUMN_LEFT, 12},
	{"figure", NULL, COLUMN_DATA, 0},
	{"label", NULL, COLUMN_LEFT, 17},
	{"text", NULL, COLUMN_REST, 0},
	{"a", NULL, COLUMN_DATA, 0},
	{"b", NULL, COLUMN_DATA, 0},
	{"ratio", NULL, COLUMN_DATA, 0},
	{"low", NULL, COLUMN_DATA, 0},
	{"high", NULL, COLUMN_DATA, 0},
	{"p", NULL, COLUMN_DATA, 0},
	{"runs_a", NULL, COLUMN_DATA, 0},
	{"runs_b", NULL, COLUMN_DATA, 0},
};

/* "25.1 MB/s > 101 MB/s, 4.0x, +302 % (+290..+315), 3 and 3 runs". */
static void describe(const struct run_row *row, char *text, size_t size)
{
	const struct metric metric = {.unit = row->unit};
	const struct verdict *v = &row->verdict;
	char a[24], b[24], ratio[16], change[64], bound[48] = "";

	unit_value(a, sizeof a, &metric, v->a, UNITS_SI_BYTES);
	unit_value(b, sizeof b, &metric, v->b, UNITS_SI_BYTES);
	unit_ratio(ratio, sizeof ratio, v->a, v->b);
	unit_change(change, sizeof change, v->change);
	(void)text_copy(change + strlen(change), sizeof change - strlen(change), " %");
	if (v->tested)
		verdict_change(change, sizeof change, v);
	if (v->word == VERDICT_FEW_RUNS)
		(void)text_copy(bound, sizeof bound, "; three each give a verdict");
	(void)text_format(text, size, "%s > %s, %s, %s, %zu and %zu run%s%s", a, b,
		ratio, change, v->windows[0], v->windows[1],
		v->windows[1] > 1 ? "s" : "", bound);
}

static void write_one(const struct comparison *comparison, struct writer *writer,
	const struct run_row *row)
{
	const struct verdict *v = &row->verdict;
	char word[CELL_SHOWN], brief[16], text[200];
	bool told = v->a > 0 && v->b > 0;

	verdict_short(brief, sizeof brief, v);
	if (v->word == VERDICT_FEW_RUNS)
		(void)text_copy(brief, sizeof brief, "FACT");
	(void)text_format(word, sizeof word, "%s%s%s",
		comparison->window_count > 2 ? window_letter(row->window) : "",
		comparison->window_count > 2 ? " " : "", brief);
	if (told)
		describe(row, text, sizeof text);
	else
		verdict_words(text, sizeof text, v, comparison->run_row_count);
	writer->ops->row(writer);
	write_cell(writer, cell_text(window_letter(row->window)));
	write_cell(writer, cell_text(word));
	write_cell(writer, cell_text(row->name));
	write_cell(writer, cell_text(row->figure));
	write_cell(writer, cell_text(row->title));
	write_cell(writer, cell_text(text));
	write_cell(writer, cell_real(v->a, ""));
	write_cell(writer, cell_real(v->b, ""));
	write_cell(writer, told ? cell_real(v->b / v->a, "") : cell_null(""));
	write_cell(writer, v->tested ? cell_real(v->low, "") : cell_null(""));
	write_cell(writer, v->tested ? cell_real(v->high, "") : cell_null(""));
	write_cell(writer, v->tested ? cell_real(v->adjusted, "") : cell_null(""));
	write_cell(writer, cell_count(v->windows[0]));
	write_cell(writer, cell_count(v->windows[1]));
	writer->ops->row_end(writer);
}

void write_run_rows(const struct comparison *comparison, struct writer *writer)
{
	if (!comparison->run_row_count)
		return;
	writer->ops->table(
		writer, "run_verdicts", columns, sizeof columns / sizeof *columns);
	for (size_t i = 0; i < comparison->run_row_count; i++)
		write_one(comparison, writer, &comparison->run_rows[i]);
	writer->ops->table_end(writer);
}
