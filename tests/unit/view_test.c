/* Keys that change what is shown: the moment, the rows, the pages. */
#include "config.h"

#include "../golden/desk.h"

#include "base/text.h"
#include "core/raw.h"
#include "tui/pane.h"
#include "tui/screen.h"
#include "tui/tally.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static void pausing_freezes_the_moment_while_ticks_go_on(void **state)
{
	struct set *set = *state;
	struct session *session = set->stage.session;

	press(set, 'p');
	assert_int_equal(view_at(&set->view, session), 310 * NSEC_PER_SEC);
	for (int i = 0; i < 5; i++)
		stage_tick(&set->stage, 1, GAP_NONE);
	assert_int_equal(view_at(&set->view, session), 310 * NSEC_PER_SEC);
	assert_int_equal(view_back(&set->view, session), 5);
	press(set, 'T');
	press(set, TUI_LEFT);
	assert_int_equal(view_at(&set->view, session), 308 * NSEC_PER_SEC);
	press(set, 't');
	assert_int_equal(view_at(&set->view, session), 309 * NSEC_PER_SEC);
	press(set, '.');
	assert_int_equal(view_at(&set->view, session), 315 * NSEC_PER_SEC);
}

static void jumps_go_from_mark_to_mark(void **state)
{
	static const int back[] = {252, 190, 130, 100, 10};
	struct set *set = *state;

	for (size_t i = 0; i < sizeof back / sizeof *back; i++) {
		press(set, '[');
		assert_int_equal(view_at(&set->view, set->stage.session),
			back[i] * NSEC_PER_SEC);
	}
	press(set, '[');
	assert_string_equal(set->view.message, "no mark or note before this moment");
	press(set, ']');
	assert_int_equal(view_at(&set->view, set->stage.session), 100 * NSEC_PER_SEC);
}

static void a_time_is_gone_to(void **state)
{
	struct set *set = *state;

	press(set, 'g');
	type(set, "77");
	press(set, TUI_ENTER);
	assert_int_equal(view_at(&set->view, set->stage.session), 77 * NSEC_PER_SEC);
	press(set, 'g');
	type(set, "x");
	press(set, TUI_ENTER);
	assert_string_equal(set->view.message, "no time: x");
}

static void a_filter_hides_and_a_bad_one_is_refused(void **state)
{
	struct set *set = *state;
	struct scene scene;
	size_t hidden;

	press(set, '1');
	press(set, '/');
	type(set, "!^sd");
	press(set, TUI_ENTER);
	scene_make(&scene, set->stage.session, &set->view, &set->status);
	assert_int_equal(panes[PANE_DISK]->rows(&scene, &hidden), 2);
	assert_int_equal(hidden, 2);
	press(set, '/');
	type(set, "(");
	press(set, TUI_ENTER);
	assert_true(set->view.message_alert);
	assert_int_equal(panes[PANE_DISK]->rows(&scene, &hidden), 2);
	press(set, '/');
	press(set, TUI_ENTER);
	assert_int_equal(panes[PANE_DISK]->rows(&scene, &hidden), 4);
}

static void sorting_orders_rows_and_inverts(void **state)
{
	struct set *set = *state;
	struct scene scene;
	uint32_t subject;
	unsigned metric;

	press(set, '1');
	press(set, 's');
	press(set, 's'); /* by queue */
	press(set, 'I');
	scene_make(&scene, set->stage.session, &set->view, &set->status);
	assert_true(panes[PANE_DISK]->subject(&scene, 3, &subject, &metric));
	assert_string_equal(set->stage.session->subjects[subject].label, "mpatha");
	press(set, 'I');
	assert_true(panes[PANE_DISK]->subject(&scene, 0, &subject, &metric));
	assert_string_equal(set->stage.session->subjects[subject].label, "mpatha");
}

static void panes_are_focused_zoomed_and_let_go(void **state)
{
	struct set *set = *state;

	press(set, '2');
	assert_int_equal(set->view.focus, PANE_NET);
	press(set, '\t');
	assert_int_equal(set->view.focus, PANE_PACKETS);
	press(set, 'z');
	assert_true(set->view.zoom);
	press(set, 'z');
	assert_false(set->view.zoom);
	press(set, '0');
	assert_int_equal(set->view.focus, -1);
}

static void a_page_closes_before_the_screen_does(void **state)
{
	struct set *set = *state;

	press(set, '?');
	assert_int_equal(set->view.page, PAGE_HELP);
	press(set, 'c'); /* no mark from a page that hides the windows */
	press(set, 'q');
	assert_int_equal(set->view.page, PAGE_NONE);
	assert_int_equal(set->asked.left, 0);
	press(set, 'q');
	assert_int_equal(set->asked.left, 1);
	assert_string_equal(set->asked.text, "");
}

static void the_rest_of_the_keys_reach_their_targets(void **state)
{
	struct set *set = *state;

	press(set, 'C');
	assert_int_equal(set->asked.theme, 1);
	press(set, 'u');
	assert_int_equal(set->view.units, UNITS_IEC_BYTES);
	press(set, '~');
	assert_true(set->view.lines);
	press(set, '-');
	assert_int_equal(set->view.every, 2);
	press(set, '+');
	press(set, '+');
	assert_int_equal(set->view.every, 1);
	press(set, 'x');
	assert_int_equal(set->view.read_at, 310 * NSEC_PER_SEC);
	press(set, TUI_CONTROL('z'));
	assert_int_equal(set->asked.suspended, 1);
	press(set, TUI_CONTROL('l'));
	assert_int_equal(set->asked.redrawn, 1);
}

