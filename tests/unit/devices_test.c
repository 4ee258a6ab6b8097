/* Which devices are shown, and what they are called. */
#include "config.h"

#include "fake_root.h"
#include "source/devices.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

struct bench {
	struct fake_root root;
	struct devices *devices;
	nsec now;
};

static int setup(void **memory)
{
	struct bench *bench = calloc(1, sizeof *bench);

	if (!bench)
		return -1;
	fake_root_make(&bench->root);
	*memory = bench;
	return 0;
}

static int teardown(void **memory)
{
	struct bench *bench = *memory;

	devices_close(bench->devices);
	fake_root_remove(&bench->root);
	free(bench);
	return 0;
}

static void look(struct bench *bench, enum kind kind)
{
	struct fault fault;

	if (!bench->devices)
		bench->devices = devices_open(&bench->root.env, kind, &fault);
	if (!bench->devices)
		fail_msg("%s", fault.text);
	bench->now += NSEC_PER_SEC;
	devices_refresh(bench->devices, bench->now, 0);
}

static bool shown(struct bench *bench, const char *key)
{
	return devices_find(bench->devices, key) >= 0;
}

static const struct device *device(struct bench *bench, const char *key)
{
	long index = devices_find(bench->devices, key);

	if (index < 0)
		fail_msg("%s is not shown", key);
	return devices_at(bench->devices, (size_t)index);
}

/* A disk on a SCSI host below the PCI device BUS, at H:C:T:L, with what lies between.
 */
static void scsi_disk(
	struct bench *bench, const char *name, const char *way, const char *address)
{
	char path[160], target[160];

	(void)snprintf(path, sizeof path, "sys/devices/%s/%s/model", way, address);
	fake_file(&bench->root, path, "LUN             \n");
	(void)snprintf(path, sizeof path, "sys/devices/%s/%s/vendor", way, address);
	fake_file(&bench->root, path, "NETAPP  \n");
	(void)snprintf(path, sizeof path, "sys/block/%s/size", name);
	fake_file(&bench->root, path, "2048\n");
	(void)snprintf(path, sizeof path, "sys/block/%s/device", name);
	(void)snprintf(target, sizeof target, "../../devices/%s/%s", way, address);
	fake_link(&bench->root, path, target);
}

static void by_default_disks_have_a_bus_or_lie_on_others(void **memory)
{
	struct bench *bench = *memory;
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
	look(bench, KIND_DISK);
	assert_true(shown(bench, "sda"));
	assert_true(shown(bench, "cciss/c0d0"));
	assert_true(shown(bench, "nbd1"));
	assert_false(shown(bench, "nbd0")); /* not connected */
	assert_false(shown(bench, "loop0"));
	assert_false(shown(bench, "ram0"));
	assert_false(shown(bench, "zram0"));
	assert_int_equal(device(bench, "sda")->subject.flags, 0);
	assert_int_equal(device(bench, "dm-0")->subject.flags,
		SUBJECT_STACKED | SUBJECT_VIRTUAL);
	assert_true(device(bench, "md127")->subject.flags & SUBJECT_STACKED);
	assert_true(device(bench, "bcache0")->subject.flags & SUBJECT_STACKED);
	assert_int_equal(device(bench, "nbd1")->subject.flags, SUBJECT_VIRTUAL);
	assert_string_equal(device(bench, "cciss/c0d0")->dir, "cciss!c0d0");

	fake_file(root, "sys/block/nbd0/size", "100\n"); /* connected now */
	look(bench, KIND_DISK);
	assert_true(shown(bench, "nbd0"));
}

static void a_pattern_shows_what_it_matches_and_nothing_else(void **memory)
{
	struct bench *bench = *memory;

	fake_disk(&bench->root, "sda", "DISK");
	fake_disk(&bench->root, "sdb", "DISK");
	fake_file(&bench->root, "sys/block/loop0/size", "4096\n");
	bench->root.selection.disks = "^(sdb|loop[0-9]+)$";
	look(bench, KIND_DISK);
	assert_false(shown(bench, "sda"));
	assert_true(shown(bench, "sdb"));
	assert_true(shown(bench, "loop0"));
}

