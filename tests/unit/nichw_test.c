/*
 * Counters of the hardware of cards: the standard groups out of answers written here by
 * the kernel's headers, the drivers' own through a driver of this test, and this
 * machine's kernel asked for real.
 */
#include "config.h"

#include "fake_root.h"
#include "source/driver_counters.h"
#include "source/ethgenl.h"

#include <errno.h>
#include <linux/ethtool.h>
#include <linux/ethtool_netlink.h>
#include <linux/genetlink.h>
#include <linux/netlink.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* ---- the standard groups ---- */

static void add(struct buffer *out, uint16_t type, const void *value, size_t size)
{
	struct nlattr head = {(uint16_t)(sizeof head + size), type};

	buffer_add(out, &head, sizeof head);
	buffer_add(out, value, size);
	buffer_add(out, "\0\0\0", (4 - size % 4) % 4);
}

static void add_stat(struct buffer *out, uint16_t stat, uint64_t value)
{
	struct buffer inside = {0};

	add(&inside, stat, &value, sizeof value);
	add(out, ETHTOOL_A_STATS_GRP_STAT | NLA_F_NESTED, inside.data, inside.size);
	buffer_fini(&inside);
}

/* A group whose counters STATS have the values 100 + stat. */
static void add_group(
	struct buffer *out, uint32_t id, const uint16_t *stats, size_t count)
{
	struct buffer inside = {0};

	add(&inside, ETHTOOL_A_STATS_GRP_ID, &id, sizeof id);
	for (size_t i = 0; i < count; i++)
		add_stat(&inside, stats[i], 100U + stats[i]);
	add(out, ETHTOOL_A_STATS_GRP | NLA_F_NESTED, inside.data, inside.size);
	buffer_fini(&inside);
}

static void finish(struct buffer *out, uint8_t command, const struct buffer *inside)
{
	struct nlmsghdr head = {.nlmsg_type = 20,
		.nlmsg_len = (uint32_t)(sizeof head + sizeof(struct genlmsghdr) +
					inside->size)};
	struct genlmsghdr inner = {.cmd = command};

	buffer_add(out, &head, sizeof head);
	buffer_add(out, &inner, sizeof inner);
	buffer_add(out, inside->data, inside->size);
}

static void standard_groups_are_found_by_their_numbers(void **unused)
{
	static const uint16_t mac[] = {
		ETHTOOL_A_STATS_ETH_MAC_2_TX_PKT, ETHTOOL_A_STATS_ETH_MAC_6_FCS_ERR};
	static const uint16_t rmon[] = {ETHTOOL_A_STATS_RMON_JABBER};
	struct hardware_counts counts = {0};
	struct buffer inside = {0}, message = {0};
	int error;

	(void)unused;
	add_group(&inside, ETHTOOL_STATS_ETH_MAC, mac, 2);
	add_group(&inside, ETHTOOL_STATS_RMON, rmon, 1);
	finish(&message, ETHTOOL_MSG_STATS_GET_REPLY, &inside);
	assert_true(ethgenl_take(&counts, message.data, message.size, &error));
	assert_int_equal(counts.have, 1U << HARDWARE_FCS | 1U << HARDWARE_JABBERS);
	assert_int_equal(
		counts.values[HARDWARE_FCS], 100 + ETHTOOL_A_STATS_ETH_MAC_6_FCS_ERR);
	assert_int_equal(
		counts.values[HARDWARE_JABBERS], 100 + ETHTOOL_A_STATS_RMON_JABBER);
	for (size_t size = 0; size < message.size; size++) {
		uint8_t *cut = malloc(size ? size : 1);

		memcpy(cut, message.data, size); /* a byte beyond is noticed */
		assert_false(ethgenl_take(&counts, cut, size, &error));
		free(cut);
	}
	buffer_fini(&inside);
	buffer_fini(&message);
}

static void pause_frames_have_two_directions(void **unused)
{
	struct hardware_counts counts = {0};
	struct buffer stats = {0}, inside = {0}, message = {0};
	uint64_t tx = 7, rx = UINT64_C(1) << 40;
	int error;

	(void)unused;
	add(&stats, ETHTOOL_A_PAUSE_STAT_TX_FRAMES, &tx, sizeof tx);
	add(&stats, ETHTOOL_A_PAUSE_STAT_RX_FRAMES, &rx, sizeof rx);
	add(&inside, ETHTOOL_A_PAUSE_STATS | NLA_F_NESTED, stats.data, stats.size);
	finish(&message, ETHTOOL_MSG_PAUSE_GET_REPLY, &inside);
	assert_true(ethgenl_take(&counts, message.data, message.size, &error));
	assert_int_equal(counts.values[HARDWARE_TX_PAUSE], 7);
	assert_int_equal(counts.values[HARDWARE_RX_PAUSE], UINT64_C(1) << 40);
	buffer_fini(&stats);
	buffer_fini(&inside);
	buffer_fini(&message);
}

static void an_error_of_the_kernel_is_told(void **unused)
{
	struct {
		struct nlmsghdr head;
		int32_t code;
		struct nlmsghdr original;
	} message = {{.nlmsg_len = sizeof message, .nlmsg_type = NLMSG_ERROR},
		-EOPNOTSUPP, {0}};
	struct hardware_counts counts = {0};
	int error;

	(void)unused;
	assert_false(ethgenl_take(
		&counts, (const uint8_t *)&message, sizeof message, &error));
	assert_int_equal(error, EOPNOTSUPP);
	assert_int_equal(counts.have, 0);
}

