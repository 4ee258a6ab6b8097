/* How disks are reached, as facts from written trees. */
#include "config.h"

#include "fake_root.h"
#include "source/path.h"
#include "source/table.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void assert_fact(
	const struct sink *sink, const char *name, const char *key, const char *value)
{
	const char *found = NULL;

	for (size_t i = 0; i < sink->fact_count; i++) {
		struct fact one = sink_fact_at(sink, i);

		if (!strcmp(one.name, name) && !strcmp(one.key, key))
			found = fact_text(&one);
	}
	if (!found ? value != NULL : !value || strcmp(found, value) != 0)
		fail_msg("%s %s is %s, not %s", name, key, found ? found : "not there",
			value ? value : "absent");
}

#define ISCSI "platform/host3/session1/target3:0:0"
#define FC    "pci0000:00/0000:05:00.0/host7/rport-7:0-3/target7:0:3"

static void add_session(const struct fake_root *root, const char *driver)
{
	fake_lun(root, "sdc", ISCSI, "3:0:0:1");
	fake_file(root, "sys/class/iscsi_session/session1/targetname",
		"iqn.2001-04.example:disk1\n");
	fake_file(root, "sys/class/iscsi_connection/connection1:0/persistent_address",
		"192.0.2.9\n");
	fake_file(root, "sys/class/iscsi_connection/connection1:0/persistent_port",
		"3260\n");
	fake_file(root, "sys/class/scsi_host/host3/proc_name", "%s\n", driver);
	fake_file(root, "sys/class/iscsi_host/host3/netdev", "default\n");
	fake_file(root, "sys/class/iscsi_host/host3/ipaddress", "127.0.0.1\n");
}

static void an_iscsi_disk_is_followed_to_the_card_of_its_local_address(void **memory)
{
	struct fake_bench *bench = *memory;
	const struct sink *sink;
	char loopback[SUBJECT_NAME];

	if (!path_interface("127.0.0.1", loopback, sizeof loopback))
		skip(); /* a namespace without its loopback */
	add_session(&bench->root, "iscsi_tcp");
	fake_start(bench, &source_config_disk);
	sink = fake_tick(bench);
	assert_fact(sink, "sdc", "path", "LUN 1 > iSCSI > 192.0.2.9:3260 disk1");
	assert_fact(sink, "sdc", "packets", loopback);
}

static void a_session_bound_to_a_card_names_it(void **memory)
{
	struct fake_bench *bench = *memory;
	struct fake_root *root = &bench->root;

	add_session(root, "iscsi_tcp");
	fake_nic(root, "eth5", "02:00:00:00:00:05");
	fake_file(root, "sys/class/iscsi_host/host3/netdev", "eth5\n");
	fake_start(bench, &source_config_disk);
	assert_fact(fake_tick(bench), "sdc", "packets", "eth5");
}

static void an_adapter_that_speaks_tcp_itself_hides_its_packets(void **memory)
{
	struct fake_bench *bench = *memory;

	add_session(&bench->root, "qla4xxx");
	fake_start(bench, &source_config_disk);
	assert_fact(fake_tick(bench), "sdc", "packets",
		"no: qla4xxx speaks TCP itself, use the switch port or a mirror");
}

static void an_address_that_is_not_here_is_said_and_not_guessed(void **memory)
{
	struct fake_bench *bench = *memory;
	struct fake_root *root = &bench->root;

	add_session(root, "iscsi_tcp");
	fake_file(root, "sys/class/iscsi_host/host3/ipaddress", "203.0.113.77\n");
	fake_start(bench, &source_config_disk);
	assert_fact(fake_tick(bench), "sdc", "packets",
		"no: no interface has 203.0.113.77");
	fake_remove(root, "sys/class/iscsi_host/host3/ipaddress");
	bench->sink.marked = true;
	assert_fact(fake_tick(bench), "sdc", "packets",
		"no: the local address is not known");
}

