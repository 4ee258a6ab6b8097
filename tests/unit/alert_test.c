/* Thresholds: when an alert begins and ends, and what it says of its worst moment. */
#include "config.h"

#include "core/alert.h"

#include "recording.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

/* Disk sda whose queue's highest sample is what a test sets. */
struct bench {
	struct recording recording;
	size_t peak;
	struct alerts alerts;
	char told[1000]; /* one line for each event */
};

static void tell(void *context, const struct alert_event *event)
{
	struct bench *bench = context;
	size_t used = strlen(bench->told);

	alert_words(bench->told + used, sizeof bench->told - used, event);
	(void)snprintf(bench->told + strlen(bench->told),
		sizeof bench->told - strlen(bench->told), "\n");
}

static void add_rule(struct bench *bench, const char *metric, const char *pattern,
	double limit, int hold)
{
	struct alert_rule rule = {.metric = (unsigned)metric_find(metric),
		.limit = limit,
		.hold = hold * NSEC_PER_SEC};

	assert_int_equal(regcomp(&rule.regex, pattern, REG_EXTENDED | REG_NOSUB), 0);
	alerts_add(&bench->alerts, &rule);
}

static void start(struct bench *bench)
{
	uint32_t disk;

	*bench = (struct bench){.peak = 0};
	recording_init(&bench->recording, 0);
	disk = recording_subject(
		&bench->recording, KIND_DISK, "sda", "/var/mail", "scsi");
	bench->peak =
		recording_series(&bench->recording, disk, RAW_DISK_INFLIGHT_MAX, 5);
}

static void end(struct bench *bench)
{
	alerts_fini(&bench->alerts);
	recording_fini(&bench->recording);
}

/* COUNT ticks with a peak of VALUE. */
static void play(struct bench *bench, size_t count, uint64_t value)
{
	bench->recording.step[bench->peak] = value;
	for (size_t i = 0; i < count; i++) {
		recording_ticks(&bench->recording, 1);
		alerts_look(&bench->alerts, bench->recording.session, tell, bench);
	}
}

static void an_alert_begins_when_it_has_lasted_and_ends_once(void **state)
{
	struct bench bench;

	(void)state;
	start(&bench);
	add_rule(&bench, "disk.queue.max", "^sda$", 32, 10);
	play(&bench, 20, 5);
	play(&bench, 10, 40); /* 9 s from the first to the last */
	assert_string_equal(bench.told, "");
	play(&bench, 1, 57);
	assert_string_equal(bench.told, "sda queue max above 32.0 for 10s, now 57.0\n");
	play(&bench, 40, 61);
	play(&bench, 1, 32); /* at the limit is not above it */
	assert_string_equal(bench.told,
		"sda queue max above 32.0 for 10s, now 57.0\n"
		"sda queue max no longer above 32.0: 51s, worst 61.0\n");
	play(&bench, 100, 5);
	assert_int_equal(strlen(bench.told), 43 + 52);
	end(&bench);
}

static void what_was_too_short_is_none(void **state)
{
	struct bench bench;

	(void)state;
	start(&bench);
	add_rule(&bench, "disk.queue.max", "sda", 32, 10);
	for (int i = 0; i < 5; i++) {
		play(&bench, 9, 40);
		play(&bench, 1, 5);
	}
	assert_string_equal(bench.told, "");
	end(&bench);
}

static void patterns_mean_names_and_labels(void **state)
{
	struct bench bench;

	(void)state;
	start(&bench);
	add_rule(&bench, "disk.queue.max", "^sdb", 1, 0);
	add_rule(&bench, "disk.queue.max", "mail$", 1, 0);
	add_rule(&bench, "disk.queue", "sda", 1, 0); /* nobody reads it */
	play(&bench, 3, 40);
	assert_string_equal(bench.told, "sda queue max above 1.00, now 40.0\n");
	end(&bench);
}

static void a_missing_figure_neither_begins_nor_ends_one(void **state)
{
	struct bench bench;

	(void)state;
	start(&bench);
	add_rule(&bench, "disk.queue.max", "sda", 32, 0);
	play(&bench, 1, 40);
	bench.recording.readings[bench.peak].why = WHY_LATE;
	play(&bench, 5, 40);
	bench.recording.readings[bench.peak].why = WHY_NONE;
	play(&bench, 1, 40);
	assert_string_equal(bench.told, "sda queue max above 32.0, now 40.0\n");
	bench.recording.readings[bench.peak].why = WHY_ABSENT; /* unplugged */
	play(&bench, 1, 40);
	assert_non_null(strstr(bench.told, "no longer above 32.0: 7s, worst 40.0"));
	end(&bench);
}

static void below_is_the_other_way_round(void **state)
{
	struct bench bench;

	(void)state;
	start(&bench);
	add_rule(&bench, "disk.queue.max", "sda", 3, 1);
	bench.alerts.rules[0].below = true;
	play(&bench, 3, 5);
	play(&bench, 1, 2);
	play(&bench, 1, 1);
	play(&bench, 1, 3);
	assert_string_equal(bench.told,
		"sda queue max below 3.00 for 1s, now 1.00\n"
		"sda queue max no longer below 3.00: 2s, worst 1.00\n");
	end(&bench);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_alert_begins_when_it_has_lasted_and_ends_once),
		cmocka_unit_test(what_was_too_short_is_none),
		cmocka_unit_test(patterns_mean_names_and_labels),
		cmocka_unit_test(a_missing_figure_neither_begins_nor_ends_one),
		cmocka_unit_test(below_is_the_other_way_round),
	};

	return cmocka_run_group_tests_name("alert", tests, NULL, NULL);
}
