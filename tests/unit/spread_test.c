/* Percentiles of the queue sampler's own readings over a window: whatever way the
 * window is made up, they are those of the slots that were put in. */
#include "config.h"

#include "core/spread.h"

#include "base/alloc.h"
#include "core/minutes.h"
#include "core/rate.h"
#include "recording.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum {
	SLOTS = 50 /* in a tick */
};

/* Disk sda: all SLOTS stand at DEPTH but PEAKS of them, which stand at PEAK. */
struct disk {
	struct recording recording;
	uint32_t subject;
	size_t sum, samples, highest, steps[SPREAD_STEPS];
	bool has_step[SPREAD_STEPS];
};

static void begin(struct disk *disk)
{
	*disk = (struct disk){.subject = 0};
	recording_init(&disk->recording, 100);
	disk->subject = recording_subject(&disk->recording, KIND_DISK, "sda", "", "");
	disk->sum = recording_series(
		&disk->recording, disk->subject, RAW_DISK_INFLIGHT_SUM, 0);
	disk->samples = recording_series(
		&disk->recording, disk->subject, RAW_DISK_SAMPLES, SLOTS);
	disk->highest = recording_series(
		&disk->recording, disk->subject, RAW_DISK_INFLIGHT_MAX, 0);
}

/* A series of a step is there once its step was reached, as from the source. */
static uint64_t *step_of(struct disk *disk, uint64_t depth)
{
	unsigned step = (unsigned)spread_step(depth);

	if (!disk->has_step[step])
		disk->steps[step] = recording_series(
			&disk->recording, disk->subject, raw_inflight_at(step), 0);
	disk->has_step[step] = true;
	return &disk->recording.step[disk->steps[step]];
}

static void run(
	struct disk *disk, size_t ticks, uint64_t depth, uint64_t peak, uint64_t peaks)
{
	uint64_t *steps = disk->recording.step;

	for (unsigned i = 0; i < SPREAD_STEPS; i++)
		if (disk->has_step[i])
			steps[disk->steps[i]] = 0;
	if (depth)
		*step_of(disk, depth) = SLOTS - peaks;
	if (peaks)
		*step_of(disk, peak) += peaks;
	steps[disk->sum] = depth * (SLOTS - peaks) + peak * peaks;
	steps[disk->highest] = peaks && peak > depth ? peak : depth;
	recording_ticks(&disk->recording, ticks);
}

static const struct metric *the_metric(void)
{
	return metric_at((unsigned)metric_find("disk.inflight.mean"));
}

static const struct summary *summary_of(const struct disk *disk, uint32_t window)
{
	const struct session *session = disk->recording.session;
	int track =
		session_track(session, 0, (unsigned)metric_find("disk.inflight.mean"));

	assert_true(track >= 0);
	return session_summary(session, window, (size_t)track);
}

static void check(const struct summary *summary, double p, double wanted)
{
	double value;

	assert_non_null(summary);
	assert_true(summary_quantile(summary, the_metric(), p, &value));
	if (value < 0.94 * wanted || value > 1.06 * wanted)
		fail_msg("p%g is %g, not %g", 100 * p, value, wanted);
}

static void check_exactly(const struct summary *summary, double p, double wanted)
{
	double value;

	assert_non_null(summary);
	assert_true(summary_quantile(summary, the_metric(), p, &value));
	assert_float_equal(value, wanted, 1e-9);
}

static void the_ladder_has_no_holes(void **state)
{
	(void)state;
	assert_int_equal(spread_step(0), -1);
	for (uint64_t depth = 1; depth < 4096; depth++) {
		unsigned step = (unsigned)spread_step(depth);

		assert_true(spread_low(step) <= depth);
		assert_true(spread_low(step + 1) > depth);
		if (depth < 32)
			assert_true(spread_middle(step) == (double)depth);
		assert_true(spread_middle(step) <= (1 + 1.0 / 16) * (double)depth);
		assert_true(spread_middle(step) >= (1 - 1.0 / 16) * (double)depth);
	}
	assert_int_equal(spread_step(UINT64_MAX), SPREAD_STEPS - 1);
}

