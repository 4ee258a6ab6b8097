/* Facts on the host and its devices, read from a fake /proc and /sys and from drivers
 * that this test plays. */
#include "config.h"

#include "base/clock.h"
#include "fake_root.h"
#include "source/config_net.h"
#include "source/sink.h"
#include "source/table.h"

#include <errno.h>
#include <linux/ethtool.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* The fact, "(denied)" and the like where there is no value, null where there is no
 * such fact. */
static const char *fact(const struct sink *sink, const char *name, const char *key)
{
	const char *text = NULL;

	for (size_t i = 0; i < sink->fact_count; i++) {
		struct fact one = sink_fact_at(sink, i);

		if (strcmp(one.name, name) != 0 || strcmp(one.key, key) != 0)
			continue;
		if (text && strcmp(text, fact_text(&one)) != 0)
			fail_msg("%s %s is there twice", name, key);
		text = fact_text(&one);
	}
	return text;
}

static void assert_fact(
	const struct sink *sink, const char *name, const char *key, const char *value)
{
	const char *found = fact(sink, name, key);

	if (!found || strcmp(found, value) != 0)
		fail_msg("%s %s is %s, not %s", name, key, found ? found : "not there",
			value);
}

static void disks_are_told_by_their_attributes(void **memory)
{
	struct fake_bench *bench = *memory;
	struct fake_root *root = &bench->root;
	const struct sink *sink;

	fake_disk(root, "sda", "DISK");
	fake_file(root, "sys/block/sda/queue/scheduler", "none [mq-deadline] kyber\n");
	fake_file(root, "sys/block/sda/queue/read_ahead_kb", "128\n");
	fake_file(root, "sys/block/sda/queue/write_cache", "write back\n");
	fake_file(root, "sys/block/sda/device/queue_depth", "64\n");
	fake_file(root, "sys/block/dm-0/dm/name", "mpatha\n");
	fake_file(root, "sys/block/dm-0/dm/uuid", "mpath-36001\n");
	fake_file(root, "sys/block/dm-0/dm/suspended", "0\n");
	fake_folder(root, "sys/block/dm-0/slaves/sdc");
	fake_folder(root, "sys/block/dm-0/slaves/sda");
	fake_start(bench, &source_config_disk);
	sink = fake_tick(bench);
	assert_fact(sink, "sda", "scheduler", "mq-deadline");
	assert_fact(sink, "sda", "read_ahead_kb", "128");
	assert_fact(sink, "sda", "write_cache", "write back");
	assert_fact(sink, "sda", "queue_depth", "64");
	assert_fact(sink, "sda", "nr_requests", "(not reported)"); /* no such file */
	assert_null(fact(sink, "sda", "dm.name"));
	assert_fact(sink, "dm-0", "dm.name", "mpatha");
	assert_fact(sink, "dm-0", "slaves", "sda sdc");
	assert_int_equal(sink->whole, 1u << KIND_DISK);
	assert_int_equal(sink->reading_count, 0);
}

static void they_are_looked_at_once_a_minute_and_at_marks(void **memory)
{
	struct fake_bench *bench = *memory;

	fake_disk(&bench->root, "sda", "DISK");
	fake_file(&bench->root, "sys/block/sda/queue/read_ahead_kb", "128\n");
	fake_start(bench, &source_config_disk);
	assert_fact(fake_tick(bench), "sda", "read_ahead_kb", "128");
	fake_file(&bench->root, "sys/block/sda/queue/read_ahead_kb", "64\n");
	for (int second = 1; second < 60; second++) {
		const struct sink *sink = fake_tick(bench);

		assert_int_equal(sink->fact_count, 0);
		assert_int_equal(sink->whole, 0); /* nothing is said to be gone */
	}
	assert_fact(fake_tick(bench), "sda", "read_ahead_kb", "64");
	assert_int_equal(fake_tick(bench)->fact_count, 0);
	bench->sink.marked = true;
	assert_fact(fake_tick(bench), "sda", "read_ahead_kb", "64");
}

