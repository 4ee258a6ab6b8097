/* /proc/diskstats in the forms of many kernels, and the disks it is about. */
#include "config.h"

#include "fake_root.h"
#include "source/diskstats.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void lines_with_14_18_20_and_more_columns_mean_the_same(void **memory)
{
	struct fake_bench *bench = *memory;
	static const char *const names[] = {"sda", "sdb", "sdc", "sdd"};
	const struct sink *sink;

	for (size_t i = 0; i < 4; i++)
		fake_disk(&bench->root, names[i], "DISK");
	fake_file(&bench->root, "proc/diskstats",
		"   8       0 sda 1 2 3 4 5 6 7 8 9 10 11\n"
		"   8      16 sdb 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15\n"
		"   8      32 sdc 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17\n"
		"   8      48 sdd 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 new 19\n");
	fake_start(bench, &source_diskstats);
	sink = fake_tick(bench);
	for (size_t i = 0; i < 4; i++) {
		assert_int_equal(fake_value(sink, names[i], RAW_DISK_READ_OPS), 1);
		assert_int_equal(fake_value(sink, names[i], RAW_DISK_READ_SECTORS), 3);
		assert_int_equal(fake_value(sink, names[i], RAW_DISK_READ_MS), 4);
		assert_int_equal(fake_value(sink, names[i], RAW_DISK_WRITE_OPS), 5);
		assert_int_equal(fake_value(sink, names[i], RAW_DISK_WRITE_SECTORS), 7);
		assert_int_equal(fake_value(sink, names[i], RAW_DISK_WRITE_MS), 8);
		assert_int_equal(fake_value(sink, names[i], RAW_DISK_PENDING), 9);
		assert_int_equal(fake_value(sink, names[i], RAW_DISK_WEIGHTED_MS), 11);
	}
}

static void discards_and_flushes_are_counted_where_the_kernel_does(void **memory)
{
	struct fake_bench *bench = *memory;
	const struct sink *sink;

	fake_disk(&bench->root, "sda", "DISK");
	fake_disk(&bench->root, "sdb", "DISK");
	fake_disk(&bench->root, "sdc", "DISK");
	fake_file(&bench->root, "proc/diskstats",
		"8  0 sda 1 2 3 4 5 6 7 8 9 10 11\n"
		"8 16 sdb 1 2 3 4 5 6 7 8 9 10 11 100 13 14 15\n"
		"8 32 sdc 1 2 3 4 5 6 7 8 9 10 11 100 13 14 15 7 17\n");
	fake_start(bench, &source_diskstats);
	sink = fake_tick(bench);
	assert_int_equal(fake_why(sink, "sda", RAW_DISK_OTHER_OPS, NULL), WHY_ABSENT);
	assert_int_equal(fake_value(sink, "sdb", RAW_DISK_OTHER_OPS), 100);
	assert_int_equal(fake_value(sink, "sdc", RAW_DISK_OTHER_OPS), 107);
}

static void a_line_that_cannot_be_understood_fails_alone(void **memory)
{
	struct fake_bench *bench = *memory;
	const struct sink *sink;

	fake_disk(&bench->root, "sda", "DISK");
	fake_disk(&bench->root, "sdb", "DISK");
	fake_disk(&bench->root, "sdc", "DISK");
	fake_file(&bench->root, "proc/diskstats",
		"8 0 sda 1 2 3 4 -5 6 7 8 9 10 11\n"
		"complete nonsense\n"
		"8 16 sdb 1 2 3 4 5 6 7 8 9 10\n"
		"8 32 sdc 10 20 30 40 50 60 70 80 90 100 110");
	fake_start(bench, &source_diskstats);
	sink = fake_tick(bench);
	assert_int_equal(
		fake_why(sink, "sda", RAW_DISK_READ_OPS, NULL), WHY_UNSUPPORTED);
	assert_int_equal(
		fake_why(sink, "sdb", RAW_DISK_WEIGHTED_MS, NULL), WHY_UNSUPPORTED);
	assert_int_equal(fake_value(sink, "sdc", RAW_DISK_WEIGHTED_MS), 110);
}

