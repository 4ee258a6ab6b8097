/* iSCSI sessions and FC ports, read from trees as kernels of several ages lay them out.
 */
#include "config.h"

#include "core/backlog.h"
#include "core/fact.h"
#include "fake_root.h"
#include "source/table.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cmocka.h>

#define SESSION "sys/class/iscsi_session/session"
#define NAME    "192.0.2.9:3260 disk1"

/* Session NUMBER on host NUMBER + 2 to target "disk1" by the portal ADDRESS. */
static void login(const struct fake_root *root, int number, const char *address)
{
	char path[200], target[200];

	(void)snprintf(path, sizeof path, SESSION "%d/targetname", number);
	fake_file(root, path, "iqn.2001-04.example:disk1\n");
	(void)snprintf(path, sizeof path, SESSION "%d/state", number);
	fake_file(root, path, "LOGGED_IN\n");
	(void)snprintf(path, sizeof path, SESSION "%d/recovery_tmo", number);
	fake_file(root, path, "120\n");
	(void)snprintf(path, sizeof path, SESSION "%d/device", number);
	(void)snprintf(target, sizeof target,
		"../../../devices/platform/host%d/session%d", number + 2, number);
	fake_link(root, path, target);
	(void)snprintf(path, sizeof path,
		"sys/class/iscsi_connection/connection%d:0/persistent_address", number);
	fake_file(root, path, "%s\n", address);
	(void)snprintf(path, sizeof path,
		"sys/class/iscsi_connection/connection%d:0/persistent_port", number);
	fake_file(root, path, "3260\n");
	(void)snprintf(
		path, sizeof path, "sys/class/scsi_host/host%d/proc_name", number + 2);
	fake_file(root, path, "iscsi_tcp\n");
	(void)snprintf(path, sizeof path,
		"sys/devices/platform/host%d/session%d/power/control", number + 2,
		number);
	fake_file(root, path, "auto\n"); /* there is more than targets below it */
}

/* A disk of that session, and what it did so far. */
static void lun(
	const struct fake_root *root, int number, const char *name, const char *stat)
{
	char path[200];

	(void)snprintf(path, sizeof path,
		"sys/devices/platform/host%d/session%d/target%d:0:0/%d:0:0:%c/block/%s/"
		"size",
		number + 2, number, number + 2, number + 2, name[2], name);
	fake_file(root, path, "2048\n");
	(void)snprintf(path, sizeof path, "sys/block/%s/stat", name);
	fake_file(root, path, "%s\n", stat);
}

static void a_session_is_known_by_its_portal_and_target(void **memory)
{
	struct fake_bench *bench = *memory;
	struct fake_root *root = &bench->root;
	const struct sink *sink;
	const struct subject *subject;

	login(root, 1, "192.0.2.9");
	login(root, 2, "2001:db8::9");
	fake_file(root, SESSION "2/ifacename", "iface.eth1\n");
	fake_start(bench, &source_iscsi);
	sink = fake_tick(bench);
	subject = fake_subject(sink, NAME);
	assert_int_equal(subject->kind, KIND_TRANSPORT);
	assert_string_equal(
		subject->id, "iscsi 192.0.2.9:3260 iqn.2001-04.example:disk1");
	assert_string_equal(subject->detail,
		"iSCSI iscsi_tcp, session1, host3, iqn.2001-04.example:disk1");
	assert_string_equal(
		fake_subject(sink, "[2001:db8::9]:3260%iface.eth1 disk1")->id,
		"iscsi [2001:db8::9]:3260%iface.eth1 iqn.2001-04.example:disk1");
	assert_int_equal(fake_value(sink, NAME, RAW_TRANSPORT_UP), 1);
	assert_int_equal(fake_value(sink, NAME, RAW_TRANSPORT_DISKS), 0);
}

static void a_session_whose_connection_tells_nothing_is_shown_all_the_same(
	void **memory)
{
	struct fake_bench *bench = *memory;
	const struct sink *sink;

	fake_file(&bench->root, SESSION "4/targetname", "iqn.\033[2Jx\n");
	fake_file(&bench->root, SESSION "4/some_new_attribute", "1\n");
	fake_file(&bench->root, SESSION "5/state", "FREE\n"); /* no target yet */
	fake_start(bench, &source_iscsi);
	sink = fake_tick(bench);
	assert_int_equal(sink->subject_count, 1);
	assert_string_equal(sink->subjects[0].name, "session4 iqn.?[2Jx");
	assert_int_equal(fake_why(sink, sink->subjects[0].name, RAW_TRANSPORT_UP, NULL),
		WHY_UNSUPPORTED);
}