static void the_host_is_told_by_its_parameters(void **memory)
{
	struct fake_bench *bench = *memory;
	struct fake_root *root = &bench->root;
	const struct sink *sink;
	char etc[100];

	(void)snprintf(etc, sizeof etc, "%s/etc", root->top);
	root->env.etc = etc;
	root->selection.capture = false;
	root->selection.filter = "tcp port 3260";
	root->selection.stall = 2500 * NSEC_PER_MSEC;
	fake_file(root, "etc/os-release", "ID=x\nPRETTY_NAME=\"Some Linux 12\"\n");
	fake_file(root, "proc/sys/kernel/osrelease", "6.1.0-18-amd64\n");
	fake_file(root, "proc/cmdline", "quiet  mitigations=off\n");
	fake_file(root, "proc/sys/net/ipv4/tcp_rmem", "4096\t131072\t6291456\n");
	fake_file(root, "proc/self/mountinfo", "\n");
	fake_file(root, "sys/devices/system/cpu/online", "0-3\n");
	fake_file(root, "sys/devices/system/cpu/cpufreq/policy0/scaling_governor",
		"powersave\n");
	fake_file(root, "sys/devices/system/cpu/cpufreq/policy1/scaling_governor",
		"performance\n");
	fake_file(root, "sys/devices/system/cpu/cpufreq/policy2/scaling_governor",
		"performance\n");
	fake_start(bench, &source_config_host);
	sink = fake_tick(bench);
	assert_fact(sink, "host", "kernel", "6.1.0-18-amd64");
	assert_fact(sink, "host", "cmdline", "quiet mitigations=off");
	assert_fact(sink, "host", "distribution", "Some Linux 12");
	assert_fact(sink, "host", "net.ipv4.tcp_rmem", "4096 131072 6291456");
	assert_fact(sink, "host", "net.ipv4.tcp_sack", "(not reported)");
	assert_fact(sink, "host", "governor", "powersave performance");
	assert_fact(sink, "host", "cpus", "0-3");
	assert_fact(sink, "host", "weir.capture", "off");
	assert_fact(sink, "host", "weir.filter", "tcp port 3260");
	assert_fact(sink, "host", "weir.stall", "2.5 s");
}

static void mounts_are_told_by_the_list_alone(void **memory)
{
	struct fake_bench *bench = *memory;
	const struct sink *sink;

	fake_file(&bench->root, "proc/self/mountinfo",
		"22 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw,errors=x\n"
		"40 22 0:35 / /srv/my\\040mail rw,relatime shared:2 master:3 - nfs4 "
		"nas:/exp rw,vers=4.2,rsize=1048576,hard,proto=tcp,addr=192.0.2.1\n"
		"41 22 0:36 / /mnt/s rw - cifs //srv/share rw,vers=3.1.1,password=x,"
		"soft\n"
		"42 22 0:37 / /cut rw - nfs\n"
		"43 22\n"
		"\n");
	fake_start(bench, &source_config_host);
	sink = fake_tick(bench);
	assert_fact(sink, "/srv/my mail", "source", "nas:/exp");
	assert_fact(sink, "/srv/my mail", "type", "nfs4");
	assert_fact(sink, "/srv/my mail", "rsize", "1048576");
	assert_fact(sink, "/srv/my mail", "hard", "on");
	assert_fact(sink, "/srv/my mail", "relatime", "on");
	assert_null(fact(sink, "/srv/my mail", "soft"));
	assert_fact(sink, "/mnt/s", "vers", "3.1.1");
	assert_null(fact(sink, "/mnt/s", "password"));
	assert_null(fact(sink, "/", "type"));
	assert_null(fact(sink, "/cut", "type"));
	assert_true(sink->whole & 1u << KIND_MOUNT);
}

/* Options say what was asked for; DebugData what is in effect. */
static void signing_of_a_share_is_a_fact(void **memory)
{
	struct fake_bench *bench = *memory;
	const struct sink *sink;

	fake_file(&bench->root, "proc/self/mountinfo",
		"41 22 0:36 / /mnt/s rw - cifs //10.77.0.2/share rw,vers=3.1.1\n"
		"42 22 0:37 / /mnt/t rw - cifs //10.77.0.3/share rw,vers=3.1.1\n");
	fake_recorded(&bench->root, "proc/fs/cifs/DebugData",
		"linux-6.1/cifs-debug-3.1.1-signed");
	fake_start(bench, &source_config_host);
	sink = fake_tick(bench);
	assert_fact(sink, "/mnt/s", "smb.dialect", "3.1.1");
	assert_fact(sink, "/mnt/s", "smb.signed", "yes");
	assert_fact(sink, "/mnt/s", "smb.encrypted", "no");
	assert_fact(sink, "/mnt/s", "smb.connections", "1");
	assert_null(fact(sink, "/mnt/t", "smb.signed")); /* nobody knows */
}

