/* Reports on made-up sessions: golden pages, and their key figures from arithmetic on
 * the counters that went in. */
#include "config.h"

#include "report/report.h"

#include "base/scan.h"
#include "packet/class.h"
#include "recording.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void write_report(
	struct session *session, enum report_format format, struct buffer *out)
{
	struct report_options options = {.format = format,
		.written = RECORDING_WALL + 2480 * NSEC_PER_SEC,
		.zone_minutes = 120,
		.author = "admin (sudo root)",
		.file = "/var/lib/weir/demo.weir"};
	struct fault fault = {.text = ""};

	if (!report_write(session, &options, out, &fault))
		fail_msg("%s", fault.text);
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
	*end = 0;
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
static void check_page(const char *text)
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

static void check_report(struct session *session, const char *name)
{
	struct buffer page = {0};

	write_report(session, REPORT_TEXT, &page);
	check_page(buffer_string(&page));
	check_golden(name, "txt", own_part(&page, "\n8  HOW"));
	buffer_clear(&page);
	write_report(session, REPORT_JSON, &page);
	check_golden(name, "json", own_part(&page, "\"method\""));
	buffer_fini(&page);
}

/* A disk that reads 100 times a second, 64 KiB each, waiting 6 ms, 9 in the queue. */
static size_t add_disk(struct recording *recording, const char *name)
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

enum {
	READ_OPS,
	READ_SECTORS,
	READ_MS,
	WRITE_OPS,
	WRITE_SECTORS,
	WRITE_MS,
	WEIGHTED_MS,
	INFLIGHT_MAX,
};

static void load_disk(struct recording *recording, size_t first, uint64_t ops,
	uint64_t wait_ms, uint64_t weighted_ms)
{
	recording->step[first + READ_OPS] = ops;
	recording->step[first + READ_SECTORS] = ops * 128;
	recording->step[first + READ_MS] = wait_ms;
	recording->step[first + WEIGHTED_MS] = weighted_ms;
}

static unsigned packet_raw(const char *id, unsigned direction)
{
	int found = packet_class_find(id);

	assert_true(found >= 0);
	return raw_packet((unsigned)found, direction);
}

/* BEFORE 10 minutes, CHANGE, AFTER 15 minutes: the queue of sda three times as deep,
 * and 721 retransmissions instead of 2. */
static void make_two_windows(struct recording *recording)
{
	size_t disk, lost;
	uint32_t nic, host;

	recording_init(recording, 0);
	disk = add_disk(recording, "sda");
	(void)add_disk(recording, "sdb");
	load_disk(recording, disk + INFLIGHT_MAX + 1, 0, 0, 0);
	nic = recording_subject(recording, KIND_NIC, "eno1", "", "ixgbe 0000:01:00.0");
	(void)recording_series(recording, nic, RAW_NET_RX_BYTES, 105125000);
	(void)recording_series(recording, nic, RAW_NET_RX_CRC, 0);
	(void)recording_series(recording, nic, RAW_CAPTURE_SEGMENTS, 10000);
	(void)recording_series(recording, nic, RAW_CAPTURE_FRAMES, 4000);
	(void)recording_series(recording, nic, RAW_CAPTURE_LOST, 0);
	lost = recording_series(
		recording, nic, packet_raw("tcp.retrans", PACKET_TX), 0);
	(void)recording_series(recording, nic, packet_raw("tcp.cksum", PACKET_RX), 0);
	(void)recording_series(
		recording, nic, packet_raw("tcp.cksum.good", PACKET_RX), 5000);
	(void)recording_series(
		recording, nic, packet_raw("tcp.cksum.offloaded", PACKET_TX), 3000);
	host = recording_subject(recording, KIND_HOST, "host", "", "");
	(void)recording_series(recording, host, RAW_CPU_BUSIEST, 310);
	(void)recording_series(recording, host, RAW_WEIR_CPU_NS, 3000000);
	(void)recording_window(recording, ROLE_BEFORE, "BEFORE", 0, 600);
	(void)recording_window(recording, ROLE_CHANGE, "CHANGE", 600, 1492);
	(void)recording_window(recording, ROLE_AFTER, "AFTER", 1492, 2392);

	recording_ticks(recording, 101); /* session time 0 to 100 */
	recording->step[lost] = 1;
	recording_ticks(recording, 2);
	recording->step[lost] = 0;
	recording_ticks(recording, 490); /* to 592 */
	recording->step[disk + INFLIGHT_MAX] = 251;
	recording_ticks(recording, 8);
	recording->step[disk + INFLIGHT_MAX] = 49;
	load_disk(recording, disk, 80, 1792, 28000);
	recording_ticks(recording, 892); /* to 1492 */
	recording->step[lost] = 1;
	recording_ticks(recording, 721);
	recording->step[lost] = 0;
	recording_ticks(recording, 179 + 20);
	recording_note(recording, NOTE_TEXT, 650, "old HBA out, card slot 3", NULL);
	recording_note(recording, NOTE_EVENT, 700, "sdc gone", NULL);
}

static const char *row_of(const char *page, const char *heading, const char *label)
{
	const char *at = strstr(page, heading);

	at = at ? strstr(at, label) : NULL;
	if (!at)
		fail_msg("no %s of %s", label, heading);
	return at;
}

static void check_row(
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

static void two_windows_stand_side_by_side(void **state)
{
	struct recording recording;
	struct buffer page = {0};
	const char *text;

	(void)state;
	make_two_windows(&recording);
	write_report(recording.session, REPORT_TEXT, &page);
	text = buffer_string(&page);
	/* 9000 and 28000 weighted ms a second; 600 ms of 100, 1792 ms of 80 reads;
	 * 12800 and 10240 sectors of 512 bytes a second */
	check_row(text, "2  DISKS", "queue ", "9.00 9.00 9.00 28.0 28.0 28.0 3.1x");
	check_row(
		text, "2  DISKS", "read wait ms", "6.00 6.00 6.00 22.4 22.4 22.4 3.7x");
	check_row(text, "2  DISKS", "read MB/s", "6.55 6.55 6.55 5.24 5.24 5.24 -20%");
	/* 592 ticks of 22 and 8 of 251: mean 25.05; p95 is 22, to a bucket of 6 % */
	check_row(text, "2  DISKS", "queue max", "25.1 22.5 251 49.0 49.0 49.0 +96%");
	/* 105125000 bytes are 841 Mb */
	check_row(text, "3  NETWORK", "rx Mb/s", "841 841 841 841 841 841 =");
	/* 721 of 900 * 10000 segments are 80.1 per million; 2 are too few */
	check_row(text, "5  BAD", "retransmissions tx", "2 - - 721 - 80.1 few");
	assert_non_null(strstr(text, "600 of 600 "));
	assert_non_null(strstr(text, "900 of 900 "));
	assert_non_null(strstr(text, "A 0 of 3.00M  B 0 of 4.50M"));
	buffer_fini(&page);
	check_report(recording.session, "two-windows");
	recording_fini(&recording);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(two_windows_stand_side_by_side),
	};

	return cmocka_run_group_tests_name("report", tests, NULL, NULL);
}
