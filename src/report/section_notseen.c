/* What the report cannot vouch for: gaps, samples that are missing and why, what
 * capture lost or could not judge, and what no program on this host can see. */
#include "config.h"

#include "report/absent.h"
#include "report/figures.h"

#include "base/text.h"
#include "core/unit.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const struct column item_columns[] = {
	{"kind", NULL, COLUMN_LEFT, 12},
	{"device", NULL, COLUMN_DATA, 0},
	{"text", NULL, COLUMN_REST, 0},
	{"from", NULL, COLUMN_DATA, 0},
	{"to", NULL, COLUMN_DATA, 0},
};

/* One thing that was not seen. */
struct item {
	const char *kind, *device, *text;
	struct cell from, to;
};

static void write_item(struct writer *writer, const struct item *item)
{
	writer->ops->row(writer);
	write_cell(writer, cell_text(item->kind));
	write_cell(writer, item->device ? cell_text(item->device) : cell_null(""));
	write_cell(writer, cell_text(item->text));
	write_cell(writer, item->from);
	write_cell(writer, item->to);
	writer->ops->row_end(writer);
}

static const char *gap_words(enum tick_gap kind)
{
	static const char *const words[] = {
		[GAP_NONE] = "",
		[GAP_RUN] = "no recorder was running (stopped, or the host rebooted)",
		[GAP_MISSED] = "the recorder was stopped or starved",
		[GAP_SUSPEND] = "the host was suspended",
	};

	return words[kind];
}

/* Gaps from the first window to the last one, also between them. */
static void write_gaps(const struct comparison *comparison, struct writer *writer)
{
	const struct session *session = comparison->session;

	for (size_t i = 0; i < session->gap_count; i++) {
		const struct gap *gap = &session->gaps[i];
		struct item item = {.kind = "gap",
			.from = cell_when(comparison, gap->from),
			.to = cell_when(comparison, gap->to)};
		char text[160], length[24];

		if (gap->from >= comparison_to(comparison) ||
			gap->to <= comparison_from(comparison))
			continue;
		unit_duration(length, sizeof length, gap->to - gap->from);
		(void)text_format(text, sizeof text, "%s - %s (%s): %s",
			item.from.shown, item.to.shown, length, gap_words(gap->kind));
		item.text = text;
		write_item(writer, &item);
	}
}

/* Windows that lack ticks altogether. */
static void write_coverage(const struct comparison *comparison, struct writer *writer)
{
	for (size_t i = 0; i < comparison->window_count; i++) {
		struct coverage coverage = side_coverage(comparison, i);
		char text[120];

		if (coverage.seen >= coverage.expected)
			continue;
		(void)text_format(text, sizeof text,
			"%s lacks %" PRIu64 " of %" PRIu64 " samples", window_letter(i),
			coverage.expected - coverage.seen, coverage.expected);
		write_item(writer, &(struct item){.kind = "samples", .text = text});
	}
}

/* How many samples of a subject lack a figure for one reason: of its worst figure, and
 * how many figures are hit. */
struct lack {
	uint64_t worst[REPORT_WINDOWS];
	size_t figures;
	const struct metric *example;
};

static struct lack lack_of(
	const struct comparison *comparison, uint32_t subject, enum why why)
{
	const struct session *session = comparison->session;
	struct lack lack = {.figures = 0};

	for (size_t t = 0; t < session->track_count; t++) {
		bool hit = false;

		for (size_t w = 0; session->tracks[t].subject == subject &&
				   w < comparison->window_count;
			w++) {
			struct figure figure = figure_of(comparison, w, t);
			uint64_t count =
				figure.summary ? figure.summary->missing[why] : 0;

			lack.worst[w] = count > lack.worst[w] ? count : lack.worst[w];
			hit = hit || count;
		}
		if (hit && !lack.figures++)
			lack.example = metric_at(session->tracks[t].metric);
	}
	return lack;
}

static const char *why_words(enum why why)
{
	static const char *const words[WHY_COUNT] = {
		[WHY_FIRST] = "it had just appeared",
		[WHY_GAP] = "they follow a gap",
		[WHY_RESET] = "a counter was reset",
		[WHY_LATE] = "the source did not answer in time",
		[WHY_OFF] = "it is switched off",
		[WHY_UNSUPPORTED] = "the kernel or driver does not report it",
		[WHY_DENIED] = "the privilege is missing",
		[WHY_ABSENT] = "the device was not there",
	};

	return words[why]; /* none: not a lack, or nothing to say about it */
}

