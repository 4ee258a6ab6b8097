/* From ticks to figures, through the real encoding: what a viewer, a replay and a
 * report all see. */
#include "config.h"

#include "core/session.h"

#include "feed.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define S NSEC_PER_SEC

enum {
	RING = 60
};

static struct session *session;
static struct feed feed;

static int begin(void **state)
{
	(void)state;
	session = session_new("hba2nic", RING);
	feed_init(&feed, session);
	return 0;
}

static int end(void **state)
{
	(void)state;
	feed_fini(&feed);
	session_free(session);
	return 0;
}

static struct value figure(const char *name, const char *metric)
{
	static const enum kind kinds[] = {KIND_DISK, KIND_NIC, KIND_HOST};

	for (size_t i = 0; i < 3; i++) {
		int row = session_find_subject(session, kinds[i], name);

		if (row >= 0)
			return *session_figure(session, (uint32_t)row, metric);
	}
	return (struct value){.why = WHY_ABSENT};
}

static void assert_figure(const char *name, const char *metric, double expected)
{
	struct value value = figure(name, metric);

	assert_int_equal(value.why, WHY_NONE);
	assert_true(fabs(value.value - expected) <= 1e-9 * fabs(expected) + 1e-12);
}

static void assert_why(const char *name, const char *metric, enum why why)
{
	assert_int_equal(figure(name, metric).why, why);
}

static size_t track(const char *name, const char *metric)
{
	int row = session_find_subject(session, KIND_DISK, name);
	int found =
		session_track(session, (uint32_t)row, (unsigned)metric_find(metric));

	assert_true(found >= 0);
	return (size_t)found;
}

/* One disk that reads OPS more and has QUEUE in flight, a second later. */
static uint64_t total;
static void disk_tick(uint64_t ops, uint64_t queue)
{
	uint32_t disk = feed_subject(&feed, KIND_DISK, "sda", "wwid-1");

	total += ops;
	feed_set(&feed, disk, RAW_DISK_READ_OPS, total);
	feed_set(&feed, disk, RAW_DISK_READ_MS, total * 2);
	feed_set(&feed, disk, RAW_DISK_INFLIGHT, queue);
	feed_tick(&feed, S, 0);
}

static void the_first_tick_has_states_but_no_rates(void **state)
{
	(void)state;
	disk_tick(100, 4);
	assert_why("sda", "disk.read.ops", WHY_FIRST);
	assert_figure("sda", "disk.inflight", 4);
	disk_tick(50, 5);
	assert_figure("sda", "disk.read.ops", 50);
	assert_figure("sda", "disk.read.await", 0.002);
}

static void only_what_can_be_made_has_a_track(void **state)
{
	int row;

	(void)state;
	disk_tick(100, 4);
	row = session_find_subject(session, KIND_DISK, "sda");
	assert_true(
		session_track(session, 0, (unsigned)metric_find("disk.read.ops")) >= 0);
	assert_int_equal(
		session_track(session, 0, (unsigned)metric_find("disk.write.ops")), -1);
	assert_int_equal(
		session_track(session, 0, (unsigned)metric_find("disk.ops")), -1);
	assert_int_equal(
		session_track(session, 0, (unsigned)metric_find("net.rx.bytes")), -1);
	assert_int_equal(session_figure(session, (uint32_t)row, "disk.write.ops")->why,
		WHY_ABSENT);
	assert_int_equal(session_figure(session, (uint32_t)row, "no.such.metric")->why,
		WHY_ABSENT);
}

static void rates_are_zero_while_a_counter_rests_and_waits_are_not(void **state)
{
	(void)state;
	disk_tick(100, 0);
	disk_tick(0, 0);
	assert_figure("sda", "disk.read.ops", 0);
	assert_why("sda", "disk.read.await", WHY_NO_COMPLETION);
}

static void a_late_source_has_no_figures_and_then_one_over_the_real_interval(
	void **state)
{
	(void)state;
	disk_tick(100, 0);
	disk_tick(10, 3);
	feed_tick(&feed, S, 1u << KIND_DISK);
	assert_why("sda", "disk.read.ops", WHY_LATE);
	assert_why("sda", "disk.inflight", WHY_LATE);
	feed_none(&feed, 0, RAW_DISK_READ_OPS, WHY_LATE);
	feed_tick(&feed, S, 1u << KIND_DISK);
	assert_why("sda", "disk.read.ops", WHY_LATE);
	disk_tick(60, 1);
	assert_figure("sda", "disk.read.ops", 20);
	assert_true(fabs(figure("sda", "disk.read.ops").den - 3) < 1e-9);
}

