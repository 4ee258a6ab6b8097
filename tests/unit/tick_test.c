/* The tick encoding: what goes in comes out, whatever it is; what is damaged is
 * refused; what did not change costs nothing. */
#include "config.h"

#include "core/tick.h"

#include "base/text.h"
#include "feed.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define S NSEC_PER_SEC

static uint64_t seed;

static uint64_t draw(uint64_t below)
{
	seed = seed * 6364136223846793005u + 1442695040888963407u;
	return (seed >> 33) % below;
}

/* What decoding made of the last tick of FEED is that tick. */
static void assert_same(const struct feed *feed)
{
	const struct tick *in = &feed->tick;
	const struct tick *out = &feed->decoder.tick;
	const struct catalog *catalog = &feed->decoder.catalog;

	assert_int_equal(in->at, out->at);
	assert_int_equal(in->mono, out->mono);
	assert_int_equal(in->wall, out->wall);
	assert_int_equal(in->run, out->run);
	assert_int_equal(in->interval, out->interval);
	assert_int_equal(in->zone_minutes, out->zone_minutes);
	assert_memory_equal(in->stamps, out->stamps, sizeof in->stamps);
	assert_int_equal(catalog->subject_count, feed->catalog.subject_count);
	assert_int_equal(catalog->series_count, feed->catalog.series_count);
	for (size_t i = 0; i < catalog->subject_count; i++)
		assert_memory_equal(&catalog->subjects[i], &feed->catalog.subjects[i],
			sizeof *catalog->subjects);
	for (size_t i = 0; i < catalog->series_count; i++) {
		assert_int_equal(catalog->series[i].raw, feed->catalog.series[i].raw);
		assert_int_equal(
			catalog->series[i].subject, feed->catalog.series[i].subject);
		assert_int_equal(
			catalog->series[i].source, feed->catalog.series[i].source);
		assert_int_equal(out->readings[i].why, in->readings[i].why);
		if (!in->readings[i].why)
			assert_true(out->readings[i].raw == in->readings[i].raw);
	}
}

static uint64_t any_value(void)
{
	static const uint64_t edges[] = {0, 1, 127, 128, UINT32_MAX, INT64_MAX,
		UINT64_C(1) << 63, UINT64_MAX, UINT64_MAX - 1};

	if (draw(3) == 0)
		return edges[draw(sizeof edges / sizeof *edges)];
	return draw(UINT64_C(1) << draw(31));
}

static void set_any(struct feed *feed)
{
	static const enum why reasons[] = {
		WHY_LATE, WHY_OFF, WHY_UNSUPPORTED, WHY_DENIED, WHY_ABSENT};
	uint32_t subject = (uint32_t)draw(feed->catalog.subject_count);
	unsigned raw = (unsigned)draw(raw_count());

	if (draw(8) == 0)
		feed_none(feed, subject, raw, reasons[draw(5)]);
	else
		feed_set(feed, subject, raw, any_value());
}

static void any_tick(struct feed *feed)
{
	char name[32];

	if (draw(10) == 0 || !feed->catalog.subject_count) {
		(void)snprintf(name, sizeof name, "s%u", (unsigned)draw(60));
		(void)feed_subject(
			feed, (enum kind)draw(KIND_COUNT), name, draw(2) ? name : "");
	}
	for (uint64_t i = draw(40); i; i--)
		set_any(feed);
	if (draw(20) == 0)
		feed->tick.interval = (nsec)(1 + draw(60)) * S;
	if (draw(20) == 0)
		feed->tick.zone_minutes = (int)draw(1600) - 800;
	feed->tick.wall += draw(30) ? 0 : (nsec)draw(1000000) - 500000;
	feed->tick.extra = draw(9) == 0;
	if (draw(15) == 0)
		feed->tick.gap = (enum tick_gap)draw(4);
	feed_tick(feed, 1 + (nsec)draw(2000000000), (unsigned)draw(65536));
	assert_same(feed);
}

static void whatever_goes_in_comes_out(void **state)
{
	(void)state;
	for (seed = 1; seed < 30;) {
		uint64_t number = seed;
		struct feed feed;

		feed_init(&feed, NULL);
		for (int i = 0; i < 120; i++)
			any_tick(&feed);
		feed_fini(&feed);
		seed = number + 1;
	}
}

