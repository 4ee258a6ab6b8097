/* What is not there is said to be so, with its reason, for the windows that it is
 * about. */
#include "config.h"

#include "app/absence.h"
#include "app/export.h"

#include "json_page.h"
#include "report_page.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#define S NSEC_PER_SEC

static const struct source storage = {.name = "storage", .none = "nothing is mounted"};

/* A source that is asked second by second. */
struct asked {
	struct feed feed;
	struct absence absence;
	struct facts facts;
	nsec at;
};

/* READINGS < 0: it does not answer, and FAULT says why. */
static void ask(struct asked *asked, int readings, unsigned times)
{
	asked->feed.source = &storage;
	asked->feed.sink.reading_count = readings > 0 ? (size_t)readings : 0;
	for (; times; times--, asked->at += S) {
		/* the monotonic clock is another one */
		struct tick tick = {.at = asked->at, .mono = asked->at + 5000 * S};

		absence_follow(&asked->absence, &asked->feed, readings >= 0, &tick,
			&asked->facts);
	}
}

static void end(struct asked *asked)
{
	asked->feed.sink.reading_count = 0;
	facts_fini(&asked->facts);
}

static void check(struct asked *asked, nsec at, const char *value)
{
	const struct fact of = {.kind = KIND_SOURCE,
		.name = "storage",
		.id = "",
		.key = FACT_NOTHING,
		.value = ""};
	struct fact fact = facts_at(&asked->facts, &of, at);

	assert_string_equal(fact.value, value);
}

static void a_source_without_readings_says_why_until_it_has_some(void **state)
{
	struct asked asked = {.at = 0};

	(void)state;
	ask(&asked, 0, 5);
	ask(&asked, 3, 5);
	assert_int_equal(asked.facts.count, 2);
	check(&asked, 0, "absent: nothing is mounted");
	check(&asked, 4 * S, "absent: nothing is mounted");
	check(&asked, 5 * S, "");
	end(&asked);
}

static void one_that_always_serves_says_nothing(void **state)
{
	struct asked asked = {.at = 0};

	(void)state;
	ask(&asked, 3, 100);
	assert_int_equal(asked.facts.count, 0);
	end(&asked);
}

/* Gone from 20 on, which is sure at 30, and is told of 20. */
static void one_that_goes_is_said_to_be_gone_from_when_it_went(void **state)
{
	struct asked asked = {.at = 0};

	(void)state;
	ask(&asked, 3, 20);
	ask(&asked, 0, 10);
	assert_int_equal(asked.facts.count, 0);
	ask(&asked, 0, 30);
	assert_int_equal(asked.facts.count, 1);
	check(&asked, 19 * S, "");
	check(&asked, 20 * S, "absent: nothing is mounted");
	end(&asked);
}

static void coming_and_going_by_the_second_does_not_fill_the_file(void **state)
{
	struct asked asked = {.at = 0};

	(void)state;
	for (int i = 0; i < 3600; i++)
		ask(&asked, i & 1, 1);
	assert_in_range(asked.facts.count, 0, 2);
	end(&asked);
}

static void what_may_not_be_read_is_denied_and_other_faults_are_not(void **state)
{
	struct asked asked = {.at = 0};

	(void)state;
	(void)fault_errno(&asked.feed.fault, EACCES, "cannot open the file");
	ask(&asked, -1, 2);
	check(&asked, 1 * S, "denied: cannot open the file: Permission denied");
	(void)fault_set(&asked.feed.fault, "the file is\033[2J damaged");
	ask(&asked, -1, 2);
	assert_null(strchr(facts_at_index(&asked.facts, 1).value, '\033'));
	check(&asked, 1 * S, "denied: cannot open the file: Permission denied");
	/* still at work: nothing new is known */
	asked.feed.fault.text[0] = 0;
	ask(&asked, -1, 2);
	assert_int_equal(asked.facts.count, 2);
	end(&asked);
}

/* The run before found nothing; this one does at once. */
static void what_an_earlier_run_lacked_is_there_in_the_next(void **state)
{
	struct asked asked = {.at = 0};

	(void)state;
	ask(&asked, 0, 5);
	asked.absence = (struct absence){.empty = 0};
	ask(&asked, 1, 1);
	check(&asked, 4 * S, "absent: nothing is mounted");
	check(&asked, 5 * S, "");
	end(&asked);
}

/* ---- reports and exports ---- */

static void put(
	struct recording *recording, int64_t at, const char *source, const char *value)
{
	struct fact fact = {.at = at * S,
		.kind = KIND_SOURCE,
		.name = source,
		.id = "",
		.key = FACT_NOTHING,
		.value = value ? value : "",
		.why = value ? WHY_NONE : WHY_ABSENT};

	assert_true(session_fact(recording->session, &fact));
}

/* BEFORE 0 - 100, AFTER 200 - 300. */
static void record(struct recording *recording)
{
	recording_init(recording, 500);
	(void)add_disk(recording, "sda");
	(void)recording_window(recording, ROLE_BEFORE, "BEFORE", 0, 100);
	(void)recording_window(recording, ROLE_AFTER, "AFTER", 200, 300);
	put(recording, 0, "fc", "absent: no FC adapter");
	put(recording, 0, "iscsi", "absent: no session");
	put(recording, 1, "mounts", "absent: no NFS mount"); /* of a thread: late */
	put(recording, 120, "iscsi", NULL);
	put(recording, 250, "mounts", NULL);
	put(recording, 220, "peers", "denied: may not look");
	put(recording, 230, "peers", NULL);
	put(recording, 130, "shares", "absent: no SMB mount"); /* in no window */
	put(recording, 150, "shares", NULL);
	recording_ticks(recording, 401);
}

