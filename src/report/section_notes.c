/* Notes, attachments and events under the window in which they fell; attachments in
 * full, since a switch's counters are evidence. */
#include "config.h"

#include "report/redact.h"
#include "report/section.h"

#include "base/text.h"

#include <string.h>

enum {
	EVENTS_SHOWN = 40 /* of each window, to a person */
};

static const struct column note_columns[] = {
	{"place", NULL, COLUMN_HEADING, 0},
	{"window", NULL, COLUMN_DATA, 0},
	{"time", NULL, COLUMN_LEFT, 15},
	{"kind", NULL, COLUMN_LEFT, 7},
	{"author", NULL, COLUMN_DATA, 0},
	{"text", NULL, COLUMN_REST, 0},
};

static const char *kind_name(enum note_kind kind)
{
	static const char *const names[] = {
		[NOTE_TEXT] = "note",
		[NOTE_ATTACHMENT] = "file",
		[NOTE_EVENT] = "event",
		[NOTE_ALERT] = "alert",
	};

	return names[kind];
}

static bool in_any_window(const struct comparison *comparison, nsec at)
{
	for (size_t i = 0; i < comparison->window_count; i++)
		if (side_holds(comparison, i, at))
			return true;
	return false;
}

/* The newest window of the session that holds AT, though it is not compared. */
static const char *other_place(const struct comparison *comparison, nsec at)
{
	const struct windows *all = &comparison->session->windows;

	for (size_t i = all->count; i-- > 0;)
		if (window_holds(comparison, &all->list[i], at))
			return all->list[i].name;
	return "outside of all windows";
}

static void write_note(const struct comparison *comparison, struct writer *writer,
	const struct note *note, size_t window)
{
	bool outside = window == comparison->window_count;
	char place[WINDOW_NAME + 8], text[sizeof note->text + AUTHOR_NAME + 8];

	if (outside)
		(void)text_copy(place, sizeof place, other_place(comparison, note->at));
	else
		(void)text_format(place, sizeof place, "%s  %s", window_letter(window),
			comparison->windows[window]->name);
	const char *said = redact_note(comparison->options->redactor, note, note->text);

	(void)text_format(text, sizeof text, "%s%s%s%s", said,
		*note->author ? " (" : "", note->author, *note->author ? ")" : "");
	writer->ops->row(writer);
	write_cell(writer, cell_text(place));
	write_cell(writer, outside ? cell_null("") : cell_text(window_letter(window)));
	write_cell(writer, cell_when(comparison, note->at));
	write_cell(writer, cell_text(kind_name(note->kind)));
	write_cell(writer, *note->author ? cell_text(note->author) : cell_null(""));
	write_cell(writer, cell_text(writer->ops->complete ? said : text));
	if (note->body)
		writer->ops->lines(writer, "body",
			redact_note(comparison->options->redactor, note, note->body));
	writer->ops->row_end(writer);
}

/* Those of one window, or with INDEX = window_count those in none of them. Returns how
 * many events a person is spared. */
static size_t write_place(
	const struct comparison *comparison, struct writer *writer, size_t index)
{
	const struct session *session = comparison->session;
	size_t events = 0;

	for (size_t i = 0; i < session->note_count; i++) {
		const struct note *note = &session->notes[i];
		bool here = index == comparison->window_count
				    ? !in_any_window(comparison, note->at)
				    : side_holds(comparison, index, note->at);

		if (!here)
			continue;
		if (note->kind == NOTE_EVENT && events++ >= EVENTS_SHOWN &&
			!writer->ops->complete)
			continue;
		write_note(comparison, writer, note, index);
	}
	return events > EVENTS_SHOWN && !writer->ops->complete ? events - EVENTS_SHOWN
							       : 0;
}

static void write(const struct comparison *comparison, struct writer *writer)
{
	size_t spared = 0;

	writer->ops->section(writer, "notes", "NOTES AND EVENTS", NULL);
	writer->ops->table(writer, "notes", note_columns,
		sizeof note_columns / sizeof *note_columns);
	for (size_t i = 0; i <= comparison->window_count; i++)
		spared += write_place(comparison, writer, i);
	writer->ops->table_end(writer);
	if (spared)
		write_line(writer, "spared",
			"%zu more events are in the report's JSON format.", spared);
	if (!comparison->session->note_count)
		write_line(writer, "none", "None.");
	writer->ops->section_end(writer);
}

const struct section section_notes = {"notes", write};