static void a_number_above_64_bits_is_no_number(void **memory)
{
	struct fake_bench *bench = *memory;

	fake_disk(&bench->root, "sda", "DISK");
	fake_file(&bench->root, "proc/diskstats",
		"8 0 sda 18446744073709551616 2 3 4 5 6 7 8 9 10 11\n");
	fake_start(bench, &source_diskstats);
	assert_int_equal(fake_why(fake_tick(bench), "sda", RAW_DISK_READ_OPS, NULL),
		WHY_UNSUPPORTED);
	fake_file(&bench->root, "proc/diskstats",
		"8 0 sda 18446744073709551615 2 3 4 5 6 7 8 9 10 11\n");
	assert_true(
		fake_value(fake_tick(bench), "sda", RAW_DISK_READ_OPS) == UINT64_MAX);
}

static void partitions_loops_and_ram_disks_are_not_disks(void **memory)
{
	struct fake_bench *bench = *memory;
	const struct sink *sink;

	fake_disk(&bench->root, "nvme0n1", "DISK");
	fake_file(&bench->root, "sys/block/loop0/size", "100\n");
	fake_file(&bench->root, "sys/block/ram0/size", "100\n");
	fake_file(&bench->root, "sys/block/zram0/size", "100\n");
	fake_file(&bench->root, "proc/diskstats",
		"7 0 loop0 1 2 3 4 5 6 7 8 9 10 11\n"
		"1 0 ram0 1 2 3 4 5 6 7 8 9 10 11\n"
		"259 0 nvme0n1 1 2 3 4 5 6 7 8 9 10 11\n"
		"259 1 nvme0n1p1 1 2 3 4 5 6 7 8 9 10 11\n"
		"253 0 zram0 1 2 3 4 5 6 7 8 9 10 11\n");
	fake_start(bench, &source_diskstats);
	sink = fake_tick(bench);
	assert_int_equal(sink->reading_count, 9);
	assert_int_equal(sink->subject_count, 1);
	assert_string_equal(sink->subjects[0].name, "nvme0n1");
}

static void a_name_with_a_slash_is_found_in_sysfs(void **memory)
{
	struct fake_bench *bench = *memory;

	fake_disk(&bench->root, "cciss!c0d0", "ARRAY");
	fake_file(&bench->root, "proc/diskstats",
		"104 0 cciss/c0d0 7 2 3 4 5 6 7 8 9 10 11\n");
	fake_start(bench, &source_diskstats);
	assert_int_equal(
		fake_value(fake_tick(bench), "cciss/c0d0", RAW_DISK_READ_OPS), 7);
}

static void accounting_that_is_off_is_never_a_queue_of_zero(void **memory)
{
	struct fake_bench *bench = *memory;
	const struct sink *sink;

	fake_disk(&bench->root, "sda", "DISK");
	fake_disk(&bench->root, "sdb", "DISK");
	fake_file(&bench->root, "sys/block/sdb/queue/iostats", "0\n");
	fake_file(&bench->root, "proc/diskstats",
		"8 0 sda 5 0 5 5 5 0 5 5 0 5 5\n8 16 sdb 5 0 5 5 5 0 5 5 0 5 5\n");
	fake_start(bench, &source_diskstats);
	sink = fake_tick(bench); /* known from the first tick on */
	assert_int_equal(fake_why(sink, "sdb", RAW_DISK_PENDING, NULL), WHY_OFF);
	assert_int_equal(fake_value(sink, "sda", RAW_DISK_PENDING), 0);

	fake_file(&bench->root, "sys/block/sda/queue/iostats", "0\n");
	sink = fake_tick(bench); /* it stands still: is it still counted? */
	assert_int_equal(fake_why(sink, "sda", RAW_DISK_WEIGHTED_MS, NULL), WHY_OFF);

	fake_file(&bench->root, "sys/block/sda/queue/iostats", "1\n");
	fake_file(&bench->root, "proc/diskstats",
		"8 0 sda 6 0 5 5 5 0 5 5 0 5 5\n8 16 sdb 5 0 5 5 5 0 5 5 0 5 5\n");
	sink = fake_tick(bench);
	assert_int_equal(fake_value(sink, "sda", RAW_DISK_READ_OPS), 6);
	assert_int_equal(fake_why(sink, "sdb", RAW_DISK_READ_OPS, NULL), WHY_OFF);
}