static void a_bad_pattern_is_a_fault_that_names_it(void **memory)
{
	struct bench *bench = *memory;
	struct fault fault = {0};

	bench->root.selection.disks = "sd(a";
	assert_null(devices_open(&bench->root.env, KIND_DISK, &fault));
	assert_non_null(strstr(fault.text, "sd(a"));
}

static void all_hides_nothing_but_partitions_are_no_disks(void **memory)
{
	struct bench *bench = *memory;

	fake_disk(&bench->root, "sda", "DISK");
	fake_file(&bench->root, "sys/block/sda/sda1/partition", "1\n");
	fake_file(&bench->root, "sys/block/loop0/size", "0\n");
	bench->root.selection.all = true;
	look(bench, KIND_DISK);
	assert_true(shown(bench, "sda"));
	assert_true(shown(bench, "loop0"));
	assert_false(shown(bench, "sda1"));
}

static void the_paths_to_one_lun_have_identities_of_their_own(void **memory)
{
	struct bench *bench = *memory;
	struct fake_root *root = &bench->root;
	static const char iscsi[] = "platform/host3/session1/target3:0:0";
	static const char fc[] =
		"pci0000:00/0000:00:02.0/0000:05:00.0/host7/rport-7:0-3/target7:0:3";

	scsi_disk(bench, "sdc", iscsi, "3:0:0:1");
	scsi_disk(bench, "sdd", fc, "7:0:3:1");
	fake_file(root, "sys/block/sdc/device/wwid", "naa.600a0b80\n");
	fake_file(root, "sys/block/sdd/device/wwid", "naa.600a0b80\n");
	fake_file(root, "sys/class/iscsi_connection/connection1:0/persistent_address",
		"192.0.2.7\n");
	fake_file(
		root, "sys/class/fc_remote_ports/rport-7:0-3/port_name", "0x500a098\n");
	look(bench, KIND_DISK);
	assert_string_equal(
		device(bench, "sdc")->subject.id, "naa.600a0b80@iscsi 192.0.2.7");
	assert_string_equal(
		device(bench, "sdd")->subject.id, "naa.600a0b80@fc 0x500a098");
	assert_string_equal(
		device(bench, "sdc")->subject.detail, "NETAPP LUN iscsi 192.0.2.7");
}

static void a_disk_without_a_serial_is_known_by_where_it_is_plugged_in(void **memory)
{
	struct bench *bench = *memory;

	scsi_disk(bench, "sda", "pci0000:00/0000:00:1f.2/ata1/host0/target0:0:0",
		"0:0:0:0");
	look(bench, KIND_DISK);
	assert_string_equal(device(bench, "sda")->subject.id, "pci-0000:00:1f.2-0:0:0");
	assert_string_equal(device(bench, "sda")->subject.detail, "NETAPP LUN sata");
}

static void names_that_would_move_the_cursor_are_cleaned(void **memory)
{
	struct bench *bench = *memory;

	fake_disk(&bench->root, "sd\033[2J", "EVIL\033]0;title\007");
	fake_file(&bench->root, "sys/block/dm-0/dm/name", "a\r\nb\n");
	look(bench, KIND_DISK);
	assert_string_equal(device(bench, "sd\033[2J")->subject.name, "sd?[2J");
	assert_null(strpbrk(device(bench, "sd\033[2J")->subject.detail, "\033\007"));
	assert_null(strpbrk(device(bench, "dm-0")->subject.label, "\r\n"));
}

static void the_sources_of_a_process_share_one_view(void **memory)
{
	struct bench *bench = *memory;
	struct devices *other, *nics;

	fake_disk(&bench->root, "sda", "DISK");
	look(bench, KIND_DISK);
	other = devices_open(&bench->root.env, KIND_DISK, NULL);
	nics = devices_open(&bench->root.env, KIND_NIC, NULL);
	assert_ptr_equal(other, bench->devices);
	assert_ptr_not_equal(nics, bench->devices);
	devices_close(other);
	devices_close(nics);
	assert_true(shown(bench, "sda"));
}

