/* /sys/class/net: counters by kind, the link, interfaces that come and go. */
#include "config.h"

#include "fake_root.h"
#include "source/table.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void add(struct fake_bench *bench, const char *name)
{
	char path[96];

	fake_nic(&bench->root, name, "00:25:b5:00:00:0f");
	(void)snprintf(path, sizeof path, "sys/class/net/%s/device/vendor", name);
	fake_file(&bench->root, path, "0x8086\n");
}

static void each_kind_of_error_is_a_figure_of_its_own(void **memory)
{
	static const struct {
		const char *file;
		unsigned raw;
	} rows[] = {{"rx_dropped", RAW_NET_RX_DROPPED},
		{"tx_dropped", RAW_NET_TX_DROPPED},
		{"rx_missed_errors", RAW_NET_RX_MISSED},
		{"rx_fifo_errors", RAW_NET_RX_FIFO}, {"rx_crc_errors", RAW_NET_RX_CRC},
		{"rx_frame_errors", RAW_NET_RX_FRAME},
		{"rx_length_errors", RAW_NET_RX_LENGTH},
		{"rx_over_errors", RAW_NET_RX_OVER},
		{"rx_nohandler", RAW_NET_RX_NOHANDLER},
		{"tx_carrier_errors", RAW_NET_TX_CARRIER},
		{"tx_fifo_errors", RAW_NET_TX_FIFO},
		{"tx_aborted_errors", RAW_NET_TX_ABORTED},
		{"tx_heartbeat_errors", RAW_NET_TX_HEARTBEAT},
		{"tx_window_errors", RAW_NET_TX_WINDOW},
		{"multicast", RAW_NET_MULTICAST}};
	struct fake_bench *bench = *memory;
	const struct sink *sink;
	char path[96];

	add(bench, "eth0");
	fake_start(bench, &source_netsysfs);
	(void)fake_tick(bench); /* files are open now: what counts is what is in them */
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		(void)snprintf(path, sizeof path, "sys/class/net/eth0/statistics/%s",
			rows[i].file);
		fake_file(&bench->root, path, "%zu\n", 1000 + i);
	}
	fake_file(&bench->root, "sys/class/net/eth0/carrier_changes", "7\n");
	sink = fake_tick(bench);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		assert_int_equal(fake_value(sink, "eth0", rows[i].raw), 1000 + i);
	assert_int_equal(fake_value(sink, "eth0", RAW_NET_CARRIER_CHANGES), 7);
}

static void a_counter_that_the_kernel_lacks_is_not_zero(void **memory)
{
	struct fake_bench *bench = *memory;
	const struct sink *sink;

	add(bench, "eth0");
	fake_remove(&bench->root, "sys/class/net/eth0/statistics/rx_nohandler");
	fake_file(&bench->root, "sys/class/net/eth0/statistics/rx_dropped", "many\n");
	fake_start(bench, &source_netsysfs);
	sink = fake_tick(bench);
	assert_int_equal(
		fake_why(sink, "eth0", RAW_NET_RX_NOHANDLER, NULL), WHY_UNSUPPORTED);
	assert_int_equal(
		fake_why(sink, "eth0", RAW_NET_RX_DROPPED, NULL), WHY_UNSUPPORTED);
	assert_int_equal(fake_value(sink, "eth0", RAW_NET_RX_CRC), 0);
}

static void a_cable_that_is_pulled_is_an_event(void **memory)
{
	struct fake_bench *bench = *memory;
	const struct sink *sink;

	add(bench, "eth0");
	fake_start(bench, &source_netsysfs);
	sink = fake_tick(bench);
	assert_int_equal(fake_value(sink, "eth0", RAW_NET_LINK), 1);
	assert_int_equal(sink->event_count, 0);
	fake_file(&bench->root, "sys/class/net/eth0/carrier", "0\n");
	sink = fake_tick(bench);
	assert_int_equal(fake_value(sink, "eth0", RAW_NET_LINK), 0);
	assert_true(fake_event(sink, "eth0 link down"));
	assert_int_equal(fake_tick(bench)->event_count, 0); /* told once */
	fake_file(&bench->root, "sys/class/net/eth0/carrier", "1\n");
	assert_true(fake_event(fake_tick(bench), "eth0 link up"));
}

/* The kernel refuses to read `carrier` of an interface that is down. */
static void an_interface_that_is_down_has_no_link(void **memory)
{
	struct fake_bench *bench = *memory;

	add(bench, "eth0");
	fake_file(&bench->root, "sys/class/net/eth0/carrier", "%s", "");
	fake_file(&bench->root, "sys/class/net/eth0/operstate", "down\n");
	add(bench, "eth1");
	fake_file(&bench->root, "sys/class/net/eth1/carrier", "%s", "");
	fake_file(&bench->root, "sys/class/net/eth1/operstate", "unknown\n");
	fake_start(bench, &source_netsysfs);
	(void)fake_tick(bench);
	assert_int_equal(fake_value(&bench->sink, "eth0", RAW_NET_LINK), 0);
	assert_int_equal(
		fake_why(&bench->sink, "eth1", RAW_NET_LINK, NULL), WHY_UNSUPPORTED);
}

static void a_card_that_is_swapped_is_told_of_and_followed(void **memory)
{
	struct fake_bench *bench = *memory;
	const struct sink *sink;

	add(bench, "eth0");
	fake_start(bench, &source_netsysfs);
	(void)fake_tick(bench);
	fake_remove(&bench->root, "sys/class/net/eth0");
	sink = fake_tick(bench);
	assert_true(fake_event(sink, "eth0 gone"));
	assert_int_equal(sink->reading_count, 0);
	add(bench, "eth0");
	fake_file(&bench->root, "sys/class/net/eth0/address", "00:25:b5:00:00:99\n");
	sink = fake_tick(bench);
	assert_true(fake_event(sink, "eth0 new"));
	assert_int_equal(sink->subject_count, 2);
	assert_int_equal(fake_value(sink, "eth0", RAW_NET_RX_CRC), 0);
}

/* The figures of another namespace's eth0 are not those of ours: none, and said. */
static void figures_of_another_namespace_are_not_shown(void **memory)
{
	struct fake_bench *bench = *memory;
	const struct sink *sink;

	add(bench, "eth0");
	add(bench, "eth9");
	fake_file(&bench->root, "proc/net/dev",
		"  eth0: 1 1 0 0 0 0 0 0 1 1 0 0 0 0 0 0\n");
	fake_start(bench, &source_netsysfs);
	sink = fake_tick(bench);
	assert_int_equal(sink->event_count, 1);
	assert_non_null(strstr(sink->events[0], "another network namespace"));
	assert_int_equal(fake_why(sink, "eth0", RAW_NET_RX_CRC, NULL), WHY_UNSUPPORTED);
	assert_int_equal(fake_why(sink, "eth0", RAW_NET_LINK, NULL), WHY_UNSUPPORTED);
	assert_int_equal(fake_why(sink, "eth9", RAW_NET_LINK, NULL), WHY_ABSENT);
	assert_int_equal(fake_tick(bench)->event_count, 0); /* told once */
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, fake_setup, fake_teardown)
		TEST(each_kind_of_error_is_a_figure_of_its_own),
		TEST(a_counter_that_the_kernel_lacks_is_not_zero),
		TEST(a_cable_that_is_pulled_is_an_event),
		TEST(an_interface_that_is_down_has_no_link),
		TEST(a_card_that_is_swapped_is_told_of_and_followed),
		TEST(figures_of_another_namespace_are_not_shown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
