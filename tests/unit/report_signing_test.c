/*
 * The second field case: the same copy over SMB with signing and without. The report
 * names the state of both windows, what it did to the throughput, and the busiest core,
 * and advises nothing.
 */
#include "config.h"

#include "report/report.h"

#include "report_page.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define SHARE "\\\\filer\\data"

enum {
	MB = 1000000
};

static void put(
	struct recording *recording, int64_t at, const char *key, const char *value)
{
	struct fact fact = {.at = at * NSEC_PER_SEC,
		.kind = KIND_MOUNT,
		.name = "/srv/data",
		.id = "/srv/data",
		.key = key,
		.value = value,
		.why = WHY_NONE};

	assert_true(session_fact(recording->session, &fact));
}

/* 25 MB/s and a core at 97 % for ten minutes, then 100 MB/s and a core at 31 %. */
static void copy_twice(struct recording *recording)
{
	size_t write, answers, is_signed, core, reads, read_us;
	uint32_t mount, call, host;

	recording_init(recording, 0);
	mount = recording_subject(recording, KIND_MOUNT, SHARE, "/srv/data",
		"SMB 3.1.1, signed, not encrypted");
	write = recording_series(recording, mount, RAW_MOUNT_WRITE_BYTES, 25 * MB);
	(void)recording_series(recording, mount, RAW_MOUNT_READ_BYTES, 0);
	answers = recording_series(recording, mount, RAW_MOUNT_ANSWERS, 25);
	(void)recording_series(recording, mount, RAW_MOUNT_INFLIGHT, 4);
	(void)recording_series(recording, mount, RAW_MOUNT_ENCRYPTED, 0);
	is_signed = recording_series(recording, mount, RAW_MOUNT_SIGNED, 1);
	call = recording_subject(recording, KIND_CALL, "filer WRITE", "", "");
	reads = recording_series(recording, call, RAW_CALL_OPS, 25);
	read_us = recording_series(recording, call, RAW_CALL_RTT_US, 25 * 40000);
	host = recording_subject(recording, KIND_HOST, "host", "", "");
	core = recording_series(recording, host, RAW_CPU_BUSIEST, 970);
	put(recording, 1, "smb.dialect", "3.1.1");
	put(recording, 1, "smb.signed", "yes");
	(void)recording_window(recording, ROLE_BEFORE, "signed", 0, 600);
	(void)recording_window(recording, ROLE_AFTER, "unsigned", 700, 1300);
	recording_ticks(recording, 650);
	put(recording, 650, "smb.signed", "no");
	recording->step[write] = 100 * MB;
	recording->step[answers] = recording->step[reads] = 100;
	recording->step[read_us] = 100 * 9000;
	recording->step[is_signed] = 0;
	recording->step[core] = 310;
	recording_ticks(recording, 660);
}

static void signing_stands_beside_throughput_and_core(void **state)
{
	struct recording recording;
	struct buffer page = {0};
	const char *text;

	(void)state;
	copy_twice(&recording);
	write_report(recording.session, REPORT_TEXT, &page);
	text = buffer_string(&page);
	check_page(text);
	check_has(text, "A /srv/data: signed, not encrypted; read 0, write 25.0 MB/s; "
			"busiest");
	check_has(text,
		"B /srv/data: not signed, not encrypted; read 0, write 100 MB/s;");
	check_has(text, "97 %");
	check_has(text, "31 %");
	check_row(text, "NETWORK MOUNTS", "write MB/s",
		"25.0 25.0 25.0 100 100 100 4.0x const");
	check_row(text, "WHAT CHANGED", "~ /srv/data", "smb.signed yes > no");
	/* 40 ms and 9 ms, 25 and 100 a second */
	check_row(
		text, "OPERATIONS OF MOUNTS", "filer WRITE", "40.0 25.0 - 9.00 100 -");
	check_lacks(text, "smb.dialect 3"); /* that is the same */
	check_lacks(text, "should");
	check_lacks(text, "advise");
	buffer_fini(&page);
	write_report(recording.session, REPORT_JSON, &page);
	check_has(buffer_string(&page), "\"busiest_core\": 0.97");
	buffer_fini(&page);
	recording_fini(&recording);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(signing_stands_beside_throughput_and_core),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