static void a_gap_breaks_rates_but_not_states(void **state)
{
	(void)state;
	disk_tick(100, 1);
	disk_tick(10, 1);
	feed.tick.gap = GAP_SUSPEND;
	disk_tick(10, 7);
	assert_why("sda", "disk.read.ops", WHY_GAP);
	assert_figure("sda", "disk.inflight", 7);
	disk_tick(10, 1);
	assert_figure("sda", "disk.read.ops", 10);
}

static void a_gap_waits_for_a_source_that_is_late(void **state)
{
	(void)state;
	disk_tick(100, 1);
	feed.tick.gap = GAP_MISSED;
	feed_tick(&feed, 5 * S, 1u << KIND_DISK);
	assert_why("sda", "disk.inflight", WHY_LATE);
	disk_tick(10, 1);
	assert_why("sda", "disk.read.ops", WHY_GAP);
	disk_tick(10, 1);
	assert_figure("sda", "disk.read.ops", 10);
}

static void ticks_lost_on_the_way_are_a_gap_too(void **state)
{
	(void)state;
	disk_tick(100, 1);
	disk_tick(10, 1);
	feed.tick.at += 3 * S;
	feed.tick.mono += 3 * S;
	disk_tick(40, 1);
	assert_why("sda", "disk.read.ops", WHY_GAP);
	assert_int_equal(session->missed, 3);
	assert_int_equal(session->gap_count, 1);
	assert_int_equal(session->gaps[0].kind, GAP_MISSED);
	assert_int_equal(session->gaps[0].to - session->gaps[0].from, 4 * S);
}

static void a_counter_that_steps_back_is_a_reset_of_its_own(void **state)
{
	uint32_t disk;

	(void)state;
	disk_tick(100, 1);
	disk_tick(10, 1);
	disk = feed_subject(&feed, KIND_DISK, "sda", "wwid-1");
	feed_set(&feed, disk, RAW_DISK_READ_OPS, 3);
	feed_set(&feed, disk, RAW_DISK_READ_MS, 500);
	feed_tick(&feed, S, 0);
	assert_why("sda", "disk.read.ops", WHY_RESET);
	assert_why("sda", "disk.read.await", WHY_RESET);
	feed_set(&feed, disk, RAW_DISK_READ_OPS, 9);
	feed_tick(&feed, S, 0);
	assert_figure("sda", "disk.read.ops", 6);
}

static void a_device_that_goes_is_absent_and_begins_anew_when_it_returns(void **state)
{
	(void)state;
	disk_tick(100, 1);
	disk_tick(10, 1);
	assert_true(session->present[0]);
	feed_none(&feed, 0, RAW_DISK_READ_OPS, WHY_ABSENT);
	feed_none(&feed, 0, RAW_DISK_READ_MS, WHY_ABSENT);
	feed_none(&feed, 0, RAW_DISK_INFLIGHT, WHY_ABSENT);
	feed_tick(&feed, S, 0);
	assert_false(session->present[0]);
	assert_why("sda", "disk.read.ops", WHY_ABSENT);
	disk_tick(10, 1);
	assert_why("sda", "disk.read.ops", WHY_FIRST);
	disk_tick(10, 1);
	assert_figure("sda", "disk.read.ops", 10);
}

static void after_a_reboot_the_same_device_is_the_same_row(void **state)
{
	uint32_t disk;

	(void)state;
	disk_tick(100, 1);
	disk_tick(10, 1);
	feed_run(&feed);
	feed.tick.mono = 20 * S;
	/* Names have changed places; the identity has not. */
	disk = feed_subject(&feed, KIND_DISK, "sda", "wwid-2");
	feed_set(&feed, disk, RAW_DISK_READ_OPS, 9);
	disk = feed_subject(&feed, KIND_DISK, "sdb", "wwid-1");
	feed_set(&feed, disk, RAW_DISK_READ_OPS, 4);
	feed_tick(&feed, 100 * S, 0);
	assert_int_equal(session->subject_count, 2);
	assert_string_equal(session->subjects[0].id, "wwid-1");
	assert_string_equal(session->subjects[0].name, "sdb");
	assert_why("sdb", "disk.read.ops", WHY_GAP);
	assert_why("sda", "disk.read.ops", WHY_FIRST);
	assert_why("sdb", "disk.inflight", WHY_ABSENT); /* not read by this run */
	feed_set(&feed, disk, RAW_DISK_READ_OPS, 5);
	feed_tick(&feed, S, 0);
	assert_figure("sdb", "disk.read.ops", 1);
	assert_int_equal(session->last.run, 2);
	assert_int_equal(session->gaps[0].kind, GAP_RUN);
}

