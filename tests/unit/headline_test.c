/* The headline family: which rows are in it, and those that no single track says. */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/headline.h"
#include "core/judgement.h"
#include "packet/class.h"
#include "recording.h"
#include "series.h"

#include <math.h>
#include <string.h>

enum {
	WINDOW = 2400,
	DISKS = 6,
	CARDS = 2,
	CLASSES = 3, /* all of them of sense bad */
};

static struct recording r;
static size_t reads[DISKS], queues[DISKS], bad[CARDS][CLASSES], sent;
static struct judgement j;

static const char *const classes[CLASSES] = {"ip4.cksum", "tcp.cksum", "udp.cksum"};

static int begin(void **unused)
{
	(void)unused;
	recording_init(&r, 0);
	for (size_t d = 0; d < DISKS; d++) {
		char name[] = {'s', 'd', (char)('a' + d), 0};
		uint32_t disk = recording_subject(&r, KIND_DISK, name, "", "");

		reads[d] = recording_series(&r, disk, RAW_DISK_READ_OPS, 100);
		(void)recording_series(&r, disk, RAW_DISK_WRITE_OPS, 0);
		queues[d] = recording_series(&r, disk, RAW_DISK_WEIGHTED_MS, 0);
	}
	for (size_t c = 0; c < CARDS; c++) {
		char name[] = {'e', 't', 'h', (char)('0' + c), 0};
		uint32_t card = recording_subject(&r, KIND_NIC, name, "", "");

		(void)recording_series(&r, card, RAW_CAPTURE_SEGMENTS, 1000);
		for (size_t k = 0; k < CLASSES; k++)
			bad[c][k] = recording_series(&r, card,
				raw_packet((unsigned)packet_class_find(classes[k]),
					PACKET_RX),
				0);
	}
	sent = recording_series(&r,
		recording_subject(&r, KIND_PEER, "10.0.0.9:3260", "", ""),
		RAW_PEER_TX_BYTES, 0);
	series_seed(12);
	recording_ticks(&r, 1);
	return 0;
}

static int end(void **unused)
{
	(void)unused;
	judgement_fini(&j);
	recording_fini(&r);
	return 0;
}

/* A window in which disk D has a queue around 1 + D / 10, and the first PEAKS seconds
 * of each hundred one of 40; and one event of each class of each card every EVERY. */
static void play(enum role role, const char *name, unsigned peaks, unsigned every)
{
	int64_t from = r.tick.at / NSEC_PER_SEC;

	(void)recording_window(&r, role, name, from, from + WINDOW);
	for (unsigned t = 0; t < WINDOW; t++) {
		for (unsigned d = 0; d < DISKS; d++) {
			double mean = t % 100 < peaks ? 40 : 1 + d / 10.0;

			r.step[queues[d]] =
				(uint64_t)(1000 * mean * exp(0.2 * series_normal()));
		}
		for (unsigned k = 0; k < CARDS * CLASSES; k++)
			r.step[bad[k / CLASSES][k % CLASSES]] =
				every && t % every == 97 * k % every;
		r.step[sent] = 1000;
		recording_ticks(&r, 1);
	}
}

static void judge(void)
{
	judgement_measure(&j, r.session, 1, 2, false);
	(void)judgement_decide(&j, 1, r.session);
}

static const struct headline_row *extra(const char *id, size_t skip)
{
	for (size_t i = 0; i < j.extra_count; i++)
		if (!strcmp(j.extra[i].id, id) && !skip--)
			return &j.extra[i];
	fail_msg("no %s", id);
	return NULL;
}

static void the_four_busiest_disks_and_no_others(void **unused)
{
	static const bool expected[DISKS] = {false, false, true, true, true, true};

	(void)unused;
	play(ROLE_BEFORE, "BEFORE", 0, 0);
	play(ROLE_AFTER, "AFTER", 0, 0);
	judge();
	for (uint32_t d = 0; d < DISKS; d++) {
		int track = session_track(
			r.session, d, (unsigned)metric_find("disk.queue"));

		assert_int_equal(j.rows[track].headline, expected[d]);
	}
	assert_int_equal(j.extra_count, HEADLINE_BUSIEST + 1);
}