/* A map over an iSCSI and an FC path, and a logical volume on a partition of it. */
static void a_stack_is_told_from_the_top_to_the_paths(void **memory)
{
	struct fake_bench *bench = *memory;
	struct fake_root *root = &bench->root;
	const struct sink *sink;

	add_session(root, "iscsi_tcp");
	fake_lun(root, "sdd", FC, "7:0:3:1");
	fake_file(root, "sys/class/fc_remote_ports/rport-7:0-3/roles", "FCP Target\n");
	fake_file(root, "sys/class/fc_remote_ports/rport-7:0-3/port_name",
		"0x500a098300000003\n");
	fake_link(root, "sys/class/fc_remote_ports/rport-7:0-3/device",
		"../../../devices/pci0000:00/0000:05:00.0/host7/rport-7:0-3");
	fake_file(root, "sys/block/dm-0/dm/uuid", "mpath-3600a0b80\n");
	fake_link(root, "sys/block/dm-0/slaves/sdc", "../../sdc");
	fake_link(root, "sys/block/dm-0/slaves/sdd", "../../sdd");
	fake_link(root, "sys/block/sdc/holders/dm-0", "../../dm-0");
	fake_link(root, "sys/block/sdd/holders/dm-0", "../../dm-0");
	fake_disk(root, "sda", "DISK");
	fake_file(root, "sys/block/sda/sda3/partition", "3\n");
	fake_file(root, "sys/block/dm-1/dm/uuid", "LVM-abc\n");
	fake_link(root, "sys/block/dm-1/slaves/sda3", "../../sda/sda3");
	fake_link(root, "sys/block/sda/holders/dm-1", "../../dm-1");
	fake_start(bench, &source_config_disk);
	sink = fake_tick(bench);
	assert_fact(sink, "dm-0", "path", "multipath > sdc sdd");
	assert_fact(sink, "dm-0", "below", "sdc sdd");
	assert_fact(sink, "sdc", "path_of", "dm-0");
	assert_fact(sink, "sdd", "path_of", "dm-0");
	assert_fact(sink, "sdd", "path", "LUN 1 > FC > 500a098300000003 host7");
	assert_fact(sink, "sdd", "packets", "no: Fibre Channel, use the switch port");
	assert_fact(sink, "dm-1", "path", "LVM > sda");
	assert_fact(sink, "dm-1", "below", "sda"); /* the disk, not the partition */
	assert_fact(sink, "sda", "path_of", NULL);
}

static void nvme_over_tcp_is_followed_by_its_source_address(void **memory)
{
	struct fake_bench *bench = *memory;
	struct fake_root *root = &bench->root;
	const struct sink *sink;

	fake_file(root, "sys/block/nvme0n1/size", "2048\n");
	fake_folder(root, "sys/block/nvme0n1/device");
	fake_file(root, "sys/block/nvme0c1n1/device/transport", "tcp\n");
	fake_file(root, "sys/block/nvme0c1n1/device/address",
		"traddr=192.0.2.5,trsvcid=4420,host_iface=eth7,src_addr=192.0.2.1\n");
	fake_file(root, "sys/block/nvme0c2n1/device/transport", "rdma\n");
	fake_file(root, "sys/block/nvme0c2n1/device/address",
		"traddr=192.0.2.6,trsvcid=4420\n");
	fake_start(bench, &source_config_disk);
	sink = fake_tick(bench);
	assert_fact(sink, "nvme0n1", "path", "NVMe multipath > nvme0c1n1 nvme0c2n1");
	assert_fact(sink, "nvme0c1n1", "path_of", "nvme0n1");
	assert_fact(sink, "nvme0c1n1", "path", "NVMe/tcp > 192.0.2.5:4420");
	assert_fact(sink, "nvme0c1n1", "packets", "eth7");
	assert_fact(sink, "nvme0c2n1", "packets", "no: rdma, use the switch port");
}

static void a_new_path_is_told_at_once(void **memory)
{
	struct fake_bench *bench = *memory;
	struct fake_root *root = &bench->root;

	fake_disk(root, "sda", "DISK");
	fake_start(bench, &source_config_disk);
	(void)fake_tick(bench);
	assert_int_equal(fake_tick(bench)->fact_count, 0);
	fake_disk(root, "sdb", "DISK");
	fake_look(bench, KIND_DISK); /* as another source does it in each tick */
	assert_true(fake_tick(bench)->fact_count > 0);
	assert_int_equal(fake_tick(bench)->fact_count, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, fake_setup, fake_teardown)
		TEST(an_iscsi_disk_is_followed_to_the_card_of_its_local_address),
		TEST(a_session_bound_to_a_card_names_it),
		TEST(an_adapter_that_speaks_tcp_itself_hides_its_packets),
		TEST(an_address_that_is_not_here_is_said_and_not_guessed),
		TEST(a_stack_is_told_from_the_top_to_the_paths),
		TEST(nvme_over_tcp_is_followed_by_its_source_address),
		TEST(a_new_path_is_told_at_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
