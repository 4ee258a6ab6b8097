/* Keys that change what is shown: the moment, the rows, the pages. */
#include "config.h"

#include "../golden/desk.h"

#include "tui/pane.h"

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
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