static bool has_queue_in_headline(uint32_t disk)
{
	int track = session_track(r.session, disk, (unsigned)metric_find("disk.queue"));

	return track >= 0 && j.rows[track].headline;
}

/* sda and sdb are the two that do least. */
static void disks_that_were_chosen_instead_of_busy_ones(void **unused)
{
	(void)unused;
	play(ROLE_BEFORE, "BEFORE", 0, 0);
	play(ROLE_AFTER, "AFTER", 0, 0);
	r.session->subjects[0].flags = SUBJECT_NAMED;
	r.session->subjects[1].flags = SUBJECT_NAMED | SUBJECT_VIRTUAL;
	judge();
	for (uint32_t d = 0; d < DISKS; d++)
		assert_int_equal(has_queue_in_headline(d), d < 2);
	assert_int_equal(j.extra_count, 2 + 1); /* their peaks, and bad packets */
}

static void nothing_changed_and_nothing_is_said(void **unused)
{
	(void)unused;
	play(ROLE_BEFORE, "BEFORE", 1, 600);
	play(ROLE_AFTER, "AFTER", 1, 600);
	judge();
	for (size_t i = 0; i < j.extra_count; i++)
		assert_false(verdict_is_clear(j.extra[i].verdict.word));
}

/* The mean moves by a tenth of its noise; the peaks are ten times as many. */
static void peaks_are_counted_above_what_was_one_before(void **unused)
{
	const struct headline_row *row;

	(void)unused;
	play(ROLE_BEFORE, "BEFORE", 1, 0);
	play(ROLE_AFTER, "AFTER", 10, 0);
	judge();
	row = extra("disk.queue.peaks", 0);
	assert_string_equal(r.session->subjects[row->subject].name, "sdf");
	assert_int_equal(row->verdict.word, VERDICT_WORSE);
	/* A has 1 % of peaks, so that its p99 lies where they begin */
	assert_true(row->limit > 2 && row->limit < 40);
	assert_in_range((uint64_t)row->verdict.k1, 0, WINDOW / 100 + 1);
	assert_in_range((uint64_t)row->verdict.k2, 200, WINDOW / 10 + 10);
	/* ten ticks of each hundred in a row; the first minute settles */
	assert_true(row->has_stretches);
	assert_in_range(row->stretches[1], WINDOW / 100 - 1, WINDOW / 100 + 10);
	assert_in_range(row->longest[1], 10, 12);
	assert_in_range(row->longest[0], 0, 2);
}

/* Four of each class of each card: too few for a word each, 24 together. */
static void all_bad_packets_together_say_what_no_class_does(void **unused)
{
	const struct headline_row *row;

	(void)unused;
	play(ROLE_BEFORE, "BEFORE", 0, 600);
	play(ROLE_AFTER, "AFTER", 0, 0);
	judge();
	row = extra("packets.bad", 0);
	assert_int_equal(row->verdict.k2, 0);

	assert_int_equal(row->verdict.k1, 4 * CARDS * CLASSES);
	assert_int_equal(row->verdict.word, VERDICT_BETTER);
	for (size_t i = 0; i < j.count; i++) {
		const struct track *t = &r.session->tracks[i];
		unsigned direction;

		if (metric_packet_class(t->metric, &direction) >= 0)
			assert_false(verdict_is_clear(j.rows[i].raw.word));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(
			the_four_busiest_disks_and_no_others, begin, end),
		cmocka_unit_test_setup_teardown(
			disks_that_were_chosen_instead_of_busy_ones, begin, end),
		cmocka_unit_test_setup_teardown(
			nothing_changed_and_nothing_is_said, begin, end),
		cmocka_unit_test_setup_teardown(
			peaks_are_counted_above_what_was_one_before, begin, end),
		cmocka_unit_test_setup_teardown(
			all_bad_packets_together_say_what_no_class_does, begin, end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