static void without_an_identity_the_name_decides(void **state)
{
	uint32_t card = feed_subject(&feed, KIND_NIC, "eth0", "");

	(void)state;
	feed_set(&feed, card, RAW_NET_RX_BYTES, 1);
	feed_tick(&feed, S, 0);
	feed_run(&feed);
	card = feed_subject(&feed, KIND_NIC, "eth1", "");
	feed_set(&feed, card, RAW_NET_RX_BYTES, 1);
	card = feed_subject(&feed, KIND_NIC, "eth0", "");
	feed_set(&feed, card, RAW_NET_RX_BYTES, 2);
	feed_tick(&feed, S, 0);
	assert_int_equal(session->subject_count, 2);
	assert_why("eth0", "net.rx.bytes", WHY_GAP);
	assert_why("eth1", "net.rx.bytes", WHY_FIRST);
}

static void card_tick(uint64_t bytes, uint64_t packets)
{
	uint32_t card = feed_subject(&feed, KIND_NIC, "eth0", "");

	feed_set(&feed, card, RAW_NET_TX_BYTES, bytes);
	feed_set(&feed, card, RAW_NET_TX_PACKETS, packets);
	feed_tick(&feed, S, 0);
}

/* nvethernet: 683 MiB/s on an idle link, where the card had sent megabytes. */
static void bytes_that_no_packet_carried_are_no_figure(void **state)
{
	const uint64_t mib = UINT64_C(1) << 20;

	(void)state;
	card_tick(1000, 10);
	card_tick(1000 + 683 * mib, 11);
	assert_why("eth0", "net.tx.bytes", WHY_RESET);
	assert_figure("eth0", "net.tx.packets", 1);
	card_tick(10000 + 683 * mib, 12); /* a jumbo frame */
	assert_figure("eth0", "net.tx.bytes", 9000);
	card_tick(10000 + 684 * mib, 32); /* twenty merged packets */
	assert_figure("eth0", "net.tx.bytes", (double)mib);
}

static void two_paths_to_one_disk_stay_two_rows(void **state)
{
	(void)state;
	for (int run = 0; run < 3; run++) {
		feed_set(&feed, feed_subject(&feed, KIND_DISK, "sdb", "wwid"),
			RAW_DISK_READ_OPS, 1);
		feed_set(&feed, feed_subject(&feed, KIND_DISK, "sdc", "wwid"),
			RAW_DISK_READ_OPS, 1);
		feed_tick(&feed, S, 0);
		assert_int_equal(session->subject_count, 2);
		assert_string_equal(session->subjects[0].name, "sdb");
		assert_string_equal(session->subjects[1].name, "sdc");
		feed_run(&feed);
	}
}

static void bytes_come_from_libstatgrab_only_where_diskstats_has_none(void **state)
{
	uint32_t disk = feed_subject(&feed, KIND_DISK, "sda", "");

	(void)state;
	feed_set(&feed, disk, RAW_DISK_SG_READ_BYTES, 1000);
	feed_tick(&feed, S, 0);
	feed_set(&feed, disk, RAW_DISK_SG_READ_BYTES, 1700);
	feed_tick(&feed, S, 0);
	assert_figure("sda", "disk.read.bytes", 700);
	feed_set(&feed, disk, RAW_DISK_READ_SECTORS, 10);
	feed_set(&feed, disk, RAW_DISK_SG_READ_BYTES, 9999);
	feed_tick(&feed, S, 0);
	assert_why("sda", "disk.read.bytes", WHY_FIRST);
	feed_set(&feed, disk, RAW_DISK_READ_SECTORS, 12);
	feed_tick(&feed, S, 0);
	assert_figure("sda", "disk.read.bytes", 1024);
	assert_int_equal(session->track_count, 1);
}

