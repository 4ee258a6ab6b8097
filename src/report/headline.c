/* Comparisons of the headline family that no single row says: how often the queue of
 * the busiest disks stood above what was a peak in A, and all bad packets together. */
#include "config.h"

#include "report/figures.h"

#include "base/text.h"
#include "core/unit.h"

#include <math.h>

static const struct column columns[] = {
	{"window", NULL, COLUMN_DATA, 0},
	{"word", NULL, COLUMN_LEFT, 10},
	{"device", NULL, COLUMN_LEFT, 12},
	{"figure", NULL, COLUMN_DATA, 0},
	{"label", NULL, COLUMN_LEFT, 21},
	{"text", NULL, COLUMN_REST, 0},
	{"a", NULL, COLUMN_DATA, 0},
	{"b", NULL, COLUMN_DATA, 0},
	{"change", NULL, COLUMN_DATA, 0},
	{"low", NULL, COLUMN_DATA, 0},
	{"high", NULL, COLUMN_DATA, 0},
	{"p", NULL, COLUMN_DATA, 0},
	{"limit", NULL, COLUMN_DATA, 0},
	{"times_a", NULL, COLUMN_DATA, 0},
	{"times_b", NULL, COLUMN_DATA, 0},
	{"longest_a", NULL, COLUMN_DATA, 0},
	{"longest_b", NULL, COLUMN_DATA, 0},
};

/* "12 > 340 ticks above 9.10 in 12 > 85 stretches, ..., rate +2733 % (+900..+8000)":
 * where A had none there is no ratio. */
static void describe(const struct headline_row *row, size_t family, nsec interval,
	char *to, size_t size)
{
	char stretches[100];
	const struct verdict *v = &row->verdict;
	char a[16], b[16], limit[32] = "", change[64];

	if (!v->tested) {
		verdict_words(to, size, v, family);
		return;
	}
	count_text(a, sizeof a, v->k1);
	count_text(b, sizeof b, v->k2);
	if (headline_is_peaks(row))
		(void)text_format(limit, sizeof limit, " ticks above %.3g", row->limit);
	headline_stretches(row, interval, stretches, sizeof stretches);
	verdict_change(change, sizeof change, v);
	(void)text_format(to, size, "%s > %s%s%s, %s%s", a, b, limit, stretches,
		v->k1 > 0 ? "rate " : "", change);
}

static void write_stretches(
	struct writer *writer, const struct headline_row *row, nsec interval)
{
	double seconds = (double)interval / NSEC_PER_SEC;

	for (int s = 0; s < 2; s++)
		write_cell(writer, row->has_stretches ? cell_count(row->stretches[s])
						      : cell_null(""));
	for (int s = 0; s < 2; s++)
		write_cell(writer, row->has_stretches
					   ? cell_real(row->longest[s] * seconds, "")
					   : cell_null(""));
}

static void write_one(const struct comparison *comparison, struct writer *writer,
	size_t window, const struct headline_row *row)
{
	const struct session *session = comparison->session;
	const struct verdict *v = &row->verdict;
	bool several = comparison->window_count > 2;
	char word[CELL_SHOWN], brief[16], text[240];

	verdict_short(brief, sizeof brief, v);
	(void)text_format(word, sizeof word, "%s%s%s",
		several ? window_letter(window) : "", several ? " " : "", brief);
	describe(row, comparison->families.headline, session->last.interval, text,
		sizeof text);
	writer->ops->row(writer);
	write_cell(writer, cell_text(window_letter(window)));
	write_cell(writer, cell_text(word));
	write_cell(writer, cell_text(row->subject == UINT32_MAX
					     ? "all"
					     : session->subjects[row->subject].name));
	write_cell(writer, cell_text(row->id));
	write_cell(writer, cell_text(row->label));
	write_cell(writer, cell_text(text));
	write_cell(writer, cell_real(v->k1, ""));
	write_cell(writer, cell_real(v->k2, ""));
	write_cell(writer, v->tested ? cell_real(v->change, "") : cell_null(""));
	write_cell(writer, v->tested ? cell_real(v->low, "") : cell_null(""));
	write_cell(writer, v->tested ? cell_real(v->high, "") : cell_null(""));
	write_cell(writer, v->tested ? cell_real(v->adjusted, "") : cell_null(""));
	write_cell(writer,
		headline_is_peaks(row) ? cell_real(row->limit, "") : cell_null(""));
	write_stretches(writer, row, session->last.interval);
	writer->ops->row_end(writer);
}

/* A person sees what is clear; the rest stands in the tables below. */
static bool is_told(const struct writer *writer, const struct verdict *verdict)
{
	return writer->ops->complete || verdict_is_clear(verdict->word);
}

void write_headline(const struct comparison *comparison, struct writer *writer)
{
	bool any = false;

	for (size_t w = 1; w < comparison->window_count; w++)
		any = any || comparison->judgements[w].extra_count;
	if (!any)
		return;
	writer->ops->table(
		writer, "headline", columns, sizeof columns / sizeof *columns);
	for (size_t w = 1; w < comparison->window_count; w++)
		for (size_t i = 0; i < comparison->judgements[w].extra_count; i++) {
			const struct headline_row *row =
				&comparison->judgements[w].extra[i];

			if (is_told(writer, &row->verdict))
				write_one(comparison, writer, w, row);
		}
	writer->ops->table_end(writer);
}
