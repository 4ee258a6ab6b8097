/* Reports on sessions that are not as they should be, or hold more than two windows. */
#include "config.h"

#include "report/report.h"

#include "json_page.h"
#include "report_page.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static const char *page_of(struct recording *recording, struct buffer *page)
{
	buffer_clear(page);
	write_report(recording->session, REPORT_TEXT, page);
	check_page(buffer_string(page));
	return buffer_string(page);
}

/* In B nothing completes from 02:07:20 on, for 40 s, and for the last 5 s. */
static void stalls_are_facts(void **state)
{
	struct recording recording;
	struct buffer page = {0};
	size_t disk, pending;
	const char *text;

	(void)state;
	recording_init(&recording, 0);
	disk = add_disk(&recording, "sda");
	pending = recording_series(&recording, recording.catalog.series[disk].subject,
		RAW_DISK_PENDING, 3);
	(void)recording_window(&recording, ROLE_BEFORE, "BEFORE", 0, 60);
	(void)recording_window(&recording, ROLE_AFTER, "AFTER", 60, 0);
	recording_ticks(&recording, 71); /* to 70 */
	load_disk(&recording, disk, 0, 0, 0);
	recording.step[pending] = 22;
	recording_ticks(&recording, 39); /* to 109 */
	load_disk(&recording, disk, 100, 600, 9000);
	recording_ticks(&recording, 10); /* to 119 */
	load_disk(&recording, disk, 0, 0, 0);
	recording_ticks(&recording, 5);
	text = page_of(&recording, &page);
	check_has(
		text, "FACT    B sda: STALL, nothing completed, 2 times, longest 40s");
	check_has(text, "from 02:07:20");
	check_has(text, "outstanding up to 22, not over");
	check_lacks(text, "A sda: STALL");
	buffer_clear(&page);
	write_report(recording.session, REPORT_JSON, &page);
	check_documented(buffer_string(&page));
	buffer_fini(&page);
	recording_fini(&recording);
}

/* A: the recorder is starved for 30 s, then a counter goes back. B: the host reboots,
 * and the disk's source is late for 5 ticks. */
static void gaps_and_resets_are_said_and_not_counted(void **state)
{
	struct recording recording;
	struct buffer page = {0};
	const char *text;
	size_t disk;

	(void)state;
	recording_init(&recording, 0);
	disk = add_disk(&recording, "sda");
	(void)recording_window(&recording, ROLE_BEFORE, "BEFORE", 0, 100);
	(void)recording_window(&recording, ROLE_AFTER, "AFTER", 100, 400);
	recording_ticks(&recording, 31);                          /* to 30 */
	recording_gap(&recording, GAP_MISSED, 30 * NSEC_PER_SEC); /* to 60 */
	recording_ticks(&recording, 20);
	for (size_t i = 0; i < DISK_SERIES; i++)
		recording.readings[disk + i].raw = 0;
	recording_ticks(&recording, 20);                        /* to 100 */
	recording_gap(&recording, GAP_RUN, 143 * NSEC_PER_SEC); /* to 243 */
	for (size_t i = 0; i < DISK_SERIES; i++)
		recording.readings[disk + i].why = WHY_LATE;
	recording_ticks(&recording, 5);
	for (size_t i = 0; i < DISK_SERIES; i++)
		recording.readings[disk + i].why = WHY_NONE;
	recording_ticks(&recording, 152); /* to 400 */
	recording_note(&recording, NOTE_ALERT, 20,
		"sda queue above 8.00 for 10s, now 9.00", NULL);

	text = page_of(&recording, &page);
	check_has(
		text, "02:06:40 - 02:07:10 (30s): the recorder was stopped or starved");
	check_has(text, "02:07:50 - 02:10:13 (2m23s): no recorder was running");
	check_has(text, "A lacks 29 of 100 samples");
	check_has(text, "FACT    A: 1 alert (below, among the notes)");
	check_has(text, "FACT    B: 0 alerts (below, among the notes)");
	check_has(text, "alert  sda queue above 8.00 for 10s, now 9.00");
	check_has(text, "FACT    the host was rebooted 1 time ");
	check_has(text, "sda queue and 5 more lack A 1 samples: a counter was reset");
	check_has(text,
		"sda queue and 9 more lack B 5 samples: the source did not answer");
	/* the rates are those of the rest: a gap and a reset are neither 0 nor a peak
	 */
	check_row(
		text, "2  DISKS", "read MB/s", "6.55 6.55 6.55 6.55 6.55 6.55 = short");
	buffer_fini(&page);
	check_report(recording.session, "gaps-and-resets");
	recording_fini(&recording);
}

