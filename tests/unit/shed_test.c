/* When whole frames are given up, when they come back, and what the kernel is told. */
#include "config.h"

#include "capture/cutter.h"
#include "capture/shed.h"
#include "capture/speaker.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/* A second of ten beats with PERCENT of a core and RATE bytes. */
static void second(
	struct shed *shed, struct shed_now *now, unsigned percent, uint64_t rate)
{
	for (int i = 0; i < 10; i++) {
		now->mono += WIRE_BEAT;
		now->cpu += WIRE_BEAT / 100 * percent;
		now->bytes += rate / 10;
		(void)shed_step(shed, now);
		now->ring_half = false;
	}
}

static struct shed_now start(struct shed *shed)
{
	struct shed_now now = {.mono = 77 * NSEC_PER_SEC, .cpu = 5 * NSEC_PER_SEC};

	*shed = (struct shed){0};
	assert_false(shed_step(shed, &now));
	return now;
}

static void a_quarter_of_a_core_is_the_limit(void **state)
{
	struct shed shed;
	struct shed_now now = start(&shed);

	(void)state;
	second(&shed, &now, 25, 1000000);
	assert_int_equal(shed.effort, EFFORT_FULL);
	second(&shed, &now, 26, 1000000);
	assert_int_equal(shed.effort, EFFORT_CPU);
}

static void the_time_before_the_first_look_does_not_count(void **state)
{
	struct shed shed;
	struct shed_now now = start(&shed); /* five seconds of CPU already */

	(void)state;
	second(&shed, &now, 1, 1000);
	assert_int_equal(shed.effort, EFFORT_FULL);
}

static void a_ring_half_full_cuts_at_once(void **state)
{
	struct shed shed;
	struct shed_now now = start(&shed);

	(void)state;
	now.ring_half = true;
	now.mono += WIRE_BEAT;
	assert_true(shed_step(&shed, &now));
	assert_int_equal(shed.effort, EFFORT_RING);
	assert_false(shed_step(&shed, &now));
}

static void low_cost_alone_does_not_bring_whole_frames_back(void **state)
{
	struct shed shed;
	struct shed_now now = start(&shed);

	(void)state;
	second(&shed, &now, 60, 1000000);
	assert_int_equal(shed.effort, EFFORT_CPU);
	for (int i = 0; i < 60; i++)
		second(&shed, &now, 2, 900000);
	assert_int_equal(shed.effort, EFFORT_CPU);
}

static void half_the_traffic_for_ten_seconds_brings_them_back(void **state)
{
	struct shed shed;
	struct shed_now now = start(&shed);

	(void)state;
	second(&shed, &now, 60, 1000000);
	for (int i = 0; i < 9; i++)
		second(&shed, &now, 2, 400000);
	assert_int_equal(shed.effort, EFFORT_CPU);
	second(&shed, &now, 2, 400000);
	assert_int_equal(shed.effort, EFFORT_FULL);
}

static void a_busy_second_between_starts_the_ten_again(void **state)
{
	struct shed shed;
	struct shed_now now = start(&shed);

	(void)state;
	second(&shed, &now, 60, 1000000);
	for (int i = 0; i < 9; i++)
		second(&shed, &now, 2, 400000);
	second(&shed, &now, 2, 800000);
	for (int i = 0; i < 9; i++)
		second(&shed, &now, 2, 400000);
	assert_int_equal(shed.effort, EFFORT_CPU);
}

static void silence_after_a_burst_brings_them_back_too(void **state)
{
	struct shed shed;
	struct shed_now now = start(&shed);

	(void)state;
	second(&shed, &now, 60, 1000000);
	for (int i = 0; i < 10; i++)
		second(&shed, &now, 0, 0);
	assert_int_equal(shed.effort, EFFORT_FULL);
}

/* ---- the socket filter: the few instructions of it, run here ---- */

static unsigned run(
	const struct sock_filter *code, size_t count, unsigned type, unsigned protocol)
{
	unsigned a = 0;
	size_t at = 0;

	while (at < count) {
		const struct sock_filter *in = &code[at++];

		if (in->code == (BPF_LD | BPF_B | BPF_ABS))
			a = type; /* SKF_AD_PKTTYPE */
		else if (in->code == (BPF_LD | BPF_H | BPF_ABS))
			a = protocol;
		else if (in->code == (BPF_JMP | BPF_JEQ | BPF_K))
			at += a == in->k ? in->jt : in->jf;
		else if (in->code == (BPF_JMP | BPF_JA))
			at += in->k;
		else if (in->code == (BPF_RET | BPF_K))
			return in->k;
		else
			fail_msg("an instruction that was not put in");
	}
	fail_msg("the filter runs past its end");
	return 0;
}

