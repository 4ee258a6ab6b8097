/* The host: /proc/net/snmp, netstat, softnet_stat, /proc/stat, weir itself. */
#include "config.h"

#include "fake_root.h"
#include "source/cpu.h"
#include "source/snmp.h"
#include "source/table.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* ---- TCP and the like ---- */

static void columns_are_found_by_name_in_any_order(void **memory)
{
	struct fake_bench *bench = *memory;
	const struct sink *sink;

	fake_file(&bench->root, "proc/net/snmp",
		"Ip: Forwarding InHdrErrors ReasmFails New\nIp: 1 21 22 99\n"
		"Tcp: MaxConn OutRsts InCsumErrors InErrs RetransSegs OutSegs InSegs\n"
		"Tcp: -1 16 15 14 13 12 11\n"
		"Udp: InDatagrams InErrors InCsumErrors\nUdp: 5 31 32\n"
		"UdpLite: InErrors\nUdpLite: 77\n");
	fake_file(&bench->root, "proc/net/netstat",
		"TcpExt: TCPBacklogDrop TCPOFOQueue TCPLostRetransmit TCPFastRetrans "
		"TCPTimeouts\nTcpExt: 45 44 43 42 41\n"
		"IpExt: InCsumErrors\nIpExt: 51\n");
	fake_file(&bench->root, "proc/net/softnet_stat",
		"0000ffff 0000000a 00000010\n00000001 00000001 00000002 00000000\n");
	fake_start(bench, &source_snmp);
	sink = fake_tick(bench);
	assert_int_equal(fake_value(sink, "host", RAW_TCP_IN_SEGS), 11);
	assert_int_equal(fake_value(sink, "host", RAW_TCP_OUT_SEGS), 12);
	assert_int_equal(fake_value(sink, "host", RAW_TCP_RETRANS_SEGS), 13);
	assert_int_equal(fake_value(sink, "host", RAW_TCP_IN_ERRS), 14);
	assert_int_equal(fake_value(sink, "host", RAW_TCP_IN_CSUM_ERRORS), 15);
	assert_int_equal(fake_value(sink, "host", RAW_TCP_OUT_RSTS), 16);
	assert_int_equal(fake_value(sink, "host", RAW_IP_IN_HDR_ERRORS), 21);
	assert_int_equal(fake_value(sink, "host", RAW_IP_REASM_FAILS), 22);
	assert_int_equal(fake_value(sink, "host", RAW_UDP_IN_ERRORS), 31);
	assert_int_equal(fake_value(sink, "host", RAW_UDP_IN_CSUM_ERRORS), 32);
	assert_int_equal(fake_value(sink, "host", RAW_TCP_TIMEOUTS), 41);
	assert_int_equal(fake_value(sink, "host", RAW_TCP_FAST_RETRANS), 42);
	assert_int_equal(fake_value(sink, "host", RAW_TCP_LOST_RETRANS), 43);
	assert_int_equal(fake_value(sink, "host", RAW_TCP_OFO_QUEUE), 44);
	assert_int_equal(fake_value(sink, "host", RAW_TCP_BACKLOG_DROP), 45);
	assert_int_equal(fake_value(sink, "host", RAW_IP_IN_CSUM_ERRORS), 51);
	assert_int_equal(fake_value(sink, "host", RAW_SOFTNET_DROPPED), 0xb);
	assert_int_equal(fake_value(sink, "host", RAW_SOFTNET_SQUEEZED), 0x12);
	assert_string_equal(fake_subject(sink, "host")->label, "filer");
}

static void a_column_or_a_file_that_is_missing_is_not_zero(void **memory)
{
	struct fake_bench *bench = *memory;
	const struct sink *sink;

	/* more names than values, a value that is no number, a line without its pair */
	fake_file(&bench->root, "proc/net/snmp",
		"Tcp: InSegs OutSegs RetransSegs\nTcp: 1 x\nUdp: InErrors\n");
	fake_start(bench, &source_snmp);
	sink = fake_tick(bench);
	assert_int_equal(fake_value(sink, "host", RAW_TCP_IN_SEGS), 1);
	assert_int_equal(
		fake_why(sink, "host", RAW_TCP_OUT_SEGS, NULL), WHY_UNSUPPORTED);
	assert_int_equal(
		fake_why(sink, "host", RAW_TCP_RETRANS_SEGS, NULL), WHY_UNSUPPORTED);
	assert_int_equal(
		fake_why(sink, "host", RAW_UDP_IN_ERRORS, NULL), WHY_UNSUPPORTED);
	assert_int_equal(
		fake_why(sink, "host", RAW_TCP_TIMEOUTS, NULL), WHY_UNSUPPORTED);
	assert_int_equal(
		fake_why(sink, "host", RAW_SOFTNET_DROPPED, NULL), WHY_UNSUPPORTED);
}

