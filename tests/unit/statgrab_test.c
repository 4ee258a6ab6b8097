/* libstatgrab as a source, on the real system: it cannot be pointed elsewhere. */
#include "config.h"

#include "fake_root.h"
#include "source/table.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void real(struct fake_bench *bench)
{
	bench->root.env.proc = "/proc";
	bench->root.env.sys = "/sys";
	bench->root.selection.all = true;
	fake_start(bench, &source_statgrab);
}

static void it_declines_another_root_and_says_why(void **memory)
{
	struct fake_bench *bench = *memory;
	struct fault fault = {0};
	void *state;

	assert_false(source_statgrab.open(&state, &bench->root.env, &fault));
	assert_null(state);
	assert_non_null(strstr(fault.text, "libstatgrab"));
	assert_non_null(strstr(fault.text, bench->root.proc));
}

/* The plainest reading of /proc/net/dev: column 0 is bytes received, 8 bytes sent. */
static unsigned long long plainly(const char *name, int column)
{
	FILE *file = fopen("/proc/net/dev", "re");
	unsigned long long n[16], found = 0;
	char line[1024];

	assert_non_null(file);
	while (fgets(line, sizeof line, file)) {
		char *colon = strrchr(line, ':');

		if (!colon)
			continue;
		*colon = 0;
		if (sscanf(colon + 1,
			    "%llu %llu %llu %llu %llu %llu %llu %llu %llu %llu", &n[0],
			    &n[1], &n[2], &n[3], &n[4], &n[5], &n[6], &n[7], &n[8],
			    &n[9]) == 10 &&
			!strcmp(line + strspn(line, " "), name))
			found = n[column];
	}
	(void)fclose(file); /* only read */
	return found;
}

static void traffic_agrees_with_a_plain_reading(void **memory)
{
	static const struct {
		int column;
		unsigned raw;
	} rows[] = {{0, RAW_NET_RX_BYTES}, {1, RAW_NET_RX_PACKETS},
		{8, RAW_NET_TX_BYTES}, {9, RAW_NET_TX_PACKETS}};
	struct fake_bench *bench = *memory;
	const struct sink *sink;
	size_t compared = 0;

	real(bench);
	sink = fake_tick(bench);
	for (size_t i = 0; i < sink->subject_count; i++)
		for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
			const char *name = sink->subjects[i].name;
			uint64_t before = plainly(name, rows[k].column), value;

			sink = fake_tick(bench);
			if (fake_why(sink, name, rows[k].raw, &value) != WHY_NONE)
				continue;
			assert_true(before <= value);
			assert_true(value <= plainly(name, rows[k].column));
			compared++;
		}
	if (!compared) {
		print_message("no interface here\n");
		skip();
	}
}

static void an_unknown_speed_is_no_speed(void **memory)
{
	struct fake_bench *bench = *memory;
	const struct sink *sink;

	real(bench);
	sink = fake_tick(bench);
	for (size_t i = 0; i < sink->subject_count; i++) {
		const char *name = sink->subjects[i].name;
		uint64_t speed = 1, duplex = 1;

		if (fake_why(sink, name, RAW_NET_SPEED, &speed) == WHY_NONE)
			assert_in_range(speed, 1, UINT64_C(4000000) * 1000000);
		if (fake_why(sink, name, RAW_NET_DUPLEX, &duplex) == WHY_NONE)
			assert_in_range(duplex, 1, 2);
		if (!strcmp(name, "lo"))
			assert_int_equal(fake_why(sink, name, RAW_NET_SPEED, NULL),
				WHY_UNSUPPORTED);
	}
	assert_true(fake_value(sink, "host", RAW_HOST_UPTIME_S) > 0);
}

/* Disks come from /proc/diskstats where it is there. */
static void it_does_not_count_disks_twice(void **memory)
{
	struct fake_bench *bench = *memory;
	const struct sink *sink;

	real(bench);
	sink = fake_tick(bench);
	for (size_t i = 0; i < sink->reading_count; i++) {
		assert_int_not_equal(sink->readings[i].raw, RAW_DISK_SG_READ_BYTES);
		assert_int_not_equal(sink->readings[i].raw, RAW_DISK_SG_WRITE_BYTES);
	}
}

static void *read_ten_times(void *bench)
{
	for (int i = 0; i < 10; i++)
		(void)fake_tick(bench);
	return NULL;
}

/* The recorder opens it in one thread, reads it in another, closes it in the first. */
static void it_may_be_read_in_another_thread_than_it_was_opened_in(void **memory)
{
	struct fake_bench *bench = *memory;
	pthread_t thread;

	real(bench);
	assert_int_equal(pthread_create(&thread, NULL, read_ten_times, bench), 0);
	assert_int_equal(pthread_join(thread, NULL), 0);
	assert_true(bench->sink.reading_count > 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, fake_setup, fake_teardown)
		TEST(it_declines_another_root_and_says_why),
		TEST(traffic_agrees_with_a_plain_reading),
		TEST(an_unknown_speed_is_no_speed),
		TEST(it_does_not_count_disks_twice),
		TEST(it_may_be_read_in_another_thread_than_it_was_opened_in),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
