/* How it was measured, what it cost, and how to make this report and the raw figures
 * again. */
#include "config.h"

#include "report/figures.h"

#include "base/text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
	COST_TEXT = 24
};

static const struct column metric_columns[] = {
	{"id", NULL, COLUMN_LEFT, 20},
	{"unit", NULL, COLUMN_DATA, 0},
	{"text", NULL, COLUMN_REST, 0},
	{"where", NULL, COLUMN_DATA, 0},
	{"trap", NULL, COLUMN_DATA, 0},
};

/* Has any subject of the report a figure of METRIC other than 0? */
static bool is_used(const struct comparison *comparison, unsigned metric)
{
	const struct session *session = comparison->session;

	for (size_t t = 0; t < session->track_count; t++)
		for (size_t w = 0; session->tracks[t].metric == metric &&
				   w < comparison->window_count;
			w++)
			if (figure_of(comparison, w, t).mean > 0)
				return true;
	return false;
}

/* A person is told about the averaged figures; the classes of packets are many. */
static void write_metrics(const struct comparison *comparison, struct writer *writer)
{
	writer->ops->table(writer, "metrics", metric_columns,
		sizeof metric_columns / sizeof *metric_columns);
	for (unsigned m = 0; m < metric_count(); m++) {
		const struct metric *metric = metric_at(m);
		bool told = !metric_is_event(metric) && !metric_is_apart(metric);
		char text[512];

		if ((!told && !writer->ops->complete) || !is_used(comparison, m))
			continue;
		(void)text_format(text, sizeof text, "%s. %s", metric->where,
			metric->trap ? metric->trap : "");
		writer->ops->row(writer);
		write_cell(writer, cell_text(metric->id));
		write_cell(writer, cell_text(unit_base(metric)));
		write_cell(writer, cell_text(text));
		write_cell(writer, cell_text(metric->where));
		write_cell(
			writer, metric->trap ? cell_text(metric->trap) : cell_null(""));
		writer->ops->row_end(writer);
	}
	writer->ops->table_end(writer);
}

/* "0.3 %": the mean share of a core that METRIC cost in a window, over all subjects of
 * KIND; "off" where it was not measured in it. */
static void cost(const struct comparison *comparison, size_t window, enum kind kind,
	const char *metric, char text[COST_TEXT])
{
	size_t count;
	uint32_t *subjects = figures_subjects(comparison, kind, &count);
	bool known = false;
	double sum = 0;

	for (size_t i = 0; i < count; i++) {
		struct figure figure =
			figure_named(comparison, window, subjects[i], metric);

		known = known || figure.known;
		sum += figure.mean;
	}
	free(subjects);
	(void)text_copy(text, COST_TEXT, "off"); /* fits, and below */
	if (known)
		(void)text_format(text, COST_TEXT, "%.1f %%", sum * 100);
}

static void write_cost(const struct comparison *comparison, struct writer *writer)
{
	char text[REPORT_WINDOWS * 60] = "";

	for (size_t w = 0; w < comparison->window_count; w++) {
		char own[COST_TEXT], capture[COST_TEXT];
		size_t used = strlen(text);

		cost(comparison, w, KIND_HOST, "weir.cpu", own);
		cost(comparison, w, KIND_NIC, "capture.cpu", capture);
		(void)text_format(text + used, sizeof text - used, "%s%s %s and %s",
			w ? ", " : "", window_letter(w), own, capture);
	}
	write_line(writer, "cost",
		"weir itself used of a core, recorder and capture: %s", text);
}

/* A word for a shell: names of windows may hold blanks. */
static void add_word(char *text, size_t size, const char *word)
{
	size_t used = strlen(text);
	const char *quote = strchr(word, ' ') ? "'" : "";

	(void)text_format(text + used, size - used, " %s%s%s", quote, word, quote);
}

static void add_targets(char *text, size_t size, const struct targets *targets)
{
	for (size_t i = 0; targets && i < targets->count; i++) {
		size_t used = strlen(text);

		(void)text_format(text + used, size - used, " --target %s=%.3g%%",
			metric_at(targets->list[i].metric)->id,
			100 * targets->list[i].share); /* there is room for all */
	}
}

static void write_redo(const struct comparison *comparison, struct writer *writer)
{
	char text[REPORT_WINDOWS * (WINDOW_NAME + 4) + TARGETS_MOST * 48 + 96] =
		"weir report";
	nsec from = session_wall(comparison->session, comparison_from(comparison));
	nsec to = session_wall(comparison->session, comparison_to(comparison));

	if (comparison->options->pool)
		add_word(text, sizeof text, "--pool");
	add_targets(text, sizeof text, comparison->options->targets);
	add_word(text, sizeof text, "-s");
	add_word(text, sizeof text, comparison->session->name);
	for (size_t w = 0; w < comparison->window_count && !comparison->whole; w++)
		add_word(text, sizeof text, comparison->windows[w]->name);
	write_pair(writer, "redo", "this report", cell_text(text));
	(void)text_format(text, sizeof text,
		"weir export %s --from %" PRId64 " --to %" PRId64,
		comparison->session->name, from / NSEC_PER_SEC, to / NSEC_PER_SEC + 1);
	write_pair(writer, "export", "raw figures", cell_text(text));
}

static void write(const struct comparison *comparison, struct writer *writer)
{
	writer->ops->section(writer, "method", "HOW IT WAS MEASURED", NULL);
	write_line(writer, "interval",
		"One sample each %g s. A sample belongs to a window if its whole "
		"interval lies inside. Means are sums over the window divided by its "
		"time, or by its operations for waits. The median and p95 are those of "
		"the samples, read from a histogram with steps of at most 6.3 %%. "
		"Windows over 4 h are made from whole minutes, their edges rounded "
		"inward.",
		(double)comparison->session->last.interval / (double)NSEC_PER_SEC);
	write_line(writer, "verdicts",
		"A verdict needs a change of at least 5 %% and a 95 %% interval that "
		"excludes no change, after Holm's correction for the comparisons made; "
		"1 %% for a window that the screen judged while it grew and whose end "
		"was not set when it began. The interval "
		"allows for samples that "
		"follow each other: the widest of eight cosines and two AR(1) "
		"estimates "
		"on at most 128 batches. Waits and queues are judged at the same load "
		"where the load moved. A command is one observation: three runs on "
		"each side are compared by the logarithms of their means. Of repeated "
		"windows what they differ by counts where it is wider.");
	write_metrics(comparison, writer);
	write_cost(comparison, writer);
	write_redo(comparison, writer);
	writer->ops->section_end(writer);
}

const struct section section_method = {"method", write};