static void its_figures_are_sums_of_what_its_disks_did_since(void **memory)
{
	struct fake_bench *bench = *memory;
	struct fake_root *root = &bench->root;
	const struct sink *sink;

	login(root, 1, "192.0.2.9");
	/* 11 columns, 15 since 4.18, 17 since 5.5 */
	lun(root, 1, "sdb", "100 0 800 1000 50 0 400 500 3 900 4294967000");
	lun(root, 1, "sdc", "7 0 56 70 0 0 0 0 1 70 70 0 0 0 0");
	fake_start(bench, &source_iscsi);
	sink = fake_tick(bench);
	assert_int_equal(fake_value(sink, NAME, RAW_TRANSPORT_DISKS), 2);
	assert_int_equal(fake_value(sink, NAME, RAW_TRANSPORT_PENDING), 4);
	assert_int_equal(fake_value(sink, NAME, RAW_TRANSPORT_READ_OPS), 0);
	lun(root, 1, "sdb", "110 0 880 1100 51 0 408 510 2 950 200"); /* ms wrapped */
	lun(root, 1, "sdc", "9 0 72 90 0 0 0 0 0 80 90 0 0 0 0 3 10");
	sink = fake_tick(bench);
	assert_int_equal(fake_value(sink, NAME, RAW_TRANSPORT_READ_OPS), 12);
	assert_int_equal(fake_value(sink, NAME, RAW_TRANSPORT_READ_SECTORS), 96);
	assert_int_equal(fake_value(sink, NAME, RAW_TRANSPORT_READ_MS), 120);
	assert_int_equal(fake_value(sink, NAME, RAW_TRANSPORT_WRITE_OPS), 1);
	assert_int_equal(fake_value(sink, NAME, RAW_TRANSPORT_WEIGHTED_MS),
		296 + 200 + 20); /* 2^32 - 4294967000 = 296 */
	assert_int_equal(fake_value(sink, NAME, RAW_TRANSPORT_PENDING), 2);
}

/* The stamp of a reading is between look and read: what takes long comes before it,
 * what is divided by time after it. */
static void what_is_divided_by_time_is_read_behind_what_takes_long(void **memory)
{
	struct fake_bench *bench = *memory;
	struct fake_root *root = &bench->root;
	struct fault fault;

	login(root, 1, "192.0.2.9");
	lun(root, 1, "sdb", "100 0 800 1000 0 0 0 0 0 0 1000");
	fake_start(bench, &source_iscsi);
	(void)fake_tick(bench);
	sink_begin(&bench->sink);
	source_iscsi.look(bench->state, &bench->sink, bench->now);
	assert_int_equal(fake_value(&bench->sink, NAME, RAW_TRANSPORT_UP), 1);
	lun(root, 1, "sdb", "130 0 800 1000 0 0 0 0 0 0 1000");
	assert_true(source_iscsi.read(bench->state, &bench->sink, bench->now, &fault));
	assert_int_equal(fake_value(&bench->sink, NAME, RAW_TRANSPORT_READ_OPS), 30);
}

static void a_disk_that_goes_or_is_another_one_takes_nothing_away(void **memory)
{
	struct fake_bench *bench = *memory;
	struct fake_root *root = &bench->root;
	const struct sink *sink;

	login(root, 1, "192.0.2.9");
	lun(root, 1, "sdb", "1000 0 8000 0 0 0 0 0 0 0 0");
	fake_start(bench, &source_iscsi);
	(void)fake_tick(bench);
	lun(root, 1, "sdb", "1010 0 8080 0 0 0 0 0 0 0 0");
	assert_int_equal(
		fake_value(fake_tick(bench), NAME, RAW_TRANSPORT_READ_OPS), 10);
	lun(root, 1, "sdb", "4 0 32 0 0 0 0 0 0 0 0"); /* restarted */
	assert_int_equal(
		fake_value(fake_tick(bench), NAME, RAW_TRANSPORT_READ_OPS), 10);
	fake_file(root, "sys/block/sdb/stat", "%s", ""); /* as read after its end */
	(void)fake_tick(bench);
	fake_remove(root, "sys/devices/platform/host3/session1/target3:0:0");
	sink = fake_tick(bench);
	assert_int_equal(fake_value(sink, NAME, RAW_TRANSPORT_DISKS), 0);
	assert_int_equal(fake_value(sink, NAME, RAW_TRANSPORT_READ_OPS), 10);
	lun(root, 1, "sdf", "5000 0 40000 0 0 0 0 0 0 0 0");
	for (int i = 0; i < 10; i++) /* it is looked for every ten seconds */
		(void)fake_tick(bench);
	lun(root, 1, "sdf", "5001 0 40008 0 0 0 0 0 0 0 0");
	assert_int_equal(
		fake_value(fake_tick(bench), NAME, RAW_TRANSPORT_READ_OPS), 11);
}