static void more_than_thirty_devices_are_all_there(void **state)
{
	char name[16];

	(void)state;
	for (uint64_t n = 0; n < 3; n++) {
		for (unsigned i = 0; i < 300; i++) {
			(void)snprintf(name, sizeof name, "nic%u", i);
			feed_set(&feed, feed_subject(&feed, KIND_NIC, name, ""),
				RAW_NET_RX_BYTES, n * (i + 1));
		}
		feed_tick(&feed, S, 0);
	}
	assert_int_equal(session->subject_count, 300);
	assert_figure("nic0", "net.rx.bytes", 1);
	assert_figure("nic299", "net.rx.bytes", 300);
}

static void counters_remember_when_they_last_moved(void **state)
{
	(void)state;
	disk_tick(100, 1);
	assert_int_equal(session->tracks[track("sda", "disk.read.ops")].last_event, -1);
	disk_tick(1, 1);
	disk_tick(0, 1);
	disk_tick(0, 1);
	assert_int_equal(
		session->tracks[track("sda", "disk.read.ops")].last_event, 2 * S);
}

/* ---- runs and notes ---- */

static void wall_time_goes_by_the_run(void **state)
{
	const struct run one = {.number = 1, .from = 0, .wall = 1000 * S};
	const struct run two = {.number = 2, .from = 50 * S, .wall = 2000 * S};

	(void)state;
	assert_int_equal(session_wall(session, 5 * S), 0);
	session_run(session, &two);
	session_run(session, &one);
	session_run(session, &one);
	assert_int_equal(session->run_count, 2);
	assert_int_equal(session_wall(session, 5 * S), 1005 * S);
	assert_int_equal(session_wall(session, 49 * S), 1049 * S);
	assert_int_equal(session_wall(session, 60 * S), 2010 * S);
	assert_int_equal(session_wall(session, -S), 999 * S);
}

static void notes_stand_by_time_and_keep_their_text(void **state)
{
	char body[] = "port 7\nCRC 12\n";
	struct note note = {.id = 2, .at = 20, .text = "two", .body = body};

	(void)state;
	session_note(session, &note);
	body[0] = 'X'; /* the session has its own copy */
	session_note(session, &(struct note){.id = 1, .at = 10, .text = "one"});
	session_note(session, &(struct note){.id = 3, .at = 15, .text = "three"});
	assert_int_equal(session->note_count, 3);
	assert_string_equal(session->notes[0].text, "one");
	assert_string_equal(session->notes[1].text, "three");
	assert_string_equal(session->notes[2].body, "port 7\nCRC 12\n");
	session_note(session, &(struct note){.id = 2, .at = 5, .text = "moved"});
	assert_int_equal(session->note_count, 3);
	assert_string_equal(session->notes[0].text, "moved");
	session_remove_note(session, 1);
	session_remove_note(session, 77);
	assert_int_equal(session->note_count, 2);
}

static void ticks_that_were_there_before_are_ignored(void **state)
{
	uint64_t ticks;

	(void)state;
	disk_tick(1, 1);
	disk_tick(1, 1);
	ticks = session->ticks;
	session_put(session, &feed.decoder);
	assert_int_equal(session->ticks, ticks);
	assert_figure("sda", "disk.read.ops", 1);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(the_first_tick_has_states_but_no_rates),
		TEST(only_what_can_be_made_has_a_track),
		TEST(rates_are_zero_while_a_counter_rests_and_waits_are_not),
		TEST(a_late_source_has_no_figures_and_then_one_over_the_real_interval),
		TEST(a_gap_breaks_rates_but_not_states),
		TEST(a_gap_waits_for_a_source_that_is_late),
		TEST(ticks_lost_on_the_way_are_a_gap_too),
		TEST(a_counter_that_steps_back_is_a_reset_of_its_own),
		TEST(a_device_that_goes_is_absent_and_begins_anew_when_it_returns),
		TEST(after_a_reboot_the_same_device_is_the_same_row),
		TEST(without_an_identity_the_name_decides),
		TEST(bytes_that_no_packet_carried_are_no_figure),
		TEST(two_paths_to_one_disk_stay_two_rows),
		TEST(bytes_come_from_libstatgrab_only_where_diskstats_has_none),
		TEST(more_than_thirty_devices_are_all_there),
		TEST(counters_remember_when_they_last_moved),
		TEST(wall_time_goes_by_the_run),
		TEST(notes_stand_by_time_and_keep_their_text),
		TEST(ticks_that_were_there_before_are_ignored),
	};

	return cmocka_run_group_tests_name("session", tests, NULL, NULL);
}