/* What Linux 6.1 shows for device mapper: 0 in queue/iostats, and counters that move.
 */
static void counters_that_move_are_on_where_there_are_no_request_queues(void **memory)
{
	struct fake_bench *bench = *memory;
	const struct sink *sink = NULL;
	char text[160];

	fake_disk(&bench->root, "dm-0", "MAP");
	fake_disk(&bench->root, "sda", "DISK");
	fake_file(&bench->root, "sys/block/dm-0/queue/iostats", "0\n");
	fake_file(&bench->root, "sys/block/sda/queue/iostats", "0\n");
	fake_file(&bench->root, "sys/block/sda/mq/0/nr_tags", "64\n");
	for (int ops = 5; ops < 9; ops++) {
		(void)snprintf(text, sizeof text,
			"254 0 dm-0 %d 0 5 5 5 0 5 5 0 5 5\n"
			"8 0 sda %d 0 5 5 5 0 5 5 0 5 5\n",
			ops, ops); /* fits */
		fake_file(&bench->root, "proc/diskstats", "%s", text);
		if (ops == 5)
			fake_start(bench, &source_diskstats);
		sink = fake_tick(bench);
		assert_int_equal(
			fake_why(sink, "sda", RAW_DISK_PENDING, NULL), WHY_OFF);
		if (ops < 7)
			assert_int_equal(fake_why(sink, "dm-0", RAW_DISK_PENDING, NULL),
				WHY_OFF);
	}
	assert_int_equal(fake_value(sink, "dm-0", RAW_DISK_READ_OPS), 8);
	sink = fake_tick(bench); /* at rest it is a zero that was measured */
	assert_int_equal(fake_value(sink, "dm-0", RAW_DISK_READ_OPS), 8);
}

static void a_multipath_head_that_never_counts_says_nothing(void **memory)
{
	struct fake_bench *bench = *memory;
	const struct sink *sink;

	fake_disk(&bench->root, "nvme0n1", "ARRAY");
	fake_disk(&bench->root, "nvme0c0n1", "ARRAY");
	fake_file(&bench->root, "sys/block/nvme0c0n1/hidden", "1\n");
	fake_file(&bench->root, "proc/diskstats",
		"259 0 nvme0n1 0 0 0 0 0 0 0 0 0 0 0\n"
		"259 1 nvme0c0n1 9 0 9 9 9 0 9 9 0 9 9\n");
	fake_start(bench, &source_diskstats);
	sink = fake_tick(bench);
	assert_int_equal(
		fake_why(sink, "nvme0n1", RAW_DISK_READ_OPS, NULL), WHY_UNSUPPORTED);
	assert_int_equal(fake_value(sink, "nvme0c0n1", RAW_DISK_READ_OPS), 9);
	assert_int_equal(fake_subject(sink, "nvme0n1")->flags, SUBJECT_STACKED);
	assert_int_equal(fake_subject(sink, "nvme0c0n1")->flags, 0);

	fake_file(&bench->root, "proc/diskstats",
		"259 0 nvme0n1 4 0 0 0 0 0 0 0 0 0 0\n"
		"259 1 nvme0c0n1 9 0 9 9 9 0 9 9 0 9 9\n");
	assert_int_equal(fake_value(fake_tick(bench), "nvme0n1", RAW_DISK_READ_OPS), 4);
}

