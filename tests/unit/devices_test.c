/* Which disks are shown, and what they are called. */
#include "config.h"

#include "fake_root.h"
#include "source/devices.h"
#include "source/guard.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static void by_default_disks_have_a_bus_or_lie_on_others(void **memory)
{
	struct fake_bench *bench = *memory;
	struct fake_root *root = &bench->root;

	fake_disk(root, "sda", "DISK");
	fake_disk(root, "cciss!c0d0", "ARRAY");
	fake_file(root, "sys/block/dm-0/dm/name", "vg-mail\n");
	fake_file(root, "sys/block/md127/md/level", "raid1\n");
	fake_file(root, "sys/block/bcache0/slaves/sda/size", "1\n");
	fake_file(root, "sys/block/nbd0/size", "0\n");
	fake_file(root, "sys/block/nbd1/size", "4096\n");
	fake_file(root, "sys/block/loop0/size", "4096\n");
	fake_file(root, "sys/block/ram0/size", "4096\n");
	fake_file(root, "sys/block/zram0/size", "4096\n");
	fake_look(bench, KIND_DISK);
	assert_true(fake_shown(bench, "sda"));
	assert_true(fake_shown(bench, "cciss/c0d0"));
	assert_true(fake_shown(bench, "nbd1"));
	assert_false(fake_shown(bench, "nbd0")); /* not connected */
	assert_false(fake_shown(bench, "loop0"));
	assert_false(fake_shown(bench, "ram0"));
	assert_false(fake_shown(bench, "zram0"));
	assert_int_equal(fake_device(bench, "sda")->subject.flags, 0);
	assert_int_equal(fake_device(bench, "dm-0")->subject.flags,
		SUBJECT_STACKED | SUBJECT_VIRTUAL);
	assert_true(fake_device(bench, "md127")->subject.flags & SUBJECT_STACKED);
	assert_true(fake_device(bench, "bcache0")->subject.flags & SUBJECT_STACKED);
	assert_int_equal(fake_device(bench, "nbd1")->subject.flags, SUBJECT_VIRTUAL);
	assert_string_equal(fake_device(bench, "cciss/c0d0")->dir, "cciss!c0d0");

	fake_file(root, "sys/block/nbd0/size", "100\n"); /* connected now */
	fake_look(bench, KIND_DISK);
	assert_true(fake_shown(bench, "nbd0"));
}

static void a_pattern_shows_what_it_matches_and_nothing_else(void **memory)
{
	struct fake_bench *bench = *memory;

	fake_disk(&bench->root, "sda", "DISK");
	fake_disk(&bench->root, "sdb", "DISK");
	fake_file(&bench->root, "sys/block/loop0/size", "4096\n");
	bench->root.selection.disks = "^(sdb|loop[0-9]+)$";
	fake_look(bench, KIND_DISK);
	assert_false(fake_shown(bench, "sda"));
	assert_true(fake_shown(bench, "sdb"));
	assert_true(fake_shown(bench, "loop0"));
	assert_true(fake_device(bench, "sdb")->subject.flags & SUBJECT_NAMED);
}

static void a_bad_pattern_is_a_fault_that_names_it(void **memory)
{
	struct fake_bench *bench = *memory;
	struct fault fault = {0};

	bench->root.selection.disks = "sd(a";
	assert_null(devices_open(&bench->root.env, KIND_DISK, &fault));
	assert_non_null(strstr(fault.text, "sd(a"));
}

static void all_hides_nothing_but_partitions_are_no_disks(void **memory)
{
	struct fake_bench *bench = *memory;

	fake_disk(&bench->root, "sda", "DISK");
	fake_file(&bench->root, "sys/block/sda/sda1/partition", "1\n");
	fake_file(&bench->root, "sys/block/loop0/size", "0\n");
	bench->root.selection.all = true;
	fake_look(bench, KIND_DISK);
	assert_true(fake_shown(bench, "sda"));
	assert_true(fake_shown(bench, "loop0"));
	assert_false(fake_shown(bench, "sda1"));
}

