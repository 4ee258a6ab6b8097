/* What was asked of the busiest disks in each window: whoever compares queues and waits
 * has to know whether the load was the same. */
#include "config.h"

#include "report/figures.h"

#include "base/text.h"

#include <math.h>
#include <string.h>

static const struct column columns[] = {
	{"device", NULL, COLUMN_DATA, 0},
	{"text", NULL, COLUMN_REST, 0},
	{"window", NULL, COLUMN_DATA, 0},
	{"ops", NULL, COLUMN_DATA, 0},
	{"size", NULL, COLUMN_DATA, 0},
	{"reads", NULL, COLUMN_DATA, 0},
	{"bytes", NULL, COLUMN_DATA, 0},
	{"differs", NULL, COLUMN_DATA, 0},
};

/* NaN where there is no figure. */
struct load {
	double ops, size, reads, bytes;
};

static double mean(const struct comparison *comparison, size_t window, uint32_t disk,
	const char *metric)
{
	struct figure figure = figure_named(comparison, window, disk, metric);

	return figure.known ? figure.mean : (double)NAN;
}

static struct load load_of(
	const struct comparison *comparison, size_t window, uint32_t disk)
{
	double reads = mean(comparison, window, disk, "disk.read.ops");
	double writes = mean(comparison, window, disk, "disk.write.ops");
	struct load load = {
		.ops = mean(comparison, window, disk, "disk.ops"),
		.bytes = mean(comparison, window, disk, "disk.read.bytes") +
			 mean(comparison, window, disk, "disk.write.bytes"),
	};

	load.size = load.ops > 0 ? load.bytes / load.ops : (double)NAN;
	load.reads = reads + writes > 0 ? reads / (reads + writes) : (double)NAN;
	return load;
}

/* "240/s of 15.6 KB, 71 % reads, 3.75 MB/s"; what is not known is left out. */
static void describe(const struct load *load, char *to, size_t size)
{
	static const struct metric whole = {.unit = UNIT_BYTES};
	const struct metric *bytes =
		metric_at((unsigned)metric_find("disk.read.bytes"));
	char part[24];

	(void)text_format(to, size, "%.3g/s", load->ops);
	if (isfinite(load->size)) {
		unit_value(part, sizeof part, &whole, load->size, UNITS_SI_BYTES);
		(void)text_format(to + strlen(to), size - strlen(to), " of %s", part);
	}
	if (isfinite(load->reads))
		(void)text_format(to + strlen(to), size - strlen(to), ", %.0f %% reads",
			100 * load->reads);
	if (isfinite(load->bytes)) {
		unit_value(part, sizeof part, bytes, load->bytes, UNITS_SI_BYTES);
		(void)text_format(to + strlen(to), size - strlen(to), ", %s", part);
	}
}

static void write_row(const struct comparison *comparison, struct writer *writer,
	size_t window, const struct judged *judged)
{
	const struct session *session = comparison->session;
	uint32_t disk = session->tracks[judged->track].subject;
	struct load a = load_of(comparison, 0, disk);
	struct load b = load_of(comparison, window, disk);
	char one[80], two[80], text[240];

	if (!isfinite(a.ops) || !isfinite(b.ops))
		return;
	describe(&a, one, sizeof one);
	describe(&b, two, sizeof two);
	(void)text_format(text, sizeof text, "Load of %s: A %s; %s %s%s",
		session->subjects[disk].name, one, window_letter(window), two,
		judged->load_differs ? ". It differs: its queue and waits are judged "
				       "at the same load"
				     : "");
	writer->ops->row(writer);
	write_cell(writer, cell_text(session->subjects[disk].name));
	write_cell(writer, cell_text(text));
	write_cell(writer, cell_text(window_letter(window)));
	write_cell(writer, cell_real(b.ops, ""));
	write_cell(writer, cell_real(b.size, ""));
	write_cell(writer, cell_real(b.reads, ""));
	write_cell(writer, cell_real(b.bytes, ""));
	write_cell(writer, cell_truth(judged->load_differs, ""));
	writer->ops->row_end(writer);
}

void write_loads(const struct comparison *comparison, struct writer *writer)
{
	const struct session *session = comparison->session;
	unsigned queue = (unsigned)metric_find("disk.queue");

	writer->ops->table(writer, "load", columns, sizeof columns / sizeof *columns);
	for (size_t w = 1; w < comparison->window_count; w++)
		for (size_t i = 0; i < comparison->judgements[w].count; i++) {
			const struct judged *row = &comparison->judgements[w].rows[i];

			if (row->headline &&
				session->tracks[row->track].metric == queue)
				write_row(comparison, writer, w, row);
		}
	writer->ops->table_end(writer);
}