/* With queue/iostats at 0 the kernel counts nothing: that is no session at rest. */
static void what_one_disk_does_not_count_is_in_no_sum(void **memory)
{
	struct fake_bench *bench = *memory;
	struct fake_root *root = &bench->root;
	const struct sink *sink;

	login(root, 1, "192.0.2.9");
	lun(root, 1, "sdb", "10 0 80 0 0 0 0 0 0 0 0");
	lun(root, 1, "sdc", "0 0 0 0 0 0 0 0 0 0 0");
	fake_file(root, "sys/block/sdc/queue/iostats", "0\n");
	fake_start(bench, &source_iscsi);
	sink = fake_tick(bench);
	assert_int_equal(fake_value(sink, NAME, RAW_TRANSPORT_DISKS), 2);
	assert_int_equal(fake_why(sink, NAME, RAW_TRANSPORT_READ_OPS, NULL), WHY_OFF);
	assert_int_equal(fake_why(sink, NAME, RAW_TRANSPORT_PENDING, NULL), WHY_OFF);
	fake_file(root, "sys/block/sdc/queue/iostats", "1\n");
	lun(root, 1, "sdc", "3 0 24 0 0 0 0 0 0 0 0");
	sink = fake_tick(bench);
	assert_int_equal(fake_value(sink, NAME, RAW_TRANSPORT_READ_OPS), 3);
	/* somebody turns it off while it is watched */
	fake_file(root, "sys/block/sdb/queue/iostats", "0\n");
	assert_int_equal(fake_why(fake_tick(bench), NAME, RAW_TRANSPORT_READ_OPS, NULL),
		WHY_OFF);
}

/* A host with more disks than descriptors: what is not read is no rest. */
static void a_disk_that_cannot_be_opened_leaves_no_sum(void **memory)
{
	struct fake_bench *bench = *memory;
	struct rlimit all, few;
	const struct sink *sink;
	int next;

	login(&bench->root, 1, "192.0.2.9");
	fake_start(bench, &source_iscsi);
	(void)fake_tick(bench);
	lun(&bench->root, 1, "sdb", "10 0 80 0 0 0 0 0 0 0 0");
	assert_int_equal(getrlimit(RLIMIT_NOFILE, &all), 0);
	few = all;
	next = dup(0);
	few.rlim_cur = (rlim_t)next + 4; /* for the folders on the way to it */
	assert_int_equal(close(next), 0);
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &few), 0);
	bench->now += 10 * NSEC_PER_SEC;
	sink = fake_tick(bench);
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &all), 0);
	assert_int_equal(fake_value(sink, NAME, RAW_TRANSPORT_DISKS), 1);
	assert_int_equal(
		fake_why(sink, NAME, RAW_TRANSPORT_READ_OPS, NULL), WHY_DENIED);
	bench->now += 10 * NSEC_PER_SEC; /* there are some again */
	assert_int_equal(fake_value(fake_tick(bench), NAME, RAW_TRANSPORT_READ_OPS), 0);
}

