/* Disks that serve nobody although nothing is in flight, and who holds them back. */
#include "config.h"

#include "core/backlog.h"
#include "fake_root.h"
#include "source/table.h"

#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#define ISCSI "platform/host3/session1/target3:0:0"
#define FC    "pci0000:00/0000:05:00.0/host7/rport-7:0-3/target7:0:3"

static void session_disk(const struct fake_root *root)
{
	fake_lun(root, "sdc", ISCSI, "3:0:0:1");
	fake_file(root, "sys/block/sdc/device/state", "running\n");
	fake_file(root, "sys/class/iscsi_session/session1/state", "LOGGED_IN\n");
	fake_file(root, "sys/class/iscsi_session/session1/recovery_tmo", "120\n");
}

static void port_disk(const struct fake_root *root)
{
	fake_lun(root, "sdd", FC, "7:0:3:1");
	fake_file(root, "sys/block/sdd/device/state", "running\n");
	fake_file(root, "sys/class/fc_remote_ports/rport-7:0-3/port_state", "Online\n");
	fake_file(
		root, "sys/class/fc_remote_ports/rport-7:0-3/fast_io_fail_tmo", "5\n");
	fake_file(root, "sys/class/fc_remote_ports/rport-7:0-3/dev_loss_tmo", "30\n");
}

static void assert_held(const struct sink *sink, const char *name,
	enum backlog_state state, enum backlog_hold hold)
{
	assert_int_equal(fake_value(sink, name, RAW_DISK_STATE), state);
	assert_int_equal(fake_value(sink, name, RAW_DISK_HOLD), hold);
}

static void assert_serves(const struct sink *sink, const char *name)
{
	assert_int_equal(fake_value(sink, name, RAW_DISK_STATE), BACKLOG_RUNNING);
	assert_int_equal(fake_why(sink, name, RAW_DISK_HOLD, NULL), WHY_ABSENT);
	assert_int_equal(fake_why(sink, name, RAW_DISK_GIVES_UP_S, NULL), WHY_ABSENT);
}

static void a_failed_session_holds_its_disks_back_until_its_timeout(void **memory)
{
	struct fake_bench *bench = *memory;
	struct fake_root *root = &bench->root;
	const struct sink *sink;

	session_disk(root);
	fake_start(bench, &source_inflight);
	assert_serves(fake_tick(bench), "sdc");
	fake_file(root, "sys/class/iscsi_session/session1/state", "FAILED\n");
	sink = fake_tick(bench); /* the device itself is not marked yet */
	assert_held(sink, "sdc", BACKLOG_BLOCKED, HOLD_SESSION);
	assert_int_equal(fake_value(sink, "sdc", RAW_DISK_GIVES_UP_S), 120);
	fake_file(root, "sys/block/sdc/device/state", "blocked\n");
	assert_held(fake_tick(bench), "sdc", BACKLOG_BLOCKED, HOLD_SESSION);
	fake_file(root, "sys/block/sdc/device/state", "transport-offline\n");
	fake_file(root, "sys/class/iscsi_session/session1/state", "FREE\n");
	assert_held(fake_tick(bench), "sdc", BACKLOG_OFFLINE, HOLD_SESSION);
	fake_file(root, "sys/block/sdc/device/state", "running\n");
	fake_file(root, "sys/class/iscsi_session/session1/state", "LOGGED_IN\n");
	assert_serves(fake_tick(bench), "sdc");
}

static size_t open_files(void)
{
	DIR *dir = opendir("/proc/self/fd");
	size_t count = 0;

	assert_non_null(dir);
	while (readdir(dir))
		count++;
	assert_int_equal(closedir(dir), 0);
	return count;
}

/* Each login is a new session with a number of its own. */
static void sessions_of_the_past_hold_no_files(void **memory)
{
	struct fake_bench *bench = *memory;
	struct fake_root *root = &bench->root;
	char way[64], state[80];
	size_t before = 0;

	session_disk(root);
	fake_start(bench, &source_inflight);
	assert_serves(fake_tick(bench), "sdc");
	for (int number = 2; number < 20; number++) {
		fake_remove(root, "sys/block/sdc");
		bench->now += 10 * NSEC_PER_SEC;
		(void)fake_tick(bench);
		(void)snprintf(way, sizeof way, "platform/host3/session%d/target3:0:0",
			number);
		(void)snprintf(state, sizeof state,
			"sys/class/iscsi_session/session%d/state", number);
		fake_lun(root, "sdc", way, "3:0:0:1");
		fake_file(root, "sys/block/sdc/device/state", "running\n");
		fake_file(root, state, "FAILED\n");
		bench->now += 10 * NSEC_PER_SEC;
		assert_held(fake_tick(bench), "sdc", BACKLOG_BLOCKED, HOLD_SESSION);
		if (number == 2)
			before = open_files();
	}
	assert_int_equal(open_files(), before);
}

