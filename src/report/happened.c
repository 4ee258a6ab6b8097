/*
 * What happened in a window and needs no test: a path lost, a session or link that was
 * down, counters that began anew, a class of bad packets that A did not have. Events
 * without a figure would be lost between the verdicts.
 */
#include "config.h"

#include "report/figures.h"

#include "base/text.h"
#include "packet/class.h"

#include <inttypes.h>
#include <math.h>

static const struct column columns[] = {
	{"window", NULL, COLUMN_DATA, 0},
	{"word", NULL, COLUMN_LEFT, 8},
	{"device", NULL, COLUMN_DATA, 0},
	{"kind", NULL, COLUMN_DATA, 0},
	{"text", NULL, COLUMN_REST, 0},
	{"count", NULL, COLUMN_DATA, 0},
};

/* One of them: COUNT ticks, resets or packets. */
struct happening {
	size_t window;
	uint32_t subject;
	const char *kind, *text;
	double count;
};

static void write_one(const struct comparison *comparison, struct writer *writer,
	const struct happening *happening)
{
	const struct subject *subject =
		&comparison->session->subjects[happening->subject];
	char text[320];

	(void)text_format(text, sizeof text, "%s %s%s%s: %s",
		window_letter(happening->window), subject->name,
		*subject->label ? " " : "", subject->label, happening->text); /* fits */
	writer->ops->row(writer);
	write_cell(writer, cell_text(window_letter(happening->window)));
	write_cell(writer, cell_text("FACT"));
	write_cell(writer, cell_text(subject->name));
	write_cell(writer, cell_text(happening->kind));
	write_cell(writer, cell_text(text));
	write_cell(writer, cell_count((uint64_t)happening->count));
	writer->ops->row_end(writer);
}

/* Ticks in which a state that is 1 was 0, where it was both. */
static double ticks_down(const struct figure *figure)
{
	if (!figure->known || figure->summary->lowest > 0.5 ||
		figure->summary->highest < 0.5)
		return 0;
	return round((1 - figure->mean) * (double)figure->summary->samples);
}

static void tell_path(const struct comparison *comparison, struct writer *writer,
	size_t window, uint32_t subject)
{
	struct figure all = figure_named(comparison, window, subject, "disk.paths");
	struct figure usable =
		figure_named(comparison, window, subject, "disk.paths.usable");
	char text[96];

	if (!all.known || !usable.known ||
		usable.summary->lowest >= all.summary->highest)
		return;
	(void)text_format(text, sizeof text,
		"path lost, %.0f of %.0f usable at worst, %.3g in the mean",
		usable.summary->lowest, all.summary->highest, usable.mean);
	write_one(comparison, writer,
		&(struct happening){window, subject, "path", text,
			all.summary->highest - usable.summary->lowest});
}

/* A state of 1 or 0, and the counter that also sees what came back between two ticks.
 */
static const struct state {
	enum kind kind;
	const char *state, *counter, *word, *down, *changed;
} states[] = {
	{KIND_TRANSPORT, "transport.up", "transport.failures", "session",
		"not logged in or online", "failed"},
	{KIND_NIC, "net.link", "net.carrier.changes", "link", "link down",
		"carrier changed"},
};

static void tell_state(const struct comparison *comparison, struct writer *writer,
	const struct state *state, struct happening happening)
{
	struct figure up = figure_named(
		comparison, happening.window, happening.subject, state->state);
	struct figure counter = figure_named(
		comparison, happening.window, happening.subject, state->counter);
	double down = ticks_down(&up), count = counter.known ? counter.total : 0;
	char text[128], times[64] = "", length[64] = "";

	if (down < 1 && count < 1)
		return;
	if (count >= 1)
		(void)text_format(times, sizeof times, "%s %.0f time%s", state->changed,
			count, count < 2 ? "" : "s");
	if (down >= 1)
		(void)text_format(length, sizeof length,
			"%s in %.0f of %" PRIu64 " ticks", state->down, down,
			up.summary->samples);
	(void)text_format(text, sizeof text, "%s%s%s", times,
		*times && *length ? ", " : "", length); /* fits */
	happening.text = text;
	happening.count = count >= 1 ? count : down;
	write_one(comparison, writer, &happening);
}

/* The most of any counter of SUBJECT: they are reset together. */
static void tell_reset(const struct comparison *comparison, struct writer *writer,
	size_t window, uint32_t subject)
{
	const struct session *session = comparison->session;
	uint64_t most = 0;
	char text[96];

	for (size_t i = 0; i < session->track_count; i++) {
		struct figure figure;

		if (session->tracks[i].subject != subject)
			continue;
		figure = figure_of(comparison, window, i);
		if (figure.summary && figure.summary->missing[WHY_RESET] > most)
			most = figure.summary->missing[WHY_RESET];
	}
	if (!most)
		return;
	(void)text_format(text, sizeof text,
		"counters reset %" PRIu64
		" time%s; what they counted just before is lost",
		most, most == 1 ? "" : "s");
	write_one(comparison, writer,
		&(struct happening){window, subject, "reset", text, (double)most});
}

/* Bad packets of a class of which A, looking too, saw none. */
static void tell_class(const struct comparison *comparison, struct writer *writer,
	size_t window, size_t track)
{
	const struct track *of = &comparison->session->tracks[track];
	unsigned direction;
	int class = metric_packet_class(of->metric, &direction);
	struct figure before, now;
	char text[160];

	if (!window || class < 0 || packet_classes[class].sense != CLASS_BAD)
		return;
	before = figure_of(comparison, 0, track);
	now = figure_of(comparison, window, track);
	if (!before.known || !now.known || before.total > 0 || now.total < 1)
		return;
	(void)text_format(text, sizeof text, "new bad packets, %s: %.0f, none in A",
		metric_at(of->metric)->title, now.total);
	write_one(comparison, writer,
		&(struct happening){window, of->subject, "packets", text, now.total});
}

static void tell_subject(const struct comparison *comparison, struct writer *writer,
	size_t window, uint32_t subject)
{
	enum kind kind = comparison->session->subjects[subject].kind;

	if (kind == KIND_DISK)
		tell_path(comparison, writer, window, subject);
	for (size_t i = 0; i < sizeof states / sizeof *states; i++)
		if (states[i].kind == kind)
			tell_state(comparison, writer, &states[i],
				(struct happening){.window = window,
					.subject = subject,
					.kind = states[i].word});
	if (!kind_is_detail(kind))
		tell_reset(comparison, writer, window, subject);
}

void write_happened(const struct comparison *comparison, struct writer *writer)
{
	const struct session *session = comparison->session;

	writer->ops->table(
		writer, "happened", columns, sizeof columns / sizeof *columns);
	for (size_t w = 0; w < comparison->window_count; w++) {
		for (uint32_t i = 0; i < session->subject_count; i++)
			tell_subject(comparison, writer, w, i);
		for (size_t i = 0; i < session->track_count; i++)
			tell_class(comparison, writer, w, i);
	}
	writer->ops->table_end(writer);
}