static void the_paths_to_one_lun_have_identities_of_their_own(void **memory)
{
	struct fake_bench *bench = *memory;
	struct fake_root *root = &bench->root;
	static const char iscsi[] = "platform/host3/session1/target3:0:0";
	static const char fc[] =
		"pci0000:00/0000:00:02.0/0000:05:00.0/host7/rport-7:0-3/target7:0:3";

	fake_lun(root, "sdc", iscsi, "3:0:0:1");
	fake_lun(root, "sdd", fc, "7:0:3:1");
	fake_file(root, "sys/block/sdc/device/wwid", "naa.600a0b80\n");
	fake_file(root, "sys/block/sdd/device/wwid", "naa.600a0b80\n");
	fake_file(root, "sys/class/iscsi_connection/connection1:0/persistent_address",
		"192.0.2.7\n");
	fake_file(
		root, "sys/class/fc_remote_ports/rport-7:0-3/port_name", "0x500a098\n");
	fake_look(bench, KIND_DISK);
	assert_string_equal(
		fake_device(bench, "sdc")->subject.id, "naa.600a0b80@iscsi 192.0.2.7");
	assert_string_equal(
		fake_device(bench, "sdd")->subject.id, "naa.600a0b80@fc 0x500a098");
	assert_string_equal(fake_device(bench, "sdc")->subject.detail,
		"NETAPP LUN iscsi 192.0.2.7");
}

static void a_disk_without_a_serial_is_known_by_where_it_is_plugged_in(void **memory)
{
	struct fake_bench *bench = *memory;
	struct fake_root *root = &bench->root;

	fake_lun(root, "sda", "pci0000:00/0000:00:1f.2/ata1/host0/target0:0:0",
		"0:0:0:0");
	fake_look(bench, KIND_DISK);
	assert_string_equal(
		fake_device(bench, "sda")->subject.id, "pci-0000:00:1f.2-0:0:0");
	assert_string_equal(
		fake_device(bench, "sda")->subject.detail, "NETAPP LUN sata");
}

static void mount_list(const struct fake_root *root, const char *point)
{
	fake_file(root, "proc/self/mountinfo",
		"22 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw\n"
		"23 22 8:16 / %s rw - xfs /dev/sdb rw\n"
		"24 22 8:16 /sub /srv/part rw - xfs /dev/sdb rw\n"
		"25 22 8:33 / /data/one rw - xfs /dev/sdc1 rw\n"
		"26 22 8:34 / /data/two rw - xfs /dev/sdc2 rw\n"
		"27 22 253:0 / /home rw - ext4 /dev/mapper/vg-home rw\n"
		"28 22 0:35 / /net rw - nfs4 nas:/exp rw\n"
		"29 22 8:99 / /gone rw - xfs /dev/sdq rw\n"
		"cut\n",
		point);
}

static void a_disk_is_called_by_the_one_place_where_it_is_mounted(void **memory)
{
	struct fake_bench *bench = *memory;
	struct fake_root *root = &bench->root;

	fake_disk(root, "sda", "DISK");
	fake_disk(root, "sdb", "DISK");
	fake_disk(root, "sdc", "DISK");
	fake_file(root, "sys/block/dm-0/dm/name", "vg-home\n");
	fake_link(root, "sys/dev/block/8:1", "../../devices/x/block/sda/sda1");
	fake_link(root, "sys/dev/block/8:16", "../../devices/x/block/sdb");
	fake_link(root, "sys/dev/block/8:33", "../../devices/x/block/sdc/sdc1");
	fake_link(root, "sys/dev/block/8:34", "../../devices/x/block/sdc/sdc2");
	fake_link(root, "sys/dev/block/253:0", "../../devices/virtual/block/dm-0");
	mount_list(root, "/var/my\\040mail");
	fake_look(bench, KIND_DISK);
	assert_string_equal(fake_device(bench, "sda")->subject.label, "");
	assert_string_equal(
		fake_device(bench, "sdb")->subject.label, "sdb /var/my mail");
	assert_string_equal(fake_device(bench, "sdc")->subject.label, ""); /* two */
	assert_string_equal(fake_device(bench, "dm-0")->subject.label, "vg-home");
	mount_list(root, "/srv/m\033[2J");
	fake_look(bench, KIND_DISK);
	assert_string_equal(fake_device(bench, "sdb")->subject.label, "sdb /srv/m?[2J");
	assert_int_equal(fake_device(bench, "sdb")->life, 1); /* the same device */
}

