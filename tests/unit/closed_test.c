/* When more throughput is better: only where whoever asks waits for the answers. */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/judgement.h"
#include "recording.h"
#include "series.h"

#include <math.h>

enum {
	WINDOW = 900
};

static struct recording r;
static size_t reads, writes, read_sectors, write_sectors, queue, busy;

/* What is asked of the disk in one window. */
struct load {
	double ops, share, size; /* share of reads; sectors of each */
	uint64_t busy;           /* ms of each second */
	double queue;            /* outstanding */
};

static void play(enum role role, const char *name, const struct load *load)
{
	int64_t from = r.tick.at / NSEC_PER_SEC;

	(void)recording_window(&r, role, name, from, from + WINDOW);
	for (size_t t = 0; t < WINDOW; t++) {
		double ops = load->ops * exp(0.1 * series_normal());

		r.step[reads] = (uint64_t)(load->share * ops);
		r.step[writes] = (uint64_t)((1 - load->share) * ops);
		r.step[read_sectors] = (uint64_t)(load->share * ops * load->size);
		r.step[write_sectors] =
			(uint64_t)((1 - load->share) * ops * load->size);
		r.step[queue] = (uint64_t)(load->queue * 1000);
		r.step[busy] = load->busy;
		recording_ticks(&r, 1);
	}
}

/* The word of METRIC after A changed into B. */
static enum verdict_word word(
	const struct load *a, const struct load *b, const char *metric)
{
	struct judgement j = {0};
	enum verdict_word found;
	uint32_t disk;

	recording_init(&r, 0);
	disk = recording_subject(&r, KIND_DISK, "sda", "", "");
	reads = recording_series(&r, disk, RAW_DISK_READ_OPS, 0);
	writes = recording_series(&r, disk, RAW_DISK_WRITE_OPS, 0);
	read_sectors = recording_series(&r, disk, RAW_DISK_READ_SECTORS, 0);
	write_sectors = recording_series(&r, disk, RAW_DISK_WRITE_SECTORS, 0);
	queue = recording_series(&r, disk, RAW_DISK_WEIGHTED_MS, 0);
	busy = recording_series(&r, disk, RAW_DISK_BUSY_MS, 0);
	series_seed(4);
	recording_ticks(&r, 1);
	play(ROLE_BEFORE, "BEFORE", a);
	play(ROLE_AFTER, "AFTER", b);
	judgement_measure(&j, r.session, 1, 2, false);
	(void)judgement_decide(&j, 1, r.session);
	found = j.rows[session_track(r.session, disk, (unsigned)metric_find(metric))]
			.raw.word;
	judgement_fini(&j);
	recording_fini(&r);
	return found;
}

static const struct load full = {200, 0.9, 128, 1000, 8};

static void more_of_a_disk_that_was_never_idle_is_better(void **unused)
{
	static const struct load faster = {400, 0.9, 128, 990, 8};

	(void)unused;
	assert_int_equal(word(&full, &faster, "disk.read.bytes"), VERDICT_BETTER);
	assert_int_equal(word(&full, &faster, "disk.ops"), VERDICT_BETTER);
	assert_int_equal(word(&faster, &full, "disk.read.bytes"), VERDICT_WORSE);
}

static void more_was_asked_of_a_disk_with_idle_time(void **unused)
{
	static const struct load calm = {200, 0.9, 128, 800, 8};
	static const struct load busier = {400, 0.9, 128, 1000, 8};

	(void)unused;
	assert_int_equal(word(&calm, &busier, "disk.read.bytes"), VERDICT_HIGHER);
}

/* %util reads 100 % at a queue of 0.4: it is only sampled, and that cannot be. */
static void util_alone_is_not_believed(void **unused)
{
	static const struct load one = {200, 0.9, 128, 1000, 0.4};
	static const struct load two = {400, 0.9, 128, 1000, 0.4};

	(void)unused;
	assert_int_equal(word(&one, &two, "disk.read.bytes"), VERDICT_HIGHER);
}

static void another_mix_is_another_load(void **unused)
{
	static const struct load writing = {200, 0.4, 128, 1000, 8};

	(void)unused;
	assert_int_equal(word(&full, &writing, "disk.read.bytes"), VERDICT_LOWER);
	assert_int_equal(word(&full, &writing, "disk.write.bytes"), VERDICT_HIGHER);
}

/* Larger requests, as by read-ahead: fewer of them is not worse. */
static void operations_of_another_size_are_not_judged(void **unused)
{
	static const struct load larger = {100, 0.9, 512, 1000, 8};

	(void)unused;
	assert_int_equal(word(&full, &larger, "disk.read.bytes"), VERDICT_BETTER);
	assert_int_equal(word(&full, &larger, "disk.ops"), VERDICT_LOWER);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(more_of_a_disk_that_was_never_idle_is_better),
		cmocka_unit_test(more_was_asked_of_a_disk_with_idle_time),
		cmocka_unit_test(util_alone_is_not_believed),
		cmocka_unit_test(another_mix_is_another_load),
		cmocka_unit_test(operations_of_another_size_are_not_judged),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
