/* The result: facts, verdicts where the data carry them, else the figures that moved
 * most, without a word of judgement. */
#include "config.h"

#include "report/figures.h"
#include "report/runs.h"

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

/* Means that moved by less than this factor are not worth a line here. */
static const double least_size = 1.05;

/* Nor are shares of a whole, processors above all, that moved by less than a point: the
 * kernel counts them in hundredths of a second, so that 0 > 0.09 % is one step of it.
 */
static const double least_points = 0.01;

/* One figure in A and in another window: means, or counts of events. */
struct move {
	const struct subject *subject;
	const struct metric *metric;
	size_t window;
	double a, b;
	double ratio; /* NaN: there is none */
	double size;  /* how far it moved, whichever way: 1 is not at all */
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

/* How many times one rate is the other. */
static double factor(double a, double b)
{
	double smaller = fmin(a, b);

	return smaller > 0 ? fmax(a, b) / smaller : (double)INFINITY;
}

/* Counts: their place in the list is that of the rates with one event more on either
 * side, so that 0 > 1 does not come before 5 > 500. */
static bool move_events(
	struct move *move, const struct figure *a, const struct figure *b)
{
	move->a = a->total;
	move->b = b->total;
	move->size = factor((a->total + 1) / a->seconds, (b->total + 1) / b->seconds);
	move->ratio =
		a->total >= FEW && b->total >= FEW ? b->mean / a->mean : (double)NAN;
	return a->total >= FEW || b->total >= FEW;
}

static bool move_means(
	struct move *move, const struct figure *a, const struct figure *b)
{
	move->a = a->mean;
	move->b = b->mean;
	move->size = factor(a->mean, b->mean);
	move->ratio = a->mean > 0 ? b->mean / a->mean : (double)NAN;
	return a->summary->samples >= FEW && b->summary->samples >= FEW &&
	       (a->mean > 0 || b->mean > 0) &&
	       (move->metric->unit != UNIT_SHARE ||
		       fabs(b->mean - a->mean) >= least_points);
}

/* Two kernels do not count the same thing: its move is none. */
static bool is_refused(const struct comparison *comparison, size_t window, size_t track)
{
	const struct verdict *verdict = verdict_of(comparison, window, track);

	return verdict && verdict->word == VERDICT_KERNEL;
}

static void add_move(const struct comparison *comparison, struct moves *moves,
	size_t window, size_t track)
{
	const struct track *t = &comparison->session->tracks[track];
	struct figure a = figure_of(comparison, 0, track);
	struct figure b = figure_of(comparison, window, track);
	struct move move = {.subject = &comparison->session->subjects[t->subject],
		.metric = metric_at(t->metric),
		.window = window};
	bool told;

	if (!a.known || !b.known || is_refused(comparison, window, track))
		return;
	if (metric_is_event(move.metric))
		told = move_events(&move, &a, &b);
	else
		told = move_means(&move, &a, &b) &&
		       fmax(a.mean, b.mean) >=
			       least_share * busiest(comparison, window, t->metric);
	if (!told || move.size < least_size)
		return;
	xgrow(&moves->list, &moves->room, moves->count + 1, sizeof *moves->list);
	moves->list[moves->count++] = move;
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
	{"unit", NULL, COLUMN_DATA, 0},
	{"label", NULL, COLUMN_LEFT, 25},
	{"text", NULL, COLUMN_RIGHT, 19},
	{"a", NULL, COLUMN_DATA, 0},
	{"b", NULL, COLUMN_DATA, 0},
	{"ratio", NULL, COLUMN_RIGHT, 9},
};

/* "6.00 > 22.4" of a mean, with the unit in LABEL; "2 > 721" of events. */
static void describe(const struct move *move, char *label, char *text, size_t size)
{
	enum unit_system system =
		move->metric->kind == KIND_NIC ? UNITS_SI_BITS : UNITS_SI_BYTES;
	struct unit_scale scale =
		unit_scale(move->metric, fmax(move->a, move->b), system);
	char a[16], b[16];

	if (metric_is_event(move->metric)) {
		count_text(a, sizeof a, move->a);
		count_text(b, sizeof b, move->b);
		(void)text_copy(label, size, move->metric->title);
	} else {
		unit_figure(a, sizeof a, move->metric, move->a, scale.factor, 6);
		unit_figure(b, sizeof b, move->metric, move->b, scale.factor, 6);
		(void)text_format(label, size, "%s%s%s", move->metric->title,
			*scale.word ? " " : "", scale.word);
	}
	(void)text_format(text, size, "%s > %s", a, b);
}

static void write_move(struct writer *writer, const struct move *move)
{
	bool event = metric_is_event(move->metric);
	char word[12], label[CELL_SHOWN], text[CELL_SHOWN];

	(void)text_format(word, sizeof word, "A > %s", window_letter(move->window));
	describe(move, label, text, sizeof label);
	writer->ops->row(writer);
	write_cell(writer, cell_text(window_letter(move->window)));
	write_cell(writer, cell_text(word));
	write_cell(writer, cell_text(move->subject->name));
	write_cell(writer, cell_text(move->metric->id));
	write_cell(writer, cell_text(event ? "events" : unit_base(move->metric)));
	write_cell(writer, cell_text(label));
	write_cell(writer, cell_text(text));
	write_cell(writer, cell_real(move->a, ""));
	write_cell(writer, cell_real(move->b, ""));
	if (isfinite(move->ratio))
		write_cell(writer, event ? cell_ratio(1, move->ratio, "")
					 : cell_ratio(move->a, move->b, ""));
	else
		write_cell(writer, cell_null(event ? "few" : "-"));
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
	if (!moves.count && comparison->window_count > 1)
		write_line(writer, "still",
			"No mean of 5 samples or more moved by 5 %% or more, no count "
			"did.");
	free(moves.list);
}

/* A reboot between the windows is a fact that needs no test. */
static void write_reboots(const struct comparison *comparison, struct writer *writer)
{
	const struct session *session = comparison->session;
	unsigned reboots = 0;

	for (size_t i = 1; i < session->run_count; i++)
		if (strcmp(session->runs[i].boot_id, session->runs[i - 1].boot_id) &&
			session->runs[i].from > comparison_from(comparison) &&
			session->runs[i].from <= comparison_to(comparison))
			reboots++;
	if (reboots)
		write_line(writer, "reboots",
			"FACT    the host was rebooted %u time%s from the first window "
			"to the last",
			reboots, reboots > 1 ? "s" : "");
}

/* Seconds that the shortest window lacks to be judged; 0 where that is not why. */
static double lacking(const struct comparison *comparison)
{
	double most = 0;

	for (size_t w = 1; w < comparison->window_count; w++)
		for (size_t i = 0; i < comparison->judgements[w].count; i++) {
			const struct verdict *v =
				&comparison->judgements[w].rows[i].raw;

			if (v->word == VERDICT_TOO_SHORT)
				most = fmax(most, v->more);
		}
	return most;
}

/* Whether rows lack runs, and nothing else would give them a verdict. */
static bool lacks_runs(const struct comparison *comparison)
{
	for (size_t w = 1; w < comparison->window_count; w++)
		for (size_t i = 0; i < comparison->judgements[w].count; i++)
			if (comparison->judgements[w].rows[i].raw.word ==
				VERDICT_FEW_RUNS)
				return true;
	return false;
}

static void write_unjudged(const struct comparison *comparison, struct writer *writer)
{
	double more = lacking(comparison);
	char text[32];

	write_moves(comparison, writer);
	if (lacks_runs(comparison)) {
		write_line(writer, "verdict",
			"No verdict: a command is one observation however long it ran; "
			"three runs on each side give a verdict.");
		return;
	}
	unit_duration(text, sizeof text, (nsec)ceil(more) * NSEC_PER_SEC);
	if (more > 0)
		write_line(writer, "verdict",
			"No verdict: too little data, the shortest window lacks %s. "
			"The "
			"lines above are figures only.",
			text);
	else
		write_line(writer, "verdict",
			"No verdict: nothing could be tested. The lines above are "
			"figures only.");
}

static void write(const struct comparison *comparison, struct writer *writer)
{
	writer->ops->section(writer, "result", "RESULT",
		comparison->families.headline + comparison->families.secondary
			? "what is clear, worst first; (95 % interval of the change)"
			: "means that moved most, and counts of events");
	write_run_rows(comparison, writer);
	(void)write_runs(comparison, writer); /* how many makes no difference here */
	write_reboots(comparison, writer);
	write_stalls(comparison, writer);
	write_happened(comparison, writer);
	write_alerts(comparison, writer);
	if (comparison->window_count < 2)
		write_line(
			writer, "single", "One window: there is nothing to compare.");
	else if (!write_verdicts(comparison, writer))
		write_unjudged(comparison, writer);
	writer->ops->section_end(writer);
}

const struct section section_result = {"result", write};
