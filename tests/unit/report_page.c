/* A report as a page, for tests; see the header. */
#include "config.h"

#include "report_page.h"

#include "base/scan.h"
#include "json_page.h"
#include "packet/class.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

void write_windows(struct session *session, const char *const *names, size_t count,
	enum report_format format, struct buffer *out)
{
	struct report_options options = {.format = format,
		.written = RECORDING_WALL + 2480 * NSEC_PER_SEC,
		.zone_minutes = 120,
		.author = "admin (sudo root)",
		.file = "/var/lib/weir/demo.weir"};
	struct fault fault = {.text = ""};

	if (!report_choose(session, names, count, &options, &fault))
		fail_msg("%s", fault.text);
	if (!report_write(session, &options, out, NULL, &fault))
		fail_msg("%s", fault.text);
}

void write_report(
	struct session *session, enum report_format format, struct buffer *out)
{
	write_windows(session, NULL, 0, format, out);
}

/* The page as far as it is the report's own: without the version, and without the last
 * section, which quotes the table of metrics. */
static char *own_part(struct buffer *page, const char *last_section)
{
	char *text = buffer_string(page);
	char *at = strstr(text, PACKAGE_VERSION);
	char *end = strstr(text, last_section);

	assert_non_null(at);
	assert_non_null(end);
	while (*last_section == ' ' && end[-1] != '\n')
		end--; /* the number of the section is not its own */
	end[*last_section == ' ' ? -1 : 0] = 0;
	memcpy(at, "V.V.V", strlen(PACKAGE_VERSION) < 5 ? strlen(PACKAGE_VERSION) : 5);
	return text;
}

static char *golden_path(char *path, size_t size, const char *name, const char *ending)
{
	const char *root = getenv("WEIR_SRC");

	(void)snprintf(path, size, "%s/tests/golden/report/%s.%s", root ? root : ".",
		name, ending);
	return path;
}

/* Compares with the golden page. With WEIR_GOLDEN=write in the environment the page is
 * written instead, to be looked at before it is kept. */
static void check_golden(const char *name, const char *ending, const char *text)
{
	const char *mode = getenv("WEIR_GOLDEN");
	struct buffer wanted = {0};
	struct fault fault;
	char path[4096];

	golden_path(path, sizeof path, name, ending);
	if (mode && !strcmp(mode, "write")) {
		FILE *file = fopen(path, "w");

		assert_non_null(file);
		assert_true(fputs(text, file) >= 0);
		assert_int_equal(fclose(file), 0);
	}
	if (!scan_file("", path, &wanted, 1 << 22, &fault))
		fail_msg("%s", fault.text);
	assert_string_equal(text, buffer_string(&wanted));
	buffer_fini(&wanted);
}

/* What holds for every page: ASCII, at most 80 columns, no tabs, no blanks at ends. */
void check_page(const char *text)
{
	size_t column = 0;

	for (const char *at = text; *at; at++) {
		if (*at == '\n') {
			assert_true(at == text || at[-1] != ' ');
			column = 0;
			continue;
		}
		assert_in_range((unsigned char)*at, 0x20, 0x7e);
		if (++column > 80)
			fail_msg("more than 80 columns: %.80s", at - 80);
	}
	assert_int_equal(column, 0);
}

void check_text_page(struct session *session, const char *const *names, size_t count,
	const char *name)
{
	struct buffer page = {0};

	write_windows(session, names, count, REPORT_TEXT, &page);
	check_page(buffer_string(&page));
	check_golden(name, "txt", own_part(&page, "  HOW IT WAS MEASURED"));
	buffer_fini(&page);
}

void check_report(struct session *session, const char *name)
{
	struct buffer page = {0};

	check_text_page(session, NULL, 0, name);
	write_report(session, REPORT_JSON, &page);
	check_documented(buffer_string(&page));
	check_golden(name, "json", own_part(&page, "\"method\""));
	buffer_fini(&page);
}

static const char *row_of(const char *page, const char *heading, const char *label)
{
	const char *at = strstr(page, heading);

	at = at ? strstr(at, label) : NULL;
	if (!at)
		fail_msg("no %s of %s", label, heading);
	return at;
}

void check_row(
	const char *page, const char *heading, const char *label, const char *figures)
{
	char wanted[128], line[128];
	const char *at = row_of(page, heading, label) + strlen(label);
	size_t used = 0;

	for (; *at && *at != '\n' && used + 1 < sizeof line; at++)
		if (*at != ' ' || (used && line[used - 1] != ' '))
			line[used++] = *at;
	line[used] = 0;
	(void)snprintf(wanted, sizeof wanted, "%s", figures);
	assert_string_equal(line, wanted);
}

/* A disk that reads 100 times a second, 64 KiB each, waiting 6 ms, 9 in the queue. */
size_t add_disk(struct recording *recording, const char *name)
{
	uint32_t disk = recording_subject(
		recording, KIND_DISK, name, "/var/mail", "scsi, 1.92 TB");
	size_t first = recording_series(recording, disk, RAW_DISK_READ_OPS, 100);

	(void)recording_series(recording, disk, RAW_DISK_READ_SECTORS, 12800);
	(void)recording_series(recording, disk, RAW_DISK_READ_MS, 600);
	(void)recording_series(recording, disk, RAW_DISK_WRITE_OPS, 0);
	(void)recording_series(recording, disk, RAW_DISK_WRITE_SECTORS, 0);
	(void)recording_series(recording, disk, RAW_DISK_WRITE_MS, 0);
	(void)recording_series(recording, disk, RAW_DISK_WEIGHTED_MS, 9000);
	(void)recording_series(recording, disk, RAW_DISK_INFLIGHT_MAX, 22);
	return first;
}

void load_disk(struct recording *recording, size_t first, uint64_t ops,
	uint64_t wait_ms, uint64_t weighted_ms)
{
	recording->step[first + READ_OPS] = ops;
	recording->step[first + READ_SECTORS] = ops * 128;
	recording->step[first + READ_MS] = wait_ms;
	recording->step[first + WEIGHTED_MS] = weighted_ms;
}

unsigned packet_raw(const char *id, unsigned direction)
{
	int found = packet_class_find(id);

	assert_true(found >= 0);
	return raw_packet((unsigned)found, direction);
}

void check_has(const char *page, const char *text)
{
	if (!strstr(page, text))
		fail_msg("the page lacks: %s", text);
}

void check_lacks(const char *page, const char *text)
{
	if (strstr(page, text))
		fail_msg("the page has: %s", text);
}
