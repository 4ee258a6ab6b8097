/*
 * A report as a page, for tests: golden comparison and single rows; and the made-up
 * devices that the sessions of these tests are built from.
 */
#ifndef WEIR_TESTS_REPORT_PAGE_H
#define WEIR_TESTS_REPORT_PAGE_H

#include "base/buffer.h"
#include "recording.h"
#include "report/report.h"

void write_report(
	struct session *session, enum report_format format, struct buffer *out);
void write_windows(struct session *session, const char *const *names, size_t count,
	enum report_format format, struct buffer *out);

/* The text page on the windows NAMES alone: its figures are made by libm, whose last
 * digits differ from machine to machine, and JSON shows them. */
void check_text_page(struct session *session, const char *const *names, size_t count,
	const char *name);
/* Both formats of the default report against tests/golden/report/NAME.txt and .json.
 * With WEIR_GOLDEN=write in the environment the pages are written instead, to be
 * looked at before they are kept. */
void check_report(struct session *session, const char *name);
/* What holds for every page: ASCII, at most 80 columns, no tabs, no blanks at ends. */
void check_page(const char *text);

/* The line of LABEL below HEADING has exactly FIGURES, one blank apart. */
void check_row(
	const char *page, const char *heading, const char *label, const char *figures);
void check_has(const char *page, const char *text);
void check_lacks(const char *page, const char *text);

/* A disk that reads 100 times a second, 64 KiB each, waiting 6 ms, 9 in the queue.
 * Returns the place of its first series; the others follow. */
enum {
	READ_OPS,
	READ_SECTORS,
	READ_MS,
	WRITE_OPS,
	WRITE_SECTORS,
	WRITE_MS,
	WEIGHTED_MS,
	INFLIGHT_MAX,
	DISK_SERIES,
};
size_t add_disk(struct recording *recording, const char *name);
void load_disk(struct recording *recording, size_t first, uint64_t ops,
	uint64_t wait_ms, uint64_t weighted_ms);
unsigned packet_raw(const char *id, unsigned direction);

#endif