/* 49 slots of each tick at 2, one at 250: a mean of 6.96, which no sample ever was. */
static void a_peak_of_one_slot_is_in_the_percentiles(void **state)
{
	struct disk disk;
	uint32_t window;
	const struct summary *summary;
	double mean;

	(void)state;
	begin(&disk);
	window = recording_window(&disk.recording, ROLE_BEFORE, "BEFORE", 0, 60);
	run(&disk, 61, 2, 250, 1);
	summary = summary_of(&disk, window);
	assert_true(summary_mean(summary, &mean));
	assert_float_equal(mean, 6.96, 1e-9);
	check_exactly(summary, 0.5, 2);
	check_exactly(summary, 0.95, 2);
	check(summary, 0.99, 250);
	assert_float_equal(summary->highest, 250, 0);
	recording_fini(&disk.recording);
}

/* A minute of rest, then 30 s at 8: a third of the slots is not 0. */
static void rest_weighs_as_much_as_load(void **state)
{
	struct disk disk;
	uint32_t whole, busy;

	(void)state;
	begin(&disk);
	whole = recording_window(&disk.recording, ROLE_BEFORE, "BEFORE", 0, 90);
	busy = recording_window(&disk.recording, ROLE_AFTER, "AFTER", 60, 90);
	run(&disk, 61, 0, 0, 0);
	run(&disk, 30, 8, 0, 0);
	check_exactly(summary_of(&disk, whole), 0.6, 0);
	check_exactly(summary_of(&disk, whole), 0.7, 8);
	/* the first tick in which a step is seen counts too */
	check_exactly(summary_of(&disk, busy), 0.01, 8);
	recording_fini(&disk.recording);
}

/* Slots of 20 ms while it works and of 200 ms at rest stand for the same time. */
static void a_change_of_the_interval_moves_nothing(void **state)
{
	struct disk disk;
	uint32_t window;

	(void)state;
	begin(&disk);
	window = recording_window(&disk.recording, ROLE_BEFORE, "BEFORE", 0, 80);
	run(&disk, 41, 4, 0, 0);
	disk.recording.step[disk.samples] = SLOTS;
	run(&disk, 40, 0, 0, 0); /* five samples, each for ten slots */
	check_exactly(summary_of(&disk, window), 0.49, 0);
	check_exactly(summary_of(&disk, window), 0.51, 4);
	recording_fini(&disk.recording);
}

static void a_window_set_afterwards_says_the_same(void **state)
{
	struct disk disk;
	uint32_t live, later;
	const struct summary *a, *b;
	double of_a, of_b;

	(void)state;
	begin(&disk);
	live = recording_window(&disk.recording, ROLE_BEFORE, "BEFORE", 10, 70);
	run(&disk, 31, 3, 40, 5);
	run(&disk, 20, 0, 0, 0);
	run(&disk, 30, 12, 100, 1);
	later = recording_window(&disk.recording, ROLE_AFTER, "AFTER", 10, 70);
	a = summary_of(&disk, live);
	b = summary_of(&disk, later);
	assert_int_equal(a->histogram.total, b->histogram.total);
	for (double p = 0.01; p < 1; p += 0.01) {
		assert_true(summary_quantile(a, the_metric(), p, &of_a));
		assert_true(summary_quantile(b, the_metric(), p, &of_b));
		assert_float_equal(of_a, of_b, 1e-9);
	}
	assert_float_equal(a->highest, b->highest, 0);
	recording_fini(&disk.recording);
}

/* Steps are counters: what they stood at before a gap says nothing of the gap, and a
 * disk that is made anew begins with all of them at 0. */
