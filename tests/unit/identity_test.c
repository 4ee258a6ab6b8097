/*
 * Devices that come, go, are renamed or made anew, through the whole way of a reading:
 * a written /proc and /sys, the sources, the collector, the encoding, the session. The
 * same LUN keeps its row, another one gets its own, and no figure is made over a seam.
 */
#include "config.h"

#include "app/collector.h"
#include "base/clock.h"
#include "core/session.h"
#include "fake_root.h"
#include "source/diskstats.h"
#include "source/table.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const struct source *const list[] = {&source_diskstats, &source_inflight,
	&source_netsysfs, &source_config_disk, NULL};

static struct fake_root root;
static struct collector *collector;
static struct session *session;
static struct tick_encoder encoder;
static struct tick_decoder decoder;
static struct tick tick;
static struct facts facts;

static void start_run(void)
{
	collector = collector_new(list, &root.env);
	tick.run++;
	tick.gap = GAP_RUN;
	memset(tick.stamps, 0, sizeof tick.stamps);
}

static void end_run(void)
{
	collector_free(collector);
	tick_encoder_fini(&encoder);
	encoder = (struct tick_encoder){0};
}

static int begin(void **unused)
{
	(void)unused;
	fake_root_make(&root);
	session = session_new("identity", 60);
	tick = (struct tick){.interval = NSEC_PER_SEC, .wall = NSEC_PER_SEC};
	start_run();
	return 0;
}

static int end(void **unused)
{
	(void)unused;
	end_run();
	tick_decoder_fini(&decoder);
	decoder = (struct tick_decoder){0};
	session_free(session);
	facts_fini(&facts);
	fake_root_remove(&root);
	return 0;
}

static void a_tick(void)
{
	struct buffer bytes = {0};
	struct fault fault = {0};
	bool have = false, full;

	tick.at += NSEC_PER_SEC;
	tick.wall += NSEC_PER_SEC;
	tick.mono = clock_mono();
	full = collector_read(collector, tick.mono + 10 * NSEC_PER_SEC, &tick);
	collector_facts(collector, &facts);
	(void)tick_encode(&encoder, &tick, full, &bytes);
	assert_true(tick_decode(&decoder, bytes.data, bytes.size, &have, &fault));
	assert_true(have);
	session_put(session, &decoder);
	tick.gap = GAP_NONE;
	buffer_fini(&bytes);
}

/* Two sources look for devices at once when a run begins: one of them may be late. */
static void settle(void)
{
	a_tick();
	a_tick();
}

static bool was_told(const char *event)
{
	const char *one;

	for (size_t i = 0; (one = collector_event(collector, i)); i++)
		if (!strcmp(one, event))
			return true;
	return false;
}

static void add_disk(const char *name, const char *wwid, int sequence)
{
	char path[100];

	fake_disk(&root, name, "LUN");
	(void)snprintf(path, sizeof path, "sys/block/%s/device/wwid", name);
	fake_file(&root, path, "%s\n", wwid);
	(void)snprintf(path, sizeof path, "sys/block/%s/diskseq", name);
	fake_file(&root, path, "%d\n", sequence);
}

static void remove_disk(const char *name)
{
	char path[100];

	(void)snprintf(path, sizeof path, "sys/block/%s", name);
	fake_remove(&root, path);
}

/* One disk or two with so many reads each; a null name ends the list. */
static void counters(const char *a, int a_reads, const char *b, int b_reads)
{
	char line[2][100] = {"", ""};

	(void)snprintf(
		line[0], sizeof line[0], "8 0 %s %d 0 0 0 0 0 0 0 0 0 0\n", a, a_reads);
	if (b)
		(void)snprintf(line[1], sizeof line[1],
			"8 16 %s %d 0 0 0 0 0 0 0 0 0 0\n", b, b_reads);
	fake_file(&root, "proc/diskstats", "%s%s", line[0], line[1]);
}

static size_t disks(void)
{
	size_t count = 0;

	for (size_t i = 0; i < session->subject_count; i++)
		count += session->subjects[i].kind == KIND_DISK;
	return count;
}

