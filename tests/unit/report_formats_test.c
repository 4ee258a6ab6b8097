/* The same report in every format: the figures are in each of them, and what comes
 * from outside breaks none. */
#include "config.h"

#include "report/report.h"

#include "base/scan.h"
#include "json_page.h"
#include "report_page.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* 30 s and 30 s of a disk with a name for every trap. */
static void make_hostile(struct recording *recording)
{
	size_t disk;

	recording_init(recording, 0);
	disk = add_disk(recording, "=a|b\"c,`d`_<e>");
	(void)recording_window(recording, ROLE_OTHER, "first", 0, 30);
	(void)recording_window(recording, ROLE_OTHER, "second", 30, 60);
	recording_ticks(recording, 31);
	load_disk(recording, disk, 50, 600, 9000);
	recording_ticks(recording, 30);
	recording_note(
		recording, NOTE_TEXT, 5, "# no [heading](x) <b> | no cell", NULL);
	recording_note(recording, NOTE_ATTACHMENT, 6, "switch",
		"one | line\n~~~\n~~~~~ no end of it\nlast");
}

enum {
	FIELDS = 8,
	FIELD = 600
};

/* One record of RFC 4180; moves *AT behind it. Returns how many fields it had. */
static size_t record(const char **at, char fields[FIELDS][FIELD])
{
	size_t count = 0, used = 0;
	bool inside = false;

	for (;; ++*at) {
		char sign = **at;

		assert_true(sign && count < FIELDS && used < FIELD);
		if (inside && sign == '"' && (*at)[1] == '"') {
			fields[count][used++] = *++*at;
		} else if (sign == '"') {
			assert_true(inside || used == 0);
			inside = !inside;
		} else if (!inside && (sign == ',' || sign == '\n')) {
			fields[count++][used] = 0;
			used = 0;
			if (sign == '\n')
				break;
		} else {
			fields[count][used++] = sign;
		}
	}
	++*at;
	return count;
}

/* The value of KEY of METRIC in WINDOW; null where there is none. */
static const char *csv_value(const char *text, const char *metric, const char *window,
	const char *key, char fields[FIELDS][FIELD])
{
	while (*text) {
		assert_int_equal(record(&text, fields), FIELDS);
		if (!strcmp(fields[4], metric) && !strcmp(fields[5], window) &&
			!strcmp(fields[6], key))
			return fields[7];
	}
	return NULL;
}

static void every_line_of_csv_says_of_what_its_figure_is(void **state)
{
	struct recording recording;
	struct buffer page = {0};
	char fields[FIELDS][FIELD];
	const char *text, *at;

	(void)state;
	make_hostile(&recording);
	write_report(recording.session, REPORT_CSV, &page);
	text = at = buffer_string(&page);
	assert_int_equal(record(&at, fields), FIELDS);
	assert_string_equal(fields[0], "section");
	/* 100 and 50 reads a second, 9 in the queue */
	assert_string_equal(
		csv_value(text, "disk.read.ops", "A", "mean", fields), "100");
	assert_string_equal(fields[0], "disks");
	assert_string_equal(fields[1], "figures");
	assert_string_equal(fields[3], "'=a|b\"c,`d`_<e>"); /* no formula */
	assert_string_equal(
		csv_value(text, "disk.read.ops", "B", "mean", fields), "50");
	assert_string_equal(csv_value(text, "disk.queue", "B", "mean", fields), "9");
	/* no write completed: no figure, and why */
	assert_string_equal(
		csv_value(text, "disk.write.await", "A", "mean", fields), "");
	assert_string_equal(csv_value(text, "disk.write.await", "A", "why", fields),
		"no-completion");
	assert_string_equal(csv_value(text, "", "A", "name", fields), "first");
	assert_string_equal(csv_value(text, "", "A", "body", fields),
		"one | line\n~~~\n~~~~~ no end of it\nlast");
	assert_null(csv_value(text, "disk.queue", "C", "mean", fields));
	buffer_fini(&page);
	recording_fini(&recording);
}

/* Columns of a line of a Markdown table: bars that are not escaped, less one. */
static int columns_of(const char *line)
{
	int count = -1;

	for (; *line; line++)
		if (*line == '\\' && line[1])
			line++;
		else
			count += *line == '|';
	return count;
}

/* Of each table all lines have the same number of columns. */
static size_t check_tables(char *text)
{
	size_t tables = 0;
	int columns = 0;
	char *line;

	while ((line = scan_line(&text))) {
		if (*line != '|') {
			columns = 0;
			continue;
		}
		tables += !columns;
		columns = columns ? columns : columns_of(line);
		assert_int_equal(columns_of(line), columns);
	}
	return tables;
}

static void names_break_neither_tables_nor_fences_of_markdown(void **state)
{
	struct recording recording;
	struct buffer page = {0};
	const char *text;

	(void)state;
	make_hostile(&recording);
	write_report(recording.session, REPORT_MD, &page);
	text = buffer_string(&page);
	check_has(text, "# CHANGE REPORT\n\nweir ");
	check_has(text, "## 1 RESULT\n");
	check_has(text, "=a\\|b\"c,\\`d\\`\\_\\<e\\>");
	check_has(text, "\\# no \\[heading\\](x) \\<b\\> \\| no cell");
	check_has(text, "| read ops /s |");
	/* longer than the longest in it */
	check_has(text, "\n~~~~~~~~\none | line\n~~~\n~~~~~ no end of it\nlast\n"
			"~~~~~~~~\n");
	assert_true(check_tables(buffer_string(&page)) > 3);
	buffer_fini(&page);
	recording_fini(&recording);
}

/* Whether any page shows the list that PATH is in, with something in it. */
static bool has_rows(const struct json_page *page, const char *path)
{
	const char *end = strrchr(path, '[');

	for (size_t i = 0; end && i < page->count; i++)
		if (page->keys[i].seen &&
			!strncmp(page->keys[i].path, path, (size_t)(end - path) + 2))
			return true;
	return !end;
}

/* Keys that no page of the collection shows are not documented. */
static void the_page_names_no_key_that_never_is(void **state)
{
	static const char *const names[] = {"two-windows", "runs", "changed",
		"attachments", "gaps-and-resets", "no-windows", "hostile-names"};
	static struct json_page page;
	const char *root = getenv("WEIR_SRC");
	struct buffer text = {0};
	struct fault fault;
	char path[200];

	(void)state;
	json_page_read(&page);
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		(void)snprintf(
			path, sizeof path, "/tests/golden/report/%s.json", names[i]);
		if (!scan_file(root ? root : ".", path, &text, 1 << 22, &fault))
			fail_msg("%s", fault.text);
		json_page_hold(&page, buffer_string(&text), false);
	}
	for (size_t i = 0; i < page.count; i++)
		if (!page.keys[i].seen && !page.keys[i].perhaps &&
			strncmp(page.keys[i].path, "method", 6) != 0 &&
			has_rows(&page, page.keys[i].path))
			fail_msg("no report has %s", page.keys[i].path);
	buffer_fini(&text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_line_of_csv_says_of_what_its_figure_is),
		cmocka_unit_test(names_break_neither_tables_nor_fences_of_markdown),
		cmocka_unit_test(the_page_names_no_key_that_never_is),
	};

	return cmocka_run_group_tests_name("report formats", tests, NULL, NULL);
}