static void without_windows_it_is_about_all_that_is_in_memory(void **state)
{
	struct recording recording;
	struct buffer page = {0};
	const char *text;

	(void)state;
	recording_init(&recording, 200);
	(void)add_disk(&recording, "sda");
	recording_ticks(&recording, 121);
	text = page_of(&recording, &page);
	check_has(text, "Nobody marked a window: this is about the whole session.");
	check_has(text,
		"A  SESSION         02:06:10       02:08:10       2m00s   120 of 120");
	check_has(text, "One window: there is nothing to compare.");
	/* mean, median, p95, max and 120 samples */
	check_row(text, "2  DISKS", "queue ", "9.00 9.00 9.00 9.00 9.00 120");
	assert_int_equal(recording.session->windows.count, 0); /* and none is left */
	buffer_fini(&page);
	check_report(recording.session, "no-windows");
	recording_fini(&recording);
}

static void a_session_without_ticks_is_a_fault(void **state)
{
	struct recording recording;
	struct report_options options = {.format = REPORT_TEXT};
	struct buffer page = {0};
	struct fault fault;

	(void)state;
	recording_init(&recording, 10);
	assert_false(report_write(recording.session, &options, &page, NULL, &fault));
	assert_string_equal(
		fault.text, "session demo has no ticks yet: nothing to report");
	assert_int_equal(page.size, 0);
	buffer_fini(&page);
	recording_fini(&recording);
}

/* Clean text may still hold quotes, backslashes and characters of any width; and a
 * session file from elsewhere bytes that are no text at all. */
static void hostile_names_break_neither_page_nor_json(void **state)
{
	struct recording recording;
	struct buffer page = {0};
	size_t disk;

	(void)state;
	recording_init(&recording, 0);
	disk = add_disk(&recording, "a\"b\\c");
	(void)load_disk(&recording, disk, 50, 600, 9000);
	(void)recording_subject(&recording, KIND_DISK, "a\"b\\c",
		"\xe5\xa4\x96\xe9\x83\xa8",
		"a label in Chinese and a very long detail that goes on and on, "
		"longer than a line of the page has columns, with a comma");
	(void)add_disk(&recording,
		"dm-name-of-63-bytes-aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa-end");
	(void)add_disk(&recording, "\xff\xfe\x1b[2J");
	(void)recording_window(&recording, ROLE_OTHER, "first", 0, 30);
	(void)recording_window(&recording, ROLE_OTHER, "second", 30, 60);
	recording_ticks(&recording, 62);
	recording_note(
		&recording, NOTE_TEXT, 5, "quote \" backslash \\ percent %s%n", NULL);
	recording_note(&recording, NOTE_TEXT, 6, "\x1b]0;title\x07 caf\xc3\xa9", NULL);
	check_lacks(page_of(&recording, &page), "\x1b");
	buffer_fini(&page);
	check_report(recording.session, "hostile-names");
	recording_fini(&recording);
}