/* A run with a disk and a card, after three ticks. */
static void feed_some(struct feed *feed)
{
	uint32_t disk, card;

	feed_init(feed, NULL);
	disk = feed_subject(feed, KIND_DISK, "sda", "wwid-1");
	card = feed_subject(feed, KIND_NIC, "eth0", "00:11");
	for (uint64_t i = 0; i < 3; i++) {
		feed_set(feed, disk, RAW_DISK_READ_OPS, 1000 + 50 * i);
		feed_set(feed, disk, RAW_DISK_WEIGHTED_MS, 70000 + 999 * i);
		feed_set(feed, card, RAW_NET_RX_BYTES, UINT64_C(1) << (40 + i));
		feed_none(feed, card, RAW_NET_RX_CRC, WHY_UNSUPPORTED);
		feed_tick(feed, S, 0);
	}
}

static void a_tick_cut_off_at_any_length_is_refused(void **state)
{
	struct feed feed;
	struct fault fault = {0};

	(void)state;
	feed_some(&feed);
	buffer_clear(&feed.bytes);
	assert_true(tick_encode(&feed.encoder, &feed.tick, true, &feed.bytes));
	for (size_t size = 0; size < feed.bytes.size; size++) {
		struct tick_decoder decoder = {.started = false};
		uint8_t *exact = malloc(size ? size : 1);
		bool have = true;

		assert_non_null(exact);
		memcpy(exact, feed.bytes.data, size);
		assert_false(tick_decode(&decoder, exact, size, &have, &fault));
		assert_false(have);
		assert_non_null(strstr(fault.text, "damaged tick"));
		free(exact);
		tick_decoder_fini(&decoder);
	}
	feed_fini(&feed);
}

static void what_did_not_change_costs_a_few_bytes(void **state)
{
	struct feed feed;
	uint32_t disk;

	(void)state;
	feed_init(&feed, NULL);
	disk = feed_subject(&feed, KIND_DISK, "sda", "");
	for (unsigned i = 0; i < RAW_NET_RX_BYTES; i++)
		feed_set(&feed, disk, i, 1000000007u * i);
	feed_tick(&feed, S, ~(1u << KIND_DISK));
	assert_true(feed.full);
	feed_tick(&feed, S, ~(1u << KIND_DISK));
	assert_false(feed.full);
	assert_true(feed.bytes.size <= 16);
	feed_set(&feed, disk, RAW_DISK_READ_OPS, 3);
	feed_tick(&feed, S, ~(1u << KIND_DISK));
	assert_true(feed.bytes.size <= 24);
	feed_fini(&feed);
}

static void a_full_tick_comes_every_ten_minutes(void **state)
{
	struct feed feed;
	int full = 0;

	(void)state;
	feed_some(&feed);
	for (int i = 3; i < 1800; i++) {
		feed_tick(&feed, S, 0);
		full += feed.full;
	}
	assert_int_equal(full, 2);
	feed_fini(&feed);
}

static void reading_starts_at_any_full_tick(void **state)
{
	struct feed feed;
	struct tick_decoder late = {.started = false};
	struct buffer bytes = {.size = 0};
	bool have = true;

	(void)state;
	feed_some(&feed);
	assert_true(tick_decode(&late, feed.bytes.data, feed.bytes.size, &have, NULL));
	assert_false(have); /* not a full one: skipped */
	feed.tick.at += S;
	assert_true(tick_encode(&feed.encoder, &feed.tick, true, &bytes));
	assert_true(tick_decode(&late, bytes.data, bytes.size, &have, NULL));
	assert_true(have);
	assert_int_equal(late.tick.at, feed.tick.at);
	assert_int_equal(late.tick.readings[1].raw, 70000 + 999 * 2);
	assert_int_equal(late.tick.readings[3].why, WHY_UNSUPPORTED);
	buffer_fini(&bytes);
	tick_decoder_fini(&late);
	feed_fini(&feed);
}

