/* The head: which host, which session, which windows, and how much of them was seen. */
#include "config.h"

#include "report/redact.h"
#include "report/section.h"

#include "base/text.h"
#include "core/unit.h"

#include <inttypes.h>
#include <string.h>
#include <strings.h>

const char *window_letter(size_t index)
{
	static const char *const letters[REPORT_WINDOWS] = {
		"A", "B", "C", "D", "E", "F", "G", "H"};

	return letters[index];
}

nsec window_end(const struct comparison *comparison, const struct window *window)
{
	return window_until(window, comparison->last);
}

bool window_holds(
	const struct comparison *comparison, const struct window *window, nsec at)
{
	return at >= window->from && at <= window_end(comparison, window);
}

nsec comparison_from(const struct comparison *comparison)
{
	nsec first = INT64_MAX;

	for (size_t i = 0; i < comparison->window_count; i++)
		for (size_t k = 0; k < comparison->sides[i].count; k++) {
			nsec from = side_window(comparison, i, k)->from;

			first = from < first ? from : first;
		}
	return first;
}

nsec comparison_to(const struct comparison *comparison)
{
	nsec last = INT64_MIN;

	for (size_t i = 0; i < comparison->window_count; i++)
		for (size_t k = 0; k < comparison->sides[i].count; k++) {
			nsec end =
				window_end(comparison, side_window(comparison, i, k));

			last = end > last ? end : last;
		}
	return last;
}

struct cell cell_when(const struct comparison *comparison, nsec at)
{
	struct cell cell = cell_date(comparison, at);
	char clock[CELL_SHOWN];

	/* "2026-10-01 02:06:10 +0200" without the year and the zone */
	(void)text_format(clock, sizeof clock, "%.*s", comparison->dated ? 14 : 8,
		cell.shown + (comparison->dated ? 5 : 11));
	(void)text_copy(cell.shown, sizeof cell.shown, clock);
	return cell;
}

struct cell cell_date(const struct comparison *comparison, nsec at)
{
	nsec wall = session_wall(comparison->session, at);
	char shown[CELL_SHOWN];

	unit_date(shown, sizeof shown, wall, comparison->zone_minutes);
	return cell_time(wall, shown);
}

/* Rounded down: 899 of 900 is never 100 %. */
static struct cell cell_coverage(const struct coverage *coverage)
{
	uint64_t mille;
	char shown[CELL_SHOWN];

	if (!coverage->expected)
		return cell_null("-");
	mille = coverage->seen >= coverage->expected
			? 1000
			: coverage->seen * 1000 / coverage->expected;
	(void)text_format(shown, sizeof shown, "%" PRIu64 ".%" PRIu64 " %%", mille / 10,
		mille % 10);
	return cell_real((double)mille / 1000, shown);
}

static const struct column window_columns[] = {
	{"letter", "", COLUMN_LEFT, 3},
	{"name", "window", COLUMN_LEFT, 16},
	{"role", NULL, COLUMN_DATA, 0},
	{"from", "from", COLUMN_LEFT, 15},
	{"to", "to", COLUMN_LEFT, 15},
	{"open", NULL, COLUMN_DATA, 0},
	{"seconds", "length", COLUMN_LEFT, 8},
	{"samples", "samples", COLUMN_LEFT, 15},
	{"expected", NULL, COLUMN_DATA, 0},
	{"gaps", NULL, COLUMN_DATA, 0},
	{"coverage", "seen", COLUMN_RIGHT, 8},
};

/* LETTER null: a change, which is named but not compared. */
static void write_window(const struct comparison *comparison, struct writer *writer,
	const struct window *window, const char *letter)
{
	struct coverage coverage = session_coverage(comparison->session, window->id);
	nsec end = window_end(comparison, window);
	char samples[CELL_SHOWN] = "not compared";

	if (letter)
		(void)text_format(samples, sizeof samples, "%" PRIu64 " of %" PRIu64,
			coverage.seen, coverage.expected);
	writer->ops->row(writer);
	write_cell(writer, letter ? cell_text(letter) : cell_null(""));
	write_cell(writer, cell_text(window->name));
	write_cell(writer, cell_text(role_word(window->role)));
	write_cell(writer, cell_when(comparison, window->from));
	write_cell(writer, cell_when(comparison, end));
	write_cell(writer, cell_truth(window_runs(window, comparison->last), ""));
	write_cell(writer, cell_length(end - window->from));
	write_cell(writer, cell_integer((int64_t)coverage.seen, samples));
	write_cell(writer, cell_count(coverage.expected));
	write_cell(writer, cell_count(coverage.gaps));
	write_cell(writer, letter ? cell_coverage(&coverage) : cell_null(""));
	writer->ops->row_end(writer);
}

