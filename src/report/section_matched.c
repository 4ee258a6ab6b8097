/* By what a device of one window is taken to be the same as one of another: names of
 * disks and cards are given anew at each boot. */
#include "config.h"

#include "report/figures.h"

#include "base/text.h"

#include <stdlib.h>
#include <string.h>

enum {
	DEVICES_SHOWN = 40, /* of a kind, to a person */
	LEADING = 6
};

struct matching {
	const char *by; /* one word */
	char text[SUBJECT_ID + 48];
};

static void match_by(struct matching *matching, const char *by, const char *words,
	const char *identity)
{
	matching->by = by;
	(void)text_format(matching->text, sizeof matching->text, "%s%s%s", words,
		*identity ? " " : "", identity); /* a cut identity is told by its begin
						  */
}

/* "00:00:5e:00:53:10@0000:01:00.0" */
static void match_card(struct matching *matching, const char *id)
{
	const char *bus = strchr(id, '@');
	char text[SUBJECT_ID + 8];

	if (!bus) {
		match_by(matching, "mac", "MAC", id);
		return;
	}
	(void)text_format(
		text, sizeof text, "%.*s at %s", (int)(bus - id), id, bus + 1);
	match_by(matching, "mac", "MAC", text);
}

static void match_of(const struct subject *subject, struct matching *matching)
{
	if (!*subject->id || !strcmp(subject->id, subject->name))
		match_by(matching, "name",
			subject->kind == KIND_PEER || subject->kind == KIND_MOUNT
				? "what it is called"
				: "name only: another one of that name would pass for "
				  "it",
			"");
	else if (!strncmp(subject->id, "pci-", 4))
		match_by(matching, "place",
			"the place where it is plugged in:", subject->id);
	else if (subject->kind == KIND_NIC)
		match_card(matching, subject->id);
	else
		match_by(matching, "identity", "identity", subject->id);
}

/* What a window has of a subject. */
enum presence {
	PRESENT_NOT,
	PRESENT_IDLE, /* all its figures are 0 */
	PRESENT_BUSY
};

static enum presence presence_of(
	const struct comparison *comparison, size_t window, uint32_t subject)
{
	const struct session *session = comparison->session;
	enum presence presence = PRESENT_NOT;

	for (size_t t = 0; t < session->track_count; t++) {
		struct figure figure;

		if (session->tracks[t].subject != subject)
			continue;
		figure = figure_of(comparison, window, t);
		if (figure.known && figure.summary->highest > 0)
			return PRESENT_BUSY;
		if (figure.known)
			presence = PRESENT_IDLE;
	}
	return presence;
}

static void write_row(const struct comparison *comparison, struct writer *writer,
	const struct subject *subject, const enum presence *presences)
{
	struct matching matching;
	char letters[2 * REPORT_WINDOWS + 8] = "";
	size_t count = 0;

	match_of(subject, &matching);
	for (size_t w = 0; w < comparison->window_count; w++) {
		size_t used = strlen(letters);

		if (presences[w] == PRESENT_NOT)
			continue;
		count++;
		(void)text_format(letters + used, sizeof letters - used, "%s%s",
			used ? " " : "", window_letter(w)); /* there is room */
	}
	if (count == 1 && comparison->window_count > 1)
		(void)text_format(letters + 1, sizeof letters - 1, " only");
	writer->ops->row(writer);
	write_cell(writer, cell_text(kind_word(subject->kind)));
	write_cell(writer, cell_text(subject->name));
	write_cell(writer, cell_text(letters));
	write_cell(writer, cell_text(matching.by));
	write_cell(writer, *subject->id ? cell_text(subject->id) : cell_null(""));
	write_cell(writer, cell_text(matching.text));
	writer->ops->row_end(writer);
}

/* A person is spared those that did nothing, and a list without end. Returns how many.
 */
static size_t write_kind(
	const struct comparison *comparison, struct writer *writer, enum kind kind)
{
	size_t count, spared = 0, shown = 0;
	uint32_t *subjects = figures_subjects(comparison, kind, &count);

	for (size_t i = 0; i < count; i++) {
		enum presence presences[REPORT_WINDOWS], most = PRESENT_NOT;

		for (size_t w = 0; w < comparison->window_count; w++) {
			presences[w] = presence_of(comparison, w, subjects[i]);
			most = presences[w] > most ? presences[w] : most;
		}
		if ((most == PRESENT_BUSY && shown < DEVICES_SHOWN) ||
			(most != PRESENT_NOT && writer->ops->complete))
			write_row(comparison, writer,
				&comparison->session->subjects[subjects[i]], presences);
		else
			spared += most != PRESENT_NOT;
		shown += most == PRESENT_BUSY;
	}
	free(subjects);
	return spared;
}

static void write(const struct comparison *comparison, struct writer *writer)
{
	static const struct column columns[LEADING] = {
		{"kind", NULL, COLUMN_DATA, 0},
		{"device", "device", COLUMN_LEFT, 18},
		{"in", "in", COLUMN_LEFT, 9},
		{"by", NULL, COLUMN_DATA, 0},
		{"id", NULL, COLUMN_DATA, 0},
		{"text", NULL, COLUMN_REST, 0},
	};
	size_t spared = 0;

	writer->ops->section(writer, "matched", "SAME THING?",
		"by what devices of the windows were matched");
	writer->ops->table(writer, "devices", columns, LEADING);
	for (int kind = 0; kind < KIND_COUNT; kind++)
		if (kind != KIND_HOST && !kind_is_detail((enum kind)kind))
			spared += write_kind(comparison, writer, (enum kind)kind);
	writer->ops->table_end(writer);
	if (spared)
		write_line(writer, "spared",
			"%zu more, most of which did nothing, are in the formats CSV "
			"and JSON.",
			spared);
	writer->ops->section_end(writer);
}

const struct section section_matched = {"matched", write};