static void sessions_and_ports_are_told_by_how_they_are_set_up(void **memory)
{
	struct fake_bench *bench = *memory;
	struct fake_root *root = &bench->root;
	const struct sink *sink;
	struct fact first;

	fake_file(root, "sys/class/iscsi_connection/connection7:0/persistent_address",
		"192.0.2.9\n");
	fake_file(root, "sys/class/iscsi_connection/connection7:0/persistent_port",
		"3260\n");
	fake_file(root, "sys/class/iscsi_connection/connection7:0/header_digest",
		"CRC32C\n");
	fake_file(root, "sys/class/iscsi_session/session7/targetname",
		"iqn.2001-04.example:a\n");
	fake_file(root, "sys/class/iscsi_session/session7/max_burst_len", "262144\n");
	fake_file(root, "sys/class/fc_host/host7/port_name", "0x2100\n");
	fake_file(root, "sys/class/fc_host/host7/speed", "16 Gbit\n");
	fake_start(bench, &source_config_transport);
	sink = fake_tick(bench);
	assert_fact(sink, "192.0.2.9:3260 a", "header_digest", "CRC32C");
	assert_fact(sink, "192.0.2.9:3260 a", "max_burst_len", "262144");
	assert_fact(sink, "192.0.2.9:3260 a", "erl", "(not reported)");
	assert_fact(sink, "fc host7", "speed", "16 Gbit");
	first = sink_fact_at(sink, 0);
	assert_string_equal(first.id, "iscsi 192.0.2.9:3260 iqn.2001-04.example:a");
	assert_int_equal(first.kind, KIND_TRANSPORT);
	assert_int_equal(sink->whole, 1u << KIND_TRANSPORT);
}

/* ---- interfaces, with a driver of our own ---- */

static void add_nic(const struct fake_root *root)
{
	fake_nic(root, "eth0", "02:00:00:00:00:01");
	fake_file(root, "sys/class/net/eth0/device/vendor", "0x8086\n");
}

static const char *const flags[] = {"tx-checksum-ipv4", "rx-gro", "vlan-challenged"};

static int count_flags(void *request)
{
	struct ethtool_sset_info *info = request;

	assert_true(info->sset_mask & 1u << ETH_SS_FEATURES);
	info->data[0] = 3;
	return 0;
}

static int name_flags(void *request)
{
	struct ethtool_gstrings *names = request;

	assert_int_equal(names->len, 3);
	for (int i = 0; i < 3; i++)
		(void)snprintf((char *)names->data + (size_t)i * ETH_GSTRING_LEN,
			ETH_GSTRING_LEN, "%s", flags[i]);
	return 0;
}

static int show_flags(void *request)
{
	struct ethtool_gfeatures *features = request;

	assert_int_equal(features->size, 1);
	features->features[0].available = 1 | 2;
	features->features[0].active = 2 | 4;
	features->features[0].never_changed = 4;
	return 0;
}

static int describe_driver(void *request)
{
	struct ethtool_drvinfo *info = request;

	(void)snprintf(info->driver, sizeof info->driver, "ixgbe");
	memset(info->fw_version, 'x', sizeof info->fw_version); /* without an end */
	return 0;
}

static int show_rings(void *request)
{
	struct ethtool_ringparam *rings = request;

	rings->rx_pending = 512;
	rings->rx_max_pending = 4096;
	return 0;
}

static int show_correction(void *request)
{
	((struct ethtool_fecparam *)request)->active_fec = ETHTOOL_FEC_RS;
	return 0;
}

/* Queue 0 has 6 of 8 entries, queue 3 the others. */
static int show_table(void *request)
{
	struct ethtool_rxfh_indir *table = request;

	for (uint32_t i = 0; i < table->size; i++)
		table->ring_index[i] = i < 6 ? 0 : 3;
	table->size = 8;
	return 0;
}

static int show_fields(void *request)
{
	struct ethtool_rxnfc *flow = request;

	assert_int_equal(flow->flow_type, TCP_V4_FLOW);
	flow->data = RXH_IP_SRC | RXH_IP_DST;
	return 0;
}

