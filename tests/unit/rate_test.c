/* Counter arithmetic: each trap that other tools have fallen into, by name. */
#include "config.h"

#include "core/rate.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define S NSEC_PER_SEC

static const struct metric *metric(const char *id)
{
	int row = metric_find(id);

	assert_true(row >= 0);
	return metric_at((unsigned)row);
}

static struct sample at(nsec stamp, uint64_t raw)
{
	return (struct sample){.reading = {.raw = raw}, .stamp = stamp};
}

static struct sample no(nsec stamp, enum why why)
{
	return (struct sample){.reading = {.why = (uint8_t)why}, .stamp = stamp};
}

/* The figure of a rate one second apart. */
static struct value second(const char *id, uint64_t before, uint64_t after)
{
	const struct sample num[2] = {at(5 * S, before), at(6 * S, after)};

	return rate_step(metric(id), num, NULL, WHY_NONE);
}

static void assert_value(struct value value, double expected)
{
	assert_int_equal(value.why, WHY_NONE);
	assert_true(fabs(value.value - expected) <= 1e-9 * fabs(expected) + 1e-12);
	assert_true(fabs(value.num / value.den - expected) <=
		    1e-9 * fabs(expected) + 1e-12);
}

static void a_rate_is_the_difference_over_the_real_interval(void **state)
{
	const struct sample num[2] = {at(10 * S, 1000), at(12 * S + S / 2, 3000)};

	(void)state;
	assert_value(second("disk.read.ops", 100, 142), 42);
	assert_value(rate_step(metric("disk.read.ops"), num, NULL, WHY_NONE), 800);
}

static void sectors_are_512_bytes_whatever_the_device(void **state)
{
	(void)state;
	assert_value(second("disk.read.bytes", 0, 2048), 1048576);
}

static void the_queue_is_weighted_milliseconds_over_the_interval(void **state)
{
	(void)state;
	assert_value(second("disk.queue", 7000, 39000), 32);
}

static void a_counter_that_did_not_move_is_a_true_zero(void **state)
{
	(void)state;
	assert_value(second("net.rx.errors", 12028, 12028), 0);
}

static void the_first_reading_is_no_figure_and_not_zero(void **state)
{
	const struct sample num[2] = {{.stamp = 0}, at(6 * S, 500)};

	(void)state;
	assert_int_equal(
		rate_step(metric("net.rx.bytes"), num, NULL, WHY_NONE).why, WHY_FIRST);
	assert_int_equal(
		rate_step(metric("net.rx.bytes"), num, NULL, WHY_FIRST).why, WHY_FIRST);
}

static void a_device_made_anew_is_a_reset_and_not_18446744_terabytes(void **state)
{
	(void)state;
	assert_int_equal(second("disk.read.ops", 90000, 3).why, WHY_RESET);
	assert_int_equal(second("net.rx.bytes", 1, 0).why, WHY_RESET);
	assert_int_equal(second("net.rx.bytes", UINT64_MAX, 0).why, WHY_RESET);
}

static void milliseconds_wrap_at_32_bits_on_every_kernel(void **state)
{
	(void)state;
	assert_value(second("disk.queue", 4294967000, 1704), 2);
}

static void a_wrap_is_not_off_by_one(void **state)
{
	uint64_t difference = 0;

	(void)state;
	assert_int_equal(
		rate_difference(RAW_COUNTER32, 4294967295, 0, &difference), WHY_NONE);
	assert_int_equal(difference, 1);
	assert_int_equal(
		rate_difference(RAW_COUNTER32, 4294967295, 4294967295, &difference),
		WHY_NONE);
	assert_int_equal(difference, 0);
}

static void a_reset_is_not_taken_for_a_wrap(void **state)
{
	uint64_t difference;

	(void)state;
	/* From the lower half: nothing wraps there. */
	assert_int_equal(
		rate_difference(RAW_COUNTER32, 2000000000, 17, &difference), WHY_RESET);
	/* Back, but still in the upper half. */
	assert_int_equal(
		rate_difference(RAW_COUNTER32, 4000000000, 3000000000, &difference),
		WHY_RESET);
	/* More than half of the range at once could as well be a step back. */
	assert_int_equal(
		rate_difference(RAW_COUNTER32, 2147483648, 2147483647, &difference),
		WHY_RESET);
	/* A kernel that prints more than 32 bits does not wrap there. */
	assert_int_equal(
		rate_difference(RAW_COUNTER32, 4294967296, 5, &difference), WHY_RESET);
}

static void a_64_bit_counter_does_not_wrap_at_32_bits(void **state)
{
	(void)state;
	assert_int_equal(second("net.rx.bytes", 4294967295, 3).why, WHY_RESET);
	assert_value(second("net.rx.bytes", 4294967295, 4294967299), 4);
}

static void an_absurd_rate_is_a_reset(void **state)
{
	(void)state;
	assert_int_equal(second("disk.read.ops", 0, 2000000000000000).why, WHY_RESET);
	assert_value(second("disk.read.ops", 0, 900000000000000), 9e14);
}

static void a_wait_is_time_per_completed_request(void **state)
{
	const struct sample num[2] = {at(5 * S, 1000), at(6 * S, 1500)};
	const struct sample den[2] = {at(5 * S, 10), at(6 * S, 60)};
	struct value value = rate_step(metric("disk.read.await"), num, den, WHY_NONE);

	(void)state;
	assert_value(value, 0.010);
	assert_true(fabs(value.num - 0.5) < 1e-12);
	assert_true(fabs(value.den - 50) < 1e-12);
}