static uint32_t row(enum kind kind, const char *name)
{
	int found = session_find_subject(session, kind, name);

	if (found < 0)
		fail_msg("no row %s", name);
	return (uint32_t)found;
}

static size_t reads_track(uint32_t subject)
{
	int track =
		session_track(session, subject, (unsigned)metric_find("disk.read.ops"));

	assert_true(track >= 0);
	return (size_t)track;
}

static struct value reads(const char *name)
{
	return *session_figure(session, row(KIND_DISK, name), "disk.read.ops");
}

/* Whatever a tick's true length is, a figure of the tests is above 0 or it is 0. */
static void assert_moves(const char *name)
{
	struct value value = reads(name);

	assert_int_equal(value.why, WHY_NONE);
	assert_true(value.value > 0 && value.num == 10);
}

static void a_disk_that_is_renamed_keeps_its_row(void **unused)
{
	uint32_t before;

	(void)unused;
	add_disk("sda", "naa.a", 1);
	add_disk("sdb", "naa.b", 2);
	counters("sda", 100, "sdb", 1000);
	settle();
	counters("sda", 110, "sdb", 1010);
	a_tick();
	assert_moves("sdb");
	before = row(KIND_DISK, "sdb");
	remove_disk("sdb");
	add_disk("sdc", "naa.b", 3);
	counters("sda", 120, "sdc", 5); /* its counters began anew */
	a_tick();
	assert_true(was_told("sdc new: it was called sdb before"));
	assert_moves("sda");
	assert_int_not_equal(session->tracks[reads_track(before)].now.why, WHY_NONE);
	counters("sda", 130, "sdc", 15);
	a_tick();
	assert_int_equal(row(KIND_DISK, "sdc"), before);
	assert_int_not_equal(reads("sdc").why, WHY_NONE);
	assert_int_equal(session_find_subject(session, KIND_DISK, "sdb"), -1);
	assert_int_equal(disks(), 2);
	counters("sda", 140, "sdc", 25);
	a_tick();
	assert_moves("sdc");
	/* and back: the same row again, under its old name */
	remove_disk("sdc");
	add_disk("sdb", "naa.b", 4);
	for (int i = 0; i < 3; i++) {
		counters("sda", 150 + 10 * i, "sdb", 2 + 10 * i);
		a_tick();
	}
	assert_int_equal(row(KIND_DISK, "sdb"), before);
	assert_int_equal(disks(), 2);
	assert_moves("sdb");
}

static void a_disk_made_anew_is_the_same_row_and_another_one_is_not(void **unused)
{
	uint32_t before;

	(void)unused;
	add_disk("sda", "naa.a", 1);
	counters("sda", 100, NULL, 0);
	settle();
	counters("sda", 110, NULL, 0);
	a_tick();
	assert_moves("sda");
	before = row(KIND_DISK, "sda");
	/* the same LUN, removed and scanned again: its counter is higher by chance */
	fake_file(&root, "sys/block/sda/diskseq", "2\n");
	counters("sda", 7, NULL, 0);
	a_tick();
	assert_true(was_told("sda was removed and added again"));
	assert_int_not_equal(reads("sda").why, WHY_NONE);
	counters("sda", 17, NULL, 0);
	a_tick();
	counters("sda", 27, NULL, 0);
	a_tick();
	assert_moves("sda");
	assert_int_equal(row(KIND_DISK, "sda"), before);
	/* another LUN under the same name */
	fake_file(&root, "sys/block/sda/device/wwid", "naa.z\n");
	fake_file(&root, "sys/block/sda/diskseq", "3\n");
	counters("sda", 3, NULL, 0);
	a_tick();
	assert_true(was_told("sda is another device now"));
	counters("sda", 13, NULL, 0);
	a_tick();
	assert_int_equal(disks(), 2);
	assert_moves("sda");
	assert_string_equal(session->subjects[before].id, "naa.a");
	assert_false(session->present[before]);
}