static void write_lack(const struct comparison *comparison, struct writer *writer,
	const struct subject *subject, enum why why, const struct lack *lack)
{
	char text[320] = "", more[32] = "";
	unsigned parts = 0;

	if (lack->figures > 1)
		(void)text_format(
			more, sizeof more, " and %zu more", lack->figures - 1);
	(void)text_format(text, sizeof text, "%s %s%s lack", subject->name,
		lack->example->title, more);
	for (size_t w = 0; w < comparison->window_count; w++) {
		size_t used = strlen(text);

		if (!lack->worst[w])
			continue;
		(void)text_format(text + used, sizeof text - used, "%s %s %" PRIu64,
			parts++ ? "," : "", window_letter(w), lack->worst[w]);
	}
	(void)text_format(text + strlen(text), sizeof text - strlen(text),
		" samples: %s", why_words(why));
	write_item(writer,
		&(struct item){
			.kind = why_word(why), .device = subject->name, .text = text});
}

static void write_lacks(const struct comparison *comparison, struct writer *writer)
{
	const struct session *session = comparison->session;

	for (unsigned why = WHY_NONE + 1; why < WHY_COUNT; why++)
		for (uint32_t s = 0; s < session->subject_count && why_words(why);
			s++) {
			struct lack lack = lack_of(comparison, s, (enum why)why);

			if (lack.figures)
				write_lack(comparison, writer, &session->subjects[s],
					(enum why)why, &lack);
		}
}

/* " A 0 of 19.0M B -": PART of the frames of a card. False: there is no such figure. */
static bool add_shares(const struct comparison *comparison, uint32_t subject,
	const char *part, char *text, size_t size)
{
	bool any = false;

	*text = 0;
	for (size_t w = 0; w < comparison->window_count; w++) {
		struct figure some = figure_named(comparison, w, subject, part);
		struct figure all =
			figure_named(comparison, w, subject, "capture.frames");
		char few[16], many[16];
		size_t used = strlen(text);

		count_text(few, sizeof few, some.total);
		count_text(many, sizeof many, all.total);
		any = any || (some.known && all.known);
		if (some.known && all.known)
			(void)text_format(text + used, size - used, " %s %s of %s",
				window_letter(w), few, many);
		else
			(void)text_format(
				text + used, size - used, " %s -", window_letter(w));
	}
	return any;
}

/* Frames of a card that were lost or cut, as a share of all. */
struct share {
	const char *kind, *metric, *words;
};

static const struct share shares[] = {
	{"capture", "capture.lost", "frames lost because weir was slow"},
	{"cut", "capture.cut", "frames taken with headers only, payload not judged"},
};

static void write_card(
	const struct comparison *comparison, struct writer *writer, uint32_t subject)
{
	const char *name = comparison->session->subjects[subject].name;
	char parts[REPORT_WINDOWS * 32], text[REPORT_WINDOWS * 32 + 160];
	bool captured = false;

	for (size_t i = 0; i < sizeof shares / sizeof *shares; i++) {
		if (!add_shares(
			    comparison, subject, shares[i].metric, parts, sizeof parts))
			continue;
		captured = true;
		(void)text_format(
			text, sizeof text, "%s %s:%s", name, shares[i].words, parts);
		write_item(writer,
			&(struct item){
				.kind = shares[i].kind, .device = name, .text = text});
	}
	if (captured)
		return;
	(void)text_format(text, sizeof text, "%s packets were not looked at", name);
	write_item(writer,
		&(struct item){.kind = "capture", .device = name, .text = text});
}

static void write_capture(const struct comparison *comparison, struct writer *writer)
{
	size_t count;
	uint32_t *subjects = figures_subjects(comparison, KIND_NIC, &count);

	for (size_t i = 0; i < count; i++)
		write_card(comparison, writer, subjects[i]);
	free(subjects);
}

/* Sources that had nothing: without a word a reader takes what is not there for 0. */
static void write_absent(const struct comparison *comparison, struct writer *writer)
{
	size_t count;
	struct absent *list = absent_find(comparison, &count);

	for (size_t i = 0; i < count; i++) {
		char where[12 * REPORT_WINDOWS], text[FACT_VALUE];

		absent_where(comparison, &list[i], where, sizeof where);
		(void)text_format(text, sizeof text, "%s: %s%s", list[i].source,
			list[i].text, where); /* a cut reason is still one */
		write_item(writer, &(struct item){.kind = list[i].kind,
					   .device = list[i].source,
					   .text = text});
	}
	free(list);
}

static void write(const struct comparison *comparison, struct writer *writer)
{
	writer->ops->section(
		writer, "not_seen", "NOT SEEN", "what this report cannot vouch for");
	writer->ops->table(writer, "items", item_columns,
		sizeof item_columns / sizeof *item_columns);
	write_gaps(comparison, writer);
	write_coverage(comparison, writer);
	write_lacks(comparison, writer);
	write_capture(comparison, writer);
	write_absent(comparison, writer);
	write_item(
		writer, &(struct item){.kind = "unseen",
				.text = "switch, array and transceiver counters: weir "
					"runs on this host only"});
	writer->ops->table_end(writer);
	writer->ops->section_end(writer);
}

const struct section section_notseen = {"not_seen", write};
