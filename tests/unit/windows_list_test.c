/* The list of windows: what its keys ask of the recorder, and which pair is compared
 * from then on. */
#include "config.h"

#include "../golden/desk.h"

#include "tui/screen.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static const struct window *named(const struct set *set, const char *name)
{
	return windows_by_name(&set->stage.session->windows, name);
}

/* Selects the window NAME in the list. */
static void go_to(struct set *set, const char *name)
{
	if (set->view.page != PAGE_WINDOWS)
		press(set, 'M');
	press(set, TUI_HOME);
	for (size_t i = 0; i < set->stage.session->windows.count; i++)
		if (set->view.window != named(set, name)->id)
			press(set, TUI_DOWN);
	assert_int_equal(set->view.window, named(set, name)->id);
}

/* What is typed stands in place of what was there. */
static void retype(struct set *set, const char *text)
{
	press(set, TUI_CONTROL('u'));
	type(set, text);
	press(set, TUI_ENTER);
}

static void the_newest_window_is_selected_first(void **state)
{
	struct set *set = *state;

	press(set, 'M');
	assert_int_equal(set->view.page, PAGE_WINDOWS);
	assert_int_equal(set->view.window, named(set, "AFTER")->id);
	press(set, TUI_UP);
	assert_int_equal(set->view.window, named(set, "CHANGE")->id);
	press(set, TUI_PAGE_UP);
	assert_int_equal(set->view.window, named(set, "BEFORE")->id);
	press(set, 'q');
	assert_int_equal(set->view.page, PAGE_NONE);
	assert_string_equal(set->asked.text, "");
}

static void windows_are_listed_by_their_beginnings(void **state)
{
	struct set *set = *state;
	uint16_t order[WINDOW_MAX];

	stage_window(&set->stage, ROLE_OTHER, "set-later", 50, 60);
	assert_int_equal(windows_in_order(set->stage.session, order), 4);
	assert_string_equal(
		set->stage.session->windows.list[order[1]].name, "set-later");
}

static void letters_are_those_of_the_list_not_marks(void **state)
{
	struct set *set = *state;

	go_to(set, "CHANGE");
	press(set, 'a'); /* begins no AFTER here */
	assert_string_equal(set->asked.text, "");
	assert_string_equal(set->view.message, "CHANGE is A");
}

static void a_window_is_renamed(void **state)
{
	struct set *set = *state;

	go_to(set, "BEFORE");
	press(set, 'r');
	assert_string_equal(set->view.prompt.text, "BEFORE");
	press(set, TUI_ENTER); /* unchanged: nothing is asked */
	assert_string_equal(set->asked.text, "");
	press(set, 'r');
	retype(set, "not a name");
	assert_string_equal(set->asked.text, "");
	press(set, 'r');
	retype(set, "hba");
	assert_string_equal(set->asked.text, "edit id=1 name=hba\n");
}

static void edges_move_to_a_time_or_by_a_distance(void **state)
{
	struct set *set = *state;

	go_to(set, "BEFORE"); /* 10 to 130 */
	press(set, 'f');
	assert_string_equal(set->view.prompt.text, "2026-10-01T02:06:20+0200");
	press(set, TUI_ENTER); /* unchanged */
	assert_string_equal(set->asked.text, "");
	press(set, 'f');
	retype(set, "20");
	press(set, 't');
	retype(set, "+10m");
	press(set, 't');
	retype(set, "open");
	assert_string_equal(set->asked.text, "edit id=1 from=20000000000\n"
					     "edit id=1 to=730000000000\n"
					     "edit id=1 to=open\n");
	press(set, 'f');
	retype(set, "nonsense");
	assert_string_equal(set->view.message, "no time: nonsense");
}

static void a_window_is_deleted_and_brought_back(void **state)
{
	struct set *set = *state;

	go_to(set, "CHANGE");
	press(set, 'D');
	press(set, 'U');
	assert_string_equal(set->asked.text, "delete id=2\nundo\n");
}

static void the_pair_is_chosen_and_let_go(void **state)
{
	struct set *set = *state;
	struct scene scene;

	go_to(set, "CHANGE");
	press(set, 'b');
	scene_make(&scene, set->stage.session, &set->view, &set->status);
	assert_string_equal(scene.a->name, "BEFORE");
	assert_string_equal(scene.b->name, "CHANGE");
	press(set, 'a'); /* then it is not B any more */
	scene_make(&scene, set->stage.session, &set->view, &set->status);
	assert_string_equal(scene.a->name, "CHANGE");
	assert_string_equal(scene.b->name, "AFTER");
	press(set, 'a');
	assert_string_equal(set->view.message, "A is the newest BEFORE again");
	scene_make(&scene, set->stage.session, &set->view, &set->status);
	assert_string_equal(scene.a->name, "BEFORE");
}

/* Somebody else deletes what is selected, or was chosen. */
static void a_window_that_goes_leaves_the_list_usable(void **state)
{
	struct set *set = *state;
	struct scene scene;

	go_to(set, "BEFORE");
	press(set, 'b');
	press(set, 'r');
	session_remove_window(set->stage.session, 1);
	retype(set, "gone");
	assert_string_equal(set->view.message, "that window has gone");
	assert_string_equal(set->asked.text, "");
	scene_make(&scene, set->stage.session, &set->view, &set->status);
	assert_string_equal(scene.b->name, "AFTER");
	press(set, TUI_DOWN);
	assert_int_equal(set->view.window, named(set, "AFTER")->id);
	session_remove_window(set->stage.session, 2);
	session_remove_window(set->stage.session, 3);
	press(set, TUI_UP);
	press(set, 'D');
	assert_string_equal(set->view.message, "there is no window yet");
}

static void a_read_only_screen_chooses_but_changes_nothing(void **state)
{
	static const char writes[] = "rftDU";
	struct set *set = *state;

	set->view.read_only = true;
	go_to(set, "CHANGE");
	press(set, 'b');
	assert_int_equal(set->view.pair[1], 2);
	for (const char *key = writes; *key; key++)
		press(set, *key);
	assert_int_equal(set->view.prompt.kind, PROMPT_NONE);
	assert_string_equal(set->asked.text, "");
}

static void keys_of_the_list_are_there_once_with_help(void **state)
{
	(void)state;
	for (size_t i = 0; i < window_action_count; i++) {
		assert_non_null(window_actions[i].help);
		for (size_t j = 0; j < i; j++)
			assert_int_not_equal(
				window_actions[i].key, window_actions[j].key);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		KEY_TEST(the_newest_window_is_selected_first),
		KEY_TEST(windows_are_listed_by_their_beginnings),
		KEY_TEST(letters_are_those_of_the_list_not_marks),
		KEY_TEST(a_window_is_renamed),
		KEY_TEST(edges_move_to_a_time_or_by_a_distance),
		KEY_TEST(a_window_is_deleted_and_brought_back),
		KEY_TEST(the_pair_is_chosen_and_let_go),
		KEY_TEST(a_window_that_goes_leaves_the_list_usable),
		KEY_TEST(a_read_only_screen_chooses_but_changes_nothing),
		cmocka_unit_test(keys_of_the_list_are_there_once_with_help),
	};

	return cmocka_run_group_tests_name("windows list", tests, NULL, NULL);
}
