/* The queue sampler: where in time it looks, what it adds up, which files. */
#include "config.h"

#include "base/clock.h"
#include "core/backlog.h"
#include "fake_root.h"
#include "source/sampler.h"
#include "source/table.h"

#include <fcntl.h>
#include <math.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

/* A load that is busy in a part of each period: what a sampler makes of it that
 * looks once per slot, with the jitter or always at the start. */
static double seen(nsec period, nsec busy, nsec slot, bool jitter)
{
	const uint64_t slots = 50 * 60; /* a minute */
	uint64_t hits = 0;

	for (uint64_t i = 0; i < slots; i++) {
		nsec at = (nsec)i * slot + (jitter ? sampler_jitter(i, slot) : 0);

		hits += at % period < busy;
	}
	return (double)hits / (double)slots;
}

static void a_load_in_step_with_the_sampler_is_seen_as_it_is(void **memory)
{
	const nsec slot = SAMPLER_SHORT;

	(void)memory;
	assert_true(seen(slot, slot / 4, slot, false) == 1); /* wrong by four times */
	for (nsec period = slot / 8; period <= slot * 16; period += slot / 8)
		for (int quarter = 1; quarter < 4; quarter++) {
			nsec busy = period * quarter / 4;
			double truth = (double)busy / (double)period;

			assert_true(
				fabs(seen(period, busy, slot, true) - truth) < 0.02);
		}
}

static void every_sample_lies_inside_its_slot(void **memory)
{
	(void)memory;
	for (uint64_t i = 0; i < 100000; i++)
		assert_in_range(sampler_jitter(i * 7919, 20), 0, 19);
	assert_in_range(
		sampler_jitter(UINT64_MAX, SAMPLER_SHORT), 0, SAMPLER_SHORT - 1);
}

static void only_two_numbers_are_a_sample(void **memory)
{
	uint64_t value;

	(void)memory;
	assert_true(sampler_parse("       3        4\n", &value));
	assert_int_equal(value, 7);
	assert_false(sampler_parse("3\n", &value));
	assert_false(sampler_parse("", &value));
	assert_false(sampler_parse("3 4 5\n", &value));
	assert_false(sampler_parse("-1 4\n", &value));
}

/* Waits until as many slots were sampled since the call; the bound is only there so
 * that a broken sampler fails and does not hang. */
static void wait_for(
	struct sampler *sampler, size_t index, uint64_t slots, struct sampled *sampled)
{
	nsec give_up = clock_mono() + 60 * NSEC_PER_SEC;
	uint64_t from;

	assert_true(sampler_take(sampler, index, sampled));
	from = sampled->count;
	while (sampled->count < from + slots && clock_mono() < give_up) {
		assert_int_equal(usleep(2000), 0);
		assert_true(sampler_take(sampler, index, sampled));
	}
	assert_true(sampled->count >= from + slots);
}

static void a_steady_queue_has_its_depth_as_mean_and_maximum(void **memory)
{
	struct fake_bench *bench = *memory;
	struct sampled before, after;
	struct sampler *sampler;
	char path[128];
	int fd;

	fake_file(&bench->root, "inflight", "       3       61\n");
	(void)snprintf(path, sizeof path, "%s/inflight", bench->root.top);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	assert_true(fd >= 0);
	sampler = sampler_start(SAMPLER_SHORT, NULL);
	assert_non_null(sampler);
	sampler_add(sampler, 5, fd);
	wait_for(sampler, 5, 12, &before);
	wait_for(sampler, 5, 12, &after);
	assert_int_equal(after.last, 64);
	assert_int_equal(after.max, 64);
	assert_int_equal(after.sum - before.sum, 64 * (after.count - before.count));
	assert_int_equal(after.steps, spread_step(64) + 1);
	assert_int_equal(after.at[spread_step(64)], after.count);
	assert_int_equal(after.at[spread_step(63)], 0);
	assert_false(sampler_take(sampler, 0, &after)); /* nothing was given there */
	assert_false(sampler_take(sampler, 99, &after));
	sampler_stop(sampler);
}

/* The time a sample stands for: were each counted once, the many samples of the busy
 * part would weigh more than the few of the idle part. */
static void the_mean_is_one_over_time_when_the_rate_changes(void **memory)
{
	struct fake_bench *bench = *memory;
	struct sampled idle, busy, start;
	struct sampler *sampler;
	char path[128];
	nsec slot;
	uint64_t late;

	fake_file(&bench->root, "inflight", "0 0\n");
	(void)snprintf(path, sizeof path, "%s/inflight", bench->root.top);
	sampler = sampler_start(SAMPLER_SHORT, NULL);
	assert_non_null(sampler);
	sampler_add(sampler, 0, open(path, O_RDONLY | O_CLOEXEC));
	wait_for(sampler, 0, 1, &start);
	wait_for(sampler, 0, 20, &idle);
	assert_int_equal(
		(idle.count - start.count) % (SAMPLER_REST / SAMPLER_SHORT), 0);
	sampler_state(sampler, &slot, &late);
	assert_true(slot == SAMPLER_REST);
	fake_file(&bench->root, "inflight", "2 0\n");
	wait_for(sampler, 0, 30, &busy);
	sampler_state(sampler, &slot, &late);
	assert_true(slot < SAMPLER_REST);
	assert_int_equal(busy.max, 2);
	assert_true(busy.sum <= 2 * (busy.count - idle.count));
	sampler_stop(sampler);
}

