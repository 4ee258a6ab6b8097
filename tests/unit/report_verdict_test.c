/* The result of a report on a session whose truth is known: the queue fell to half at
 * the same load, the bad packets stopped. */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "json_page.h"
#include "packet/class.h"
#include "recording.h"
#include "report/report.h"
#include "series.h"

#include <math.h>
#include <string.h>

enum {
	WINDOW = 2400
};

static struct recording r;

struct scene {
	size_t ops, queue, bad;
};

static void ticks(const struct scene *scene, size_t count, double factor, bool bad)
{
	for (size_t t = 0; t < count; t++) {
		double load = 300 * exp(0.2 * series_normal());

		r.step[scene->ops] = (uint64_t)load;
		r.step[scene->queue] = (uint64_t)(factor * 20 * load);
		r.step[scene->bad] = bad && t % 40 == 0;
		recording_ticks(&r, 1);
	}
}

static int begin(void **unused)
{
	struct scene s;
	uint32_t disk, nic;

	(void)unused;
	recording_init(&r, 0);
	disk = recording_subject(&r, KIND_DISK, "sda", "", "");
	nic = recording_subject(&r, KIND_NIC, "eth0", "", "");
	s.ops = recording_series(&r, disk, RAW_DISK_READ_OPS, 0);
	(void)recording_series(&r, disk, RAW_DISK_WRITE_OPS, 0);
	s.queue = recording_series(&r, disk, RAW_DISK_WEIGHTED_MS, 0);
	(void)recording_series(&r, nic, RAW_CAPTURE_SEGMENTS, 1000);
	s.bad = recording_series(&r, nic,
		raw_packet((unsigned)packet_class_find("tcp.cksum"), PACKET_RX), 0);
	(void)recording_window(&r, ROLE_BEFORE, "BEFORE", 0, WINDOW);
	(void)recording_window(&r, ROLE_AFTER, "AFTER", WINDOW, 2 * WINDOW);
	(void)recording_window(&r, ROLE_OTHER, "again", 10, WINDOW);
	series_seed(99);
	recording_ticks(&r, 1);
	ticks(&s, WINDOW, 1, true);
	ticks(&s, WINDOW, 0.5, false);
	return 0;
}

static int end(void **unused)
{
	(void)unused;
	recording_fini(&r);
	return 0;
}

static struct targets targets;

static void page(
	enum report_format format, struct buffer *out, enum report_outcome *outcome)
{
	struct report_options options = {
		.format = format, .written = RECORDING_WALL, .targets = &targets};
	struct fault fault = {0, ""};

	if (!report_choose(r.session, NULL, 0, &options, &fault) ||
		!report_write(r.session, &options, out, outcome, &fault))
		fail_msg("%s", fault.text);
}

static const char *line_with(const char *text, const char *first, const char *second)
{
	const char *at = strstr(text, first);

	for (; at; at = strstr(at + 1, first)) {
		const char *stop = strchr(at, '\n');
		const char *found = strstr(at, second);

		if (found && stop && found < stop)
			return at;
	}
	fail_msg("no line with %s and %s", first, second);
	return NULL;
}

static void the_result_names_what_is_clear(void **unused)
{
	struct buffer out = {0};
	enum report_outcome outcome = REPORT_UNCLEAR;
	const char *text, *queue;

	(void)unused;
	page(REPORT_TEXT, &out, &outcome);
	text = buffer_string(&out);
	assert_int_equal(outcome, REPORT_GOOD);
	queue = line_with(text, "BETTER", "queue");
	assert_non_null(strstr(queue, "-50 % (-5"));
	(void)line_with(text, "BETTER", "TCP checksum bad");
	(void)line_with(text, "TCP checksum bad", "60 > 0, -100 %");
	assert_null(strstr(text, "WORSE"));
	assert_non_null(strstr(text, "Holm over"));
	assert_null(strstr(text, "figures only"));
	buffer_fini(&out);
}

static void machines_get_the_interval_and_p(void **unused)
{
	struct buffer out = {0};
	const char *text, *queue;

	(void)unused;
	page(REPORT_JSON, &out, NULL);
	text = buffer_string(&out);
	check_documented(text);
	queue = line_with(text, "\"verdicts\"", "[");
	queue = line_with(queue, "\"word\": \"BETTER\"", "\"metric\": \"disk.queue\"");
	assert_non_null(strstr(queue, "\"same_load\": false"));
	buffer_fini(&out);
}

/* Without room for words a sign stands beside the change. */
/* The queue fell by half: a gain of 20 % is not ruled out, one of 90 % is. */
static void a_target_is_ruled_out_or_not(void **unused)
{
	struct buffer out = {0};
	const char *queue;
	unsigned metric = (unsigned)metric_find("disk.queue");

	(void)unused;
	assert_true(targets_put(&targets, metric, 0.2));
	page(REPORT_JSON, &out, NULL);
	check_documented(buffer_string(&out));
	queue = line_with(buffer_string(&out), "\"verdicts\"", "[");
	queue = line_with(queue, "\"word\": \"BETTER\"", "\"metric\": \"disk.queue\"");
	assert_memory_equal(strstr(queue, "\"target\": "),
		"\"target\": 0.2, \"ruled_out\": false", 33);
	assert_non_null(
		strstr(buffer_string(&out), "weir report --target disk.queue=20% "));
	buffer_fini(&out);
	assert_true(targets_put(&targets, metric, 0.9));
	page(REPORT_JSON, &out, NULL);
	assert_non_null(
		strstr(buffer_string(&out), "\"target\": 0.9, \"ruled_out\": true"));
	buffer_fini(&out);
	targets.count = 0;
}

static void several_changes_have_a_sign(void **unused)
{
	static const char *const names[] = {"AFTER", "BEFORE", "again"};
	struct report_options options = {.written = RECORDING_WALL};
	struct buffer out = {0};
	struct fault fault = {0, ""};
	const char *below;

	(void)unused;
	assert_true(report_choose(r.session, names, 3, &options, &fault));
	assert_true(report_write(r.session, &options, &out, NULL, &fault));
	below = strstr(buffer_string(&out), "  DISKS");
	assert_non_null(below);
	below = strchr(line_with(below, "    queue ", ""), '\n') + 1;
	assert_int_equal(strcspn(below, "!"), strcspn(below, "x") + 1);
	assert_non_null(strstr(below, "x!"));
	buffer_fini(&out);
}

static void the_other_way_round_it_is_worse(void **unused)
{
	static const char *const names[] = {"AFTER", "BEFORE"};
	struct report_options options = {.written = RECORDING_WALL};
	struct buffer out = {0};
	struct fault fault = {0, ""};
	enum report_outcome outcome = REPORT_GOOD;

	(void)unused;
	assert_true(report_choose(r.session, names, 2, &options, &fault));
	assert_true(report_write(r.session, &options, &out, &outcome, &fault));
	assert_int_equal(outcome, REPORT_WORSE);
	(void)line_with(buffer_string(&out), "WORSE", "queue");
	buffer_fini(&out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_result_names_what_is_clear),
		cmocka_unit_test(machines_get_the_interval_and_p),
		cmocka_unit_test(a_target_is_ruled_out_or_not),
		cmocka_unit_test(several_changes_have_a_sign),
		cmocka_unit_test(the_other_way_round_it_is_worse),
	};

	return cmocka_run_group_tests(tests, begin, end);
}
