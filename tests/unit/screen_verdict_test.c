/* Verdicts on the screen: a disk whose queue grew, one whose queue fell and one that
 * stayed, at the same load; and what is said before there is enough to judge. */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../golden/stage.h"
#include "series.h"
#include "tui/actions.h"
#include "tui/screen.h"

#include <math.h>
#include <string.h>

static struct stage stage;
static struct view view;
static struct canvas canvas;
static struct buffer out;
static uint32_t disks[3], mount;

static void play(int seconds, const double *factors)
{
	for (int t = 0; t < seconds; t++) {
		for (int i = 0; i < 3; i++) {
			double depth = 4 * factors[i] * exp(0.2 * series_normal());

			stage_add(&stage, disks[i], RAW_DISK_READ_OPS, 100);
			stage_add(&stage, disks[i], RAW_DISK_WRITE_OPS, 0);
			stage_add(&stage, disks[i], RAW_DISK_WEIGHTED_MS,
				(uint64_t)(1000 * depth));
		}
		stage_add(&stage, mount, RAW_MOUNT_READ_OPS, 100);
		stage_add(&stage, mount, RAW_MOUNT_READ_EXECUTE_MS,
			(uint64_t)(1000 * factors[0] * exp(0.2 * series_normal())));
		stage_tick(&stage, 1, GAP_NONE);
	}
}

static int begin(void **unused)
{
	static const char *const names[] = {"grown", "fallen", "still"};
	static const double as_before[] = {1, 1, 1};

	(void)unused;
	stage_init(&stage, "hba2nic");
	view_init(&view);
	series_seed(5);
	for (int i = 0; i < 3; i++)
		disks[i] = stage_subject(&stage, KIND_DISK, names[i], "");
	mount = stage_subject(&stage, KIND_MOUNT, "nas:/x", "");
	play(1, as_before);
	stage_window(&stage, ROLE_BEFORE, "BEFORE", 0, 600);
	play(600, as_before);
	return 0;
}

static int end(void **unused)
{
	(void)unused;
	stage_fini(&stage);
	view_fini(&view);
	canvas_fini(&canvas);
	buffer_fini(&out);
	return 0;
}

static const char *drawn_at(int rows, int columns)
{
	static const struct status status = {.recording = true, .viewers = 1};

	canvas_resize(&canvas, rows, columns);
	view_judge(&view, stage.session);
	screen_draw(stage.session, &view, &status, &canvas);
	buffer_clear(&out);
	canvas_print(&canvas, &out, false);
	return buffer_string(&out);
}

static const char *drawn(void)
{
	return drawn_at(24, 80);
}

/* The line of the row NAME, with its sign where it has room for one. */
static const char *row(const char *screen, const char *name, char *line, size_t size)
{
	const char *at = strstr(screen, name);
	size_t length;

	if (!at)
		fail_msg("no row %s in\n%s", name, screen);
	at -= at > screen && at[-1] != '\n';
	length = strcspn(at, "\n");
	assert_true(length < size);
	memcpy(line, at, length);
	line[length] = 0;
	return line;
}

static void says(const char *text, const char *part)
{
	if (!strstr(text, part))
		fail_msg("\"%s\" is not in\n%s", part, text);
}

static void signs_words_and_counts(void **unused)
{
	static const double changed[] = {3, 0.4, 1};
	const char *screen;
	char line[128];

	(void)unused;
	stage_window(&stage, ROLE_AFTER, "AFTER", 600, -1);
	play(100, changed);
	says(drawn(), "AFTER v BEFORE (verdict in 4m20s)");
	play(320, changed);
	screen = drawn();
	says(screen, "AFTER v BEFORE so far, 2 WORSE 1 BETTER");
	says(row(screen, "grown  ", line, sizeof line), " WORSE");
	assert_int_equal(line[0], '!');
	says(row(screen, "fallen  ", line, sizeof line), " BETTER");
	assert_int_equal(line[0], '+');
	(void)row(screen, "still  ", line, sizeof line);
	assert_int_equal(line[0], ' ');
	assert_null(strstr(line, "WORSE"));
	assert_null(strstr(line, "BETTER"));
	/* also where there is no block device */
	says(row(drawn_at(40, 100), "nas:/x", line, sizeof line), "WORSE");
	view.page = PAGE_COMPARE;
	screen = drawn();
	says(screen, "RESULT so far   2 WORSE  1 BETTER");
	says(row(screen, "grown queue", line, sizeof line), "WORSE");
	assert_int_equal(line[0], '!');
	assert_true(strstr(screen, "grown queue") < strstr(screen, "fallen queue"));
	assert_true(strstr(screen, "fallen queue") < strstr(screen, "still queue"));
	/* three times as deep, with a spread of a fifth: none of it as low as before */
	view.evidence = true;
	screen = drawn();
	says(screen, "100 % of B lies above A's p95");
	says(screen, "WORSE, so far");
	says(screen, "95 % interval +1");
	says(screen, " independent samples at least");
	view.compared = (uint32_t)session_track(stage.session, disks[2],
				(unsigned)metric_find("disk.queue")) +
			1;
	screen = drawn();
	says(screen, "still queue   0 to ");
	assert_null(strstr(screen, "WORSE, so far"));
}

static void press(int key)
{
	static const struct status status = {.recording = true, .viewers = 1};
	struct desk desk = {stage.session, &view, &status, NULL};

	actions_keys(&desk, &key, 1);
}