/* The folders of NVMe have no "block" in them, those of multipath not even a device. */
static void an_nvme_disk_is_called_by_the_place_where_it_is_mounted(void **memory)
{
	struct fake_bench *bench = *memory;
	struct fake_root *root = &bench->root;

	fake_disk(root, "nvme0n1", "DISK");
	fake_disk(root, "nvme1n1", "DISK");
	fake_link(root, "sys/dev/block/259:1",
		"../../devices/pci0000:00/0000:00:1d.0/nvme/nvme0/nvme0n1/nvme0n1p1");
	fake_link(root, "sys/dev/block/259:4",
		"../../devices/virtual/nvme-subsystem/nvme-subsys1/nvme1n1");
	fake_file(root, "proc/self/mountinfo",
		"22 1 259:1 / /srv/a rw - xfs /dev/nvme0n1p1 rw\n"
		"23 1 259:4 / /srv/b rw - xfs /dev/nvme1n1 rw\n");
	fake_look(bench, KIND_DISK);
	assert_string_equal(
		fake_device(bench, "nvme0n1")->subject.label, "nvme0n1 /srv/a");
	assert_string_equal(
		fake_device(bench, "nvme1n1")->subject.label, "nvme1n1 /srv/b");
}

static void names_that_would_move_the_cursor_are_cleaned(void **memory)
{
	struct fake_bench *bench = *memory;

	fake_disk(&bench->root, "sd\033[2J", "EVIL\033]0;title\007");
	fake_file(&bench->root, "sys/block/dm-0/dm/name", "a\r\nb\n");
	fake_look(bench, KIND_DISK);
	assert_string_equal(fake_device(bench, "sd\033[2J")->subject.name, "sd?[2J");
	assert_null(
		strpbrk(fake_device(bench, "sd\033[2J")->subject.detail, "\033\007"));
	assert_null(strpbrk(fake_device(bench, "dm-0")->subject.label, "\r\n"));
}

static void the_sources_of_a_process_share_one_view(void **memory)
{
	struct fake_bench *bench = *memory;
	struct devices *other, *nics;

	fake_disk(&bench->root, "sda", "DISK");
	fake_look(bench, KIND_DISK);
	other = devices_open(&bench->root.env, KIND_DISK, NULL);
	nics = devices_open(&bench->root.env, KIND_NIC, NULL);
	assert_ptr_equal(other, bench->devices);
	assert_ptr_not_equal(nics, bench->devices);
	devices_close(other);
	devices_close(nics);
	assert_true(fake_shown(bench, "sda"));
}

static void thousands_of_disks_come_and_go_without_piling_up(void **memory)
{
	struct fake_bench *bench = *memory;
	char path[64];
	size_t count;

	for (int i = 0; i < 300; i++) {
		(void)snprintf(path, sizeof path, "sys/block/sd%d/device/model", i);
		fake_file(&bench->root, path, "LUN\n");
	}
	fake_look(bench, KIND_DISK);
	count = devices_count(bench->devices);
	assert_int_equal(count, 300);
	for (int round = 0; round < 5; round++) {
		fake_remove(&bench->root, "sys/block/sd7");
		fake_look(bench, KIND_DISK);
		assert_false(fake_shown(bench, "sd7"));
		assert_true(fake_shown(bench, "sd8"));
		fake_file(&bench->root, "sys/block/sd7/device/model", "LUN\n");
		fake_look(bench, KIND_DISK);
		assert_int_equal(fake_device(bench, "sd7")->life, round + 2);
	}
	assert_in_range(devices_count(bench->devices), count, count + 1);
}

