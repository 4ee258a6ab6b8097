/* Verdicts in the report: what is clear first, worst on top, one line on the rest. */
#include "config.h"

#include "report/figures.h"
#include "report/runs.h"

#include "base/alloc.h"
#include "base/text.h"
#include "core/target.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
	LINES_SHOWN = 24 /* to a person: the result is to fit a screen */
};

/* The order of the page: a manager reads the first line. */
static const enum verdict_word told[] = {VERDICT_WORSE, VERDICT_MIXED, VERDICT_BETTER,
	VERDICT_HIGHER, VERDICT_LOWER, VERDICT_SMALL, VERDICT_HINT};

/* As above, of the headline rows only: what is ruled out, and what is still lacking. */
static const enum verdict_word told_of_headline[] = {VERDICT_SAME, VERDICT_UNCLEAR,
	VERDICT_NO_OVERLAP, VERDICT_TOO_LITTLE, VERDICT_TOO_SHORT};

const char *const verdict_cell_ids[VERDICT_CELLS] = {"verdict", "low", "high", "p"};

const struct verdict *verdict_of(
	const struct comparison *comparison, size_t window, size_t track)
{
	const struct judgement *judgement = &comparison->judgements[window];
	const struct judged *row;

	if (track >= judgement->count)
		return NULL;
	row = &judgement->rows[track];
	if (row->raw.word == VERDICT_NONE && !row->raw.tested)
		return NULL;
	return judged_verdict(row);
}

void write_verdict(struct writer *writer, const struct verdict *verdict)
{
	bool tested = verdict && verdict->tested;
	char word[CELL_SHOWN] = "";

	if (verdict)
		verdict_short(word, sizeof word, verdict);
	write_cell(writer, verdict ? cell_text(word) : cell_null(""));
	write_cell(writer, tested ? cell_real(verdict->low, "") : cell_null(""));
	write_cell(writer, tested ? cell_real(verdict->high, "") : cell_null(""));
	write_cell(writer, tested ? cell_real(verdict->adjusted, "") : cell_null(""));
}

/* One row of the table. */
struct line {
	size_t window, track;
	const struct judged *judged;
	const struct verdict *verdict;
};

struct lines {
	struct line *list;
	size_t count, room;
};

enum {
	TOLD = sizeof told / sizeof *told,
	TOLD_OF_HEADLINE = sizeof told_of_headline / sizeof *told_of_headline,
	NOT_TOLD = TOLD + TOLD_OF_HEADLINE
};

static size_t rank(const struct judged *judged)
{
	enum verdict_word word = judged_verdict(judged)->word;

	for (size_t i = 0; i < TOLD; i++)
		if (told[i] == word)
			return i;
	for (size_t i = 0; judged->headline && i < TOLD_OF_HEADLINE; i++)
		if (told_of_headline[i] == word)
			return TOLD + i;
	return NOT_TOLD;
}

static int worst_first(const void *left, const void *right)
{
	const struct line *a = left, *b = right;
	size_t first = rank(a->judged), second = rank(b->judged);
	double size_a = fabs(log1p(fmax(a->verdict->change, -0.999)));
	double size_b = fabs(log1p(fmax(b->verdict->change, -0.999)));

	if (first != second)
		return first < second ? -1 : 1;
	if (a->judged->headline != b->judged->headline)
		return a->judged->headline ? -1 : 1;
	if (size_a < size_b || size_a > size_b)
		return size_a > size_b ? -1 : 1;
	return (a->track > b->track) - (a->track < b->track);
}

static void add_line(struct lines *lines, struct line line)
{
	xgrow(&lines->list, &lines->room, lines->count + 1, sizeof *lines->list);
	lines->list[lines->count++] = line;
}

/* Where the load moved, the raw line stands too, and says why it does not count. */
static void collect(const struct comparison *comparison, struct lines *lines)
{
	for (size_t w = 1; w < comparison->window_count; w++)
		for (size_t i = 0; i < comparison->judgements[w].count; i++) {
			const struct judged *judged =
				&comparison->judgements[w].rows[i];
			struct line line = {w, i, judged, judged_verdict(judged)};

			if (rank(judged) < NOT_TOLD)
				add_line(lines, line);
		}
	if (lines->count)
		qsort(lines->list, lines->count, sizeof *lines->list, worst_first);
}