static void a_missing_tick_is_noticed_and_the_next_full_one_repairs_it(void **state)
{
	struct feed feed;
	struct fault fault = {0};
	struct buffer lost = {.size = 0}, next = {.size = 0}, full = {.size = 0};
	bool have = true;

	(void)state;
	feed_some(&feed);
	feed.tick.at += S;
	(void)tick_encode(&feed.encoder, &feed.tick, false, &lost);
	feed.tick.at += S;
	(void)tick_encode(&feed.encoder, &feed.tick, false, &next);
	feed.tick.at += S;
	(void)tick_encode(&feed.encoder, &feed.tick, true, &full);
	assert_false(tick_decode(&feed.decoder, next.data, next.size, &have, &fault));
	assert_non_null(strstr(fault.text, "missing"));
	assert_true(tick_decode(&feed.decoder, lost.data, lost.size, &have, &fault));
	assert_false(have);
	assert_true(tick_decode(&feed.decoder, full.data, full.size, &have, &fault));
	assert_true(have);
	buffer_fini(&lost);
	buffer_fini(&next);
	buffer_fini(&full);
	feed_fini(&feed);
}

static void a_new_word_for_a_known_subject_makes_a_full_tick(void **state)
{
	struct feed feed;
	struct subject subject;
	bool changed = false;

	(void)state;
	feed_some(&feed);
	subject = feed.catalog.subjects[0];
	(void)text_copy(subject.label, sizeof subject.label, "vg0-root");
	assert_int_equal(catalog_subject(&feed.catalog, &subject, &changed), 0);
	assert_true(changed);
	feed_tick(&feed, S, 0);
	assert_true(feed.full);
	assert_string_equal(feed.decoder.catalog.subjects[0].label, "vg0-root");
	assert_int_equal(catalog_subject(&feed.catalog, &subject, &changed), 0);
	assert_false(changed);
	feed_tick(&feed, S, 0);
	assert_false(feed.full);
	feed_fini(&feed);
}

static void a_new_subject_needs_no_full_tick(void **state)
{
	struct feed feed;
	uint32_t disk;

	(void)state;
	feed_some(&feed);
	disk = feed_subject(&feed, KIND_DISK, "sdb", "wwid-2");
	assert_int_equal(disk, 2);
	feed_set(&feed, disk, RAW_DISK_READ_OPS, 17);
	feed_tick(&feed, S, 0);
	assert_false(feed.full);
	assert_same(&feed);
	feed_fini(&feed);
}

/* Replaces the one occurrence of FROM in the bytes by TO of the same length. */
static void patch(struct buffer *bytes, const char *from, const char *to)
{
	uint8_t *at = memmem(bytes->data, bytes->size, from, strlen(from));

	assert_non_null(at);
	memcpy(at, to, strlen(to));
}

static void a_reading_of_a_newer_weir_is_left_out_and_the_rest_is_read(void **state)
{
	struct feed feed;
	struct tick_decoder decoder = {.started = false};
	struct buffer bytes = {.size = 0};
	bool have = false;

	(void)state;
	feed_some(&feed);
	(void)tick_encode(&feed.encoder, &feed.tick, true, &bytes);
	patch(&bytes, "disk.read.ops", "disk.xxxx.ops");
	assert_true(tick_decode(&decoder, bytes.data, bytes.size, &have, NULL));
	assert_true(have);
	assert_int_equal(decoder.catalog.series_count, 3);
	assert_int_equal(decoder.catalog.series[0].raw, RAW_DISK_WEIGHTED_MS);
	assert_int_equal(decoder.tick.readings[0].raw, 70000 + 999 * 2);
	buffer_clear(&bytes);
	feed_set(&feed, 0, RAW_DISK_READ_OPS, 9999);
	feed_set(&feed, 0, RAW_DISK_WEIGHTED_MS, 80000);
	feed.tick.readings = feed.readings;
	(void)tick_encode(&feed.encoder, &feed.tick, false, &bytes);
	assert_true(tick_decode(&decoder, bytes.data, bytes.size, &have, NULL));
	assert_int_equal(decoder.tick.readings[0].raw, 80000);
	buffer_fini(&bytes);
	tick_decoder_fini(&decoder);
	feed_fini(&feed);
}