static void thousands_of_disks_come_and_go_without_piling_up(void **memory)
{
	struct bench *bench = *memory;
	char path[64];
	size_t count;

	for (int i = 0; i < 300; i++) {
		(void)snprintf(path, sizeof path, "sys/block/sd%d/device/model", i);
		fake_file(&bench->root, path, "LUN\n");
	}
	look(bench, KIND_DISK);
	count = devices_count(bench->devices);
	assert_int_equal(count, 300);
	for (int round = 0; round < 5; round++) {
		fake_remove(&bench->root, "sys/block/sd7");
		look(bench, KIND_DISK);
		assert_false(shown(bench, "sd7"));
		assert_true(shown(bench, "sd8"));
		fake_file(&bench->root, "sys/block/sd7/device/model", "LUN\n");
		look(bench, KIND_DISK);
		assert_int_equal(device(bench, "sd7")->life, round + 2);
	}
	assert_in_range(devices_count(bench->devices), count, count + 1);
}

/* ---- interfaces ---- */

static const char headings[] =
	"Inter-|   Receive                            |  Transmit\n"
	" face |bytes    packets errs drop fifo frame compressed multicast|bytes    "
	"packets errs drop fifo colls carrier compressed\n";

static void traffic(struct bench *bench, const char *lines)
{
	fake_file(&bench->root, "proc/net/dev", "%s%s", headings, lines);
}

static void real_nic(struct bench *bench, const char *name)
{
	char path[96];

	fake_nic(&bench->root, name, "00:25:b5:00:00:0f");
	(void)snprintf(path, sizeof path, "sys/class/net/%s/device/vendor", name);
	fake_file(&bench->root, path, "0x8086\n");
}

static void virtual_interfaces_appear_once_they_carry_traffic(void **memory)
{
	struct bench *bench = *memory;

	real_nic(bench, "eth0");
	fake_nic(&bench->root, "veth1", "02:00:00:00:00:01");
	fake_nic(&bench->root, "lo", "00:00:00:00:00:00");
	traffic(bench, "    lo: 9 9 0 0 0 0 0 0 9 9 0 0 0 0 0 0\n"
		       "  eth0: 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0\n"
		       " veth1: 500 5 0 0 0 0 0 0 500 5 0 0 0 0 0 0\n");
	look(bench, KIND_NIC);
	look(bench, KIND_NIC);
	assert_true(shown(bench, "eth0"));
	assert_false(shown(bench, "veth1"));
	assert_false(shown(bench, "lo"));
	traffic(bench, "    lo: 9 99 0 0 0 0 0 0 9 99 0 0 0 0 0 0\n"
		       "  eth0: 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0\n"
		       " veth1: 600 5 0 0 0 0 0 0 500 6 0 0 0 0 0 0\n");
	look(bench, KIND_NIC);
	assert_true(shown(bench, "veth1"));
	assert_false(shown(bench, "lo"));
	assert_int_equal(device(bench, "veth1")->subject.flags, SUBJECT_VIRTUAL);
}

static void in_a_container_earlier_traffic_is_enough(void **memory)
{
	struct bench *bench = *memory;

	fake_nic(&bench->root, "eth0", "02:00:00:00:00:01");
	fake_nic(&bench->root, "dummy0", "02:00:00:00:00:02");
	traffic(bench, "  eth0: 500 5 0 0 0 0 0 0 500 5 0 0 0 0 0 0\n"
		       "dummy0: 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0\n");
	look(bench, KIND_NIC);
	assert_true(shown(bench, "eth0"));
	assert_false(shown(bench, "dummy0"));
}

