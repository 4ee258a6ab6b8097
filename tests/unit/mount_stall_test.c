/* Mounts whose server answers nothing: stalls with a beginning, an end and a depth, as
 * events, through the real encoding. */
#include "config.h"

#include "core/session.h"

#include "feed.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define S NSEC_PER_SEC

static struct session *session;
static struct feed feed;
static uint32_t mount, links[2];
static uint64_t answers[2];

static int begin(void **unused)
{
	(void)unused;
	session = session_new("stall", 60);
	feed_init(&feed, session);
	mount = feed_subject(&feed, KIND_MOUNT, "filer:/vol", "/srv/db");
	links[0] = feed_subject(&feed, KIND_CONNECTION, "/srv/db#1", "/srv/db#1");
	links[1] = feed_subject(&feed, KIND_CONNECTION, "/srv/db#2", "/srv/db#2");
	answers[0] = answers[1] = 0;
	return 0;
}

static int end(void **unused)
{
	(void)unused;
	feed_fini(&feed);
	session_free(session);
	return 0;
}

/* A second in which each connection gets so many answers and then has so many open. */
static void a_second(uint64_t first, uint64_t second, uint64_t open)
{
	answers[0] += first;
	answers[1] += second;
	for (int i = 0; i < 2; i++) {
		feed_set(&feed, links[i], RAW_CONNECTION_ANSWERS, answers[i]);
		feed_set(&feed, links[i], RAW_CONNECTION_INFLIGHT, open);
	}
	feed_set(&feed, mount, RAW_MOUNT_ANSWERS, answers[0] + answers[1]);
	feed_set(&feed, mount, RAW_MOUNT_INFLIGHT, 2 * open);
	feed_tick(&feed, S, 0);
}

static size_t events(const char *text)
{
	size_t count = 0;

	for (size_t i = 0; i < session->note_count; i++)
		count += !strcmp(session->notes[i].text, text);
	return count;
}

static void a_server_that_answers_nothing_is_a_stall(void **unused)
{
	const struct stall *stall;

	(void)unused;
	for (int i = 0; i < 3; i++)
		a_second(10, 10, 8); /* the last of them at 3 s */
	assert_int_equal(session->stall_count, 0);
	for (int i = 0; i < 30; i++)
		a_second(0, 0, 8);
	stall = session_stall(session, 0, session->last.at);
	assert_non_null(stall);
	assert_true(stall->depth == 16);
	assert_int_equal(stall->from, 3 * S);
	assert_true(session_figure(session, 0, "mount.inflight")->value == 16);
	a_second(8, 8, 8);
	assert_null(session_stall(session, 0, session->last.at));
	/* from the last answer to the next */
	assert_int_equal(session->stalls[0].to - session->stalls[0].from, 31 * S);
	/* of the mount once each, and nothing of its connections */
	assert_int_equal(session->note_count, 2);
	assert_int_equal(events("filer:/vol: STALL, outstanding 16"), 1);
	assert_int_equal(
		events("filer:/vol: STALL ended after 31s, outstanding up to 16"), 1);
}

static void a_mount_with_nothing_to_do_is_in_no_stall(void **unused)
{
	(void)unused;
	for (int i = 0; i < 5; i++)
		a_second(1, 1, 1);
	for (int i = 0; i < 20; i++)
		a_second(0, 0, 0);
	assert_int_equal(session->stall_count, 0);
}

static void one_connection_of_two_may_stall_alone(void **unused)
{
	(void)unused;
	for (int i = 0; i < 3; i++)
		a_second(10, 10, 4);
	for (int i = 0; i < 6; i++)
		a_second(10, 0, 4);
	assert_int_equal(session->stall_count, 1);
	assert_int_equal(session->stalls[0].subject, 2);
	assert_int_equal(events("/srv/db#2: STALL, outstanding 4"), 1);
	assert_null(session_stall(session, 0, session->last.at));
}

static void a_stall_is_seen_by_who_comes_later(void **unused)
{
	(void)unused;
	for (int i = 0; i < 4; i++)
		a_second(0, 0, 8);
	assert_non_null(session_stall(session, 0, session->last.at));
}

