/* The tables of raw readings and metrics: what everybody who reads them relies on. */
#include "config.h"

#include "core/metric.h"

#include "base/text.h"
#include "packet/class.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void every_raw_reading_has_an_id_of_its_own(void **state)
{
	(void)state;
	for (unsigned i = 0; i < raw_count(); i++) {
		assert_non_null(raw_id(i));
		assert_true(strlen(raw_id(i)) > 0 && strlen(raw_id(i)) < 48);
		assert_int_equal(raw_find(raw_id(i)), i);
		assert_true(raw_kind(i) < KIND_COUNT);
	}
	assert_int_equal(raw_find("no.such.reading"), -1);
	assert_int_equal(raw_find(""), -1);
}

static void every_metric_has_an_id_of_its_own(void **state)
{
	(void)state;
	for (unsigned i = 0; i < metric_count(); i++)
		assert_int_equal(metric_find(metric_at(i)->id), i);
	assert_int_equal(metric_find("no.such.metric"), -1);
}

static void check_row(const struct metric *metric)
{
	assert_true(*metric->title && text_columns(metric->title) <= 28);
	assert_true(*metric->where && *metric->trap);
	assert_true(metric->scale > 0);
	assert_true(metric->num < raw_count());
	assert_int_equal(raw_kind(metric->num), metric->kind);
	assert_int_equal(
		metric->form == METRIC_GAUGE, raw_form(metric->num) == RAW_GAUGE);
	if (metric_has_den(metric)) {
		assert_int_equal(raw_kind(metric->den), metric->kind);
		assert_true(raw_form(metric->den) != RAW_GAUGE);
	}
}

static void every_metric_says_where_it_comes_from_and_how_it_misleads(void **state)
{
	(void)state;
	for (unsigned i = 0; i < metric_count(); i++) {
		const struct metric *metric = metric_at(i);

		check_row(metric);
		if (metric->load)
			assert_true(metric_find(metric->load) >= 0);
		if (!metric->instead)
			continue;
		check_row(metric->instead);
		assert_string_equal(metric->instead->id, metric->id);
		assert_int_equal(metric->instead->unit, metric->unit);
	}
}

static bool is_used(unsigned raw)
{
	for (unsigned i = 0; i < metric_count(); i++) {
		const struct metric *metric = metric_at(i);

		if (metric->num == raw ||
			(metric_has_den(metric) && metric->den == raw))
			return true;
		if (metric->instead && metric->instead->num == raw)
			return true;
	}
	return false;
}

static void no_raw_reading_is_read_for_nothing(void **state)
{
	(void)state;
	/* the threshold of stalls is a parameter: the session itself reads it, and the
	 * steps of the ladder, which are the samples behind disk.inflight.mean */
	for (unsigned i = 0; i < raw_inflight_at(0); i++)
		if (!is_used(i) && i != RAW_STALL_MS)
			fail_msg("%s is in no metric", raw_id(i));
}

/* What scripts and other parts ask for by name. */
static void the_promised_ids_are_there(void **state)
{
	static const char *const ids[] = {"disk.queue", "disk.queue.max",
		"disk.inflight", "disk.inflight.mean", "disk.read.bytes",
		"disk.write.bytes", "disk.read.ops", "disk.write.ops",
		"disk.read.await", "disk.write.await", "net.rx.bytes", "net.tx.bytes",
		"net.rx.errors", "net.tx.errors", "net.rx.dropped", "net.tx.dropped",
		"net.speed", "net.link", "tcp.retrans", "softnet.dropped",
		"cpu.busiest", "capture.frames", "capture.segments", "weir.cpu",
		"weir.memory"};

	(void)state;
	for (size_t i = 0; i < sizeof ids / sizeof *ids; i++)
		if (metric_find(ids[i]) < 0)
			fail_msg("%s is missing", ids[i]);
}

static void throughput_is_neither_better_nor_worse(void **state)
{
	static const char *const ids[] = {"disk.read.bytes", "disk.write.bytes",
		"disk.read.ops", "disk.write.ops", "disk.ops", "net.rx.bytes",
		"net.tx.bytes", "capture.segments"};

	(void)state;
	for (size_t i = 0; i < sizeof ids / sizeof *ids; i++)
		assert_int_equal(metric_at((unsigned)metric_find(ids[i]))->better,
			BETTER_NEITHER);
	assert_int_equal(
		metric_at((unsigned)metric_find("disk.queue"))->better, BETTER_LOWER);
}

static void each_packet_class_is_a_metric_in_each_direction(void **state)
{
	char id[64];

	(void)state;
	for (unsigned i = 0; i < packet_class_count; i++)
		for (unsigned d = 0; d < PACKET_DIRECTIONS; d++) {
			static const char *const endings[] = {".rx", ".tx", ""};
			unsigned direction = 99;
			int row;

			assert_true(text_format(id, sizeof id, "packets.%s%s",
				packet_classes[i].id, endings[d]));
			row = metric_find(id);
			assert_true(row >= 0);
			assert_int_equal(
				metric_packet_class((unsigned)row, &direction), i);
			assert_int_equal(direction, d);
			assert_int_equal(
				metric_at((unsigned)row)->num, raw_packet(i, d));
			assert_string_equal(raw_id(raw_packet(i, d)), id);
		}
	assert_int_equal(
		metric_packet_class((unsigned)metric_find("disk.queue"), NULL), -1);
}

static void kinds_have_words(void **state)
{
	(void)state;
	for (unsigned i = 0; i < KIND_COUNT; i++) {
		enum kind kind = KIND_COUNT;

		assert_true(kind_find(kind_word((enum kind)i), &kind));
		assert_int_equal(kind, i);
	}
	assert_false(kind_find("tape", &(enum kind){KIND_HOST}));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_raw_reading_has_an_id_of_its_own),
		cmocka_unit_test(every_metric_has_an_id_of_its_own),
		cmocka_unit_test(
			every_metric_says_where_it_comes_from_and_how_it_misleads),
		cmocka_unit_test(no_raw_reading_is_read_for_nothing),
		cmocka_unit_test(the_promised_ids_are_there),
		cmocka_unit_test(throughput_is_neither_better_nor_worse),
		cmocka_unit_test(each_packet_class_is_a_metric_in_each_direction),
		cmocka_unit_test(kinds_have_words),
	};

	return cmocka_run_group_tests_name("metric", tests, NULL, NULL);
}
