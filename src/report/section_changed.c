/* What changed on the host: settings of A's end that are others at the end of another
 * window, and what was set while a window ran. Stated, not blamed. */
#include "config.h"

#include "report/changes.h"
#include "report/redact.h"

#include "base/alloc.h"
#include "base/text.h"

#include <stdio.h>
#include <string.h>

enum {
	LINE = 2 * FACT_VALUE + 80
};

static const struct column columns[] = {
	{"heading", NULL, COLUMN_HEADING, 0},
	{"window", NULL, COLUMN_DATA, 0},
	{"sign", NULL, COLUMN_LEFT, 2},
	{"kind", NULL, COLUMN_DATA, 0},
	{"device", NULL, COLUMN_LEFT, 14},
	{"id", NULL, COLUMN_DATA, 0},
	{"key", NULL, COLUMN_LEFT, 24},
	{"a", NULL, COLUMN_DATA, 0},
	{"a_why", NULL, COLUMN_DATA, 0},
	{"b", NULL, COLUMN_DATA, 0},
	{"b_why", NULL, COLUMN_DATA, 0},
	{"announced", NULL, COLUMN_DATA, 0},
	{"note", NULL, COLUMN_DATA, 0},
	{"seen", NULL, COLUMN_DATA, 0},
	{"inside", NULL, COLUMN_DATA, 0},
	{"text", NULL, COLUMN_REST, 0},
};

static const char *note_text(
	const struct comparison *comparison, const struct change *change)
{
	return redact_note(
		comparison->options->redactor, change->note, change->note->text);
}

static void heading(const struct comparison *comparison, const struct change *change,
	char *text, size_t size)
{
	const char *to = window_letter(change->window);
	char way[16] = "";

	if (change->window)
		(void)text_format(way, sizeof way, "A > %s   ", to); /* short */
	else if (!comparison->whole)
		(void)text_format(way, sizeof way, "in %s   ", to);
	/* a cut note is still told by its beginning */
	if (change->note)
		(void)text_format(text, size, "%sannounced: \"%s\"", way,
			note_text(comparison, change));
	else
		(void)text_format(text, size, "%snot announced by any note", way);
}

static void write_value(struct writer *writer, const struct fact *fact)
{
	bool known = fact->why == WHY_NONE;

	write_cell(writer, known ? cell_text(fact->value) : cell_null(""));
	write_cell(writer, known ? cell_null("") : cell_text(why_word(fact->why)));
}

static void write_row(const struct comparison *comparison, struct writer *writer,
	const struct change *change, const char *key, const char *text)
{
	const struct fact *b = &change->b;
	char title[160];

	heading(comparison, change, title, sizeof title);
	writer->ops->row(writer);
	write_cell(writer, cell_text(title));
	write_cell(writer, cell_text(window_letter(change->window)));
	write_cell(writer, cell_text(change_sign(change)));
	write_cell(writer, cell_text(kind_word(b->kind)));
	write_cell(writer, cell_text(b->name));
	write_cell(writer, *b->id ? cell_text(b->id) : cell_null(""));
	write_cell(writer, cell_text(key));
	write_value(writer, &change->a);
	write_value(writer, b);
	write_cell(writer, cell_truth(change->note != NULL, ""));
	write_cell(writer, change->note ? cell_text(note_text(comparison, change))
					: cell_null(""));
	write_cell(writer, cell_when(comparison, b->at));
	write_cell(writer, change->inside ? cell_text(window_letter(change->window))
					  : cell_null(""));
	write_cell(writer, cell_text(text));
	writer->ops->row_end(writer);
}

static void write_change(const struct comparison *comparison, struct writer *writer,
	const struct change *change)
{
	char text[LINE], inside[64] = "";

	if (change->inside)
		(void)text_format(inside, sizeof inside, "  (while %s ran, %s)",
			window_letter(change->window),
			cell_when(comparison, change->b.at).shown); /* short */
	if (change->a.why == WHY_ABSENT || change->b.why == WHY_ABSENT)
		(void)text_format(text, sizeof text, "%s%s",
			fact_text(
				change->a.why == WHY_ABSENT ? &change->b : &change->a),
			inside);
	else
		(void)text_format(text, sizeof text, "%s > %s%s", fact_text(&change->a),
			fact_text(&change->b), inside);
	write_row(comparison, writer, change, change->b.key, text);
}

/* ---- devices that came or went: one line to a person ---- */

/* What of a device is told in its line, if it is known. */
static const char *const telling[] = {"driver", "firmware", "bus", "speed", "mtu",
	"vendor", "model", "sectors", "scheduler", "source", "vers", "targetname"};

static bool of_device(const struct change *change, const struct change *other)
{
	/* facts of one device share its texts */
	return change->b.name == other->b.name && change->window == other->window &&
	       !change->note == !other->note;
}

struct presence {
	const struct fact *of;
	size_t facts;
};

static void count_fact(void *context, const struct fact *fact)
{
	struct presence *presence = context;

	presence->facts += fact->name == presence->of->name && fact->why == WHY_NONE;
}

/* Whether all of the device came or went with this change. */
static bool is_whole(const struct comparison *comparison, const struct change *change)
{
	struct presence presence = {.of = &change->b};
	bool came = change->a.why == WHY_ABSENT;

	if (!change->differs || change->b.kind == KIND_HOST ||
		(!came && change->b.why != WHY_ABSENT))
		return false;
	facts_each(&comparison->session->facts,
		window_end(comparison, comparison->windows[came ? 0 : change->window]),
		count_fact, &presence);
	return presence.facts == 0;
}