static void a_failure_and_the_recovery_are_events(void **memory)
{
	struct fake_bench *bench = *memory;
	struct fake_root *root = &bench->root;
	const struct sink *sink;

	login(root, 1, "192.0.2.9");
	fake_start(bench, &source_iscsi);
	assert_int_equal(fake_tick(bench)->event_count, 0);
	fake_file(root, SESSION "1/state", "FAILED\n");
	sink = fake_tick(bench);
	assert_true(fake_event(sink, NAME ": session FAILED, gives up at 120 s"));
	assert_int_equal(fake_value(sink, NAME, RAW_TRANSPORT_UP), 0);
	assert_int_equal(fake_value(sink, NAME, RAW_TRANSPORT_STATE), BACKLOG_BLOCKED);
	assert_int_equal(fake_value(sink, NAME, RAW_TRANSPORT_FAILURES), 1);
	for (int i = 0; i < 29; i++)
		assert_int_equal(fake_tick(bench)->event_count, 0);
	fake_file(root, SESSION "1/state", "LOGGED_IN\n");
	sink = fake_tick(bench);
	assert_true(fake_event(sink, NAME ": session LOGGED_IN again after 30s"));
	assert_int_equal(fake_value(sink, NAME, RAW_TRANSPORT_FAILURES), 1);
	assert_int_equal(fake_value(sink, NAME, RAW_TRANSPORT_STATE), BACKLOG_RUNNING);
}

static void a_new_login_goes_on_in_the_row_of_the_old_one(void **memory)
{
	struct fake_bench *bench = *memory;
	struct fake_root *root = &bench->root;
	const struct sink *sink;

	login(root, 1, "192.0.2.9");
	lun(root, 1, "sdb", "10 0 80 0 0 0 0 0 0 0 0");
	fake_start(bench, &source_iscsi);
	(void)fake_tick(bench);
	lun(root, 1, "sdb", "13 0 104 0 0 0 0 0 0 0 0");
	(void)fake_tick(bench);
	fake_remove(root, SESSION "1");
	sink = fake_tick(bench);
	assert_true(fake_event(sink, NAME ": session1 is gone"));
	assert_int_equal(fake_why(sink, NAME, RAW_TRANSPORT_UP, NULL), WHY_ABSENT);
	login(root, 8, "192.0.2.9");
	lun(root, 8, "sdd", "100 0 800 0 0 0 0 0 0 0 0");
	sink = fake_tick(bench);
	assert_true(fake_event(sink, NAME ": session8 is there"));
	assert_int_equal(sink->subject_count, 1);
	assert_int_equal(fake_value(sink, NAME, RAW_TRANSPORT_READ_OPS), 3);
}

static void two_sessions_to_one_portal_are_two_rows(void **memory)
{
	struct fake_bench *bench = *memory;
	const struct sink *sink;

	login(&bench->root, 1, "192.0.2.9");
	login(&bench->root, 2, "192.0.2.9");
	fake_start(bench, &source_iscsi);
	sink = fake_tick(bench);
	assert_int_equal(fake_value(sink, NAME, RAW_TRANSPORT_UP), 1);
	assert_int_equal(fake_value(sink, NAME "#2", RAW_TRANSPORT_UP), 1);
}

/* Each of them is set up in its own way. */
static void their_facts_are_those_of_two(void **memory)
{
	struct fake_bench *bench = *memory;
	struct fake_root *root = &bench->root;
	struct facts facts = {0};
	size_t count = 0;

	login(root, 1, "192.0.2.9");
	login(root, 2, "192.0.2.9");
	fake_file(root, SESSION "1/first_burst_len", "65536\n");
	fake_file(root, SESSION "2/first_burst_len", "262144\n");
	fake_start(bench, &source_config_transport);
	for (int i = 0; i < 200; i++) {
		const struct sink *sink = fake_tick(bench);

		for (size_t k = 0; k < sink->fact_count; k++) {
			struct fact fact = sink_fact_at(sink, k);

			fact.at = bench->now;
			(void)facts_put(&facts, &fact);
		}
		count = i ? count : facts.count;
	}
	assert_true(count > 0);
	assert_int_equal(facts.count, count); /* nothing of it changed */
	facts_fini(&facts);
	/* the first one goes, the other keeps its name */
	fake_remove(root, SESSION "1");
	bench->now += 3600 * NSEC_PER_SEC;
	(void)fake_tick(bench);
	for (size_t k = 0; k < bench->sink.fact_count; k++)
		assert_string_equal(sink_fact_at(&bench->sink, k).name, NAME "#2");
	assert_true(bench->sink.fact_count > 0);
}