/* Whatever the interval is: the mean is the same, and the idle one is not shorter. */
static void the_interval_may_be_chosen(void **memory)
{
	static const nsec slots[] = {
		5 * NSEC_PER_MSEC, 70 * NSEC_PER_MSEC, NSEC_PER_SEC};
	struct fake_bench *bench = *memory;
	char path[128];

	(void)snprintf(path, sizeof path, "%s/inflight", bench->root.top);
	for (size_t i = 0; i < sizeof slots / sizeof *slots; i++) {
		struct sampler *sampler = sampler_start(slots[i], NULL);
		struct sampled idle, busy;
		uint64_t late;
		nsec slot;

		fake_file(&bench->root, "inflight", "0 0\n");
		sampler_add(sampler, 0, open(path, O_RDONLY | O_CLOEXEC));
		wait_for(sampler, 0, 1, &idle);
		sampler_state(sampler, &slot, &late);
		assert_true(
			slot <= (slots[i] > SAMPLER_REST ? slots[i] : SAMPLER_REST));
		assert_int_equal(slot % slots[i], 0);
		fake_file(&bench->root, "inflight", "3 0\n");
		wait_for(sampler, 0, 2, &idle);
		wait_for(sampler, 0, 2, &busy);
		assert_int_equal(busy.sum - idle.sum, 3 * (busy.count - idle.count));
		sampler_stop(sampler);
	}
}

static void a_tick_right_behind_another_still_has_a_maximum(void **memory)
{
	struct fake_bench *bench = *memory;
	const struct sink *sink;

	fake_disk(&bench->root, "sda", "DISK");
	fake_file(&bench->root, "sys/block/sda/inflight", "4 1\n");
	fake_start(bench, &source_inflight);
	for (int i = 0; i < 5; i++) {
		sink = fake_tick(bench);
		assert_int_equal(fake_value(sink, "sda", RAW_DISK_INFLIGHT), 5);
		assert_int_equal(fake_value(sink, "sda", RAW_DISK_INFLIGHT_MAX), 5);
	}
	assert_int_equal(fake_why(sink, "host", RAW_SAMPLER_LATE, NULL), WHY_NONE);
	assert_true(fake_value(sink, "host", RAW_SAMPLER_US) >= 20000);
}

static void the_limit_is_the_smaller_of_depth_and_tags(void **memory)
{
	struct fake_bench *bench = *memory;
	const struct sink *sink;

	fake_disk(&bench->root, "sda", "DISK");
	fake_file(&bench->root, "sys/block/sda/device/queue_depth", "32\n");
	fake_file(&bench->root, "sys/block/sda/mq/0/nr_tags", "8\n");
	fake_file(&bench->root, "sys/block/sda/mq/1/nr_tags", "8\n");
	fake_disk(&bench->root, "sdb", "DISK");
	fake_file(&bench->root, "sys/block/sdb/device/queue_depth", "3\n");
	fake_file(&bench->root, "sys/block/sdb/mq/0/nr_tags", "8\n");
	fake_disk(&bench->root, "nvme0n1", "DISK");
	fake_file(&bench->root, "sys/block/nvme0n1/mq/0/nr_tags", "1023\n");
	fake_disk(&bench->root, "sdc", "DISK");
	fake_file(&bench->root, "sys/block/sdc/queue/nr_requests", "64\n");
	fake_start(bench, &source_inflight);
	sink = fake_tick(bench);
	assert_int_equal(fake_value(sink, "sda", RAW_DISK_LIMIT), 16);
	assert_int_equal(fake_value(sink, "sda", RAW_DISK_LIMIT_LEAST), 8);
	assert_int_equal(fake_value(sink, "sdb", RAW_DISK_LIMIT), 3);
	assert_int_equal(fake_value(sink, "sdb", RAW_DISK_LIMIT_LEAST), 3);
	assert_int_equal(fake_value(sink, "nvme0n1", RAW_DISK_LIMIT), 1023);
	assert_int_equal(fake_why(sink, "sdc", RAW_DISK_LIMIT, NULL), WHY_UNSUPPORTED);
	fake_file(&bench->root, "sys/block/sda/device/queue_depth", "4\n");
	assert_int_equal(fake_value(fake_tick(bench), "sda", RAW_DISK_LIMIT), 4);
}