/* `weir run copy -- cp ...` twice: 200 s, then 50 s; each writes 1310.72 MB. */
static void two_runs_are_facts_with_a_ratio(void **state)
{
	static const char *const names[] = {"copy", "copy"};
	struct recording recording;
	struct buffer page = {0};
	const char *text;
	size_t disk;

	(void)state;
	recording_init(&recording, 0);
	disk = add_disk(&recording, "sda");
	(void)recording_window(&recording, ROLE_RUN, "copy", 10, 210);
	(void)recording_window(&recording, ROLE_RUN, "copy", 300, 350);
	load_disk(&recording, disk, 0, 0, 0);
	recording_ticks(&recording, 11);
	recording.step[disk + WRITE_SECTORS] = 12800; /* 200 * 12800 * 512 */
	recording_ticks(&recording, 200);
	recording.step[disk + WRITE_SECTORS] = 0;
	recording_ticks(&recording, 90);
	recording.step[disk + WRITE_SECTORS] = 51200; /* 50 * 51200 * 512 */
	recording_ticks(&recording, 50);
	recording.step[disk + WRITE_SECTORS] = 0;
	recording_ticks(&recording, 10);

	write_windows(recording.session, names, 2, REPORT_TEXT, &page);
	text = buffer_string(&page);
	check_has(text,
		"A run copy: 200 s, exit status 0, disks read 0 B, wrote 1.31 GB");
	check_has(text,
		"B run copy: 50.0 s, exit status 0, disks read 0 B, wrote 1.31 GB");
	check_has(text, "time to the first run 1/4.0");
	check_has(text, "weir report -s demo copy copy");
	check_row(text, "2  DISKS", "write MB/s",
		"6.55 6.55 6.55 26.2 26.2 26.2 4.0x runs");
	buffer_fini(&page);
	check_report(recording.session, "runs"); /* the default is the last two */
	recording_fini(&recording);
}

static void attachments_are_printed_in_full_under_their_window(void **state)
{
	static const char counters[] =
		"GigabitEthernet1/0/1 is up\n"
		"\t0 runts, 12 CRC\n"
		"\n"
		"a line that is longer than the page is wide, so that it has to go on "
		"in the next one, twice, because it is really very long for a line of "
		"a switch\n"
		"last line without an end";
	struct recording recording;
	struct buffer page = {0};
	const char *text;

	(void)state;
	recording_init(&recording, 0);
	(void)add_disk(&recording, "sda");
	(void)recording_window(&recording, ROLE_BEFORE, "BEFORE", 0, 30);
	(void)recording_window(&recording, ROLE_AFTER, "AFTER", 30, 0); /* open */
	recording_ticks(&recording, 61);
	recording_note(&recording, NOTE_ATTACHMENT, 10, "switch port 1", counters);
	recording_note(&recording, NOTE_ATTACHMENT, 40, "empty", "");
	text = page_of(&recording, &page);
	check_has(text, "    02:06:20       file   switch port 1 (admin)\n"
			"    | GigabitEthernet1/0/1 is up\n"
			"    |         0 runts, 12 CRC\n"
			"    |\n");
	check_has(text, "    + ");
	check_has(text, "    | last line without an end\n");
	check_has(text,
		"B  AFTER           02:06:40       02:07:10       30s     30 of 30");
	buffer_fini(&page);
	check_report(recording.session, "attachments");
	recording_fini(&recording);
}

/* Three settings that do nothing and a fourth that gives four times the throughput. */
static void several_changes_stand_beside_one_baseline(void **state)
{
	static const char *const names[] = {"before", "after", "vmq", "rss", "signing"};
	static const uint64_t reads[] = {25, 25, 24, 26, 100};
	struct recording recording;
	struct buffer page = {0};
	const char *text;
	size_t disk;

	(void)state;
	recording_init(&recording, 0);
	disk = add_disk(&recording, "sda");
	(void)recording_window(&recording, ROLE_BEFORE, "BEFORE", 0, 60);
	(void)recording_window(&recording, ROLE_AFTER, "AFTER", 60, 120);
	(void)recording_window(&recording, ROLE_OTHER, "vmq", 120, 180);
	(void)recording_window(&recording, ROLE_OTHER, "rss", 180, 240);
	(void)recording_window(&recording, ROLE_OTHER, "signing", 240, 300);
	recording_ticks(&recording, 1);
	for (size_t i = 0; i < 5; i++) {
		load_disk(&recording, disk, reads[i], reads[i] * 4, 900);
		recording_ticks(&recording, 60);
	}
	write_windows(recording.session, names, 5, REPORT_TEXT, &page);
	text = buffer_string(&page);
	check_page(text);
	check_row(text, "2  DISKS", "read ops /s", "25.0 25.0 24.0 26.0 100");
	buffer_fini(&page);
	recording_fini(&recording);
}

