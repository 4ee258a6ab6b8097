/* Reports on made-up sessions: golden pages, and their key figures from arithmetic on
 * the counters that went in. */
#include "config.h"

#include "report/report.h"

#include "packet/class.h"
#include "report_page.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

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
	check_row(
		text, "2  DISKS", "queue ", "9.00 9.00 9.00 28.0 28.0 28.0 3.1x load");
	check_row(text, "2  DISKS", "read wait ms",
		"6.00 6.00 6.00 22.4 22.4 22.4 3.7x load");
	check_row(text, "2  DISKS", "read MB/s",
		"6.55 6.55 6.55 5.24 5.24 5.24 -20% const");
	/* 592 ticks of 22 and 8 of 251: mean 25.05; p95 is 22, to a bucket of 6 % */
	check_row(text, "2  DISKS", "queue max",
		"25.1 22.5 251 49.0 49.0 49.0 +96% load");
	/* 105125000 bytes are 841 Mb */
	check_row(text, "3  NETWORK", "rx Mb/s", "841 841 841 841 841 841 = const");
	/* 721 of 900 * 10000 segments are 80.1 per million; 2 are too few */
	check_row(text, "5  BAD", "retransmissions tx", "2 - - 721 - 80.1 few few");
	check_has(text, "600 of 600 ");
	check_has(text, "900 of 900 ");
	check_has(text, "A 0 of 3.00M  B 0 of 4.50M");
	buffer_fini(&page);
	check_report(recording.session, "two-windows");
	recording_fini(&recording);
}

/* Two short windows: a disk three times as busy comes before an idle processor's first
 * interrupt, which is no move of a processor at all. */
static void a_step_of_an_idle_processor_is_no_move(void **state)
{
	struct recording recording;
	struct buffer page = {0};
	size_t disk, soft, all;
	uint32_t host;

	(void)state;
	recording_init(&recording, 0);
	disk = add_disk(&recording, "sda");
	host = recording_subject(&recording, KIND_HOST, "host", "", "");
	soft = recording_series(&recording, host, RAW_CPU_BUSIEST_SOFTIRQ, 0);
	all = recording_series(&recording, host, RAW_CPU_ALL, 50);
	(void)recording_window(&recording, ROLE_BEFORE, "BEFORE", 0, 20);
	(void)recording_window(&recording, ROLE_AFTER, "AFTER", 20, 40);
	recording_ticks(&recording, 21);
	load_disk(&recording, disk, 300, 1800, 27000);
	recording.step[soft] = 9; /* thousandths: 0.9 % */
	recording.step[all] = 70; /* 5 > 7 % */
	recording_ticks(&recording, 21);
	write_report(recording.session, REPORT_TEXT, &page);
	check_row(buffer_string(&page), "1  RESULT", "sda             queue ",
		"9.00 > 27.0 3.0x");
	check_row(buffer_string(&page), "1  RESULT", "host            all cores %",
		"5.00 > 7.00 +40%");
	check_lacks(buffer_string(&page), "host            its softirq %     ");
	buffer_fini(&page);
	recording_fini(&recording);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(two_windows_stand_side_by_side),
		cmocka_unit_test(a_step_of_an_idle_processor_is_no_move),
	};

	return cmocka_run_group_tests_name("report", tests, NULL, NULL);
}