static void a_host_without_any_has_no_rows_and_no_fault(void **memory)
{
	struct fake_bench *bench = *memory;
	struct fault fault;

	assert_non_null(source_iscsi.none);
	assert_non_null(source_fc.none);
	fake_start(bench, &source_fc);
	assert_int_equal(fake_tick(bench)->reading_count, 0);
	source_fc.close(bench->state);
	fake_start(bench, &source_iscsi);
	assert_int_equal(fake_tick(bench)->reading_count, 0);
	login(&bench->root, 1, "192.0.2.9"); /* the first one comes later */
	assert_true(fake_event(fake_tick(bench), NAME ": session1 is there"));
	(void)fault;
}

/* ---- FC ---- */

#define HOST "sys/class/fc_host/host7/"
#define PORT "sys/class/fc_remote_ports/rport-7:0-3/"

static void add_host(const struct fake_root *root)
{
	fake_file(root, HOST "port_name", "0x21000024ff000001\n");
	fake_file(root, HOST "port_state", "Online\n");
	fake_file(root, "sys/class/scsi_host/host7/proc_name", "qla2xxx\n");
}

static void add_counters(const struct fake_root *root)
{
	fake_file(root, HOST "statistics/rx_frames", "0x10\n");
	fake_file(root, HOST "statistics/rx_words", "0x400\n");
	fake_file(root, HOST "statistics/invalid_crc_count", "0x1f\n");
	fake_file(root, HOST "statistics/nos_count", "0xffffffffffffffff\n");
	fake_file(root, HOST "statistics/lip_count", "nonsense\n");
	fake_file(root, HOST "statistics/reset_statistics", "%s", "");
}

static void counters_of_a_port_are_hexadecimal_and_all_ones_are_none(void **memory)
{
	struct fake_bench *bench = *memory;
	const struct sink *sink;

	add_host(&bench->root);
	add_counters(&bench->root);
	fake_start(bench, &source_fc);
	sink = fake_tick(bench);
	assert_string_equal(
		fake_subject(sink, "fc host7")->id, "fc 0x21000024ff000001");
	assert_int_equal(fake_value(sink, "fc host7", RAW_FC_RX_FRAMES), 16);
	assert_int_equal(fake_value(sink, "fc host7", RAW_FC_RX_WORDS), 1024);
	assert_int_equal(fake_value(sink, "fc host7", RAW_FC_CRC), 31);
	assert_int_equal(fake_why(sink, "fc host7", RAW_FC_NOS, NULL), WHY_UNSUPPORTED);
	assert_int_equal(fake_why(sink, "fc host7", RAW_FC_LIP, NULL), WHY_UNSUPPORTED);
	/* an old kernel has no such file */
	assert_int_equal(
		fake_why(sink, "fc host7", RAW_FC_CONGESTION, NULL), WHY_UNSUPPORTED);
	assert_int_equal(
		fake_why(sink, "fc host7", RAW_TRANSPORT_DISKS, NULL), WHY_ABSENT);
}

static void a_disabled_port_counts_nothing_and_not_zero(void **memory)
{
	struct fake_bench *bench = *memory;
	struct fake_root *root = &bench->root;
	const struct sink *sink;

	add_host(root);
	fake_file(root, HOST "port_state", "Offline\n");
	fake_start(bench, &source_fc);
	sink = fake_tick(bench);
	assert_int_equal(fake_value(sink, "fc host7", RAW_TRANSPORT_UP), 0);
	assert_int_equal(fake_why(sink, "fc host7", RAW_FC_CRC, NULL), WHY_OFF);
	add_counters(root);
	fake_file(root, HOST "port_state", "Online\n");
	sink = fake_tick(bench);
	assert_true(fake_event(sink, "fc host7: port Online again after 1s"));
	assert_int_equal(fake_value(sink, "fc host7", RAW_FC_CRC), 31);
}

static void a_port_that_loses_its_link_goes_on_counting(void **memory)
{
	struct fake_bench *bench = *memory;
	struct fake_root *root = &bench->root;
	const struct sink *sink;

	add_host(root);
	add_counters(root);
	fake_start(bench, &source_fc);
	(void)fake_tick(bench);
	fake_file(root, HOST "port_state", "Linkdown\n");
	fake_file(root, HOST "statistics/invalid_crc_count", "0x20\n");
	sink = fake_tick(bench);
	assert_true(fake_event(sink, "fc host7: port Linkdown"));
	assert_int_equal(fake_value(sink, "fc host7", RAW_FC_CRC), 32);
	assert_int_equal(fake_value(sink, "fc host7", RAW_TRANSPORT_FAILURES), 1);
}