static uint32_t card(struct set *set, const char *id)
{
	struct subject subject = {.kind = KIND_NIC, .name = "veth7"};
	bool changed;
	uint32_t index;

	(void)text_copy(subject.id, sizeof subject.id, id);
	index = catalog_subject(&set->stage.catalog, &subject, &changed);
	stage_set(&set->stage, index, RAW_NET_LINK, 1);
	stage_tick(&set->stage, 1, GAP_NONE);
	return index;
}

/* Lines that the pane of interfaces wants: one for each, one more for what is gone. */
static int net_lines(struct set *set)
{
	struct scene scene;

	scene_make(&scene, set->stage.session, &set->view, &set->status);
	return panes[PANE_NET]->wants(&scene);
}

static void an_interface_that_came_back_is_not_gone(void **state)
{
	struct set *set = *state;
	int before = net_lines(set);
	uint32_t first = card(set, "index-7"), second;

	assert_int_equal(net_lines(set), before + 1);
	stage_why(&set->stage, first, RAW_NET_LINK, WHY_ABSENT);
	stage_tick(&set->stage, 1, GAP_NONE);
	assert_int_equal(net_lines(set), before + 1); /* the line of the gone */
	second = card(set, "index-8");
	assert_int_not_equal(second, first);
	assert_int_equal(net_lines(set), before + 1); /* its own line again */
	stage_why(&set->stage, second, RAW_NET_LINK, WHY_ABSENT);
	stage_tick(&set->stage, 1, GAP_NONE);
	assert_int_equal(net_lines(set), before + 1);
}

/* Whether the screen says TEXT. */
static bool shows(struct set *set, const char *text)
{
	struct canvas canvas = {0};
	struct buffer out = {0};
	bool found;

	canvas_resize(&canvas, 24, 120);
	screen_draw(set->stage.session, &set->view, &set->status, &canvas);
	canvas_print(&canvas, &out, false);
	found = strstr(buffer_string(&out), text);
	buffer_fini(&out);
	canvas_fini(&canvas);
	return found;
}

/* A capture that was away for three seconds did not see all of AFTER. */
static void time_without_capture_is_said(void **state)
{
	struct set *set = *state;
	struct stage *stage = &set->stage;
	uint32_t nic = 0;

	while (strcmp(stage->catalog.subjects[nic].name, "eno1") != 0)
		nic++;
	stage_why(stage, nic, RAW_CAPTURE_FRAMES,
		WHY_LATE); /* as in the tick of a mark */
	stage_tick(stage, 1, GAP_NONE);
	stage_add(stage, nic, RAW_CAPTURE_FRAMES, 100);
	stage_tick(stage, 1, GAP_NONE);
	assert_false(shows(set, "BLIND"));
	for (int i = 0; i < 3; i++) {
		stage_why(stage, nic, RAW_CAPTURE_FRAMES, WHY_OFF);
		stage_tick(stage, 1, GAP_NONE);
	}
	stage_add(stage, nic, RAW_CAPTURE_FRAMES, 0);
	stage_tick(stage, 1, GAP_NONE);
	stage_add(stage, nic, RAW_CAPTURE_FRAMES, 100);
	stage_tick(stage, 1, GAP_NONE);
	assert_true(shows(set, "capture BLIND in 3 ticks of AFTER"));
}

/* One tick in which the only source of the stage keeps its old stamp. */
static void late_tick(struct stage *stage)
{
	stage->late = true;
	stage_tick(stage, 1, GAP_NONE);
	stage->late = false;
}

/* Events that a late source tells of with its next answer are all counted. */
static void what_a_late_source_counted_is_not_halved(void **state)
{
	struct set *set = *state;
	struct stage *stage = &set->stage;
	struct scene scene;
	struct tally tally;
	int track;
	uint32_t nic = card(set, "index-7");

	stage->session->windows.count = 0; /* no window: the last ten minutes */
	stage_set(stage, nic, RAW_NET_RX_ERRORS, 0);
	stage_tick(stage, 1, GAP_NONE);
	stage_tick(stage, 1, GAP_NONE);
	late_tick(stage);
	late_tick(stage);
	stage_add(stage, nic, RAW_NET_RX_ERRORS, 7);
	stage_tick(stage, 1, GAP_NONE);
	late_tick(stage);
	scene_make(&scene, stage->session, &set->view, &set->status);
	track = scene_find(
		&scene, (uint32_t)stage->session->subject_count - 1, "net.rx.errors");
	assert_true(track >= 0);
	tally = tally_current(&scene, (size_t)track);
	assert_true(tally.known);
	assert_true(tally.count == 7);
	assert_true(tally.seconds == 4); /* one good tick, and three in one */
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		KEY_TEST(pausing_freezes_the_moment_while_ticks_go_on),
		KEY_TEST(jumps_go_from_mark_to_mark),
		KEY_TEST(a_time_is_gone_to),
		KEY_TEST(a_filter_hides_and_a_bad_one_is_refused),
		KEY_TEST(sorting_orders_rows_and_inverts),
		KEY_TEST(panes_are_focused_zoomed_and_let_go),
		KEY_TEST(a_page_closes_before_the_screen_does),
		KEY_TEST(the_rest_of_the_keys_reach_their_targets),
		KEY_TEST(an_interface_that_came_back_is_not_gone),
		KEY_TEST(time_without_capture_is_said),
		KEY_TEST(what_a_late_source_counted_is_not_halved),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