static bool is_compared(
	const struct comparison *comparison, const struct window *window)
{
	for (size_t i = 0; i < comparison->window_count; i++)
		if (side_has(comparison, i, window->id))
			return true;
	return false;
}

/* The windows of the report, then the changes that lie between them. */
static void write_windows(const struct comparison *comparison, struct writer *writer)
{
	const struct windows *all = &comparison->session->windows;

	writer->ops->table(writer, "windows", window_columns,
		sizeof window_columns / sizeof *window_columns);
	for (size_t i = 0; i < comparison->window_count; i++)
		for (size_t k = 0; k < comparison->sides[i].count; k++)
			write_window(comparison, writer, side_window(comparison, i, k),
				window_letter(i));
	for (size_t i = 0; i < all->count; i++)
		if (all->list[i].role == ROLE_CHANGE &&
			!is_compared(comparison, &all->list[i]) &&
			all->list[i].from >= comparison_from(comparison) &&
			all->list[i].from <= comparison_to(comparison))
			write_window(comparison, writer, &all->list[i], NULL);
	writer->ops->table_end(writer);
}

static bool has_settling(const struct comparison *comparison, size_t index)
{
	for (size_t k = 0; k < comparison->sides[index].count; k++) {
		const struct window *window = side_window(comparison, index, k);

		if (session_settled(comparison->session, window) > window->from)
			return true;
	}
	return false;
}

/* Says where the first seconds after a change are in the figures. */
static void write_settling(const struct comparison *comparison, struct writer *writer)
{
	char letters[3 * REPORT_WINDOWS + 1] = "";

	for (size_t i = 0; i < comparison->window_count; i++) {
		size_t used = strlen(letters);

		if (has_settling(comparison, i))
			(void)text_format(letters + used, sizeof letters - used, "%s%s",
				used ? ", " : "", window_letter(i));
	}
	if (*letters)
		write_line(writer, "settling",
			"%s: begun after a change; verdicts leave out the first %.0f s "
			"(settling), the figures do not",
			letters, (double)comparison->session->settle / NSEC_PER_SEC);
}

static const struct column run_columns[] = {
	{"number", NULL, COLUMN_DATA, 0},
	{"from", NULL, COLUMN_DATA, 0},
	{"boot", NULL, COLUMN_DATA, 0},
	{"kernel", NULL, COLUMN_DATA, 0},
	{"weir", NULL, COLUMN_DATA, 0},
	{"text", NULL, COLUMN_REST, 0},
};

/* Where there was more than one run, each of them: what is between two was not seen. */
static void write_runs(const struct comparison *comparison, struct writer *writer)
{
	const struct session *session = comparison->session;

	if (session->run_count < 2 && !writer->ops->complete)
		return;
	writer->ops->table(
		writer, "runs", run_columns, sizeof run_columns / sizeof *run_columns);
	for (size_t i = 0; i < session->run_count; i++) {
		const struct run *run = &session->runs[i];
		struct cell from = cell_date(comparison, run->from);
		char text[240];

		(void)text_format(text, sizeof text,
			"Run %-8u from %s, kernel %s, boot %.8s", (unsigned)run->number,
			from.shown, run->kernel, run->boot_id);
		writer->ops->row(writer);
		write_cell(writer, cell_count(run->number));
		write_cell(writer, from);
		write_cell(writer, cell_text(run->boot_id));
		write_cell(writer, cell_text(run->kernel));
		write_cell(writer, cell_text(run->version));
		write_cell(writer, cell_text(text));
		writer->ops->row_end(writer);
	}
	writer->ops->table_end(writer);
}

