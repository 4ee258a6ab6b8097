/*
 * A section of the report: one file section_NAME.c and a row in report.c. It reads
 * the comparison and writes its facts through the writer.
 */
#ifndef WEIR_REPORT_SECTION_H
#define WEIR_REPORT_SECTION_H

#include "core/judgement.h"
#include "report/report.h"
#include "report/writer.h"

/* What a report is about. */
struct comparison {
	const struct session *session;
	const struct report_options *options;
	const struct window *windows[REPORT_WINDOWS]; /* A, B, ... */
	size_t window_count;
	bool whole; /* nobody set a window: the only one stands for the session */
	bool dated; /* longer than a day's clock can tell: times with their date */
	nsec last;  /* session time of the session's last tick */
	int zone_minutes;
	struct judgement judgements[REPORT_WINDOWS]; /* each against A; [0] is empty */
	struct families families;
	/* What stands for each letter: its window alone, or all of its name; then
	 * MERGED holds their summaries, by track. */
	struct side sides[REPORT_WINDOWS];
	struct summary **merged[REPORT_WINDOWS];
	struct run_row *run_rows; /* report/runs.h */
	size_t run_row_count;
};

struct section {
	const char *id;
	void (*write)(const struct comparison *comparison, struct writer *writer);
};

extern const struct section section_header, section_result, section_disks,
	section_mounts, section_network, section_peers, section_transports,
	section_host, section_changed, section_matched, section_packets,
	section_notseen, section_notes, section_method;

/* The letter of window INDEX, as a key: "A". */
const char *window_letter(size_t index);
/* Where WINDOW ends: one that still runs at the last tick. */
nsec window_end(const struct comparison *comparison, const struct window *window);
bool window_holds(
	const struct comparison *comparison, const struct window *window, nsec at);
/* Whether AT lies in a window of letter INDEX. */
bool side_holds(const struct comparison *comparison, size_t index, nsec at);
/* Window I of letter INDEX. */
const struct window *side_window(
	const struct comparison *comparison, size_t index, size_t i);
/* As side_holds(), but not at its very beginning. */
bool side_inside(const struct comparison *comparison, size_t index, nsec at);
struct coverage side_coverage(const struct comparison *comparison, size_t index);
bool side_has(const struct comparison *comparison, size_t index, uint32_t id);

/* Fills in what stands for each letter; and lets go of it. */
void sides_take(struct comparison *comparison);
void sides_fini(struct comparison *comparison);
/* A line for each letter that stands for several windows, and what was left out. */
void write_sides(const struct comparison *comparison, struct writer *writer);

/* From the beginning of the first window to the end of the last. */
nsec comparison_from(const struct comparison *comparison);
nsec comparison_to(const struct comparison *comparison);

/* Cells that several sections write. */
struct cell cell_count(uint64_t count);
struct cell cell_when(const struct comparison *comparison, nsec at); /* 02:06:10 */
struct cell cell_date(const struct comparison *comparison, nsec at);
struct cell cell_length(nsec length); /* seconds; "10m00s" */

/* Shorthand for writer->ops->... */
void write_cell(struct writer *writer, struct cell cell);
void write_pair(
	struct writer *writer, const char *id, const char *label, struct cell cell);
void write_line(struct writer *writer, const char *id, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

#endif