static void tell_if(
	const struct change *change, const char *key, char *text, size_t size)
{
	const struct fact *fact = change->b.why == WHY_ABSENT ? &change->a : &change->b;
	size_t used = strlen(text);

	if (!strcmp(fact->key, key) && fact->why == WHY_NONE && *fact->value)
		(void)text_format(text + used, size - used, "%s%s %s", used ? ", " : "",
			key, fact->value); /* may be cut */
}

/* The line of all that came or went with the one at FIRST; those are skipped. */
static void write_device(const struct comparison *comparison, struct writer *writer,
	const struct changes *changes, size_t first)
{
	const struct change *change = &changes->list[first];
	char text[400] = "";
	size_t count = 0, used;

	for (size_t k = 0; k < sizeof telling / sizeof *telling; k++)
		for (size_t i = first; i < changes->count; i++)
			if (of_device(&changes->list[i], change))
				tell_if(&changes->list[i], telling[k], text,
					sizeof text);
	for (size_t i = first; i < changes->count; i++)
		count += of_device(&changes->list[i], change);
	used = strlen(text);
	(void)text_format(text + used, sizeof text - used, "%s(%zu facts)",
		used ? " " : "", count); /* may be cut */
	write_row(comparison, writer, change,
		change->b.why == WHY_ABSENT ? "gone" : "new", text);
}

static void write_changes(const struct comparison *comparison, struct writer *writer,
	const struct changes *changes)
{
	bool whole = false;

	writer->ops->table(
		writer, "changes", columns, sizeof columns / sizeof *columns);
	for (size_t i = 0; i < changes->count; i++) {
		const struct change *change = &changes->list[i];
		bool begins = !i || !of_device(&changes->list[i - 1], change);

		if (begins)
			whole = !writer->ops->complete && is_whole(comparison, change);
		if (!whole)
			write_change(comparison, writer, change);
		else if (begins)
			write_device(comparison, writer, changes, i);
	}
	writer->ops->table_end(writer);
}

/* ---- what could not be read ---- */

static const struct column unread_columns[] = {
	{"kind", NULL, COLUMN_DATA, 0},
	{"device", NULL, COLUMN_DATA, 0},
	{"key", NULL, COLUMN_DATA, 0},
	{"why", NULL, COLUMN_DATA, 0},
};

struct unread {
	struct writer *writer;
	size_t count[WHY_COUNT];
};

static void write_unread_row(void *context, const struct fact *fact)
{
	struct unread *unread = context;
	struct writer *writer = unread->writer;

	if (fact->why != WHY_UNSUPPORTED && fact->why != WHY_DENIED)
		return;
	unread->count[fact->why]++;
	if (!writer->ops->complete)
		return;
	writer->ops->row(writer);
	write_cell(writer, cell_text(kind_word(fact->kind)));
	write_cell(writer, cell_text(fact->name));
	write_cell(writer, cell_text(fact->key));
	write_cell(writer, cell_text(why_word(fact->why)));
	writer->ops->row_end(writer);
}

static void write_unread(const struct comparison *comparison, struct writer *writer)
{
	struct unread unread = {.writer = writer};

	writer->ops->table(writer, "unread", unread_columns,
		sizeof unread_columns / sizeof *unread_columns);
	facts_each(&comparison->session->facts, comparison_to(comparison),
		write_unread_row, &unread);
	writer->ops->table_end(writer);
	if (unread.count[WHY_UNSUPPORTED])
		write_line(writer, "unsupported",
			"%zu facts are not reported by driver or kernel (JSON names "
			"them).",
			unread.count[WHY_UNSUPPORTED]);
	if (unread.count[WHY_DENIED])
		write_line(writer, "denied",
			"%zu facts could not be read for want of a privilege (JSON "
			"names "
			"them).",
			unread.count[WHY_DENIED]);
}

/* ---- the section ---- */

static void write_compared(const struct comparison *comparison, struct writer *writer,
	const struct changes *changes)
{
	for (size_t w = 1; w < comparison->window_count; w++) {
		size_t alike = 0; /* first: how many are not */
		char id[16];

		for (size_t i = 0; i < changes->count; i++)
			alike += changes->list[i].window == w &&
				 changes->list[i].differs;
		(void)text_format(
			id, sizeof id, "same_%s", window_letter(w)); /* short */
		alike = changes->compared[w] - alike;
		write_line(writer, id, "A > %s: %sno difference in %zu fact%s.",
			window_letter(w),
			alike < changes->compared[w] ? "otherwise " : "", alike,
			alike == 1 ? "" : "s");
	}
}

static void write(const struct comparison *comparison, struct writer *writer)
{
	struct changes changes;

	writer->ops->section(writer, "changed", "WHAT CHANGED ON THE HOST",
		"read once a minute and at each mark");
	changes_find(&changes, comparison);
	write_changes(comparison, writer, &changes);
	if (!comparison->session->facts.count)
		write_line(writer, "none", "Nothing was read in this session.");
	else
		write_compared(comparison, writer, &changes);
	write_unread(comparison, writer);
	changes_fini(&changes);
	writer->ops->section_end(writer);
}

const struct section section_changed = {"changed", write};