/* 60 disks are no table for a person; all of them are there for a machine. */
static void many_devices_do_not_bury_the_result(void **state)
{
	struct recording recording;
	struct buffer page = {0};
	size_t lines = 0;
	char name[16];

	(void)state;
	recording_init(&recording, 0);
	for (int i = 0; i < RECORDING_SERIES; i++) {
		uint32_t disk;

		(void)snprintf(name, sizeof name, "sd%02d", i);
		disk = recording_subject(&recording, KIND_DISK, name, "", "");
		(void)recording_series(&recording, disk, RAW_DISK_INFLIGHT_MAX, 3);
	}
	(void)recording_window(&recording, ROLE_BEFORE, "BEFORE", 0, 30);
	(void)recording_window(&recording, ROLE_AFTER, "AFTER", 30, 60);
	recording_ticks(&recording, 62);
	for (const char *at = page_of(&recording, &page); *at; at++)
		lines += *at == '\n';
	assert_in_range(lines, 60, 200);
	check_has(buffer_string(&page), "48 more without a clear change are in the");
	check_has(buffer_string(&page), "24 more, most of which did nothing, are in");
	buffer_clear(&page);
	write_report(recording.session, REPORT_CSV, &page);
	check_has(
		buffer_string(&page), "disks,figures,64,sd63,disk.queue.max,B,mean,3");
	buffer_fini(&page);
	recording_fini(&recording);
}

static void an_unknown_window_names_those_there_are(void **state)
{
	static const char *const names[] = {"BEFORE", "nosuch"};
	static const char *const thrice[] = {"before", "before"};
	struct report_options options = {.format = REPORT_TEXT};
	struct recording recording;
	struct fault fault;

	(void)state;
	recording_init(&recording, 0);
	assert_false(report_choose(recording.session, names, 2, &options, &fault));
	assert_string_equal(fault.text, "no window 'BEFORE'; there are: none");
	(void)recording_window(&recording, ROLE_BEFORE, "BEFORE", 0, 30);
	(void)recording_window(&recording, ROLE_AFTER, "AFTER 2", 30, 60);
	assert_false(report_choose(recording.session, names, 2, &options, &fault));
	assert_string_equal(
		fault.text, "no window 'nosuch'; there are: BEFORE, AFTER 2");
	assert_false(report_choose(recording.session, thrice, 2, &options, &fault));
	recording_fini(&recording);
}

static void an_unknown_format_names_those_there_are(void **state)
{
	enum report_format format;
	struct fault fault;

	(void)state;
	assert_true(report_format_find("json", &format, &fault));
	assert_int_equal(format, REPORT_JSON);
	assert_false(report_format_find("xml", &format, &fault));
	assert_string_equal(fault.text,
		"unknown report format 'xml'; there are: text, md, csv, json");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(stalls_are_facts),
		cmocka_unit_test(gaps_and_resets_are_said_and_not_counted),
		cmocka_unit_test(without_windows_it_is_about_all_that_is_in_memory),
		cmocka_unit_test(a_session_without_ticks_is_a_fault),
		cmocka_unit_test(hostile_names_break_neither_page_nor_json),
		cmocka_unit_test(two_runs_are_facts_with_a_ratio),
		cmocka_unit_test(attachments_are_printed_in_full_under_their_window),
		cmocka_unit_test(several_changes_stand_beside_one_baseline),
		cmocka_unit_test(many_devices_do_not_bury_the_result),
		cmocka_unit_test(an_unknown_window_names_those_there_are),
		cmocka_unit_test(an_unknown_format_names_those_there_are),
	};

	return cmocka_run_group_tests_name("report scenes", tests, NULL, NULL);
}