enum {
	HERE = 0,
	OUTGOING = 4,
	IP4 = 0x800,
	ARP = 0x806
};

static const struct sock_filter ip_only[] = {
	BPF_STMT(BPF_LD | BPF_H | BPF_ABS, 12),
	BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, IP4, 0, 1),
	BPF_STMT(BPF_RET | BPF_K, 262144),
	BPF_STMT(BPF_RET | BPF_K, 0),
};

static void sent_frames_are_cut_and_received_ones_are_whole(void **state)
{
	static struct sock_filter code[CUTTER_ROOM];
	size_t count = cutter_compose(ip_only, 4, CUTTER_HEADERS, 262144, code);

	(void)state;
	assert_int_equal(run(code, count, OUTGOING, IP4), CUTTER_HEADERS);
	assert_int_equal(run(code, count, HERE, IP4), 262144);
}

static void what_the_filter_refuses_stays_refused(void **state)
{
	static struct sock_filter code[CUTTER_ROOM];
	size_t count = cutter_compose(ip_only, 4, CUTTER_HEADERS, 262144, code);

	(void)state;
	assert_int_equal(run(code, count, OUTGOING, ARP), 0);
	assert_int_equal(run(code, count, HERE, ARP), 0);
}

static void a_length_is_only_ever_lowered(void **state)
{
	const struct sock_filter all[] = {BPF_STMT(BPF_RET | BPF_K, 100)};
	static struct sock_filter code[CUTTER_ROOM];
	size_t count = cutter_compose(all, 1, CUTTER_HEADERS, 262144, code);

	(void)state;
	assert_int_equal(run(code, count, OUTGOING, IP4), 100);
	assert_int_equal(run(code, count, HERE, IP4), 100);
}

static void a_filter_that_does_not_fit_twice_is_refused(void **state)
{
	static struct sock_filter longest[CUTTER_ROOM], code[CUTTER_ROOM];

	(void)state;
	assert_int_equal(cutter_compose(longest, CUTTER_ROOM / 2, 1, 1, code), 0);
	assert_int_not_equal(
		cutter_compose(longest, CUTTER_ROOM / 2 - 2, 1, 1, code), 0);
}

/* ---- the beat ---- */

static void reports_come_on_the_beat_while_there_is_news(void **state)
{
	static struct speaker speaker = {.said = 70 * WIRE_BEAT};
	struct tally tally = {0};

	(void)state;
	tally.frames[PACKET_RX] = 1;
	assert_int_equal(
		speaker_due(&speaker, &tally, 70 * WIRE_BEAT + 5), 71 * WIRE_BEAT);
	tally.frames[PACKET_RX] = 0;
	assert_int_equal(
		speaker_due(&speaker, &tally, 70 * WIRE_BEAT + 5), 80 * WIRE_BEAT);
}

static void the_first_report_comes_at_once(void **state)
{
	static struct speaker speaker;
	struct tally tally = {0};

	(void)state;
	assert_int_equal(speaker_due(&speaker, &tally, 12345), 12345);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_quarter_of_a_core_is_the_limit),
		cmocka_unit_test(the_time_before_the_first_look_does_not_count),
		cmocka_unit_test(a_ring_half_full_cuts_at_once),
		cmocka_unit_test(low_cost_alone_does_not_bring_whole_frames_back),
		cmocka_unit_test(half_the_traffic_for_ten_seconds_brings_them_back),
		cmocka_unit_test(a_busy_second_between_starts_the_ten_again),
		cmocka_unit_test(silence_after_a_burst_brings_them_back_too),
		cmocka_unit_test(sent_frames_are_cut_and_received_ones_are_whole),
		cmocka_unit_test(what_the_filter_refuses_stays_refused),
		cmocka_unit_test(a_length_is_only_ever_lowered),
		cmocka_unit_test(a_filter_that_does_not_fit_twice_is_refused),
		cmocka_unit_test(reports_come_on_the_beat_while_there_is_news),
		cmocka_unit_test(the_first_report_comes_at_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
