/* The result: facts, and the figures that moved most, without a word of judgement. */
#include "config.h"

#include "report/figures.h"

#include "base/alloc.h"
#include "base/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
	MOVES_SHOWN = 10,
	FEW = 5, /* events or samples below which a ratio says nothing */
};

/* Means below this share of the same figure of the busiest device are left out: an
 * idle disk's queue moves by large factors and tells nobody anything. */
static const double least_share = 0.01;

/* One figure in A and in another window. */
struct move {
	const struct subject *subject;
	const struct metric *metric;
	size_t window;
	double a, b, size; /* size: of the ratio, whichever way it went */
};

struct moves {
	struct move *list;
	size_t count, room;
};

/* The largest mean of METRIC in windows A and W over all subjects. */
static double busiest(const struct comparison *comparison, size_t w, unsigned metric)
{
	const struct session *session = comparison->session;
	double most = 0;

	for (size_t t = 0; t < session->track_count; t++) {
		if (session->tracks[t].metric != metric)
			continue;
		most = fmax(most, figure_of(comparison, 0, t).mean);
		most = fmax(most, figure_of(comparison, w, t).mean);
	}
	return most;
}

static bool counts(
	const struct metric *metric, const struct figure *a, const struct figure *b)
{
	if (metric_is_event(metric))
		return a->total >= FEW || b->total >= FEW;
	return a->summary->samples >= FEW && b->summary->samples >= FEW &&
	       (a->mean > 0 || b->mean > 0);
}

static void add_move(const struct comparison *comparison, struct moves *moves,
	size_t window, size_t track)
{
	const struct track *t = &comparison->session->tracks[track];
	const struct metric *metric = metric_at(t->metric);
	struct figure a = figure_of(comparison, 0, track);
	struct figure b = figure_of(comparison, window, track);
	double larger = fmax(a.mean, b.mean);
	double smaller = fmin(a.mean, b.mean);

	if (!a.known || !b.known || !counts(metric, &a, &b))
		return;
	if (larger < least_share * busiest(comparison, window, t->metric))
		return;
	xgrow(&moves->list, &moves->room, moves->count + 1, sizeof *moves->list);
	moves->list[moves->count++] = (struct move){
		.subject = &comparison->session->subjects[t->subject],
		.metric = metric,
		.window = window,
		.a = a.mean,
		.b = b.mean,
		.size = smaller > 0 ? larger / smaller : (double)INFINITY,
	};
}

static int larger_first(const void *left, const void *right)
{
	const struct move *a = left, *b = right;
	int order = (a->size < b->size) - (a->size > b->size);

	if (!order)
		order = strcmp(a->metric->id, b->metric->id);
	return order ? order : strcmp(a->subject->name, b->subject->name);
}

static void find_moves(const struct comparison *comparison, struct moves *moves)
{
	const struct session *session = comparison->session;

	for (size_t w = 1; w < comparison->window_count; w++)
		for (size_t t = 0; t < session->track_count; t++) {
			const struct metric *metric =
				metric_at(session->tracks[t].metric);

			if (metric_is_event(metric) || !metric_is_apart(metric))
				add_move(comparison, moves, w, t);
		}
	if (moves->count)
		qsort(moves->list, moves->count, sizeof *moves->list, larger_first);
}

static const struct column columns[] = {
	{"window", NULL, COLUMN_DATA, 0},
	{"word", NULL, COLUMN_LEFT, 8},
	{"device", NULL, COLUMN_LEFT, 16},
	{"metric", NULL, COLUMN_DATA, 0},
	{"label", NULL, COLUMN_LEFT, 25},
	{"text", NULL, COLUMN_RIGHT, 19},
	{"a", NULL, COLUMN_DATA, 0},
	{"b", NULL, COLUMN_DATA, 0},
	{"ratio", NULL, COLUMN_RIGHT, 9},
};

/* "A > B" where it is not clear by itself which windows are meant. */
static void write_move(struct writer *writer, const struct move *move)
{
	enum unit_system system =
		move->metric->kind == KIND_NIC ? UNITS_SI_BITS : UNITS_SI_BYTES;
	struct unit_scale scale =
		unit_scale(move->metric, fmax(move->a, move->b), system);
	char word[12], label[64], text[CELL_SHOWN], a[16], b[16];

	(void)text_format(word, sizeof word, "A > %s", window_letter(move->window));
	(void)text_format(label, sizeof label, "%s%s%s", move->metric->title,
		*scale.word ? " " : "", scale.word);
	unit_number(a, sizeof a, move->a * scale.factor, 6);
	unit_number(b, sizeof b, move->b * scale.factor, 6);
	(void)text_format(text, sizeof text, "%s > %s", a, b);
	writer->ops->row(writer);
	write_cell(writer, cell_text(window_letter(move->window)));
	write_cell(writer, cell_text(word));
	write_cell(writer, cell_text(move->subject->name));
	write_cell(writer, cell_text(move->metric->id));
	write_cell(writer, cell_text(label));
	write_cell(writer, cell_text(text));
	write_cell(writer, cell_real(move->a, ""));
	write_cell(writer, cell_real(move->b, ""));
	write_cell(writer, cell_ratio(move->a, move->b, "-"));
	writer->ops->row_end(writer);
}

static void write_moves(const struct comparison *comparison, struct writer *writer)
{
	struct moves moves = {.count = 0};

	find_moves(comparison, &moves);
	writer->ops->table(writer, "moves", columns, sizeof columns / sizeof *columns);
	for (size_t i = 0; i < moves.count && i < MOVES_SHOWN; i++)
		write_move(writer, &moves.list[i]);
	writer->ops->table_end(writer);
	free(moves.list);
}

static void write(const struct comparison *comparison, struct writer *writer)
{
	writer->ops->section(writer, "result", "RESULT",
		"means, where they moved most; rates of events");
	write_runs(comparison, writer);
	write_moves(comparison, writer);
	if (comparison->window_count < 2)
		write_line(
			writer, "single", "One window: there is nothing to compare.");
	write_line(writer, "verdict", "no verdict in this version: figures only");
	writer->ops->section_end(writer);
}

const struct section section_result = {"result", write};