/* A moment on the wall clock as seconds since 1970, and as people write it. */
static struct cell cell_wall(nsec wall, int zone_minutes)
{
	char shown[CELL_SHOWN];

	unit_date(shown, sizeof shown, wall, zone_minutes);
	return cell_time(wall, shown);
}

static void write_written(const struct comparison *comparison, struct writer *writer)
{
	const struct report_options *options = comparison->options;
	struct cell written = cell_wall(options->written, options->zone_minutes);
	struct cell utc = cell_wall(options->written, 0);

	if (!writer->ops->complete)
		(void)text_format(written.shown + strlen(written.shown),
			sizeof written.shown - strlen(written.shown), " (%.8s UTC)",
			utc.shown + sizeof "2026-10-01");
	write_pair(writer, "written", "Written", written);
	if (options->author && *options->author)
		write_pair(writer, "author", "Written by", cell_text(options->author));
}

/* A fact of the host as it was at the end of the last window, where it is known. */
static void write_fact(const struct comparison *comparison, struct writer *writer,
	const char *id, const char *label, const char *key)
{
	const struct fact of = {
		.kind = KIND_HOST, .name = "host", .id = "host", .key = key};
	const struct facts *facts = &comparison->session->facts;
	struct fact fact;

	if (!facts->count)
		return;
	fact = facts_at(facts, &of, comparison_to(comparison));
	if (fact.why == WHY_NONE)
		write_pair(writer, id, label, cell_text(fact.value));
}

/* The last note that says for what the change is made: "ticket CHG-10442 swap the HBA".
 */
static void write_ticket(const struct comparison *comparison, struct writer *writer)
{
	static const char word[] = "ticket";
	const struct session *session = comparison->session;

	for (size_t i = session->note_count; i--;) {
		const struct note *note = &session->notes[i];
		const char *text = note->text;

		if (note->kind != NOTE_TEXT ||
			strncasecmp(text, word, sizeof word - 1) != 0)
			continue;
		text += sizeof word - 1;
		if (*text != ' ' && *text != ':')
			continue; /* "tickets are slow" */
		text += strspn(text, ": ");
		write_pair(writer, "ticket", "Ticket",
			cell_text(redact_note(
				comparison->options->redactor, note, text)));
		return;
	}
}

static void write_host(const struct comparison *comparison, struct writer *writer)
{
	static const struct run none = {.host = "unknown"};
	const struct session *session = comparison->session;
	const struct run *run =
		session->run_count ? &session->runs[session->run_count - 1] : &none;

	write_pair(writer, "host", "Host", cell_text(run->host));
	write_pair(writer, "kernel", "Kernel", cell_text(run->kernel));
	write_pair(writer, "boot", "Boot", cell_text(run->boot_id));
	write_fact(comparison, writer, "system", "System", "distribution");
	write_fact(comparison, writer, "clock", "Clock kept", "clock.synchronised");
	write_fact(comparison, writer, "clock_error", "Clock off", FACT_CLOCK);
	write_pair(writer, "session", "Session", cell_text(session->name));
	write_ticket(comparison, writer);
	if (comparison->options->file)
		write_pair(
			writer, "file", "File", cell_text(comparison->options->file));
	write_pair(writer, "from", "Recorded", cell_date(comparison, 0));
	write_pair(writer, "to", "to", cell_date(comparison, comparison->last));
}

static void write(const struct comparison *comparison, struct writer *writer)
{
	writer->ops->section(writer, "head", NULL, NULL);
	write_host(comparison, writer);
	write_written(comparison, writer);
	if (comparison->options->redactor)
		write_pair(writer, "redacted", "Redacted",
			cell_text(redact_words(
				redactor_level(comparison->options->redactor))));
	write_runs(comparison, writer);
	write_windows(comparison, writer);
	write_sides(comparison, writer);
	if (comparison->whole)
		write_line(writer, "whole",
			"Nobody marked a window: this is about the whole session.");
	write_settling(comparison, writer);
	writer->ops->section_end(writer);
}

const struct section section_header = {"head", write};