static int plays(const struct ethtool *tool, const char *name, void *request)
{
	uint32_t command;

	(void)tool;
	assert_string_equal(name, "eth0");
	memcpy(&command, request, sizeof command);
	switch (command) {
	case ETHTOOL_GDRVINFO:
		return describe_driver(request);
	case ETHTOOL_GSSET_INFO:
		return count_flags(request);
	case ETHTOOL_GSTRINGS:
		return name_flags(request);
	case ETHTOOL_GFEATURES:
		return show_flags(request);
	case ETHTOOL_GRINGPARAM:
		return show_rings(request);
	case ETHTOOL_GFECPARAM:
		return show_correction(request);
	case ETHTOOL_GRXFHINDIR:
		return show_table(request);
	case ETHTOOL_GRXFH:
		return show_fields(request);
	case ETHTOOL_GCOALESCE:
		return EPERM;
	default:
		return EOPNOTSUPP;
	}
}

static void start_net(struct fake_bench *bench)
{
	const struct ethtool tool = {.call = plays, .fd = -1};
	struct fault fault;

	bench->source = &source_config_net;
	assert_true(
		config_net_open_with(&bench->state, &bench->root.env, &tool, &fault));
}

static void interfaces_are_told_by_their_driver(void **memory)
{
	struct fake_bench *bench = *memory;
	const struct sink *sink;

	add_nic(&bench->root);
	start_net(bench);
	sink = fake_tick(bench);
	assert_fact(sink, "eth0", "driver", "ixgbe");
	assert_int_equal(strlen(fact(sink, "eth0", "firmware")), 31);
	assert_fact(sink, "eth0", "offload.tx-checksum-ipv4", "off");
	assert_fact(sink, "eth0", "offload.rx-gro", "on");
	assert_fact(sink, "eth0", "offload.vlan-challenged", "on (fixed)");
	assert_fact(sink, "eth0", "rings.rx", "512 of 4096");
	assert_fact(sink, "eth0", "coalesce.rx-usecs", "(denied)");
	assert_fact(sink, "eth0", "irq.cpus", "(not reported)");
	assert_fact(sink, "eth0", "fec", "rs");
	assert_fact(sink, "eth0", "rss.tcp4", "src dst");
	assert_fact(sink, "eth0", "rss.table", "8 entries over 2 queues, 0:6 3:2");
	assert_fact(sink, "eth0", "pause.rx", "(not reported)");
	assert_fact(sink, "eth0", "channels.combined", "(not reported)");
	assert_true(sink->whole & 1u << KIND_NIC);
}

static void interfaces_are_told_by_their_attributes(void **memory)
{
	struct fake_bench *bench = *memory;
	struct fake_root *root = &bench->root;
	const struct sink *sink;

	add_nic(root);
	fake_file(root, "sys/class/net/eth0/mtu", "9000\n");
	fake_file(root, "sys/class/net/eth0/speed", "10000\n");
	fake_file(root, "sys/class/net/eth0/queues/rx-0/rps_cpus", "00\n");
	fake_file(root, "sys/class/net/eth0/queues/rx-1/rps_cpus", "0f\n");
	fake_file(root, "sys/class/net/eth0/queues/tx-0/xps_cpus", "0f\n");
	fake_file(root, "sys/class/net/eth0/bonding/mode", "802.3ad 4\n");
	start_net(bench);
	sink = fake_tick(bench);
	assert_fact(sink, "eth0", "mtu", "9000");
	assert_fact(sink, "eth0", "speed", "10000");
	assert_fact(sink, "eth0", "queues.rx", "2");
	assert_fact(sink, "eth0", "queues.tx", "1");
	assert_fact(sink, "eth0", "rps_cpus", "00 0f");
	assert_fact(sink, "eth0", "bond.mode", "802.3ad 4");
	assert_null(fact(sink, "eth0", "bond.lacp_rate"));
	fake_file(root, "sys/class/net/eth0/queues/rx-0/rps_cpus", "0f\n");
	bench->sink.marked = true;
	assert_fact(fake_tick(bench), "eth0", "rps_cpus", "0f");
}