static void stacked_interfaces_are_flagged_and_their_slaves_are_not(void **memory)
{
	struct bench *bench = *memory;
	struct fake_root *root = &bench->root;

	real_nic(bench, "eth0");
	fake_file(root, "sys/class/net/eth0/bonding_slave/perm_hwaddr",
		"00:25:b5:00:00:aa\n");
	fake_nic(root, "bond0", "00:25:b5:00:00:0f");
	fake_file(
		root, "sys/class/net/bond0/uevent", "DEVTYPE=bond\nINTERFACE=bond0\n");
	fake_file(root, "sys/class/net/bond0/lower_eth0/ifindex", "2\n");
	fake_nic(root, "bond0.5", "00:25:b5:00:00:0f");
	fake_file(root, "sys/class/net/bond0.5/uevent", "DEVTYPE=vlan\n");
	fake_file(root, "sys/class/net/bond0.5/lower_bond0/ifindex", "3\n");
	fake_file(root, "sys/class/net/bonding_masters", "bond0\n");
	look(bench, KIND_NIC);
	assert_int_equal(device(bench, "eth0")->subject.flags, 0);
	assert_true(device(bench, "bond0")->subject.flags & SUBJECT_STACKED);
	assert_true(device(bench, "bond0.5")->subject.flags & SUBJECT_STACKED);
	assert_string_equal(
		device(bench, "bond0.5")->subject.detail, "vlan over bond0");
	assert_false(shown(bench, "bonding_masters"));
	/* a slave wears the address of its bond; the card has its own */
	assert_memory_equal(device(bench, "eth0")->subject.id, "00:25:b5:00:00:aa", 17);
}

static void a_list_of_names_shows_exactly_those(void **memory)
{
	struct bench *bench = *memory;

	real_nic(bench, "eth0");
	real_nic(bench, "eth1");
	fake_nic(&bench->root, "lo", "00:00:00:00:00:00");
	bench->root.selection.interfaces = "eth1,lo,eth10";
	look(bench, KIND_NIC);
	assert_false(shown(bench, "eth0"));
	assert_true(shown(bench, "eth1"));
	assert_true(shown(bench, "lo"));
	real_nic(bench, "eth10"); /* named before it was there */
	look(bench, KIND_NIC);
	assert_true(shown(bench, "eth10"));
}

static void names_with_colons_are_read_whole(void **memory)
{
	struct bench *bench = *memory;

	fake_nic(&bench->root, "ibr10:30", "02:00:00:00:00:01");
	traffic(bench, "ibr10:30: 1 2 0 0 0 0 0 0 3 4 0 0 0 0 0 0\n");
	look(bench, KIND_NIC);
	assert_true(shown(bench, "ibr10:30"));
}

/* The mounted sysfs of another network namespace has an eth0 too. Its counters are
 * not those of this one. */
static void a_foreign_sysfs_is_not_used(void **memory)
{
	struct bench *bench = *memory;
	char folder[256];

	real_nic(bench, "eth0");
	real_nic(bench, "eth1");
	traffic(bench, "  eth0: 1 1 0 0 0 0 0 0 1 1 0 0 0 0 0 0\n");
	look(bench, KIND_NIC);
	assert_false(shown(bench, "eth1"));
	assert_true(shown(bench, "eth0"));
	assert_false(devices_folder(
		bench->devices, device(bench, "eth0"), folder, sizeof folder));
	assert_string_equal(device(bench, "eth0")->subject.id, "eth0");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
		TEST(by_default_disks_have_a_bus_or_lie_on_others),
		TEST(a_pattern_shows_what_it_matches_and_nothing_else),
		TEST(a_bad_pattern_is_a_fault_that_names_it),
		TEST(all_hides_nothing_but_partitions_are_no_disks),
		TEST(the_paths_to_one_lun_have_identities_of_their_own),
		TEST(a_disk_without_a_serial_is_known_by_where_it_is_plugged_in),
		TEST(names_that_would_move_the_cursor_are_cleaned),
		TEST(the_sources_of_a_process_share_one_view),
		TEST(thousands_of_disks_come_and_go_without_piling_up),
		TEST(virtual_interfaces_appear_once_they_carry_traffic),
		TEST(in_a_container_earlier_traffic_is_enough),
		TEST(stacked_interfaces_are_flagged_and_their_slaves_are_not),
		TEST(a_list_of_names_shows_exactly_those),
		TEST(names_with_colons_are_read_whole),
		TEST(a_foreign_sysfs_is_not_used),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
