/* Checksums: bad ones beside how many could be judged at all. "0 of 4.1M judged" and
 * "0 of 0" are not the same answer. */
#include "config.h"

#include "report/figures.h"

#include "base/text.h"
#include "packet/class.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The four answers about one checksum in one direction over one window. */
struct answers {
	bool known;
	double bad, good, offloaded, unjudged;
};

/* The total of the class "packets.<CLASS><ANSWER>" in a direction. */
static bool total_of(const struct comparison *comparison, size_t window,
	uint32_t subject, const char *id, double *total)
{
	struct figure figure = figure_named(comparison, window, subject, id);

	*total = figure.known ? figure.total : 0;
	return figure.known;
}

static struct answers answers_of(const struct comparison *comparison, size_t window,
	uint32_t subject, const char *class_id, const char *direction)
{
	static const char *const endings[] = {"", ".good", ".offloaded", ".unjudged"};
	struct answers answers = {0};
	double *const totals[] = {
		&answers.bad, &answers.good, &answers.offloaded, &answers.unjudged};

	for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
		char id[80];

		(void)text_format(id, sizeof id, "packets.%s%s%s%s", class_id,
			endings[i], *direction ? "." : "", direction);
		answers.known |= total_of(comparison, window, subject, id, totals[i]);
	}
	return answers;
}

enum {
	LEADING = 5,
	PARTS = 4,
};

static void make_columns(struct column *columns, size_t windows)
{
	static const struct column leading[LEADING] = {
		{"device", NULL, COLUMN_DATA, 0},
		{"class", NULL, COLUMN_DATA, 0},
		{"direction", NULL, COLUMN_DATA, 0},
		{"label", NULL, COLUMN_LEFT, 30},
		{"text", NULL, COLUMN_REST, 0},
	};
	static const char *const parts[PARTS] = {
		"bad", "judged", "offloaded", "unjudged"};

	memcpy(columns, leading, sizeof leading);
	for (size_t i = 0; i < windows * PARTS; i++)
		columns[LEADING + i] =
			(struct column){.id = parts[i % PARTS], .place = COLUMN_DATA};
}

/* "A 0 of 4.10M (12 not judged)" */
static void describe_one(const struct answers *answers, char *to, size_t size)
{
	double judged = answers->bad + answers->good;
	double unsure = answers->offloaded + answers->unjudged;
	char all[16], open[16], bad[16];

	count_text(bad, sizeof bad, answers->bad);
	count_text(all, sizeof all, judged);
	count_text(open, sizeof open, unsure);
	if (!answers->known)
		(void)text_copy(to, size, "-");
	else if (judged > 0 && unsure > 0)
		(void)text_format(to, size, "%s of %s (%s not judged)", bad, all, open);
	else if (judged > 0)
		(void)text_format(to, size, "%s of %s", bad, all);
	else
		(void)text_format(to, size, "none judged (%s seen)", open);
}

static void describe(
	const struct answers *answers, size_t windows, char *to, size_t size)
{
	*to = 0;
	for (size_t w = 0; w < windows; w++) {
		size_t used = strlen(to);
		char one[64];

		describe_one(&answers[w], one, sizeof one);
		(void)text_format(to + used, size - used, "%s%s %s", w ? "  " : "",
			window_letter(w), one);
	}
}

struct row {
	const struct subject *subject;
	const struct class_info *info;
	const char *direction;
	struct answers answers[REPORT_WINDOWS];
};

static bool any_packet(const struct row *row, size_t windows)
{
	for (size_t w = 0; w < windows; w++)
		if (row->answers[w].bad + row->answers[w].good +
				row->answers[w].offloaded + row->answers[w].unjudged >
			0)
			return true;
	return false;
}

static struct cell cell_total(const struct answers *answers, double total)
{
	return answers->known ? cell_integer(llround(total), "") : cell_null("");
}

static void write_row(struct writer *writer, const struct row *row, size_t windows)
{
	char label[96], text[REPORT_WINDOWS * 64];

	(void)text_format(label, sizeof label, "%s %s %s", row->subject->name,
		row->info->title, row->direction);
	describe(row->answers, windows, text, sizeof text);
	writer->ops->row(writer);
	write_cell(writer, cell_text(row->subject->name));
	write_cell(writer, cell_text(row->info->id));
	write_cell(writer, cell_text(row->direction));
	write_cell(writer, cell_text(label));
	write_cell(writer, cell_text(text));
	for (size_t w = 0; w < windows; w++) {
		const struct answers *answers = &row->answers[w];

		writer->ops->group(writer, window_letter(w));
		write_cell(writer, cell_total(answers, answers->bad));
		write_cell(writer, cell_total(answers, answers->bad + answers->good));
		write_cell(writer, cell_total(answers, answers->offloaded));
		write_cell(writer, cell_total(answers, answers->unjudged));
		writer->ops->group_end(writer);
	}
	writer->ops->row_end(writer);
}

static void write_subject(const struct comparison *comparison, struct writer *writer,
	uint32_t subject, const struct class_info *info)
{
	for (unsigned d = 0; d < PACKET_DIRECTIONS; d++) {
		struct row row = {.subject = &comparison->session->subjects[subject],
			.info = info,
			.direction = packet_direction_word((enum packet_direction)d)};

		for (size_t w = 0; w < comparison->window_count; w++)
			row.answers[w] = answers_of(
				comparison, w, subject, info->id, row.direction);
		if (any_packet(&row, comparison->window_count))
			write_row(writer, &row, comparison->window_count);
	}
}

static bool is_checksum(const struct class_info *info)
{
	return info->group == GROUP_CHECKSUM && info->sense == CLASS_BAD;
}

void write_checksums(const struct comparison *comparison, struct writer *writer)
{
	struct column columns[LEADING + REPORT_WINDOWS * PARTS];
	size_t count, windows = comparison->window_count;
	uint32_t *subjects = figures_subjects(comparison, KIND_NIC, &count);

	make_columns(columns, windows);
	writer->ops->table(writer, "checksums", columns, LEADING + windows * PARTS);
	for (size_t i = 0; i < count; i++)
		for (unsigned c = 0; c < packet_class_count; c++)
			if (is_checksum(&packet_classes[c]))
				write_subject(comparison, writer, subjects[i],
					&packet_classes[c]);
	writer->ops->table_end(writer);
	free(subjects);
}