static void the_report_says_for_which_windows_what_was_not_there(void **state)
{
	static const enum report_format formats[] = {
		REPORT_TEXT, REPORT_MD, REPORT_CSV, REPORT_JSON};
	struct recording recording;
	struct buffer page = {0};

	(void)state;
	record(&recording);
	for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
		const char *text;

		buffer_clear(&page);
		write_report(recording.session, formats[i], &page);
		text = buffer_string(&page);
		check_has(text, "fc: no FC adapter");
		check_lacks(text, "fc: no FC adapter (");
		check_has(text, "iscsi: no session (A)");
		check_has(text, "mounts: no NFS mount (A, part of B)");
		check_has(text, "peers: may not look (part of B)");
		check_lacks(text, "no SMB mount");
		/* what weir sees is not how the host is set up */
		check_lacks(text, "\"" FACT_NOTHING "\"");
	}
	check_documented(buffer_string(&page));
	buffer_clear(&page);
	write_report(recording.session, REPORT_TEXT, &page);
	check_has(buffer_string(&page), "   denied      peers: may not look");
	buffer_fini(&page);
	recording_fini(&recording);
}

/* A window that is set long after what it is about. */
static void a_window_set_afterwards_has_its_own_reasons(void **state)
{
	static const char *const names[] = {"LATER"};
	struct recording recording;
	struct buffer page = {0};

	(void)state;
	record(&recording);
	(void)recording_window(&recording, ROLE_OTHER, "LATER", 125, 160);
	write_windows(recording.session, names, 1, REPORT_JSON, &page);
	check_has(buffer_string(&page), "shares: no SMB mount (part of A)");
	check_has(buffer_string(&page), "mounts: no NFS mount\"");
	check_lacks(buffer_string(&page), "iscsi: no session");
	buffer_fini(&page);
	recording_fini(&recording);
}

static void an_export_has_the_reason_and_never_a_0(void **state)
{
	const struct fact gone = {.kind = KIND_SOURCE,
		.name = "mounts",
		.id = "",
		.key = FACT_NOTHING,
		.value = "absent: no \"NFS\", none",
		.why = WHY_NONE};
	struct fact back = gone;
	struct export_rows rows = {.format = EXPORT_CSV};
	struct buffer out = {0};

	(void)state;
	back.value = "";
	back.why = WHY_ABSENT;
	export_source(&rows, &gone, RECORDING_WALL, &out);
	export_source(&rows, &back, RECORDING_WALL + S, &out);
	rows.format = EXPORT_JSON;
	export_source(&rows, &gone, RECORDING_WALL, &out);
	export_source(&rows, &back, RECORDING_WALL + S, &out);
	assert_string_equal(buffer_string(&out),
		"1790813170.000,source,mounts,source.serves,,"
		"\"absent: no \"\"NFS\"\", none\"\n"
		"1790813171.000,source,mounts,source.serves,1,\n"
		"{\"time\":1790813170.000,\"kind\":\"source\",\"device\":\"mounts\","
		"\"metric\":\"source.serves\",\"value\":null,"
		"\"why\":\"absent: no \\\"NFS\\\", none\"}\n"
		"{\"time\":1790813171.000,\"kind\":\"source\",\"device\":\"mounts\","
		"\"metric\":\"source.serves\",\"value\":1,\"why\":null}\n");
	buffer_fini(&out);
}

/* Set to work for this very tick, so after its stamp: what it said before is being
 * written over. */
static void one_that_is_at_work_is_not_asked_why(void **state)
{
	struct asked asked = {.at = 0};

	(void)state;
	(void)pthread_mutex_init(&asked.feed.lock, NULL); /* cannot fail */
	asked.feed.threaded = true;
	asked.feed.busy = true;
	asked.feed.busy_since = 5001 * S;
	(void)fault_set(&asked.feed.fault, "half of a wo");
	assert_true(feed_age(&asked.feed, 5000 * S) > 0);
	ask(&asked, -1, 1);
	assert_int_equal(asked.facts.count, 0);
	asked.feed.busy = false;
	assert_int_equal(feed_age(&asked.feed, 5000 * S), 0);
	(void)pthread_mutex_destroy(&asked.feed.lock);
	end(&asked);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_that_is_at_work_is_not_asked_why),
		cmocka_unit_test(a_source_without_readings_says_why_until_it_has_some),
		cmocka_unit_test(one_that_always_serves_says_nothing),
		cmocka_unit_test(one_that_goes_is_said_to_be_gone_from_when_it_went),
		cmocka_unit_test(coming_and_going_by_the_second_does_not_fill_the_file),
		cmocka_unit_test(
			what_may_not_be_read_is_denied_and_other_faults_are_not),
		cmocka_unit_test(what_an_earlier_run_lacked_is_there_in_the_next),
		cmocka_unit_test(the_report_says_for_which_windows_what_was_not_there),
		cmocka_unit_test(a_window_set_afterwards_has_its_own_reasons),
		cmocka_unit_test(an_export_has_the_reason_and_never_a_0),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
