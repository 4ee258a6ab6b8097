/* How often thresholds were passed in each window: facts that need no test. */
#include "config.h"

#include "report/figures.h"

#include "base/text.h"

static size_t alerts_in(const struct comparison *comparison, size_t window)
{
	const struct session *session = comparison->session;
	size_t count = 0;

	for (size_t i = 0; i < session->note_count; i++)
		count += session->notes[i].kind == NOTE_ALERT &&
			 side_holds(comparison, window, session->notes[i].at);
	return count;
}

static bool any_alert(const struct session *session)
{
	for (size_t i = 0; i < session->note_count; i++)
		if (session->notes[i].kind == NOTE_ALERT)
			return true;
	return false;
}

void write_alerts(const struct comparison *comparison, struct writer *writer)
{
	static const struct column columns[] = {
		{"window", NULL, COLUMN_DATA, 0},
		{"word", NULL, COLUMN_LEFT, 8},
		{"text", NULL, COLUMN_REST, 0},
		{"count", NULL, COLUMN_DATA, 0},
	};

	writer->ops->table(writer, "alerts", columns, sizeof columns / sizeof *columns);
	for (size_t w = 0;
		w < comparison->window_count && any_alert(comparison->session); w++) {
		size_t count = alerts_in(comparison, w);
		char text[80];

		(void)text_format(text, sizeof text,
			"%s: %zu alert%s (below, among the notes)", window_letter(w),
			count, count == 1 ? "" : "s");
		writer->ops->row(writer);
		write_cell(writer, cell_text(window_letter(w)));
		write_cell(writer, cell_text("FACT"));
		write_cell(writer, cell_text(text));
		write_cell(writer, cell_count(count));
		writer->ops->row_end(writer);
	}
	writer->ops->table_end(writer);
}
