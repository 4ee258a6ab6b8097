/* Keys that change the session: the table is whole, and pasted text does no harm. */
#include "config.h"

#include "../golden/desk.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static void every_key_is_there_once_with_help(void **state)
{
	(void)state;
	for (size_t i = 0; i < action_count; i++) {
		assert_true(actions[i].key);
		assert_non_null(actions[i].run);
		assert_true(!actions[i].name == !actions[i].help);
		for (size_t j = 0; j < i; j++) {
			assert_int_not_equal(actions[i].key, actions[j].key);
			assert_true(!actions[j].other ||
				    actions[i].key != actions[j].other);
			assert_true(!actions[i].other ||
				    actions[i].other != actions[j].key);
		}
	}
}

static void all_keys_of_the_screen_are_in_the_table(void **state)
{
	static const char keys[] = "bcaBAnUp []gtT.dwu/\t12340zsIexiC~+-?qQ\x0c\x1a";

	(void)state;
	for (const char *key = keys; *key; key++) {
		bool found = false;

		for (size_t i = 0; i < action_count; i++)
			found |= actions[i].key == *key || actions[i].other == *key;
		assert_true(found);
	}
}

static void marks_are_asked_of_the_recorder(void **state)
{
	struct set *set = *state;

	press(set, 'b');
	press(set, 'c');
	press(set, 'a');
	press(set, 'U');
	assert_string_equal(set->asked.text,
		"mark name=before\nmark name=change\nmark name=after\nundo\n");
}

static void backwards_marks_ask_how_far(void **state)
{
	struct set *set = *state;

	press(set, 'B');
	assert_int_equal(set->view.prompt.kind, PROMPT_BACK_BEFORE);
	assert_string_equal(set->view.prompt.text, "10m");
	press(set, TUI_ENTER);
	assert_string_equal(set->asked.text, "mark name=before last=600000000000\n");
	press(set, 'A');
	type(set, "x");
	press(set, TUI_ENTER);
	assert_string_equal(set->view.message, "no duration: 10mx");
}

static void several_keys_at_once_are_ignored(void **state)
{
	struct set *set = *state;
	const int pasted[] = {'c', 'a', 'b', 'q', '\n'};

	actions_keys(&set->desk, pasted, 5);
	assert_string_equal(set->asked.text, "");
	assert_int_equal(set->asked.left, 0);
	assert_string_equal(
		set->view.message, "5 keys at once were ignored: press one at a time");
}

static void a_held_arrow_key_is_not_pasted_text(void **state)
{
	struct set *set = *state;
	const int held[] = {TUI_DOWN, TUI_DOWN, TUI_DOWN};

	press(set, '1');
	actions_keys(&set->desk, held, 3);
	assert_int_equal(set->view.panes[PANE_DISK].selected, 3);
}

/* Lines pasted into a note become one note that is not sent before Enter. */
static void lines_pasted_into_a_note_do_not_run_as_keys(void **state)
{
	struct set *set = *state;
	const int pasted[] = {'x', '\n', 'q', '\n', 'c'};

	press(set, 'n');
	actions_keys(&set->desk, pasted, 5);
	assert_string_equal(set->view.prompt.text, "x q c");
	assert_string_equal(set->asked.text, "");
	press(set, TUI_ENTER);
	assert_string_equal(set->asked.text, "note text=x q c\n");
	assert_int_equal(set->asked.left, 0);
}

static void typing_can_be_corrected_and_given_up(void **state)
{
	struct set *set = *state;

	press(set, 'n');
	type(set, "ab");
	press(set, 0xe9);
	press(set, TUI_BACKSPACE);
	press(set, TUI_BACKSPACE);
	assert_string_equal(set->view.prompt.text, "a");
	press(set, TUI_ESCAPE);
	assert_int_equal(set->view.prompt.kind, PROMPT_NONE);
	assert_string_equal(set->asked.text, "");
}

static void stopping_wants_the_name_of_the_session(void **state)
{
	struct set *set = *state;

	press(set, 'Q');
	type(set, "hba");
	press(set, TUI_ENTER);
	assert_string_equal(set->asked.text, "");
	press(set, 'Q');
	type(set, "hba2nic");
	press(set, TUI_ENTER);
	assert_string_equal(set->asked.text, "stop\n");
}

static void a_named_window_begins_and_ends(void **state)
{
	struct set *set = *state;

	press(set, 'm');
	type(set, "copy");
	press(set, TUI_ENTER);
	stage_window(&set->stage, ROLE_OTHER, "copy", 310, -1);
	press(set, 'm');
	type(set, "copy");
	press(set, TUI_ENTER);
	press(set, 'm');
	type(set, "not a name!");
	press(set, TUI_ENTER);
	assert_string_equal(set->asked.text, "mark name=copy\nmark name=copy close\n");
}

/* Somebody who comes back and types what the fingers know must not set a mark. */
static void what_was_missed_goes_with_any_key(void **state)
{
	struct set *set = *state;

	set->view.page = PAGE_DIGEST;
	press(set, 'b');
	assert_int_equal(set->view.page, PAGE_NONE);
	assert_string_equal(set->asked.text, "");
	set->view.page = PAGE_DIGEST;
	press(set, 'e');
	assert_int_equal(set->view.page, PAGE_EVENTS);
}

static void a_read_only_screen_sets_no_mark(void **state)
{
	static const char writing[] = "bcaBAmnUQ";
	struct set *set = *state;

	set->view.read_only = true;
	for (const char *key = writing; *key; key++) {
		press(set, *key);
		assert_non_null(strstr(set->view.message, "read-only"));
		assert_int_equal(set->view.prompt.kind, PROMPT_NONE);
	}
	assert_string_equal(set->asked.text, "");
	press(set, 'w');
	assert_int_equal(set->asked.reports, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_key_is_there_once_with_help),
		cmocka_unit_test(all_keys_of_the_screen_are_in_the_table),
		KEY_TEST(marks_are_asked_of_the_recorder),
		KEY_TEST(backwards_marks_ask_how_far),
		KEY_TEST(several_keys_at_once_are_ignored),
		KEY_TEST(a_held_arrow_key_is_not_pasted_text),
		KEY_TEST(lines_pasted_into_a_note_do_not_run_as_keys),
		KEY_TEST(typing_can_be_corrected_and_given_up),
		KEY_TEST(stopping_wants_the_name_of_the_session),
		KEY_TEST(a_named_window_begins_and_ends),
		KEY_TEST(what_was_missed_goes_with_any_key),
		KEY_TEST(a_read_only_screen_sets_no_mark),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