static void hostile_names_come_out_clean(void **state)
{
	struct feed feed;
	struct tick_decoder decoder = {.started = false};
	struct buffer bytes = {.size = 0};
	bool have = false;

	(void)state;
	feed_some(&feed);
	(void)tick_encode(&feed.encoder, &feed.tick, true, &bytes);
	patch(&bytes, "eth0", "e\033[m");
	patch(&bytes, "wwid-1", "w\xff\xc3\x28\n\r");
	assert_true(tick_decode(&decoder, bytes.data, bytes.size, &have, NULL));
	assert_string_equal(decoder.catalog.subjects[1].name, "e?[m");
	assert_string_equal(decoder.catalog.subjects[0].id, "w?"
							    "?(?"
							    "?");
	buffer_fini(&bytes);
	tick_decoder_fini(&decoder);
	feed_fini(&feed);
}

/* Damages ticks one byte at a time and by chance: no crash, and whatever is taken
 * can be read back; the sanitizers and valgrind watch. */
static void damaged_bytes_are_refused_or_read_but_never_trusted(void **state)
{
	struct feed feed;
	struct buffer full = {.size = 0};
	int refused = 0;

	(void)state;
	seed = 4711;
	feed_some(&feed);
	(void)tick_encode(&feed.encoder, &feed.tick, true, &full);
	for (int i = 0; i < 20000; i++) {
		struct tick_decoder decoder = {.started = false};
		size_t at = draw(full.size);
		uint8_t old = full.data[at];
		bool have;

		full.data[at] = (uint8_t)draw(256);
		if (!tick_decode(&decoder, full.data, full.size, &have, NULL))
			refused++;
		else if (have)
			for (size_t k = 0; k < decoder.catalog.series_count; k++)
				assert_true(decoder.tick.readings[k].why < WHY_COUNT);
		full.data[at] = old;
		tick_decoder_fini(&decoder);
	}
	assert_true(refused > 1000);
	buffer_fini(&full);
	feed_fini(&feed);
}

static void another_format_is_named(void **state)
{
	struct tick_decoder decoder = {.started = false};
	static const uint8_t bytes[] = {2, 1, 0, 1, 1, 1};
	struct fault fault = {0};
	bool have;

	(void)state;
	assert_false(tick_decode(&decoder, bytes, sizeof bytes, &have, &fault));
	assert_non_null(strstr(fault.text, "another version"));
}

static void a_steady_tick_allocates_nothing(void **state)
{
	struct feed feed;
	const void *places[6];

	(void)state;
	feed_some(&feed);
	feed_tick(&feed, S, 0);
	places[0] = feed.bytes.data;
	places[1] = feed.encoder.last;
	places[2] = feed.decoder.tick.readings;
	places[3] = feed.decoder.catalog.subjects;
	places[4] = feed.decoder.catalog.series;
	places[5] = feed.decoder.places;
	for (uint64_t i = 0; i < 1300; i++) {
		feed_set(&feed, 0, RAW_DISK_READ_OPS, 5000 + 10 * i);
		feed_tick(&feed, S, 0);
	}
	assert_ptr_equal(places[0], feed.bytes.data);
	assert_ptr_equal(places[1], feed.encoder.last);
	assert_ptr_equal(places[2], feed.decoder.tick.readings);
	assert_ptr_equal(places[3], feed.decoder.catalog.subjects);
	assert_ptr_equal(places[4], feed.decoder.catalog.series);
	assert_ptr_equal(places[5], feed.decoder.places);
	feed_fini(&feed);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(whatever_goes_in_comes_out),
		cmocka_unit_test(a_tick_cut_off_at_any_length_is_refused),
		cmocka_unit_test(what_did_not_change_costs_a_few_bytes),
		cmocka_unit_test(a_full_tick_comes_every_ten_minutes),
		cmocka_unit_test(reading_starts_at_any_full_tick),
		cmocka_unit_test(
			a_missing_tick_is_noticed_and_the_next_full_one_repairs_it),
		cmocka_unit_test(a_new_word_for_a_known_subject_makes_a_full_tick),
		cmocka_unit_test(a_new_subject_needs_no_full_tick),
		cmocka_unit_test(
			a_reading_of_a_newer_weir_is_left_out_and_the_rest_is_read),
		cmocka_unit_test(hostile_names_come_out_clean),
		cmocka_unit_test(damaged_bytes_are_refused_or_read_but_never_trusted),
		cmocka_unit_test(another_format_is_named),
		cmocka_unit_test(a_steady_tick_allocates_nothing),
	};

	return cmocka_run_group_tests_name("tick", tests, NULL, NULL);
}
