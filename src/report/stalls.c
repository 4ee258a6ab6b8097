/* Disks and mounts that completed nothing for long: facts that need no test. */
#include "config.h"

#include "report/figures.h"

#include "base/text.h"

#include <math.h>

static const struct column columns[] = {
	{"window", NULL, COLUMN_DATA, 0},
	{"word", NULL, COLUMN_LEFT, 8},
	{"device", NULL, COLUMN_DATA, 0},
	{"kind", NULL, COLUMN_DATA, 0},
	{"text", NULL, COLUMN_REST, 0},
	{"count", NULL, COLUMN_DATA, 0},
	{"longest", NULL, COLUMN_DATA, 0},
	{"total", NULL, COLUMN_DATA, 0},
	{"at", NULL, COLUMN_DATA, 0},
	{"depth", NULL, COLUMN_DATA, 0},
	{"open", NULL, COLUMN_DATA, 0},
	{"reason", NULL, COLUMN_DATA, 0},
};

/* All stalls of one disk and kind in one window, as far as they lie in it. */
struct tally {
	const struct subject *subject;
	enum stall_kind kind;
	size_t window;
	uint64_t count;
	nsec longest, total, at;
	double depth;
	bool open;
	const struct stall *last; /* that says why */
};

/* What of STALL lies between FROM and TO. */
static void add_part(struct tally *tally, const struct stall *stall, nsec from, nsec to)
{
	nsec begin = stall->from > from ? stall->from : from;
	nsec end = stall->to < to ? stall->to : to;

	if (end <= begin)
		return;
	tally->count++;
	tally->total += end - begin;
	tally->depth = fmax(tally->depth, stall->depth);
	tally->open |= stall->to == WINDOW_OPEN;
	tally->last = stall;
	if (end - begin <= tally->longest)
		return;
	tally->longest = end - begin;
	tally->at = begin;
}

static void add_stall(const struct comparison *comparison, struct tally *tally,
	const struct stall *stall)
{
	for (size_t i = 0; i < comparison->sides[tally->window].count; i++) {
		const struct window *window = side_window(comparison, tally->window, i);

		add_part(tally, stall, window->from, window_end(comparison, window));
	}
}

/* A disk by its name, a mount by its mount point. */
static const char *stall_name(const struct subject *subject)
{
	return subject->kind == KIND_MOUNT && *subject->label ? subject->label
							      : subject->name;
}

static void describe(const struct comparison *comparison, const struct tally *tally,
	char *text, size_t size)
{
	char longest[24], depth[24] = "unknown", reason[96];

	stall_reason(tally->last, tally->last->from, reason, sizeof reason);
	unit_duration(longest, sizeof longest, tally->longest);
	if (tally->depth > 0)
		(void)text_format(depth, sizeof depth, "%.0f", tally->depth);
	(void)text_format(text, size,
		"%s %s: %s %ju time%s, longest %s from %s, outstanding up to %s%s%s%s",
		window_letter(tally->window), stall_name(tally->subject),
		tally->kind == STALL_SILENT ? "STALL, nothing completed,"
					    : stall_word(tally->kind),
		(uintmax_t)tally->count, tally->count == 1 ? "" : "s", longest,
		cell_when(comparison, tally->at).shown, depth,
		tally->open ? ", not over" : "", *reason ? "; " : "", reason);
}

static void write_tally(const struct comparison *comparison, struct writer *writer,
	const struct tally *tally)
{
	char text[400], reason[96];

	describe(comparison, tally, text, sizeof text);
	stall_reason(tally->last, tally->last->from, reason, sizeof reason);
	writer->ops->row(writer);
	write_cell(writer, cell_text(window_letter(tally->window)));
	write_cell(writer, cell_text("FACT"));
	write_cell(writer, cell_text(tally->subject->name));
	write_cell(writer, cell_text(stall_word(tally->kind)));
	write_cell(writer, cell_text(text));
	write_cell(writer, cell_count(tally->count));
	write_cell(writer, cell_length(tally->longest));
	write_cell(writer, cell_length(tally->total));
	write_cell(writer, cell_when(comparison, tally->at));
	write_cell(
		writer, cell_real(tally->depth > 0 ? tally->depth : (double)NAN, ""));
	write_cell(writer, cell_truth(tally->open, ""));
	write_cell(writer, *reason ? cell_text(reason) : cell_null(""));
	writer->ops->row_end(writer);
}

/* The stalls of SUBJECT in one window, a row for each kind. */
static void write_subject(const struct comparison *comparison, struct writer *writer,
	size_t window, uint32_t subject)
{
	const struct session *session = comparison->session;

	for (int kind = STALL_SILENT; kind <= STALL_OFFLINE; kind++) {
		struct tally tally = {.subject = &session->subjects[subject],
			.kind = (enum stall_kind)kind,
			.window = window};

		for (size_t i = 0; i < session->stall_count; i++)
			if (session->stalls[i].subject == subject &&
				!session->stalls[i].part &&
				session->stalls[i].kind == tally.kind)
				add_stall(comparison, &tally, &session->stalls[i]);
		if (tally.count)
			write_tally(comparison, writer, &tally);
	}
}

void write_stalls(const struct comparison *comparison, struct writer *writer)
{
	const struct session *session = comparison->session;

	writer->ops->table(writer, "stalls", columns, sizeof columns / sizeof *columns);
	for (size_t w = 0; w < comparison->window_count && session->stall_count; w++)
		for (uint32_t i = 0; i < session->subject_count; i++)
			write_subject(comparison, writer, w, i);
	writer->ops->table_end(writer);
}
