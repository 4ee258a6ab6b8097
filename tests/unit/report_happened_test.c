/* What needs no test stands as a FACT in every format: a path lost, a session that
 * failed, a link that flapped, a class of bad packets that A did not have. */
#include "config.h"

#include "json_page.h"
#include "packet/class.h"
#include "recording.h"
#include "report/report.h"
#include "report_page.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static struct recording recording;
static size_t usable, link_up, changes, up, failures, bad, other;

static void make_series(void)
{
	uint32_t disk = recording_subject(&recording, KIND_DISK, "dm-0", "mpatha", "");
	uint32_t nic = recording_subject(&recording, KIND_NIC, "eno1", "", "");
	uint32_t session =
		recording_subject(&recording, KIND_TRANSPORT, "session1", "", "");

	(void)recording_series(&recording, disk, RAW_DISK_PATHS, 2);
	usable = recording_series(&recording, disk, RAW_DISK_PATHS_USABLE, 2);
	link_up = recording_series(&recording, nic, RAW_NET_LINK, 1);
	changes = recording_series(&recording, nic, RAW_NET_CARRIER_CHANGES, 0);
	bad = recording_series(&recording, nic, packet_raw("tcp.cksum", PACKET_RX), 0);
	other = recording_series(
		&recording, nic, packet_raw("ip4.cksum", PACKET_RX), 0);
	up = recording_series(&recording, session, RAW_TRANSPORT_UP, 1);
	failures = recording_series(&recording, session, RAW_TRANSPORT_FAILURES, 0);
}

/* In A: one bad IPv4 checksum. In B: for 10 s one path, no link, no session; three bad
 * TCP checksums and one more of IPv4. */
static int make(void **state)
{
	(void)state;
	recording_init(&recording, 0);
	make_series();
	(void)recording_window(&recording, ROLE_BEFORE, "BEFORE", 0, 100);
	(void)recording_window(&recording, ROLE_AFTER, "AFTER", 100, 200);
	recording_ticks(&recording, 51);
	recording.readings[other].raw++;
	recording_ticks(&recording, 50);
	recording.readings[bad].raw += 3;
	recording.readings[other].raw++;
	recording_ticks(&recording, 20);
	recording.readings[usable].raw = recording.readings[link_up].raw = 1;
	recording.step[usable] = 1;
	recording.readings[link_up].raw = recording.step[link_up] = 0;
	recording.readings[up].raw = recording.step[up] = 0;
	recording.readings[changes].raw++;
	recording.readings[failures].raw++;
	recording_ticks(&recording, 10);
	recording.step[usable] = recording.readings[usable].raw = 2;
	recording.step[link_up] = recording.readings[link_up].raw = 1;
	recording.step[up] = recording.readings[up].raw = 1;
	recording.readings[changes].raw++;
	recording_ticks(&recording, 70);
	return 0;
}

static int drop(void **state)
{
	(void)state;
	recording_fini(&recording);
	return 0;
}

static const char *page_in(enum report_format format, struct buffer *page)
{
	struct report_options options = {.format = format};
	struct fault fault;

	buffer_clear(page);
	assert_true(report_choose(recording.session, NULL, 0, &options, &fault));
	assert_true(report_write(recording.session, &options, page, NULL, &fault));
	return buffer_string(page);
}

static void each_is_a_fact_in_all_formats(void **state)
{
	static const char *const facts[] = {
		"B dm-0 mpatha: path lost, 1 of 2 usable at worst, 1.9 in the mean",
		"B session1: failed 1 time, not logged in or online in 10 of 100 ticks",
		"B eno1: carrier changed 2 times, link down in 10 of 100 ticks",
	};
	struct buffer page = {0};

	(void)state;
	for (unsigned format = 0; format < REPORT_FORMATS; format++) {
		const char *text = page_in((enum report_format)format, &page);

		check_has(text, "FACT");
		for (size_t i = 0; i < sizeof facts / sizeof *facts; i++)
			if (format != REPORT_TEXT) /* there it is folded */
				check_has(text, facts[i]);
	}
	buffer_fini(&page);
}

static void only_what_a_did_not_see_is_new(void **state)
{
	struct buffer page = {0};
	const char *text = page_in(REPORT_CSV, &page);

	(void)state;
	check_has(text, "B eno1: new bad packets, ");
	check_has(text, ": 3, none in A");
	check_lacks(text, ": 1, none in A"); /* A had one of IPv4 */
	check_lacks(text, "A eno1: new");
	buffer_fini(&page);
}

static void the_page_is_a_page_and_json_is_as_documented(void **state)
{
	struct buffer page = {0};

	(void)state;
	check_page(page_in(REPORT_TEXT, &page));
	check_has(buffer_string(&page), "FACT    B session1: failed 1 time");
	buffer_fini(&page);
	check_report(recording.session, "happened");
}

static void the_ticket_stands_in_the_head(void **state)
{
	struct buffer page = {0};

	(void)state;
	recording_note(&recording, NOTE_TEXT, 3, "tickets are slow today", NULL);
	check_lacks(page_in(REPORT_TEXT, &page), "Ticket ");
	recording_note(&recording, NOTE_TEXT, 4, "ticket: CHG-1 draft", NULL);
	recording_note(&recording, NOTE_TEXT, 5, "Ticket CHG-10442 new card", NULL);
	check_has(page_in(REPORT_TEXT, &page), "Ticket       CHG-10442 new card\n");
	check_has(page_in(REPORT_JSON, &page), "\"ticket\": \"CHG-10442 new card\"");
	check_lacks(page_in(REPORT_TEXT, &page), "Ticket       CHG-1 draft");
	buffer_fini(&page);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_is_a_fact_in_all_formats),
		cmocka_unit_test(only_what_a_did_not_see_is_new),
		cmocka_unit_test(the_page_is_a_page_and_json_is_as_documented),
		cmocka_unit_test(the_ticket_stands_in_the_head),
	};

	return cmocka_run_group_tests(tests, make, drop);
}