static void after_a_reboot_names_change_and_rows_do_not(void **unused)
{
	uint32_t a, b;

	(void)unused;
	add_disk("sda", "naa.a", 1);
	add_disk("sdb", "naa.b", 2);
	counters("sda", 1000, "sdb", 2000);
	settle();
	counters("sda", 1010, "sdb", 2010);
	a_tick();
	a = row(KIND_DISK, "sda");
	b = row(KIND_DISK, "sdb");
	end_run();
	remove_disk("sda");
	remove_disk("sdb");
	add_disk("sda", "naa.b", 1); /* found in another order */
	add_disk("sdb", "naa.a", 2);
	counters("sda", 20, "sdb", 10);
	tick.at += 100 * NSEC_PER_SEC;
	start_run();
	a_tick();
	assert_int_not_equal(session->tracks[reads_track(b)].now.why, WHY_NONE);
	settle();
	assert_int_equal(row(KIND_DISK, "sda"), b);
	assert_int_equal(row(KIND_DISK, "sdb"), a);
	counters("sda", 30, "sdb", 20);
	a_tick();
	assert_moves("sda");
	assert_moves("sdb");
	assert_int_equal(disks(), 2);
}

static void two_paths_to_one_lun_stay_two_rows_when_one_goes_and_comes(void **unused)
{
	(void)unused;
	add_disk("sda", "naa.a", 1);
	add_disk("sdb", "naa.a", 2);
	counters("sda", 100, "sdb", 100);
	settle();
	assert_int_equal(disks(), 2);
	remove_disk("sdb");
	for (int i = 0; i < 2; i++) { /* the sampler's thread may be a tick behind */
		counters("sda", 110 + 10 * i, NULL, 0);
		a_tick();
	}
	assert_false(session->present[row(KIND_DISK, "sdb")]);
	assert_moves("sda");
	add_disk("sdb", "naa.a", 3);
	for (int i = 0; i < 3; i++) {
		counters("sda", 130 + 10 * i, "sdb", 1 + 10 * i);
		a_tick();
	}
	assert_int_equal(disks(), 2);
	assert_moves("sda");
	assert_moves("sdb");
}

static void a_card(const char *name, int drops)
{
	char path[100];

	fake_nic(&root, name, "02:00:00:00:00:01");
	(void)snprintf(path, sizeof path, "sys/class/net/%s/device/vendor", name);
	fake_file(&root, path, "0x8086\n");
	(void)snprintf(
		path, sizeof path, "sys/class/net/%s/statistics/rx_dropped", name);
	fake_file(&root, path, "%d\n", drops);
}

/* A tool that looked it up by its old name reported 0 for a counter of 12,028. */
static void a_card_that_is_renamed_keeps_its_row_and_its_counters(void **unused)
{
	struct value value;
	uint32_t before;

	(void)unused;
	a_card("eth0", 12000);
	settle();
	a_card("eth0", 12028);
	a_tick();
	before = row(KIND_NIC, "eth0");
	value = *session_figure(session, before, "net.rx.dropped");
	assert_int_equal(value.why, WHY_NONE);
	assert_true(value.num == 28);
	fake_remove(&root, "sys/class/net/eth0");
	a_card("ens5f0", 12028);
	do { /* interfaces are looked for every few seconds */
		a_tick();
		value = *session_figure(session, before, "net.rx.dropped");
		assert_true(value.why != WHY_NONE || value.num == 0);
	} while (session_find_subject(session, KIND_NIC, "ens5f0") < 0);
	assert_int_equal(row(KIND_NIC, "ens5f0"), before);
	for (int i = 0; i < 2; i++)
		a_tick();
	a_card("ens5f0", 12030);
	a_tick();
	value = *session_figure(session, before, "net.rx.dropped");
	assert_int_equal(value.why, WHY_NONE);
	assert_true(value.num == 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)
		TEST(a_disk_that_is_renamed_keeps_its_row),
		TEST(a_disk_made_anew_is_the_same_row_and_another_one_is_not),
		TEST(after_a_reboot_names_change_and_rows_do_not),
		TEST(two_paths_to_one_lun_stay_two_rows_when_one_goes_and_comes),
		TEST(a_card_that_is_renamed_keeps_its_row_and_its_counters),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