static void interrupts_are_told_by_their_processors(void **memory)
{
	struct fake_bench *bench = *memory;
	struct fake_root *root = &bench->root;
	const struct sink *sink;

	add_nic(root);
	fake_folder(root, "sys/class/net/eth0/device/msi_irqs/9");
	fake_folder(root, "sys/class/net/eth0/device/msi_irqs/41");
	fake_file(root, "proc/irq/9/effective_affinity_list", "2\n");
	fake_file(root, "proc/irq/41/effective_affinity_list", "0-3\n");
	start_net(bench);
	sink = fake_tick(bench);
	assert_fact(sink, "eth0", "irq.cpus", "2 0-3"); /* by number, not by letter */
}

static void modules_and_adapters_are_told_by_what_they_are_set_to(void **memory)
{
	struct fake_bench *bench = *memory;
	struct fake_root *root = &bench->root;
	const struct sink *sink;

	fake_file(root, "proc/self/mountinfo", "\n");
	fake_file(root, "sys/class/scsi_host/host7/proc_name", "qla2xxx\n");
	fake_file(root, "sys/module/qla2xxx/parameters/ql2xmaxqdepth", "64\n");
	fake_file(root, "sys/module/nvme_core/parameters/multipath", "Y\n");
	fake_file(root, "sys/module/other/parameters/secret", "1\n");
	fake_start(bench, &source_config_host);
	sink = fake_tick(bench);
	assert_fact(sink, "host", "qla2xxx.ql2xmaxqdepth", "64");
	assert_fact(sink, "host", "nvme_core.multipath", "Y");
	assert_null(fact(sink, "host", "other.secret"));
}

static void the_adapter_of_a_disk_is_told_by_its_limits(void **memory)
{
	struct fake_bench *bench = *memory;
	struct fake_root *root = &bench->root;
	const struct sink *sink;

	fake_lun(root, "sda", "pci0000:00/0000:00:05.0/host7", "7:0:0:1");
	fake_disk(root, "dm-0", "mpatha");
	fake_file(root, "sys/class/scsi_host/host7/proc_name", "qla2xxx\n");
	fake_file(root, "sys/class/scsi_host/host7/can_queue", "2048\n");
	fake_file(root, "sys/class/scsi_host/host7/cmd_per_lun", "3\n");
	fake_file(root, "sys/block/dm-0/dm/uuid", "mpath-36001\n");
	fake_start(bench, &source_config_disk);
	sink = fake_tick(bench);
	assert_fact(sink, "sda", "adapter.driver", "qla2xxx");
	assert_fact(sink, "sda", "adapter.can_queue", "2048");
	assert_fact(sink, "sda", "adapter.cmd_per_lun", "3");
	assert_fact(sink, "dm-0", "dm.policy", "(denied)");
	assert_null(fact(sink, "dm-0", "adapter.can_queue"));
}

/* On another root nobody asks the drivers of this host. */
static void a_fake_host_has_no_drivers(void **memory)
{
	struct fake_bench *bench = *memory;

	add_nic(&bench->root);
	fake_start(bench, &source_config_net);
	assert_fact(fake_tick(bench), "eth0", "driver", "(not reported)");
}

/* What is said of an error that grows and shrinks does not change each minute. */
static void the_error_of_a_clock_is_told_in_powers_of_ten(void **memory)
{
	static const nsec rows[][2] = {{0, 1000000}, {1000000, 1000000},
		{1000001, 10000000}, {9999999, 10000000}, {10000000, 10000000},
		{16000000000, 100000000000}};

	(void)memory;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		assert_int_equal(clock_error_bound(rows[i][0]), rows[i][1]);
	assert_true(clock_error_bound(INT64_MAX) > 0); /* and it ends */
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, fake_setup, fake_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(disks_are_told_by_their_attributes),
		TEST(they_are_looked_at_once_a_minute_and_at_marks),
		TEST(the_host_is_told_by_its_parameters),
		TEST(mounts_are_told_by_the_list_alone),
		TEST(signing_of_a_share_is_a_fact),
		TEST(sessions_and_ports_are_told_by_how_they_are_set_up),
		TEST(interfaces_are_told_by_their_driver),
		TEST(interfaces_are_told_by_their_attributes),
		TEST(interrupts_are_told_by_their_processors),
		TEST(modules_and_adapters_are_told_by_what_they_are_set_to),
		TEST(the_adapter_of_a_disk_is_told_by_its_limits),
		TEST(a_fake_host_has_no_drivers),
		cmocka_unit_test(the_error_of_a_clock_is_told_in_powers_of_ten),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
