/* Windows around a command: how long it took, what it moved, how it ended. One run is
 * one observation, so this is a fact beside a ratio; what several of them say together
 * stands in run_rows.c. */
#include "config.h"

#include "report/figures.h"
#include "report/runs.h"

#include "base/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct run_facts {
	const struct window *window;
	size_t index; /* the window of the report that it is, or lies in */
	bool ended;
	double seconds;
	bool known; /* of the bytes */
	double read, written;
};

bool run_total(const struct comparison *comparison, const struct window *window,
	const char *metric, double *total)
{
	const struct session *session = comparison->session;
	int id = metric_find(metric);
	bool known = false;

	*total = 0;
	for (size_t t = 0; t < session->track_count; t++) {
		const struct track *track = &session->tracks[t];
		const struct summary *summary;

		if (track->metric != id ||
			session->subjects[track->subject].flags & SUBJECT_STACKED)
			continue;
		summary = session_summary(session, window->id, t);
		if (summary && summary->samples) {
			*total += summary->num;
			known = true;
		}
	}
	return known;
}

static struct run_facts facts_of(
	const struct comparison *comparison, const struct window *window, size_t index)
{
	struct run_facts facts = {.window = window, .index = index};

	facts.ended = window->to != WINDOW_OPEN;
	facts.seconds = (double)(window_end(comparison, window) - window->from) /
			(double)NSEC_PER_SEC;
	facts.known = run_total(comparison, window, "disk.read.bytes", &facts.read);
	facts.known =
		run_total(comparison, window, "disk.write.bytes", &facts.written) ||
		facts.known;
	return facts;
}

/* Whether all of RUN lies in a window of letter INDEX. */
static bool lies_in(
	const struct comparison *comparison, size_t index, const struct window *run)
{
	for (size_t i = 0; i < comparison->sides[index].count; i++) {
		const struct window *window = side_window(comparison, index, i);

		if (window->role != ROLE_RUN &&
			window_holds(comparison, window, run->from) &&
			window_holds(comparison, window, window_end(comparison, run)))
			return true;
	}
	return false;
}

/* The letter that RUN is of, or lies in a window of; window_count if none. */
static size_t place_of(const struct comparison *comparison, const struct window *run)
{
	size_t i = 0;

	for (; i < comparison->window_count; i++)
		if (side_has(comparison, i, run->id))
			return i;
	for (i = 0; i < comparison->window_count; i++)
		if (lies_in(comparison, i, run))
			return i;
	return i;
}

static const struct column columns[] = {
	{"window", NULL, COLUMN_DATA, 0},
	{"word", NULL, COLUMN_LEFT, 8},
	{"name", NULL, COLUMN_DATA, 0},
	{"command", NULL, COLUMN_DATA, 0},
	{"text", NULL, COLUMN_REST, 0},
	{"seconds", NULL, COLUMN_DATA, 0},
	{"exit_status", NULL, COLUMN_DATA, 0},
	{"read_bytes", NULL, COLUMN_DATA, 0},
	{"written_bytes", NULL, COLUMN_DATA, 0},
	{"ratio", NULL, COLUMN_DATA, 0},
};

static void describe(const struct run_facts *facts, const struct run_facts *first,
	char *text, size_t size)
{
	static const struct metric bytes = {.unit = UNIT_BYTES};
	static const struct metric seconds = {.unit = UNIT_SECONDS};
	char took[24], read[24], written[24], ratio[16], to_first[64] = "", end[40];

	unit_value(took, sizeof took, &seconds, facts->seconds, UNITS_SI_BYTES);
	unit_value(read, sizeof read, &bytes, facts->read, UNITS_SI_BYTES);
	unit_value(written, sizeof written, &bytes, facts->written, UNITS_SI_BYTES);
	if (facts->ended && facts->window->exit_status < 0)
		(void)text_copy(end, sizeof end, "exit status unknown");
	else if (facts->ended)
		(void)text_format(
			end, sizeof end, "exit status %d", facts->window->exit_status);
	else
		(void)text_copy(end, sizeof end, "still running");
	if (first) {
		unit_ratio(ratio, sizeof ratio, first->seconds, facts->seconds);
		(void)text_format(
			to_first, sizeof to_first, ", time to the first run %s", ratio);
	}
	(void)text_format(text, size,
		"%s run %s: %s, %s, disks read %s, wrote %s%s [%s]",
		window_letter(facts->index), facts->window->name, took, end,
		facts->known ? read : "?", facts->known ? written : "?", to_first,
		facts->window->command);
}

static void write_run(struct writer *writer, const struct run_facts *facts,
	const struct run_facts *first)
{
	char text[512];

	describe(facts, first, text, sizeof text);
	writer->ops->row(writer);
	write_cell(writer, cell_text(window_letter(facts->index)));
	write_cell(writer, cell_text("FACT"));
	write_cell(writer, cell_text(facts->window->name));
	write_cell(writer, cell_text(facts->window->command));
	write_cell(writer, cell_text(text));
	write_cell(writer, cell_real(facts->seconds, ""));
	write_cell(writer, facts->ended && facts->window->exit_status >= 0
				   ? cell_integer(facts->window->exit_status, "")
				   : cell_null(""));
	write_cell(writer, cell_real(facts->known ? facts->read : (double)NAN, ""));
	write_cell(writer, cell_real(facts->known ? facts->written : (double)NAN, ""));
	write_cell(writer,
		first ? cell_ratio(first->seconds, facts->seconds, "") : cell_null(""));
	writer->ops->row_end(writer);
}

/* What a command did not do to its end took no time that could be compared. */
static bool succeeded(const struct run_facts *facts)
{
	return facts->ended && facts->window->exit_status == 0;
}

size_t write_runs(const struct comparison *comparison, struct writer *writer)
{
	const struct windows *all = &comparison->session->windows;
	struct run_facts first;
	size_t found = 0;
	bool begun = false;

	writer->ops->table(writer, "runs", columns, sizeof columns / sizeof *columns);
	for (size_t i = 0; i < all->count; i++) {
		const struct window *run = &all->list[i];
		size_t index = place_of(comparison, run);
		struct run_facts facts;

		if (run->role != ROLE_RUN || index == comparison->window_count)
			continue;
		facts = facts_of(comparison, run, index);
		found++;
		write_run(writer, &facts, begun && succeeded(&facts) ? &first : NULL);
		if (!begun && succeeded(&facts)) {
			first = facts;
			begun = true;
		}
	}
	writer->ops->table_end(writer);
	return found;
}