/* What stands around the rows, and the keys that order them. */
static void the_page_says_what_was_asked_and_what_is_not_compared(void **unused)
{
	struct fact fact = {.at = 0,
		.kind = KIND_DISK,
		.name = "grown",
		.id = "grown",
		.key = "read_ahead_kb",
		.value = "128",
		.why = WHY_NONE};
	const char *screen;

	(void)unused;
	(void)session_fact(stage.session, &fact);
	fact.at = 605 * NSEC_PER_SEC;
	fact.value = "4096";
	(void)session_fact(stage.session, &fact);
	view.page = PAGE_COMPARE;
	view.evidence = false;
	screen = drawn();
	says(screen, "LOAD  A 300 ops/s 0 B/s   B 300 ops/s 0 B/s   =: near enough");
	says(screen, "HOST CHANGED  1: grown: read_ahead_kb 128 > 4096");
	says(screen, "NOT COMPARED  ");
	says(screen, "rows: idle, constant or too little data");
	press('s');
	screen = drawn();
	says(screen, "COMPARE  B to A, by device");
	assert_true(strstr(screen, "grown queue") < strstr(screen, "still queue"));
	press('f');
	screen = drawn();
	says(screen, "by device, clear ones");
	says(screen, "+fallen queue");
	assert_null(strstr(screen, "still queue"));
	press('s');
	press('f');
	screen = drawn();
	says(screen, "COMPARE  B to A, worst first: ");
	says(screen, "still queue");
	view.page = PAGE_NONE;
}

/* From 12 to 40 within half a minute: that cannot wait for a verdict. */
static void a_queue_that_doubles_is_called_growing(void **unused)
{
	static const double changed[] = {3, 0.4, 1}, faster[] = {10, 0.4, 1};

	(void)unused;
	assert_null(strstr(drawn(), "GROWING"));
	play(15, faster);
	says(drawn(), "grown queue ");
	says(drawn(), ") GROWING");
	play(40, changed);
	assert_null(strstr(drawn(), "GROWING"));
}

/* `weir mark after --for 30m`: it fills like an open one, and ends by itself. */
static void a_window_with_its_end_ahead_is_judged_while_it_fills(void **unused)
{
	static const double changed[] = {3, 0.4, 1};
	const struct window *after;
	struct window planned;

	(void)unused;
	view.page = PAGE_NONE;
	view.evidence = false;
	after = windows_newest(&stage.session->windows, ROLE_AFTER);
	planned = *after;
	planned.to = stage.session->last.at + 60 * NSEC_PER_SEC;
	assert_true(session_window(stage.session, &planned));
	says(drawn(), "AFTER v BEFORE so far, 2 WORSE 1 BETTER");
	play(20, changed);
	view.page = PAGE_COMPARE;
	says(drawn(), "7m20s and open, 440 of 440 samples");
	view.page = PAGE_NONE;
	play(60, changed);
	says(drawn(), "AFTER v BEFORE 2 WORSE 1 BETTER");
	view.page = PAGE_COMPARE;
	says(drawn(), "8m00s, 480 of 480 samples");
}

/* A viewer that comes has the windows first and their ticks in pieces. */
static void what_was_judged_on_a_part_is_judged_again(void **unused)
{
	static const double changed[] = {3, 0.4, 1};
	struct window later;

	(void)unused;
	view.page = PAGE_NONE;
	later = *windows_newest(&stage.session->windows, ROLE_AFTER);
	later.from = stage.session->last.at;
	later.to = later.from + 600 * NSEC_PER_SEC;
	assert_true(session_window(stage.session, &later));
	play(3, changed);
	says(drawn(), "AFTER v BEFORE (verdict in ");
	play(700, changed);
	says(drawn(), "AFTER v BEFORE 2 WORSE 1 BETTER");
}

/* Whoever comes back is told the worst, can go there, and of what the page cuts off. */
static void who_comes_back_can_go_to_the_worst_moment(void **unused)
{
	static const double usual[] = {1, 1, 1}, worst[] = {50, 1, 1};
	nsec left = stage.session->last.at;
	nsec at;

	(void)unused;
	play(5, usual);
	play(1, worst);
	at = stage.session->last.at;
	play(5, usual);
	for (int i = 0; i < 30; i++)
		session_note(stage.session, &(struct note){.id = 900 + (uint32_t)i,
						    .kind = NOTE_TEXT,
						    .at = left + 1 + i,
						    .text = "port 7 replaced"});
	digest_open(&view, stage.session, left);
	says(drawn(), "Worst moment: ");
	says(drawn(), " grown, queue ");
	says(drawn(), "notes and events 30, gaps 0, no capture");
	says(drawn(), "+15 more (e)");
	press('g');
	assert_int_equal(view.page, PAGE_NONE);
	assert_true(view.paused);
	assert_int_equal(view.at, at);
	view_resume(&view);
}

static void what_has_one_window_only_is_not_called_unrecorded(void **unused)
{
	const char *screen;

	(void)unused;
	view.page = PAGE_COMPARE;
	screen = drawn();
	says(screen, "A  BEFORE from ");
	says(screen, "B  no AFTER yet");
	says(screen, "nothing to compare yet: it takes both windows");
	assert_null(strstr(screen, "nothing was recorded"));
	view.page = PAGE_NONE;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_has_one_window_only_is_not_called_unrecorded),
		cmocka_unit_test(signs_words_and_counts),
		cmocka_unit_test(the_page_says_what_was_asked_and_what_is_not_compared),
		cmocka_unit_test(a_window_with_its_end_ahead_is_judged_while_it_fills),
		cmocka_unit_test(what_was_judged_on_a_part_is_judged_again),
		cmocka_unit_test(a_queue_that_doubles_is_called_growing),
		cmocka_unit_test(who_comes_back_can_go_to_the_worst_moment),
	};

	return cmocka_run_group_tests(tests, begin, end);
}