static bool is_known(const struct fake_bench *bench, const char *key)
{
	return devices_find(bench->devices, key) >= 0;
}

/* A pipe that nobody writes into takes whoever opens it, as a driver does that asks a
 * device which is not there any more. */
static void one_that_does_not_say_who_it_is_keeps_no_other_waiting(void **memory)
{
	struct fake_bench *bench = *memory;
	const struct fake_root *root = &bench->root;
	char pipe[160], other[160], text[256];
	int fd;

	fake_disk(root, "sda", "DISK");
	fake_disk(root, "sdb", "DISK");
	(void)snprintf(pipe, sizeof pipe, "%s/block/sdb/serial", root->sys);
	(void)snprintf(other, sizeof other, "%s/pipe", root->sys);
	assert_int_equal(mkfifo(pipe, 0600), 0);
	assert_int_equal(link(pipe, other), 0);
	for (int i = 0; i < 100; i++) { /* the first waits, once */
		fake_look(bench, KIND_DISK);
		assert_true(is_known(bench, "sda"));
		assert_false(is_known(bench, "sdb"));
	}
	guard_trouble(text, sizeof text);
	assert_non_null(strstr(text, "sdb/serial late "));
	assert_int_equal(unlink(pipe), 0);
	fake_file(root, "sys/block/sdb/serial", "S-1\n");
	fd = open(other, O_WRONLY | O_CLOEXEC);
	assert_true(fd >= 0);
	assert_int_equal(close(fd), 0);
	while (!is_known(bench, "sdb"))
		fake_look(bench, KIND_DISK);
	assert_string_equal(fake_device(bench, "sdb")->subject.id, "S-1");
}

/* Its place in the list of mounts is known only after it is back. */
static void a_disk_that_comes_back_unmounted_takes_no_new_row(void **memory)
{
	struct fake_bench *bench = *memory;
	struct fake_root *root = &bench->root;
	size_t count;

	fake_disk(root, "sda", "DISK");
	fake_disk(root, "sdb", "DISK");
	fake_link(root, "sys/dev/block/8:16", "../../devices/x/block/sdb");
	mount_list(root, "/srv/a");
	fake_look(bench, KIND_DISK);
	count = devices_count(bench->devices);
	for (int round = 0; round < 5; round++) {
		assert_string_equal(
			fake_device(bench, "sdb")->subject.label, "sdb /srv/a");
		fake_remove(root, "sys/block/sdb");
		fake_file(root, "proc/self/mountinfo", "%s", "");
		fake_look(bench, KIND_DISK);
		fake_disk(root, "sdb", "DISK");
		fake_look(bench, KIND_DISK);
		assert_string_equal(fake_device(bench, "sdb")->subject.label, "");
		assert_int_equal(fake_device(bench, "sdb")->life, round + 2);
		mount_list(root, "/srv/a");
		fake_look(bench, KIND_DISK);
	}
	assert_in_range(devices_count(bench->devices), count, count + 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, fake_setup, fake_teardown)
		TEST(by_default_disks_have_a_bus_or_lie_on_others),
		TEST(a_pattern_shows_what_it_matches_and_nothing_else),
		TEST(a_bad_pattern_is_a_fault_that_names_it),
		TEST(all_hides_nothing_but_partitions_are_no_disks),
		TEST(the_paths_to_one_lun_have_identities_of_their_own),
		TEST(a_disk_without_a_serial_is_known_by_where_it_is_plugged_in),
		TEST(a_disk_is_called_by_the_one_place_where_it_is_mounted),
		TEST(an_nvme_disk_is_called_by_the_place_where_it_is_mounted),
		TEST(names_that_would_move_the_cursor_are_cleaned),
		TEST(the_sources_of_a_process_share_one_view),
		TEST(a_disk_that_comes_back_unmounted_takes_no_new_row),
		TEST(one_that_does_not_say_who_it_is_keeps_no_other_waiting),
		TEST(thousands_of_disks_come_and_go_without_piling_up),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
