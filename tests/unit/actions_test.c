/* Keys: the table is whole, each does what its help says, and pasted text does no
 * harm. */
#include "config.h"

#include "../golden/stage.h"

#include "base/text.h"
#include "tui/actions.h"
#include "tui/pane.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* What the host was asked for, one request per line. */
struct asked {
	char text[1024];
	int left, suspended, redrawn, reports;
	unsigned theme;
};

static bool request(
	void *context, const char *const *words, size_t count, struct fault *fault)
{
	struct asked *asked = context;
	char line[256] = "";

	for (size_t i = 0; i < count; i++) {
		size_t used = strlen(line);

		assert_true(text_format(line + used, sizeof line - used, "%s%s",
			i ? " " : "", words[i]));
	}
	if (strstr(line, "refuse"))
		return fault_set(fault, "refused");
	assert_true(text_format(asked->text + strlen(asked->text),
		sizeof asked->text - strlen(asked->text), "%s\n", line));
	return true;
}

static bool report(void *context, char *message, size_t size)
{
	struct asked *asked = context;

	asked->reports++;
	return text_copy(message, size, "report: /x");
}

/* "N" means second N of the session on the wall clock. */
static bool read_time(void *context, const char *text, nsec *wall, struct fault *fault)
{
	(void)context;
	if (*text < '0' || *text > '9')
		return fault_set(fault, "no time: %s", text);
	*wall = (INT64_C(1790813170) + atol(text)) * NSEC_PER_SEC;
	return true;
}

static bool read_duration(
	void *context, const char *text, nsec *duration, struct fault *fault)
{
	(void)context;
	if (strcmp(text, "10m"))
		return fault_set(fault, "no duration: %s", text);
	*duration = 600 * NSEC_PER_SEC;
	return true;
}

static void leave(void *context)
{
	((struct asked *)context)->left++;
}

static void suspend(void *context)
{
	((struct asked *)context)->suspended++;
}

static void redraw(void *context)
{
	((struct asked *)context)->redrawn++;
}

static void theme(void *context, unsigned number)
{
	((struct asked *)context)->theme = number;
}

struct set {
	struct stage stage;
	struct view view;
	struct status status;
	struct asked asked;
	struct host host;
	struct desk desk;
};

static int set_up(void **state)
{
	struct set *set = calloc(1, sizeof *set);

	assert_non_null(set);
	stage_init(&set->stage, "hba2nic");
	stage_play(&set->stage, 310);
	view_init(&set->view);
	set->status.recording = true;
	set->host = (struct host){&set->asked, request, report, read_time,
		read_duration, leave, suspend, redraw, theme};
	set->desk =
		(struct desk){set->stage.session, &set->view, &set->status, &set->host};
	*state = set;
	return 0;
}

static int tear_down(void **state)
{
	struct set *set = *state;

	stage_fini(&set->stage);
	view_fini(&set->view);
	free(set);
	return 0;
}

static void press(struct set *set, int key)
{
	actions_keys(&set->desk, &key, 1);
}

static void type(struct set *set, const char *text)
{
	for (; *text; text++)
		press(set, *text);
}

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

#define KEY_TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

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
		KEY_TEST(a_read_only_screen_sets_no_mark),
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