static const struct column columns[] = {
	{"window", NULL, COLUMN_DATA, 0},
	{"word", NULL, COLUMN_LEFT, 10},
	{"device", NULL, COLUMN_LEFT, 12},
	{"metric", NULL, COLUMN_DATA, 0},
	{"label", NULL, COLUMN_LEFT, 21},
	{"text", NULL, COLUMN_REST, 0},
	{"a", NULL, COLUMN_DATA, 0},
	{"b", NULL, COLUMN_DATA, 0},
	{"change", NULL, COLUMN_DATA, 0},
	{"low", NULL, COLUMN_DATA, 0},
	{"high", NULL, COLUMN_DATA, 0},
	{"p", NULL, COLUMN_DATA, 0},
	{"same_load", NULL, COLUMN_DATA, 0},
	{"same_hours", NULL, COLUMN_DATA, 0},
	{"p95", NULL, COLUMN_DATA, 0},
	{"more", NULL, COLUMN_DATA, 0},
	{"target", NULL, COLUMN_DATA, 0},
	{"ruled_out", NULL, COLUMN_DATA, 0},
};

static void figures_text(const struct metric *metric, const struct verdict *v, char *a,
	char *b, size_t size)
{
	enum unit_system system =
		metric->kind == KIND_NIC ? UNITS_SI_BITS : UNITS_SI_BYTES;

	if (v->kind == VERDICT_COUNT) {
		count_text(a, size, v->k1);
		count_text(b, size, v->k2);
		return;
	}
	unit_value(a, size, metric, v->a, system);
	unit_value(b, size, metric, v->b, system);
}

/* "9.00 > 4.10, -54 % (-60..-48)": the 95 % interval of the change. */
static void describe_change(
	const struct metric *metric, const struct line *line, char *text, size_t size)
{
	const struct verdict *v = line->verdict;
	char a[24], b[24], change[64];

	figures_text(metric, v, a, b, sizeof a);
	verdict_change(change, sizeof change, v);
	(void)text_format(text, size, "%s%s > %s, %s",
		v->kind == VERDICT_LOAD    ? "at the same load "
		: v->kind == VERDICT_HOURS ? "at the same hours "
		: v->kind == VERDICT_TAIL  ? "p95 "
					   : "",
		a, b, change);
}

/* What was wanted, and whether that much is still possible. */
static void add_target(
	const struct target *target, const struct verdict *v, char *text, size_t size)
{
	char words[64];
	size_t used = strlen(text);

	if (!target || !v->tested || verdict_is_clear(v->word))
		return;
	target_words(words, sizeof words, target, v);
	(void)text_format(text + used, size - used, "; %s", words); /* there is room */
}

/* What is not clear says what it rules out, what was refused what it lacks. */
static void describe(const struct comparison *comparison, const struct line *line,
	char *text, size_t size)
{
	const struct metric *metric =
		metric_at(comparison->session->tracks[line->track].metric);
	const struct families *families = &comparison->families;
	const struct verdict *v = line->verdict;

	if (!v->tested || v->word == VERDICT_UNCLEAR || v->word == VERDICT_HINT ||
		v->word == VERDICT_MIXED)
		verdict_words(text, size, v, families->headline + families->secondary);
	else
		describe_change(metric, line, text, size);
}

static void write_tested(struct writer *writer, const struct verdict *v, double value)
{
	write_cell(writer, v->tested ? cell_real(value, "") : cell_null(""));
}

static void write_one(const struct comparison *comparison, struct writer *writer,
	const struct line *line)
{
	const struct session *session = comparison->session;
	const struct track *track = &session->tracks[line->track];
	const struct metric *metric = metric_at(track->metric);
	const struct verdict *v = line->verdict;
	const struct target *target =
		targets_find(comparison->options->targets, track->metric);
	char word[CELL_SHOWN], brief[16], text[200];

	verdict_short(brief, sizeof brief, v);
	(void)text_format(word, sizeof word, "%s%s%s",
		comparison->window_count > 2 ? window_letter(line->window) : "",
		comparison->window_count > 2 ? " " : "", brief);
	describe(comparison, line, text, sizeof text);
	add_target(target, v, text, sizeof text);
	writer->ops->row(writer);
	write_cell(writer, cell_text(window_letter(line->window)));
	write_cell(writer, cell_text(word));
	write_cell(writer, cell_text(session->subjects[track->subject].name));
	write_cell(writer, cell_text(metric->id));
	write_cell(writer, cell_text(metric->title));
	write_cell(writer, cell_text(text));
	write_cell(writer, cell_real(v->a, ""));
	write_cell(writer, cell_real(v->b, ""));
	write_tested(writer, v, v->change);
	write_tested(writer, v, v->low);
	write_tested(writer, v, v->high);
	write_tested(writer, v, v->adjusted);
	write_cell(writer, cell_truth(v->kind == VERDICT_LOAD, ""));
	write_cell(writer, cell_truth(v->kind == VERDICT_HOURS, ""));
	write_cell(writer, cell_truth(v->kind == VERDICT_TAIL, ""));
	write_cell(writer, v->more > 0 ? cell_real(v->more, "") : cell_null(""));
	write_cell(writer, target ? cell_real(target->share, "") : cell_null(""));
	write_cell(writer, target && v->tested
				   ? cell_truth(target_ruled_out(target, v), "")
				   : cell_null(""));
	writer->ops->row_end(writer);
}