static void a_disk_that_comes_is_found_within_two_ticks_and_told_of(void **memory)
{
	struct fake_bench *bench = *memory;
	const struct sink *sink;

	fake_disk(&bench->root, "sda", "DISK");
	fake_file(&bench->root, "proc/diskstats", "8 0 sda 1 0 1 1 1 0 1 1 0 1 1\n");
	fake_start(bench, &source_diskstats);
	sink = fake_tick(bench);
	assert_int_equal(
		sink->event_count, 0); /* what is there at the start is no news */

	fake_disk(&bench->root, "sdb", "DISK");
	fake_file(&bench->root, "proc/diskstats",
		"8 16 sdb 2 0 1 1 1 0 1 1 0 1 1\n8 0 sda 1 0 1 1 1 0 1 1 0 1 1\n");
	sink = fake_tick(bench);
	assert_true(fake_event(sink, "sdb new"));
	assert_int_equal(fake_value(sink, "sda", RAW_DISK_READ_OPS), 1);
	sink = fake_tick(bench);
	assert_int_equal(fake_value(sink, "sdb", RAW_DISK_READ_OPS), 2);
	assert_int_equal(fake_value(sink, "sda", RAW_DISK_READ_OPS), 1);
}

static void a_disk_that_goes_has_no_row_and_comes_back_as_itself(void **memory)
{
	struct fake_bench *bench = *memory;
	const struct sink *sink;

	fake_disk(&bench->root, "sda", "DISK");
	fake_disk(&bench->root, "sdb", "DISK");
	fake_file(&bench->root, "sys/block/sdb/device/wwid", "naa.600a\n");
	fake_file(&bench->root, "proc/diskstats",
		"8 0 sda 1 0 1 1 1 0 1 1 0 1 1\n8 16 sdb 2 0 1 1 1 0 1 1 0 1 1\n");
	fake_start(bench, &source_diskstats);
	(void)fake_tick(bench);
	fake_remove(&bench->root, "sys/block/sdb");
	fake_file(&bench->root, "proc/diskstats", "8 0 sda 1 0 1 1 1 0 1 1 0 1 1\n");
	sink = fake_tick(bench);
	assert_int_equal(fake_why(sink, "sdb", RAW_DISK_READ_OPS, NULL), WHY_ABSENT);
	assert_true(fake_event(sink, "sdb gone"));

	fake_disk(&bench->root, "sdb", "DISK");
	fake_file(&bench->root, "sys/block/sdb/device/wwid", "naa.600a\n");
	fake_file(&bench->root, "proc/diskstats",
		"8 0 sda 1 0 1 1 1 0 1 1 0 1 1\n8 16 sdb 0 0 0 0 0 0 0 0 0 0 0\n");
	sink = fake_tick(bench);
	assert_true(fake_event(sink, "sdb is back"));
	sink = fake_tick(bench);
	assert_int_equal(fake_value(sink, "sdb", RAW_DISK_READ_OPS), 0);
	assert_int_equal(sink->subject_count, 2);
}

static void another_disk_under_the_same_name_is_another_subject(void **memory)
{
	struct fake_bench *bench = *memory;
	const struct sink *sink;

	fake_disk(&bench->root, "sda", "OLD");
	fake_file(&bench->root, "sys/block/sda/device/wwid", "naa.1\n");
	fake_file(&bench->root, "proc/diskstats", "8 0 sda 90 0 1 1 1 0 1 1 0 1 1\n");
	fake_start(bench, &source_diskstats);
	(void)fake_tick(bench);
	fake_file(&bench->root, "sys/block/sda/device/wwid", "naa.2\n");
	fake_reborn(&bench->root, "sys/block/sda");
	fake_file(&bench->root, "proc/diskstats", "8 0 sda 95 0 1 1 1 0 1 1 0 1 1\n");
	bench->now += 10 * NSEC_PER_SEC; /* the next look at the folder */
	sink = fake_tick(bench);
	assert_true(fake_event(sink, "sda is another device now"));
	assert_int_equal(sink->subject_count, 2);
	assert_string_equal(fake_subject(sink, "sda")->id, "naa.2");
}