static void gaps_and_resets_are_no_samples(void **state)
{
	struct disk disk;
	uint32_t window;
	const struct summary *summary;

	(void)state;
	begin(&disk);
	window = recording_window(&disk.recording, ROLE_BEFORE, "BEFORE", 0, 200);
	run(&disk, 21, 2, 0, 0);
	recording_gap(&disk.recording, GAP_MISSED, 30 * NSEC_PER_SEC);
	run(&disk, 20, 2, 0, 0);
	for (size_t i = 0; i < RECORDING_SERIES; i++)
		disk.recording.readings[i].raw = 0;
	run(&disk, 20, 2, 0, 0);
	summary = summary_of(&disk, window);
	assert_int_equal(summary->histogram.total, summary->samples * SLOTS);
	check_exactly(summary, 0.01, 2);
	check_exactly(summary, 0.999, 2);
	recording_fini(&disk.recording);
}

/* Recorded when samples were not kept apart: each mean stands for its tick. */
static void an_older_recording_has_means(void **state)
{
	struct disk disk;
	uint32_t window;

	(void)state;
	begin(&disk);
	window = recording_window(&disk.recording, ROLE_BEFORE, "BEFORE", 0, 60);
	disk.recording.step[disk.sum] = SLOTS * 5;
	recording_ticks(&disk.recording, 61);
	check_exactly(summary_of(&disk, window), 0.5, 5);
	recording_fini(&disk.recording);
}

/* The same ticks as minutes, put into a long window. */
struct store {
	struct minutes *minutes;
	struct session *session;
	struct minute_tracks tracks;
};

static void take_minute(
	struct recording *recording, const struct buffer *bytes, bool full)
{
	struct store *store = recording->context;
	const struct minute *minute;

	(void)bytes;
	(void)full;
	minute = minutes_put(store->minutes, &recording->decoder);
	if (minute) {
		const struct session *from = minutes_session(store->minutes);
		struct buffer data = {0};
		struct minute_row row = minute_row(minute, NULL, &data);

		while (store->tracks.count < from->track_count) {
			const struct track *track = &from->tracks[store->tracks.count];

			xgrow(&store->tracks.list, &store->tracks.room,
				store->tracks.count + 1, sizeof *store->tracks.list);
			store->tracks.list[store->tracks.count++] =
				(uint32_t)session_adopt(store->session,
					&from->subjects[track->subject], track->metric);
		}
		row.data = data.data;
		assert_true(session_minutes(store->session, &row, 1, &store->tracks));
		buffer_fini(&data);
	}
}

static void minutes_keep_the_samples(void **state)
{
	struct disk disk;
	struct store store = {.minutes = minutes_new()};
	struct window window = {
		.id = 1, .role = ROLE_BEFORE, .from = 0, .to = 600 * NSEC_PER_SEC};
	const struct summary *summary;
	int track;

	(void)state;
	begin(&disk);
	store.session = session_new("long", 0);
	assert_true(session_window(store.session, &window));
	session_long(store.session, 1);
	disk.recording.context = &store;
	disk.recording.each = take_minute;
	run(&disk, 301, 0, 0, 0);
	run(&disk, 300, 6, 90, 2); /* 2 of 50 slots: 4 % of half of the time */
	run(&disk, 10, 0, 0, 0);
	track = session_track(
		store.session, 0, (unsigned)metric_find("disk.inflight.mean"));
	assert_true(track >= 0);
	summary = session_summary(store.session, 1, (size_t)track);
	/* the very first tick of all has no interval */
	assert_int_equal(summary->histogram.total, 600 * SLOTS);
	check_exactly(summary, 0.49, 0);
	check_exactly(summary, 0.97, 6);
	check(summary, 0.99, 90);
	assert_float_equal(summary->highest, 90, 0);
	session_free(store.session);
	minutes_free(store.minutes);
	free(store.tracks.list);
	recording_fini(&disk.recording);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_ladder_has_no_holes),
		cmocka_unit_test(a_peak_of_one_slot_is_in_the_percentiles),
		cmocka_unit_test(rest_weighs_as_much_as_load),
		cmocka_unit_test(a_change_of_the_interval_moves_nothing),
		cmocka_unit_test(a_window_set_afterwards_says_the_same),
		cmocka_unit_test(gaps_and_resets_are_no_samples),
		cmocka_unit_test(an_older_recording_has_means),
		cmocka_unit_test(minutes_keep_the_samples),
	};

	return cmocka_run_group_tests_name("spread", tests, NULL, NULL);
}