static void time_at_the_limit_is_counted_where_there_is_one(void **memory)
{
	struct fake_bench *bench = *memory;
	struct sampled before, after;
	struct sampler *sampler;
	const struct sink *sink;
	char path[128];

	fake_file(&bench->root, "inflight", "20 12\n");
	(void)snprintf(path, sizeof path, "%s/inflight", bench->root.top);
	sampler = sampler_start(SAMPLER_SHORT, NULL);
	assert_non_null(sampler);
	sampler_add(sampler, 0, open(path, O_RDONLY | O_CLOEXEC));
	wait_for(sampler, 0, 1, &before);
	assert_int_equal(before.full, 0);
	sampler_limit(sampler, 0, 32);
	wait_for(sampler, 0, 10, &before);
	wait_for(sampler, 0, 10, &after);
	assert_int_equal(after.full - before.full, after.count - before.count);
	sampler_limit(sampler, 0, 33);
	wait_for(sampler, 0, 10, &before);
	wait_for(sampler, 0, 10, &after);
	assert_int_equal(after.full, before.full);
	sampler_stop(sampler);
	fake_disk(&bench->root, "sda", "DISK");
	fake_start(bench, &source_inflight);
	sink = fake_tick(bench);
	assert_int_equal(fake_why(sink, "sda", RAW_DISK_FULL, NULL), WHY_ABSENT);
}

static void the_state_of_the_transport_is_told(void **memory)
{
	static const struct {
		const char *text;
		uint64_t state;
	} states[] = {{"running", BACKLOG_RUNNING}, {"blocked", BACKLOG_BLOCKED},
		{"transport-offline", BACKLOG_OFFLINE}, {"live", BACKLOG_RUNNING},
		{"connecting", BACKLOG_BLOCKED}, {"offline", BACKLOG_OFFLINE},
		{"running", BACKLOG_RUNNING}};
	struct fake_bench *bench = *memory;

	fake_disk(&bench->root, "sda", "DISK");
	fake_disk(&bench->root, "vda", "DISK");
	fake_file(&bench->root, "sys/block/sda/device/state", "running\n");
	fake_start(bench, &source_inflight);
	for (size_t i = 0; i < sizeof states / sizeof *states; i++) {
		const struct sink *sink;

		fake_file(&bench->root, "sys/block/sda/device/state", "%s\n",
			states[i].text);
		sink = fake_tick(bench);
		assert_int_equal(
			fake_value(sink, "sda", RAW_DISK_STATE), states[i].state);
		assert_int_equal(
			fake_why(sink, "vda", RAW_DISK_STATE, NULL), WHY_ABSENT);
	}
}

static void a_disk_that_comes_is_sampled_and_one_that_goes_is_not(void **memory)
{
	struct fake_bench *bench = *memory;
	const struct sink *sink;

	fake_disk(&bench->root, "sda", "DISK");
	fake_start(bench, &source_inflight);
	(void)fake_tick(bench);
	fake_disk(&bench->root, "sdb", "DISK");
	fake_file(&bench->root, "sys/block/sdb/inflight", "9 0\n");
	bench->now += 10 * NSEC_PER_SEC;
	sink = fake_tick(bench);
	assert_int_equal(fake_value(sink, "sdb", RAW_DISK_INFLIGHT), 9);
	fake_remove(&bench->root, "sys/block/sda");
	bench->now += 10 * NSEC_PER_SEC;
	sink = fake_tick(bench);
	assert_int_equal(fake_why(sink, "sda", RAW_DISK_INFLIGHT, NULL), WHY_ABSENT);
	assert_int_equal(fake_value(sink, "sdb", RAW_DISK_INFLIGHT), 9);
}

static void a_disk_without_the_file_has_no_queue_of_zero(void **memory)
{
	struct fake_bench *bench = *memory;
	const struct sink *sink;

	fake_disk(&bench->root, "sda", "DISK");
	fake_remove(&bench->root, "sys/block/sda/inflight");
	fake_start(bench, &source_inflight);
	sink = fake_tick(bench);
	assert_int_equal(
		fake_why(sink, "sda", RAW_DISK_INFLIGHT_MAX, NULL), WHY_UNSUPPORTED);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, fake_setup, fake_teardown)
		TEST(the_interval_may_be_chosen),
		TEST(a_load_in_step_with_the_sampler_is_seen_as_it_is),
		TEST(every_sample_lies_inside_its_slot),
		TEST(only_two_numbers_are_a_sample),
		TEST(a_steady_queue_has_its_depth_as_mean_and_maximum),
		TEST(the_mean_is_one_over_time_when_the_rate_changes),
		TEST(a_tick_right_behind_another_still_has_a_maximum),
		TEST(the_limit_is_the_smaller_of_depth_and_tags),
		TEST(time_at_the_limit_is_counted_where_there_is_one),
		TEST(the_state_of_the_transport_is_told),
		TEST(a_disk_that_comes_is_sampled_and_one_that_goes_is_not),
		TEST(a_disk_without_the_file_has_no_queue_of_zero),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