/* How many comparisons ended in each word. */
static void tally(const struct comparison *comparison, size_t *words)
{
	for (size_t w = 1; w < comparison->window_count; w++)
		for (size_t i = 0; i < comparison->judgements[w].count; i++)
			words[judged_verdict(&comparison->judgements[w].rows[i])
					->word]++;
}

/* What the hour of the day and the weekday may have done. */
static void write_hours(const struct comparison *comparison, struct writer *writer)
{
	bool differ = false, few = false;

	for (size_t w = 1; w < comparison->window_count; w++)
		for (size_t i = 0; i < comparison->judgements[w].count; i++) {
			const struct judged *row = &comparison->judgements[w].rows[i];

			differ = differ || row->hours_differ;
			few = few ||
			      (row->raw.kind == VERDICT_HOURS && row->raw.few_days);
		}
	if (differ)
		write_line(writer, "hours",
			"The windows lie at other hours of the day: their means are "
			"LOWER or HIGHER, which the hour may have done. Better is the "
			"same hour, or windows of a day.");
	if (few)
		write_line(writer, "days",
			"Compared at the same hours of fewer than three whole days "
			"each: what days differ by is not judged.");
}

static void write_others(const struct comparison *comparison, struct writer *writer)
{
	size_t words[VERDICT_UNCLEAR + 1] = {0};

	tally(comparison, words);
	write_line(writer, "others",
		"%zu the same within 10 %%, %zu no clear change, %zu with too little "
		"data or too few events, %zu idle, %zu constant, %zu whose loads "
		"hardly overlap.",
		words[VERDICT_SAME], words[VERDICT_UNCLEAR],
		words[VERDICT_TOO_LITTLE] + words[VERDICT_TOO_SHORT] +
			words[VERDICT_TOO_FEW] + words[VERDICT_FEW_RUNS],
		words[VERDICT_IDLE], words[VERDICT_CONSTANT],
		words[VERDICT_NO_OVERLAP]);
	if (words[VERDICT_KERNEL])
		write_line(writer, "kernels",
			"%zu not compared: the windows ran under two kernels, which "
			"count them differently.",
			words[VERDICT_KERNEL]);
	write_hours(comparison, writer);
	write_line(writer, "families",
		"Holm over %zu headline and %zu other comparisons. Drift slower than "
		"the windows cannot be told from the change: a longer A, or A and B "
		"in turn, guard against it.",
		comparison->families.headline, comparison->families.secondary);
}

/* What is worse is never cut. */
static bool is_shown(const struct writer *writer, const struct lines *lines, size_t at)
{
	enum verdict_word word = lines->list[at].verdict->word;

	return writer->ops->complete || at < LINES_SHOWN || word == VERDICT_WORSE ||
	       word == VERDICT_MIXED;
}

bool write_verdicts(const struct comparison *comparison, struct writer *writer)
{
	struct lines lines = {.count = 0};
	size_t more = 0;

	if (!comparison->families.headline && !comparison->families.secondary)
		return false;
	collect(comparison, &lines);
	writer->ops->table(
		writer, "verdicts", columns, sizeof columns / sizeof *columns);
	for (size_t i = 0; i < lines.count; i++)
		if (is_shown(writer, &lines, i))
			write_one(comparison, writer, &lines.list[i]);
		else
			more++;
	writer->ops->table_end(writer);
	free(lines.list);
	if (more)
		write_line(writer, "more",
			"%zu more lines, none of them WORSE or MIXED, are in the "
			"formats CSV and JSON.",
			more);
	write_headline(comparison, writer);
	write_loads(comparison, writer);
	write_others(comparison, writer);
	return true;
}

enum report_outcome verdicts_outcome(const struct comparison *comparison)
{
	size_t words[VERDICT_UNCLEAR + 1] = {0};

	tally(comparison, words);
	for (size_t w = 1; w < comparison->window_count; w++)
		for (size_t i = 0; i < comparison->judgements[w].extra_count; i++)
			words[comparison->judgements[w].extra[i].verdict.word]++;
	for (size_t i = 0; i < comparison->run_row_count; i++)
		words[comparison->run_rows[i].verdict.word]++;
	if (words[VERDICT_WORSE])
		return REPORT_WORSE;
	if (words[VERDICT_MIXED]) /* one of mean and tail is worse */
		return REPORT_UNCLEAR;
	if (words[VERDICT_BETTER] || words[VERDICT_SAME] || words[VERDICT_SMALL])
		return REPORT_GOOD;
	return REPORT_UNCLEAR;
}