/* A loopback has no hardware: the kernel understands the question, and has nothing. */
static void this_kernel_understands_the_questions(void **unused)
{
	struct hardware_counts counts;
	struct ethgenl genl;
	struct fault fault;
	int error;

	(void)unused;
	if (!ethgenl_open(&genl, &fault)) {
		print_message("%s\n", fault.text);
		skip();
	}
	error = ethgenl_read(&genl, "lo", &counts);
	assert_true(error == 0 || error == EOPNOTSUPP);
	assert_int_equal(counts.have, 0);
	assert_int_equal(ethgenl_read(&genl, "nosuchcard", &counts), ENODEV);
	ethgenl_close(&genl);
}

/* ---- the drivers' own ---- */

static const char *const names[] = {"rx_packets", "rx_crc_errors", "rx_no_buffer_count",
	"tx_queue_0_bytes", "[1]: x"};
enum {
	COUNT = sizeof names / sizeof *names
};
static uint64_t values[COUNT];
static uint32_t said = COUNT;

static int driver(const struct ethtool *tool, const char *name, void *request)
{
	struct ethtool_drvinfo *info = request;
	struct ethtool_gstrings *strings = request;
	struct ethtool_stats *stats = request;

	(void)tool;
	if (strcmp(name, "eth7"))
		return EOPNOTSUPP;
	if (info->cmd == ETHTOOL_GDRVINFO)
		info->n_stats = said;
	for (uint32_t i = 0; info->cmd == ETHTOOL_GSTRINGS && i < COUNT; i++)
		memcpy((char *)strings->data + i * ETH_GSTRING_LEN, names[i],
			strlen(names[i]) + 1);
	if (info->cmd == ETHTOOL_GSTATS) {
		stats->n_stats = said;
		memcpy(stats->data, values, sizeof values);
	}
	return 0;
}

static const struct ethtool tool = {driver, -1};

static void only_counters_of_trouble_that_move_have_rows(void **memory)
{
	struct fake_bench *bench = *memory;
	struct driver_counters counters = {0};
	static const uint64_t first[] = {100, 7, 0, 5000, 3};

	memcpy(values, first, sizeof values);
	driver_counters_put(&counters, &tool, "eth7", &bench->sink);
	driver_counters_put(&counters, &tool, "eth7", &bench->sink);
	assert_int_equal(bench->sink.subject_count, 0);
	values[0] += 10;
	values[1] += 5;
	sink_begin(&bench->sink);
	driver_counters_put(&counters, &tool, "eth7", &bench->sink);
	assert_int_equal(bench->sink.subject_count, 1);
	/* as it was before, so that the step is not lost */
	assert_int_equal(
		fake_value(&bench->sink, "eth7 rx_crc_errors", RAW_COUNTER_EVENTS), 7);
	sink_begin(&bench->sink);
	driver_counters_put(&counters, &tool, "eth7", &bench->sink);
	assert_int_equal(
		fake_value(&bench->sink, "eth7 rx_crc_errors", RAW_COUNTER_EVENTS), 12);
	driver_counters_fini(&counters);
}

/* Drivers have other counters after their queues were set up anew. */
static void a_driver_that_was_set_up_anew_is_asked_anew(void **memory)
{
	struct fake_bench *bench = *memory;
	struct driver_counters counters = {0};

	driver_counters_put(&counters, &tool, "eth7", &bench->sink);
	said = COUNT + 1;
	driver_counters_put(&counters, &tool, "eth7", &bench->sink);
	assert_false(counters.asked);
	said = COUNT;
	driver_counters_put(&counters, &tool, "eth7", &bench->sink);
	assert_int_equal(counters.kept_count, 2);
	driver_counters_fini(&counters);
	driver_counters_put(&counters, &tool, "virt0", &bench->sink); /* has none */
	driver_counters_put(&counters, &tool, "virt0", &bench->sink);
	assert_int_equal(bench->sink.reading_count, 0);
	driver_counters_fini(&counters);
}

static void support_engineers_look_for_these(void **unused)
{
	static const char *const wanted[] = {"rx_missed_errors", "rx_no_buffer_count",
		"rx_out_of_buffer", "tx_timeout_count", "rx_discards_phy",
		"rx_symbol_err_phy", "[0]: rx_discards", "port.rx_undersize",
		"rx_prio3_pause", "tx_hang", "rx_fifo_errors", "link_down_events_phy",
		"rx_crc_errors_phy", "alloc_rx_buff_failed"};
	static const char *const others[] = {"rx_packets", "tx_bytes",
		"rx_queue_0_packets", "rx_csum_offload_good", "tx_broadcast",
		"peer_ifindex"};

	(void)unused;
	for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
		if (!driver_counter_matters(wanted[i]))
			fail_msg("%s", wanted[i]);
	for (size_t i = 0; i < sizeof others / sizeof *others; i++)
		if (driver_counter_matters(others[i]))
			fail_msg("%s", others[i]);
}

#define BENCH(test) cmocka_unit_test_setup_teardown(test, fake_setup, fake_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(standard_groups_are_found_by_their_numbers),
		cmocka_unit_test(pause_frames_have_two_directions),
		cmocka_unit_test(an_error_of_the_kernel_is_told),
		cmocka_unit_test(this_kernel_understands_the_questions),
		BENCH(only_counters_of_trouble_that_move_have_rows),
		BENCH(a_driver_that_was_set_up_anew_is_asked_anew),
		cmocka_unit_test(support_engineers_look_for_these),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