static void a_wait_without_a_completed_request_is_no_figure(void **state)
{
	const struct sample num[2] = {at(5 * S, 1000), at(6 * S, 1000)};
	const struct sample den[2] = {at(5 * S, 10), at(6 * S, 10)};

	(void)state;
	assert_int_equal(rate_step(metric("disk.read.await"), num, den, WHY_NONE).why,
		WHY_NO_COMPLETION);
}

static void each_counter_resets_on_its_own(void **state)
{
	const struct sample num[2] = {at(5 * S, 4294967295), at(6 * S, 99)};
	const struct sample den[2] = {at(5 * S, 10), at(6 * S, 20)};
	const struct sample reset[2] = {at(5 * S, 10), at(6 * S, 2)};

	(void)state;
	assert_value(rate_step(metric("disk.read.await"), num, den, WHY_NONE), 0.010);
	assert_int_equal(rate_step(metric("disk.read.await"), num, reset, WHY_NONE).why,
		WHY_RESET);
}

static void a_sum_adds_two_counters(void **state)
{
	const struct sample reads[2] = {at(5 * S, 100), at(7 * S, 160)};
	const struct sample writes[2] = {at(5 * S, 1), at(7 * S, 41)};

	(void)state;
	assert_value(rate_step(metric("disk.ops"), reads, writes, WHY_NONE), 50);
}

static void a_gauge_needs_no_interval(void **state)
{
	const struct sample num[2] = {{.stamp = 0}, at(6 * S, 7)};

	(void)state;
	assert_value(rate_step(metric("disk.inflight"), num, NULL, WHY_FIRST), 7);
	assert_value(rate_step(metric("disk.inflight"), num, NULL, WHY_GAP), 7);
}

static void a_rate_over_a_gap_is_no_figure(void **state)
{
	const struct sample num[2] = {at(5 * S, 1), at(9 * S, 2)};

	(void)state;
	assert_int_equal(
		rate_step(metric("disk.read.ops"), num, NULL, WHY_GAP).why, WHY_GAP);
}

static void a_source_that_did_not_answer_is_late(void **state)
{
	const struct sample same[2] = {at(5 * S, 1), at(5 * S, 1)};
	const struct sample said[2] = {at(5 * S, 1), no(5 * S, WHY_LATE)};
	const struct sample never[2] = {{.stamp = 0}, {.stamp = 0}};

	(void)state;
	assert_int_equal(
		rate_step(metric("net.rx.bytes"), same, NULL, WHY_NONE).why, WHY_LATE);
	assert_int_equal(
		rate_step(metric("net.rx.bytes"), said, NULL, WHY_NONE).why, WHY_LATE);
	assert_int_equal(
		rate_step(metric("net.speed"), same, NULL, WHY_NONE).why, WHY_LATE);
	assert_int_equal(rate_step(metric("net.rx.bytes"), never, NULL, WHY_FIRST).why,
		WHY_LATE);
}

static void a_reason_of_the_source_is_kept(void **state)
{
	static const enum why reasons[] = {
		WHY_OFF, WHY_UNSUPPORTED, WHY_DENIED, WHY_ABSENT};

	(void)state;
	for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++) {
		const struct sample num[2] = {at(5 * S, 1), no(6 * S, reasons[i])};
		const struct sample den[2] = {at(5 * S, 1), at(6 * S, 2)};

		assert_int_equal(
			rate_step(metric("disk.queue"), num, NULL, WHY_NONE).why,
			reasons[i]);
		assert_int_equal(
			rate_step(metric("disk.inflight"), num, NULL, WHY_NONE).why,
			reasons[i]);
		assert_int_equal(rate_step(metric("disk.ops"), den, num, WHY_NONE).why,
			reasons[i]);
	}
}

static void a_clock_that_went_back_makes_no_rate(void **state)
{
	const struct sample num[2] = {at(6 * S, 1), at(5 * S, 2)};

	(void)state;
	assert_int_equal(
		rate_step(metric("disk.read.ops"), num, NULL, WHY_NONE).why, WHY_GAP);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_rate_is_the_difference_over_the_real_interval),
		cmocka_unit_test(sectors_are_512_bytes_whatever_the_device),
		cmocka_unit_test(the_queue_is_weighted_milliseconds_over_the_interval),
		cmocka_unit_test(a_counter_that_did_not_move_is_a_true_zero),
		cmocka_unit_test(the_first_reading_is_no_figure_and_not_zero),
		cmocka_unit_test(
			a_device_made_anew_is_a_reset_and_not_18446744_terabytes),
		cmocka_unit_test(milliseconds_wrap_at_32_bits_on_every_kernel),
		cmocka_unit_test(a_wrap_is_not_off_by_one),
		cmocka_unit_test(a_reset_is_not_taken_for_a_wrap),
		cmocka_unit_test(a_64_bit_counter_does_not_wrap_at_32_bits),
		cmocka_unit_test(an_absurd_rate_is_a_reset),
		cmocka_unit_test(a_wait_is_time_per_completed_request),
		cmocka_unit_test(a_wait_without_a_completed_request_is_no_figure),
		cmocka_unit_test(each_counter_resets_on_its_own),
		cmocka_unit_test(a_sum_adds_two_counters),
		cmocka_unit_test(a_gauge_needs_no_interval),
		cmocka_unit_test(a_rate_over_a_gap_is_no_figure),
		cmocka_unit_test(a_source_that_did_not_answer_is_late),
		cmocka_unit_test(a_reason_of_the_source_is_kept),
		cmocka_unit_test(a_clock_that_went_back_makes_no_rate),
	};

	return cmocka_run_group_tests_name("rate", tests, NULL, NULL);
}