/* Late, gone or not told: nothing is said. */
static void without_figures_there_is_no_stall(void **unused)
{
	(void)unused;
	a_second(10, 10, 8);
	a_second(0, 0, 8);
	for (int i = 0; i < 9; i++) {
		feed_none(&feed, mount, RAW_MOUNT_INFLIGHT, WHY_UNSUPPORTED);
		for (int k = 0; k < 2; k++)
			feed_none(&feed, links[k], RAW_CONNECTION_INFLIGHT,
				WHY_UNSUPPORTED);
		feed_tick(&feed, S, 0);
	}
	assert_null(session_stall(session, 0, session->last.at));
	assert_int_equal(session->note_count, 0);
}

#define CASE(test) cmocka_unit_test_setup_teardown(test, begin, end)

/* The threshold is in the ticks: SECONDS of it, and how many stalls SILENT seconds
 * make. */
static size_t stalls_after(uint64_t seconds, unsigned silent)
{
	uint32_t host = feed_subject(&feed, KIND_HOST, "host", "host");
	size_t before = session->stall_count;

	for (unsigned i = 0; i < 2 + silent; i++) {
		if (seconds)
			feed_set(&feed, host, RAW_STALL_MS, seconds * 1000);
		a_second(i < 2 ? 10 : 0, i < 2 ? 10 : 0, 4);
	}
	return session->stall_count - before;
}

static void a_threshold_of_the_recording_is_used_by_who_reads_it(void **unused)
{
	(void)unused;
	assert_int_equal(stalls_after(5, 4), 0);
	assert_int_equal(stalls_after(5, 6), 1);
	assert_int_equal(session->stalls[0].after, 5 * S);
	/* it is noted when it had lasted so long */
	assert_null(session_stall(session, mount, session->stalls[0].from + 4 * S));
	assert_non_null(session_stall(session, mount, session->stalls[0].from + 5 * S));
	assert_int_equal(session->notes[0].at, session->stalls[0].from + 5 * S);
}

static void a_recorder_that_says_none_means_two_seconds(void **unused)
{
	(void)unused;
	assert_int_equal(stalls_after(0, 1), 0);
	assert_int_equal(stalls_after(0, 3), 1);
	assert_int_equal(session->stalls[0].after, 2 * S);
}

static void an_absurd_threshold_is_none(void **unused)
{
	(void)unused;
	assert_int_equal(stalls_after(UINT64_C(1) << 40, 3), 1);
	assert_int_equal(session->stalls[0].after, 2 * S);
}

/* Of old stalls the file says when they began and ended; of the threshold the facts. */
static void stored_stalls_are_noted_by_the_threshold_of_their_time(void **unused)
{
	struct fact fact = {.at = 100 * S,
		.kind = KIND_HOST,
		.name = "host",
		.id = "host",
		.key = FACT_STALL,
		.value = "7.5 s"};
	struct stall stall = {.kind = STALL_SILENT, .hold = -1, .depth = 4};

	(void)unused;
	a_second(1, 1, 0);
	assert_true(session_fact(session, &fact));
	session_told(session);
	stall.from = 50 * S;
	stall.to = 60 * S;
	session_tell_stall(session, &stall);
	stall.from = 200 * S;
	stall.to = 260 * S;
	session_tell_stall(session, &stall);
	assert_int_equal(session->stalls[0].after, 2 * S);
	assert_int_equal(session->stalls[1].after, 7500 * NSEC_PER_MSEC);
	assert_int_equal(session->note_count, 4);
	assert_int_equal(session->notes[0].at, 52 * S);
	assert_int_equal(session->notes[2].at, 207500 * NSEC_PER_MSEC);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(a_server_that_answers_nothing_is_a_stall),
		CASE(a_mount_with_nothing_to_do_is_in_no_stall),
		CASE(one_connection_of_two_may_stall_alone),
		CASE(a_stall_is_seen_by_who_comes_later),
		CASE(without_figures_there_is_no_stall),
		CASE(a_threshold_of_the_recording_is_used_by_who_reads_it),
		CASE(a_recorder_that_says_none_means_two_seconds),
		CASE(an_absurd_threshold_is_none),
		CASE(stored_stalls_are_noted_by_the_threshold_of_their_time),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