/* A sum over CPUs that changed in number is not the same counter any more. */
static void a_cpu_that_goes_makes_no_false_drops(void **memory)
{
	struct fake_bench *bench = *memory;

	fake_file(&bench->root, "proc/net/snmp", "Tcp: InSegs\nTcp: 1\n");
	fake_file(&bench->root, "proc/net/softnet_stat", "1 5 0\n1 7 0\n");
	fake_start(bench, &source_snmp);
	assert_int_equal(fake_value(fake_tick(bench), "host", RAW_SOFTNET_DROPPED), 12);
	fake_file(&bench->root, "proc/net/softnet_stat", "1 5 0\n");
	assert_int_equal(fake_why(fake_tick(bench), "host", RAW_SOFTNET_DROPPED, NULL),
		WHY_ABSENT);
	assert_int_equal(fake_value(fake_tick(bench), "host", RAW_SOFTNET_DROPPED), 5);
}

static void without_proc_net_the_source_says_what_is_missing(void **memory)
{
	struct fake_bench *bench = *memory;
	struct fault fault = {0};
	void *state;

	assert_false(source_snmp.open(&state, &bench->root.env, &fault));
	assert_null(state);
	assert_non_null(strstr(fault.text, "/net/snmp"));
}

/* ---- the busiest core ---- */

static void stat(struct fake_bench *bench, const char *cores)
{
	fake_file(&bench->root, "proc/stat",
		"cpu  9 9 9 9 9 9 9 9 9 9\n%sintr 1 2 3\nctxt 9\n", cores);
}

static void the_busiest_core_is_named_with_its_shares(void **memory)
{
	struct fake_bench *bench = *memory;
	const struct sink *sink;

	stat(bench, "cpu0 100 0 100 1000 0 0 0 0 0 0\n"
		    "cpu1 100 0 100 1000 0 0 0 0 0 0\n");
	fake_start(bench, &source_cpu);
	sink = fake_tick(bench);
	assert_int_equal(fake_why(sink, "host", RAW_CPU_BUSIEST, NULL), WHY_ABSENT);
	/* cpu0: 10 of 100; cpu1: 20 user, 5 nice, 10 system, 5 irq, 50 softirq of 100
	 */
	stat(bench, "cpu0 110 0 100 1090 0 0 0 0 0 0\n"
		    "cpu1 120 5 110 1010 0 5 50 0 0 0\n");
	sink = fake_tick(bench);
	assert_int_equal(fake_value(sink, "host", RAW_CPU_BUSIEST), 900);
	assert_int_equal(fake_value(sink, "host", RAW_CPU_BUSIEST_CORE), 1);
	assert_int_equal(fake_value(sink, "host", RAW_CPU_BUSIEST_USER), 250);
	assert_int_equal(fake_value(sink, "host", RAW_CPU_BUSIEST_SYSTEM), 150);
	assert_int_equal(fake_value(sink, "host", RAW_CPU_BUSIEST_SOFTIRQ), 500);
	assert_int_equal(fake_value(sink, "host", RAW_CPU_ALL), 500);
}

static void waiting_and_stolen_time_is_not_busy(void **memory)
{
	struct fake_bench *bench = *memory;
	const struct sink *sink;

	stat(bench, "cpu0 0 0 0 0 0 0 0 0 0 0\n");
	fake_start(bench, &source_cpu);
	(void)fake_tick(bench);
	stat(bench, "cpu0 10 0 0 20 30 0 0 40 0 0\n");
	sink = fake_tick(bench);
	assert_int_equal(fake_value(sink, "host", RAW_CPU_BUSIEST), 100);
	/* iowait and idle run backwards now and then; guest time is inside user */
	stat(bench, "cpu0 60 0 0 70 20 0 0 40 50 0\n");
	sink = fake_tick(bench);
	assert_int_equal(fake_value(sink, "host", RAW_CPU_BUSIEST), 500);
}

