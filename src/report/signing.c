/* How SMB mounts were protected in each window, and what the busiest core did then:
 * both beside each other, without advice. Signing is work of one core for each
 * connection. */
#include "config.h"

#include "report/figures.h"

#include "base/text.h"

#include <math.h>
#include <stdlib.h>

static const struct column columns[] = {
	{"window", NULL, COLUMN_DATA, 0},
	{"device", NULL, COLUMN_DATA, 0},
	{"word", NULL, COLUMN_LEFT, 8},
	{"text", NULL, COLUMN_REST, 0},
	{"signed", NULL, COLUMN_DATA, 0},
	{"encrypted", NULL, COLUMN_DATA, 0},
	{"busiest_core", NULL, COLUMN_DATA, 0},
};

/* A share of the window in which it was so, in words. */
static const char *state_words(double share, const char *const words[3])
{
	return share >= 1 ? words[0] : share > 0 ? words[1] : words[2];
}

static void add_speed(const struct comparison *comparison, size_t window,
	uint32_t subject, char *text, size_t size)
{
	struct figure read =
		figure_named(comparison, window, subject, "mount.read.bytes");
	struct figure write =
		figure_named(comparison, window, subject, "mount.write.bytes");
	char speed[2][16] = {"?", "?"};

	if (read.known)
		unit_number(speed[0], sizeof *speed, read.mean * 1e-6, 5);
	if (write.known)
		unit_number(speed[1], sizeof *speed, write.mean * 1e-6, 5);
	(void)text_format(
		text, size, "read %s, write %s MB/s", speed[0], speed[1]); /* short */
}

static void write_state(const struct comparison *comparison, struct writer *writer,
	size_t window, uint32_t subject)
{
	static const char *const sign[] = {"signed", "signed at times", "not signed"};
	static const char *const crypt[] = {
		"encrypted", "encrypted at times", "not encrypted"};
	const struct subject *of = &comparison->session->subjects[subject];
	struct figure is_signed =
		figure_named(comparison, window, subject, "mount.signed");
	struct figure encrypted =
		figure_named(comparison, window, subject, "mount.encrypted");
	int host = session_find_subject(comparison->session, KIND_HOST, "host");
	struct figure core = {.known = false};
	char text[320], speed[64], busy[16] = "?";

	if (!is_signed.known || !encrypted.known)
		return;
	if (host >= 0)
		core = figure_named(comparison, window, (uint32_t)host, "cpu.busiest");
	if (core.known)
		(void)text_format(busy, sizeof busy, "%.0f %%", core.mean * 100);
	add_speed(comparison, window, subject, speed, sizeof speed);
	(void)text_format(text, sizeof text, "%s %s: %s, %s; %s; busiest core %s",
		window_letter(window), *of->label ? of->label : of->name,
		state_words(is_signed.mean, sign), state_words(encrypted.mean, crypt),
		speed, busy); /* may be cut */
	writer->ops->row(writer);
	write_cell(writer, cell_text(window_letter(window)));
	write_cell(writer, cell_text(of->name));
	write_cell(writer, cell_text("SMB"));
	write_cell(writer, cell_text(text));
	write_cell(writer, cell_real(is_signed.mean, ""));
	write_cell(writer, cell_real(encrypted.mean, ""));
	write_cell(writer, cell_real(core.known ? core.mean : (double)NAN, ""));
	writer->ops->row_end(writer);
}

void write_signing(const struct comparison *comparison, struct writer *writer)
{
	size_t count;
	uint32_t *subjects = figures_subjects(comparison, KIND_MOUNT, &count);

	writer->ops->table(
		writer, "signing", columns, sizeof columns / sizeof *columns);
	for (size_t i = 0; i < count; i++)
		for (size_t w = 0; w < comparison->window_count; w++)
			write_state(comparison, writer, w, subjects[i]);
	writer->ops->table_end(writer);
	free(subjects);
}