static void a_session_without_a_timeout_never_gives_up(void **memory)
{
	struct fake_bench *bench = *memory;
	struct fake_root *root = &bench->root;
	const struct sink *sink;

	session_disk(root);
	fake_file(root, "sys/class/iscsi_session/session1/state", "FAILED\n");
	fake_file(root, "sys/class/iscsi_session/session1/recovery_tmo", "off\n");
	fake_start(bench, &source_inflight);
	assert_int_equal(
		fake_why(fake_tick(bench), "sdc", RAW_DISK_GIVES_UP_S, NULL), WHY_OFF);
	fake_file(root, "sys/class/iscsi_session/session1/recovery_tmo", "-1\n");
	assert_int_equal(
		fake_why(fake_tick(bench), "sdc", RAW_DISK_GIVES_UP_S, NULL), WHY_OFF);
	fake_remove(root, "sys/class/iscsi_session/session1/recovery_tmo");
	sink = fake_tick(bench);
	assert_held(sink, "sdc", BACKLOG_BLOCKED, HOLD_SESSION);
	assert_int_equal(fake_why(sink, "sdc", RAW_DISK_GIVES_UP_S, NULL), WHY_ABSENT);
}

static void a_blocked_remote_port_ends_at_the_first_timeout_that_is_set(void **memory)
{
	struct fake_bench *bench = *memory;
	struct fake_root *root = &bench->root;
	const struct sink *sink;

	port_disk(root);
	fake_start(bench, &source_inflight);
	assert_serves(fake_tick(bench), "sdd");
	fake_file(
		root, "sys/class/fc_remote_ports/rport-7:0-3/port_state", "Blocked\n");
	fake_file(root, "sys/block/sdd/device/state", "blocked\n");
	sink = fake_tick(bench);
	assert_held(sink, "sdd", BACKLOG_BLOCKED, HOLD_PORT);
	assert_int_equal(fake_value(sink, "sdd", RAW_DISK_GIVES_UP_S), 5);
	fake_file(root, "sys/class/fc_remote_ports/rport-7:0-3/fast_io_fail_tmo",
		"off\n");
	assert_int_equal(fake_value(fake_tick(bench), "sdd", RAW_DISK_GIVES_UP_S), 30);
	fake_file(root, "sys/class/fc_remote_ports/rport-7:0-3/port_state",
		"Not Present\n");
	assert_held(fake_tick(bench), "sdd", BACKLOG_OFFLINE, HOLD_PORT);
}

/* A multipath device over an iSCSI and an FC path. */
static void make_map(const struct fake_root *root)
{
	session_disk(root);
	port_disk(root);
	fake_file(root, "sys/block/dm-0/dm/name", "mpatha\n");
	fake_file(root, "sys/block/dm-0/dm/uuid", "mpath-3600a0b80\n");
	fake_file(root, "sys/block/dm-0/dm/suspended", "0\n");
	fake_file(root, "sys/block/dm-0/inflight", "0 0\n");
	fake_link(root, "sys/block/dm-0/slaves/sdc", "../../sdc");
	fake_link(root, "sys/block/dm-0/slaves/sdd", "../../sdd");
}

static void a_map_serves_as_long_as_one_of_its_paths_does(void **memory)
{
	struct fake_bench *bench = *memory;
	struct fake_root *root = &bench->root;
	const struct sink *sink;

	make_map(root);
	fake_start(bench, &source_inflight);
	sink = fake_tick(bench);
	assert_serves(sink, "dm-0");
	assert_int_equal(fake_value(sink, "dm-0", RAW_DISK_PATHS), 2);
	assert_int_equal(fake_value(sink, "dm-0", RAW_DISK_PATHS_USABLE), 2);
	fake_file(root, "sys/class/iscsi_session/session1/state", "FAILED\n");
	sink = fake_tick(bench);
	assert_serves(sink, "dm-0");
	assert_int_equal(fake_value(sink, "dm-0", RAW_DISK_PATHS_USABLE), 1);
	assert_true(fake_event(sink, "dm-0 (mpatha): 1 of 2 paths usable"));
	fake_file(root, "sys/block/sdd/device/state", "offline\n");
	sink = fake_tick(bench);
	assert_held(sink, "dm-0", BACKLOG_BLOCKED, HOLD_PATHS);
	assert_true(fake_event(sink, "dm-0 (mpatha): 0 of 2 paths usable"));
	fake_file(root, "sys/block/sdd/device/state", "running\n");
	assert_serves(fake_tick(bench), "dm-0");
}