static void a_core_that_comes_counts_from_its_second_reading(void **memory)
{
	struct fake_bench *bench = *memory;
	const struct sink *sink;

	stat(bench, "cpu0 0 0 0 0\n");
	fake_start(bench, &source_cpu);
	(void)fake_tick(bench);
	stat(bench, "cpu0 10 0 0 90\ncpu7 5000 0 0 0\n");
	sink = fake_tick(bench);
	assert_int_equal(fake_value(sink, "host", RAW_CPU_BUSIEST_CORE), 0);
	stat(bench, "cpu0 20 0 0 180\ncpu7 5080 0 0 20\n");
	sink = fake_tick(bench);
	assert_int_equal(fake_value(sink, "host", RAW_CPU_BUSIEST_CORE), 7);
	assert_int_equal(fake_value(sink, "host", RAW_CPU_BUSIEST), 800);
	stat(bench, "cpu0 30 0 0 270\n"); /* it goes, and comes back */
	(void)fake_tick(bench);
	stat(bench, "cpu0 40 0 0 360\ncpu7 9000 0 0 0\n");
	sink = fake_tick(bench);
	assert_int_equal(fake_value(sink, "host", RAW_CPU_BUSIEST_CORE), 0);
}

static void a_tick_close_behind_another_repeats_the_figures(void **memory)
{
	struct fake_bench *bench = *memory;

	stat(bench, "cpu0 0 0 0 0\n");
	fake_start(bench, &source_cpu);
	(void)fake_tick(bench);
	stat(bench, "cpu0 30 0 0 70\n");
	(void)fake_tick(bench);
	stat(bench, "cpu0 31 0 0 70\n"); /* 10 ms later: one tick of the kernel */
	bench->now -= NSEC_PER_SEC - 10 * NSEC_PER_MSEC;
	assert_int_equal(fake_value(fake_tick(bench), "host", RAW_CPU_BUSIEST), 300);
}

static void absurd_core_numbers_take_no_memory(void **memory)
{
	unsigned core;
	struct cpu_times times;

	(void)memory;
	assert_false(cpu_parse("cpu4294967295 1 2 3 4", &core, &times));
	assert_false(cpu_parse("cpu 1 2 3 4", &core, &times));
	assert_false(cpu_parse("cpu0 1 2 3", &core, &times));
	assert_false(cpu_parse("cpufreq 1 2 3 4", &core, &times));
	assert_true(cpu_parse("cpu12 1 2 3 4", &core, &times));
	assert_int_equal(core, 12);
}

/* ---- weir itself ---- */

static void weir_says_what_it_costs(void **memory)
{
	struct fake_bench *bench = *memory;
	const struct sink *sink;

	fake_file(&bench->root, "proc/self/statm", "5000 1234 800 10 0 700 0\n");
	fake_start(bench, &source_host);
	sink = fake_tick(bench);
	assert_int_equal(fake_value(sink, "host", RAW_WEIR_MEMORY) % 1234, 0);
	assert_true(fake_value(sink, "host", RAW_WEIR_MEMORY) >= 1234 * 4096);
	assert_true(fake_value(sink, "host", RAW_WEIR_CPU_NS) > 0);
	assert_string_equal(fake_subject(sink, "host")->detail, "kernel 6.1.0-test");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, fake_setup, fake_teardown)
		TEST(columns_are_found_by_name_in_any_order),
		TEST(a_column_or_a_file_that_is_missing_is_not_zero),
		TEST(a_cpu_that_goes_makes_no_false_drops),
		TEST(without_proc_net_the_source_says_what_is_missing),
		TEST(the_busiest_core_is_named_with_its_shares),
		TEST(waiting_and_stolen_time_is_not_busy),
		TEST(a_core_that_comes_counts_from_its_second_reading),
		TEST(a_tick_close_behind_another_repeats_the_figures),
		TEST(absurd_core_numbers_take_no_memory),
		TEST(weir_says_what_it_costs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