/* The counters of a disk that was made anew may be above the old ones: what grew
 * is then no difference. One tick without a row makes that plain. */
static void the_same_disk_made_anew_skips_one_tick(void **memory)
{
	struct fake_bench *bench = *memory;
	const struct sink *sink;

	fake_disk(&bench->root, "sda", "DISK");
	fake_file(&bench->root, "proc/diskstats", "8 0 sda 90 0 1 1 1 0 1 1 0 1 1\n");
	fake_start(bench, &source_diskstats);
	(void)fake_tick(bench);
	fake_reborn(&bench->root, "sys/block/sda");
	fake_file(&bench->root, "proc/diskstats", "8 0 sda 95 0 1 1 1 0 1 1 0 1 1\n");
	bench->now += 10 * NSEC_PER_SEC;
	sink = fake_tick(bench);
	assert_true(fake_event(sink, "sda was removed and added again"));
	assert_int_equal(fake_why(sink, "sda", RAW_DISK_READ_OPS, NULL), WHY_ABSENT);
	assert_int_equal(fake_value(fake_tick(bench), "sda", RAW_DISK_READ_OPS), 95);
	assert_int_equal(sink->subject_count, 1);
}

static void counters_that_went_backwards_are_looked_into_at_once(void **memory)
{
	struct fake_bench *bench = *memory;
	const struct sink *sink;

	fake_disk(&bench->root, "sda", "DISK");
	fake_file(&bench->root, "proc/diskstats", "8 0 sda 90 0 1 1 1 0 1 1 0 1 1\n");
	fake_start(bench, &source_diskstats);
	(void)fake_tick(bench);
	fake_reborn(&bench->root, "sys/block/sda");
	fake_file(&bench->root, "proc/diskstats", "8 0 sda 2 0 1 1 1 0 1 1 0 1 1\n");
	sink = fake_tick(bench);
	assert_true(fake_event(sink, "sda was removed and added again"));
	assert_int_equal(fake_why(sink, "sda", RAW_DISK_READ_OPS, NULL), WHY_ABSENT);
	assert_int_equal(fake_value(fake_tick(bench), "sda", RAW_DISK_READ_OPS), 2);
}

static void a_map_that_is_renamed_keeps_its_row(void **memory)
{
	struct fake_bench *bench = *memory;
	const struct sink *sink;

	fake_file(&bench->root, "sys/block/dm-0/dm/name", "mpatha\n");
	fake_file(&bench->root, "sys/block/dm-0/dm/uuid", "mpath-3600a\n");
	fake_file(&bench->root, "sys/block/dm-0/size", "100\n");
	fake_file(&bench->root, "proc/diskstats", "252 0 dm-0 1 0 1 1 1 0 1 1 0 1 1\n");
	fake_start(bench, &source_diskstats);
	sink = fake_tick(bench);
	assert_string_equal(fake_subject(sink, "dm-0")->label, "mpatha");
	assert_string_equal(fake_subject(sink, "dm-0")->id, "mpath-3600a");
	fake_file(&bench->root, "sys/block/dm-0/dm/name", "mail\n");
	bench->now += 10 * NSEC_PER_SEC;
	sink = fake_tick(bench);
	assert_true(fake_event(sink, "dm-0 is called mail now"));
	assert_int_equal(sink->subject_count, 1);
	assert_true(sink->changed);
	assert_string_equal(sink->subjects[0].label, "mail");
	assert_int_equal(fake_value(sink, "dm-0", RAW_DISK_READ_OPS), 1);
}