static void a_map_whose_paths_were_all_removed_is_blocked(void **memory)
{
	struct fake_bench *bench = *memory;
	struct fake_root *root = &bench->root;
	const struct sink *sink;

	make_map(root);
	fake_start(bench, &source_inflight);
	assert_serves(fake_tick(bench), "dm-0");
	fake_remove(root, "sys/block/dm-0/slaves/sdc");
	fake_remove(root, "sys/block/dm-0/slaves/sdd");
	sink = fake_tick(bench);
	assert_held(sink, "dm-0", BACKLOG_BLOCKED, HOLD_PATHS);
	assert_int_equal(fake_value(sink, "dm-0", RAW_DISK_PATHS), 0);
	fake_link(root, "sys/block/dm-0/slaves/sdd", "../../sdd");
	assert_serves(fake_tick(bench), "dm-0");
}

static void a_suspended_map_is_blocked_whatever_its_paths_are(void **memory)
{
	struct fake_bench *bench = *memory;
	struct fake_root *root = &bench->root;

	make_map(root);
	fake_file(root, "sys/block/dm-1/dm/name", "vg0-mail\n");
	fake_file(root, "sys/block/dm-1/dm/uuid", "LVM-abc\n");
	fake_file(root, "sys/block/dm-1/dm/suspended", "0\n");
	fake_start(bench, &source_inflight);
	assert_serves(fake_tick(bench), "dm-1");
	fake_file(root, "sys/block/dm-0/dm/suspended", "1\n");
	fake_file(root, "sys/block/dm-1/dm/suspended", "1\n");
	assert_held(fake_tick(bench), "dm-0", BACKLOG_BLOCKED, HOLD_SUSPENDED);
	assert_held(fake_tick(bench), "dm-1", BACKLOG_BLOCKED, HOLD_SUSPENDED);
}

/* Native multipath of NVMe: the paths are hidden disks beside the head, each below
 * its controller. */
static void an_nvme_head_serves_as_long_as_one_controller_lives(void **memory)
{
	struct fake_bench *bench = *memory;
	struct fake_root *root = &bench->root;
	const struct sink *sink;

	fake_file(root, "sys/block/nvme0n1/size", "2048\n");
	fake_folder(root, "sys/block/nvme0n1/device");
	fake_file(root, "sys/block/nvme0c0n1/device/state", "live\n");
	fake_file(root, "sys/block/nvme0c1n1/device/state", "live\n");
	fake_file(
		root, "sys/block/nvme0c1n2/device/state", "dead\n"); /* no path of it */
	fake_file(root, "sys/block/nvme0c1n1/device/fast_io_fail_tmo", "off\n");
	fake_file(root, "sys/block/nvme0c1n1/device/ctrl_loss_tmo", "600\n");
	fake_start(bench, &source_inflight);
	sink = fake_tick(bench);
	assert_serves(sink, "nvme0n1");
	assert_int_equal(fake_value(sink, "nvme0n1", RAW_DISK_PATHS), 2);
	fake_file(root, "sys/block/nvme0c1n1/device/state", "connecting\n");
	sink = fake_tick(bench);
	assert_serves(sink, "nvme0n1");
	assert_held(sink, "nvme0c1n1", BACKLOG_BLOCKED, HOLD_CONTROLLER);
	assert_int_equal(fake_value(sink, "nvme0c1n1", RAW_DISK_GIVES_UP_S), 600);
	assert_int_equal(fake_value(sink, "nvme0n1", RAW_DISK_PATHS_USABLE), 1);
	fake_file(root, "sys/block/nvme0c0n1/device/state", "resetting\n");
	assert_held(fake_tick(bench), "nvme0n1", BACKLOG_BLOCKED, HOLD_PATHS);
}

static void what_has_no_state_gets_no_row_of_nothing(void **memory)
{
	struct fake_bench *bench = *memory;

	fake_disk(&bench->root, "sda", "VIRTIO");
	fake_start(bench, &source_inflight);
	assert_int_equal(
		fake_why(fake_tick(bench), "sda", RAW_DISK_STATE, NULL), WHY_ABSENT);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, fake_setup, fake_teardown)
		TEST(a_failed_session_holds_its_disks_back_until_its_timeout),
		TEST(sessions_of_the_past_hold_no_files),
		TEST(a_session_without_a_timeout_never_gives_up),
		TEST(a_blocked_remote_port_ends_at_the_first_timeout_that_is_set),
		TEST(a_map_serves_as_long_as_one_of_its_paths_does),
		TEST(a_map_whose_paths_were_all_removed_is_blocked),
		TEST(a_suspended_map_is_blocked_whatever_its_paths_are),
		TEST(an_nvme_head_serves_as_long_as_one_controller_lives),
		TEST(what_has_no_state_gets_no_row_of_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