/* Since Linux 5.11: an administrator or the adapter found it wanting; it serves. */
static void a_marginal_port_is_not_lost(void **memory)
{
	struct fake_bench *bench = *memory;
	struct fake_root *root = &bench->root;
	const struct sink *sink;

	add_host(root);
	fake_start(bench, &source_fc);
	(void)fake_tick(bench);
	fake_file(root, HOST "port_state", "Marginal\n");
	sink = fake_tick(bench);
	assert_true(fake_event(sink, "fc host7: port Marginal"));
	assert_int_equal(fake_value(sink, "fc host7", RAW_TRANSPORT_UP), 1);
	assert_int_equal(fake_value(sink, "fc host7", RAW_TRANSPORT_FAILURES), 0);
	fake_file(root, HOST "port_state", "Linkdown\n");
	sink = fake_tick(bench);
	assert_int_equal(fake_value(sink, "fc host7", RAW_TRANSPORT_UP), 0);
	assert_int_equal(fake_value(sink, "fc host7", RAW_TRANSPORT_FAILURES), 1);
}

static void remote_ports_that_are_targets_are_rows_with_their_disks(void **memory)
{
	struct fake_bench *bench = *memory;
	struct fake_root *root = &bench->root;
	static const char name[] = "500a098300000003 host7";
	const struct sink *sink;

	add_host(root);
	fake_file(root, PORT "roles", "FCP Target\n");
	fake_file(root, PORT "port_name", "0x500a098300000003\n");
	fake_file(root, PORT "port_state", "Online\n");
	fake_file(root, PORT "fast_io_fail_tmo", "off\n");
	fake_file(root, PORT "dev_loss_tmo", "60\n");
	fake_link(root, PORT "device", "../../../devices/pci0/host7/rport-7:0-3");
	fake_file(root,
		"sys/devices/pci0/host7/rport-7:0-3/target7:0:3/7:0:3:1/block/sdd/size",
		"1\n");
	fake_file(root, "sys/block/sdd/stat", "5 0 40 5 0 0 0 0 6 5 5\n");
	fake_file(root, "sys/class/fc_remote_ports/rport-7:0-0/roles", "Fabric Port\n");
	fake_start(bench, &source_fc);
	sink = fake_tick(bench);
	assert_int_equal(sink->subject_count, 2);
	assert_string_equal(fake_subject(sink, name)->id,
		"fc 0x21000024ff000001>0x500a098300000003");
	assert_int_equal(fake_value(sink, name, RAW_TRANSPORT_PENDING), 6);
	fake_file(root, PORT "port_state", "Blocked\n");
	sink = fake_tick(bench);
	assert_true(fake_event(
		sink, "500a098300000003 host7: remote port Blocked, gives up at 60 s"));
	fake_file(root, PORT "port_state", "Not Present\n");
	sink = fake_tick(bench);
	assert_true(
		fake_event(sink, "500a098300000003 host7: remote port Not Present"));
	assert_int_equal(fake_value(sink, name, RAW_TRANSPORT_STATE), BACKLOG_OFFLINE);
	assert_int_equal(fake_value(sink, name, RAW_TRANSPORT_FAILURES), 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, fake_setup, fake_teardown)
		TEST(a_session_is_known_by_its_portal_and_target),
		TEST(a_session_whose_connection_tells_nothing_is_shown_all_the_same),
		TEST(its_figures_are_sums_of_what_its_disks_did_since),
		TEST(what_is_divided_by_time_is_read_behind_what_takes_long),
		TEST(a_disk_that_goes_or_is_another_one_takes_nothing_away),
		TEST(what_one_disk_does_not_count_is_in_no_sum),
		TEST(a_disk_that_cannot_be_opened_leaves_no_sum),
		TEST(a_failure_and_the_recovery_are_events),
		TEST(a_new_login_goes_on_in_the_row_of_the_old_one),
		TEST(two_sessions_to_one_portal_are_two_rows),
		TEST(their_facts_are_those_of_two),
		TEST(a_host_without_any_has_no_rows_and_no_fault),
		TEST(counters_of_a_port_are_hexadecimal_and_all_ones_are_none),
		TEST(a_disabled_port_counts_nothing_and_not_zero),
		TEST(a_port_that_loses_its_link_goes_on_counting),
		TEST(a_marginal_port_is_not_lost),
		TEST(remote_ports_that_are_targets_are_rows_with_their_disks),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