static void a_file_that_cannot_be_read_is_a_fault_of_this_tick_only(void **memory)
{
	struct fake_bench *bench = *memory;
	struct fault fault = {0};

	fake_disk(&bench->root, "sda", "DISK");
	fake_file(&bench->root, "proc/diskstats", "8 0 sda 1 0 1 1 1 0 1 1 0 1 1\n");
	fake_start(bench, &source_diskstats);
	(void)fake_tick(bench);
	fake_remove(&bench->root, "proc/diskstats");
	sink_begin(&bench->sink);
	assert_false(source_diskstats.read(
		bench->state, &bench->sink, 3 * NSEC_PER_SEC, &fault));
	assert_non_null(strstr(fault.text, "diskstats"));
	assert_int_equal(bench->sink.reading_count, 0);
	fake_file(&bench->root, "proc/diskstats", "8 0 sda 2 0 1 1 1 0 1 1 0 1 1\n");
	assert_int_equal(fake_value(fake_tick(bench), "sda", RAW_DISK_READ_OPS), 2);
}

/* One column (0 is the first behind the name) of DISK in the real file, read in the
 * plainest way. */
static unsigned long long plainly(const char *disk, int column)
{
	FILE *file = fopen("/proc/diskstats", "re");
	unsigned long long numbers[11], found = 0;
	char line[1024], name[64];

	assert_non_null(file);
	while (fgets(line, sizeof line, file))
		if (sscanf(line, "%*u %*u %63s %llu %llu %llu %llu %llu %llu %llu %llu",
			    name, &numbers[0], &numbers[1], &numbers[2], &numbers[3],
			    &numbers[4], &numbers[5], &numbers[6], &numbers[7]) == 9 &&
			!strcmp(name, disk))
			found = numbers[column];
	(void)fclose(file); /* only read */
	return found;
}

static void the_real_file_agrees_with_a_plain_reading(void **memory)
{
	static const struct {
		int column;
		unsigned raw;
	} rows[] = {{0, RAW_DISK_READ_OPS}, {2, RAW_DISK_READ_SECTORS},
		{3, RAW_DISK_READ_MS}, {4, RAW_DISK_WRITE_OPS},
		{6, RAW_DISK_WRITE_SECTORS}, {7, RAW_DISK_WRITE_MS}};
	struct fake_bench *bench = *memory;
	const struct sink *sink;

	bench->root.env.proc = "/proc";
	bench->root.env.sys = "/sys";
	bench->root.selection.all = true;
	fake_start(bench, &source_diskstats);
	sink = fake_tick(bench);
	if (!sink->subject_count) {
		print_message("no disk here\n");
		skip();
	}
	for (size_t i = 0; i < sink->subject_count; i++)
		for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
			const char *name = sink->subjects[i].name;
			uint64_t before, value;

			before = plainly(name, rows[k].column);
			sink = fake_tick(bench);
			if (fake_why(sink, name, rows[k].raw, &value) != WHY_NONE)
				continue;
			assert_true(before <= value);
			assert_true(value <= plainly(name, rows[k].column));
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, fake_setup, fake_teardown)
		TEST(lines_with_14_18_20_and_more_columns_mean_the_same),
		TEST(discards_and_flushes_are_counted_where_the_kernel_does),
		TEST(a_line_that_cannot_be_understood_fails_alone),
		TEST(a_number_above_64_bits_is_no_number),
		TEST(partitions_loops_and_ram_disks_are_not_disks),
		TEST(a_name_with_a_slash_is_found_in_sysfs),
		TEST(counters_that_move_are_on_where_there_are_no_request_queues),
		TEST(accounting_that_is_off_is_never_a_queue_of_zero),
		TEST(a_multipath_head_that_never_counts_says_nothing),
		TEST(a_disk_that_comes_is_found_within_two_ticks_and_told_of),
		TEST(a_disk_that_goes_has_no_row_and_comes_back_as_itself),
		TEST(another_disk_under_the_same_name_is_another_subject),
		TEST(the_same_disk_made_anew_skips_one_tick),
		TEST(counters_that_went_backwards_are_looked_into_at_once),
		TEST(a_map_that_is_renamed_keeps_its_row),
		TEST(a_file_that_cannot_be_read_is_a_fault_of_this_tick_only),
		TEST(the_real_file_agrees_with_a_plain_reading),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
