/* Which network interfaces are shown, and what they are called. */
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

static const char headings[] =
	"Inter-|   Receive                            |  Transmit\n"
	" face |bytes    packets errs drop fifo frame compressed multicast|bytes    "
	"packets errs drop fifo colls carrier compressed\n";

static void traffic(struct fake_bench *bench, const char *lines)
{
	fake_file(&bench->root, "proc/net/dev", "%s%s", headings, lines);
}

static void real_nic(struct fake_bench *bench, const char *name)
{
	char path[96];

	fake_nic(&bench->root, name, "00:25:b5:00:00:0f");
	(void)snprintf(path, sizeof path, "sys/class/net/%s/device/vendor", name);
	fake_file(&bench->root, path, "0x8086\n");
}

static void virtual_interfaces_appear_once_they_carry_traffic(void **memory)
{
	struct fake_bench *bench = *memory;

	real_nic(bench, "eth0");
	fake_nic(&bench->root, "veth1", "02:00:00:00:00:01");
	fake_nic(&bench->root, "lo", "00:00:00:00:00:00");
	traffic(bench, "    lo: 9 9 0 0 0 0 0 0 9 9 0 0 0 0 0 0\n"
		       "  eth0: 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0\n"
		       " veth1: 500 5 0 0 0 0 0 0 500 5 0 0 0 0 0 0\n");
	fake_look(bench, KIND_NIC);
	fake_look(bench, KIND_NIC);
	assert_true(fake_shown(bench, "eth0"));
	assert_false(fake_shown(bench, "veth1"));
	assert_false(fake_shown(bench, "lo"));
	traffic(bench, "    lo: 9 99 0 0 0 0 0 0 9 99 0 0 0 0 0 0\n"
		       "  eth0: 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0\n"
		       " veth1: 600 5 0 0 0 0 0 0 500 6 0 0 0 0 0 0\n");
	fake_look(bench, KIND_NIC);
	assert_true(fake_shown(bench, "veth1"));
	assert_false(fake_shown(bench, "lo"));
	assert_int_equal(fake_device(bench, "veth1")->subject.flags, SUBJECT_VIRTUAL);
}

static void in_a_container_earlier_traffic_is_enough(void **memory)
{
	struct fake_bench *bench = *memory;

	fake_nic(&bench->root, "eth0", "02:00:00:00:00:01");
	fake_nic(&bench->root, "dummy0", "02:00:00:00:00:02");
	traffic(bench, "  eth0: 500 5 0 0 0 0 0 0 500 5 0 0 0 0 0 0\n"
		       "dummy0: 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0\n");
	fake_look(bench, KIND_NIC);
	assert_true(fake_shown(bench, "eth0"));
	assert_false(fake_shown(bench, "dummy0"));
}

static void stacked_interfaces_are_flagged_and_their_slaves_are_not(void **memory)
{
	struct fake_bench *bench = *memory;
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
	fake_look(bench, KIND_NIC);
	assert_int_equal(fake_device(bench, "eth0")->subject.flags, 0);
	assert_true(fake_device(bench, "bond0")->subject.flags & SUBJECT_STACKED);
	assert_true(fake_device(bench, "bond0.5")->subject.flags & SUBJECT_STACKED);
	assert_string_equal(
		fake_device(bench, "bond0.5")->subject.detail, "vlan over bond0");
	assert_false(fake_shown(bench, "bonding_masters"));
	/* a slave wears the address of its bond; the card has its own */
	assert_memory_equal(
		fake_device(bench, "eth0")->subject.id, "00:25:b5:00:00:aa", 17);
}

static void a_list_of_names_shows_exactly_those(void **memory)
{
	struct fake_bench *bench = *memory;

	real_nic(bench, "eth0");
	real_nic(bench, "eth1");
	fake_nic(&bench->root, "lo", "00:00:00:00:00:00");
	bench->root.selection.interfaces = "eth1,lo,eth10";
	fake_look(bench, KIND_NIC);
	assert_false(fake_shown(bench, "eth0"));
	assert_true(fake_shown(bench, "eth1"));
	assert_true(fake_shown(bench, "lo"));
	real_nic(bench, "eth10"); /* named before it was there */
	fake_look(bench, KIND_NIC);
	assert_true(fake_shown(bench, "eth10"));
}

static void names_with_colons_are_read_whole(void **memory)
{
	struct fake_bench *bench = *memory;

	fake_nic(&bench->root, "ibr10:30", "02:00:00:00:00:01");
	traffic(bench, "ibr10:30: 1 2 0 0 0 0 0 0 3 4 0 0 0 0 0 0\n");
	fake_look(bench, KIND_NIC);
	assert_true(fake_shown(bench, "ibr10:30"));
}

/* The mounted sysfs of another network namespace has an eth0 too. Its counters are
 * not those of this one. */
static void a_foreign_sysfs_is_not_used(void **memory)
{
	struct fake_bench *bench = *memory;
	char folder[256];

	real_nic(bench, "eth0");
	real_nic(bench, "eth1");
	traffic(bench, "  eth0: 1 1 0 0 0 0 0 0 1 1 0 0 0 0 0 0\n");
	fake_look(bench, KIND_NIC);
	assert_false(fake_shown(bench, "eth1"));
	assert_true(fake_shown(bench, "eth0"));
	assert_false(devices_folder(
		bench->devices, fake_device(bench, "eth0"), folder, sizeof folder));
	assert_string_equal(fake_device(bench, "eth0")->subject.id, "eth0");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, fake_setup, fake_teardown)
		TEST(virtual_interfaces_appear_once_they_carry_traffic),
		TEST(in_a_container_earlier_traffic_is_enough),
		TEST(stacked_interfaces_are_flagged_and_their_slaves_are_not),
		TEST(a_list_of_names_shows_exactly_those),
		TEST(names_with_colons_are_read_whole),
		TEST(a_foreign_sysfs_is_not_used),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
