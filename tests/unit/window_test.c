/* What each request for a mark does to the windows, and that it can be undone. */
#include "config.h"

#include "core/window.h"

#include "base/text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define S NSEC_PER_SEC

static struct windows windows;
static struct window_change changes[WINDOW_CHANGES];
static size_t count;
static struct fault fault;

static int empty(void **state)
{
	(void)state;
	windows_fini(&windows);
	return 0;
}

static bool request(struct mark mark)
{
	mark.author = mark.author ? mark.author : "root";
	return windows_mark(&windows, &mark, changes, &count, &fault);
}

static bool now(const char *name, nsec at)
{
	return request((struct mark){
		.name = name, .from = at * S, .to = WINDOW_OPEN, .now = at * S});
}

static void assert_window(
	uint32_t id, const char *name, enum role role, nsec from, nsec to)
{
	const struct window *window = windows_by_id(&windows, id);

	assert_non_null(window);
	assert_string_equal(window->name, name);
	assert_int_equal(window->role, role);
	assert_int_equal(window->from, from * S);
	assert_int_equal(window->to, to < 0 ? WINDOW_OPEN : to * S);
}

static void before_change_after_follow_each_other_without_a_hole(void **state)
{
	(void)state;
	assert_true(now("before", 10));
	assert_true(now("change", 20));
	assert_true(now("after", 30));
	assert_window(1, "BEFORE", ROLE_BEFORE, 10, 20);
	assert_window(2, "CHANGE", ROLE_CHANGE, 20, 30);
	assert_window(3, "AFTER", ROLE_AFTER, 30, -1);
	assert_string_equal(windows_by_id(&windows, 1)->author, "root");
}

static void before_again_while_it_is_open_is_refused(void **state)
{
	(void)state;
	assert_true(now("before", 10));
	assert_false(now("BEFORE", 70));
	assert_non_null(strstr(fault.text, "BEFORE is open since"));
	assert_int_equal(count, 0);
	assert_int_equal(windows.count, 1);
	assert_window(1, "BEFORE", ROLE_BEFORE, 10, -1);
}

static void each_further_after_has_a_number(void **state)
{
	(void)state;
	assert_true(now("before", 1) && now("change", 2) && now("after", 3));
	assert_true(now("change", 4) && now("after", 5));
	assert_true(now("after", 6));
	assert_window(3, "AFTER", ROLE_AFTER, 3, 4);
	assert_window(4, "CHANGE 2", ROLE_CHANGE, 4, 5);
	assert_window(5, "AFTER 2", ROLE_AFTER, 5, 6);
	assert_window(6, "AFTER 3", ROLE_AFTER, 6, -1);
}

static void a_second_before_ends_the_after_and_has_a_number(void **state)
{
	(void)state;
	assert_true(now("before", 1) && now("after", 2) && now("before", 3));
	assert_window(1, "BEFORE", ROLE_BEFORE, 1, 2);
	assert_window(2, "AFTER", ROLE_AFTER, 2, 3);
	assert_window(3, "BEFORE 2", ROLE_BEFORE, 3, -1);
}

static void a_named_window_stands_beside_the_others(void **state)
{
	(void)state;
	assert_true(now("before", 1) && now("copy", 2));
	assert_window(1, "BEFORE", ROLE_BEFORE, 1, -1);
	assert_window(2, "copy", ROLE_OTHER, 2, -1);
	assert_false(now("COPY", 3));
	assert_non_null(strstr(fault.text, "copy is open since"));
}

static void a_change_closes_whatever_is_open_but_a_running_command(void **state)
{
	(void)state;
	assert_true(now("before", 1) && now("copy", 2));
	assert_true(request((struct mark){.name = "cp",
		.from = 3 * S,
		.to = WINDOW_OPEN,
		.now = 3 * S,
		.run = true,
		.command = "cp -a one two"}));
	assert_true(now("change", 4));
	assert_int_equal(count, 3);
	assert_window(1, "BEFORE", ROLE_BEFORE, 1, 4);
	assert_window(2, "copy", ROLE_OTHER, 2, 4);
	assert_window(3, "cp", ROLE_RUN, 3, -1);
	assert_window(4, "CHANGE", ROLE_CHANGE, 4, -1);
}

static void the_same_name_again_is_the_same_name(void **state)
{
	(void)state;
	assert_true(now("copy", 1));
	assert_true(request((struct mark){
		.name = "copy", .from = 2 * S, .now = 2 * S, .close = true}));
	assert_true(now("copy", 3));
	assert_window(1, "copy", ROLE_OTHER, 1, 2);
	assert_window(2, "copy", ROLE_OTHER, 3, -1);
	assert_int_equal(windows_by_name(&windows, "Copy")->id, 2);
}

static void a_backwards_window_closes_nothing(void **state)
{
	(void)state;
	assert_true(now("after", 100));
	assert_true(request((struct mark){
		.name = "before", .from = 40 * S, .to = 100 * S, .now = 160 * S}));
	assert_window(1, "AFTER", ROLE_AFTER, 100, -1);
	assert_window(2, "BEFORE", ROLE_BEFORE, 40, 100);
	assert_true(windows_by_id(&windows, 2)->backwards);
	assert_false(windows_by_id(&windows, 1)->backwards);
}

static void a_window_for_some_time_ends_what_is_open_and_itself(void **state)
{
	(void)state;
	assert_true(now("change", 100));
	assert_true(request((struct mark){
		.name = "after", .from = 160 * S, .to = 760 * S, .now = 160 * S}));
	assert_window(1, "CHANGE", ROLE_CHANGE, 100, 160);
	assert_window(2, "AFTER", ROLE_AFTER, 160, 760);
	assert_false(windows_by_id(&windows, 2)->backwards);
	assert_true(windows_by_id(&windows, 2)->planned);
	assert_false(windows_by_id(&windows, 1)->planned);
}

/* Who moves the end may have seen what the screen said. */
static void an_end_that_was_moved_is_planned_no_more(void **state)
{
	struct window wanted;

	(void)state;
	assert_true(request((struct mark){
		.name = "after", .from = 160 * S, .to = 760 * S, .now = 160 * S}));
	wanted = *windows_by_id(&windows, 1);
	(void)text_copy(wanted.name, sizeof wanted.name, "later");
	assert_true(windows_edit(&windows, &wanted, changes, &count, &fault));
	assert_true(windows_by_id(&windows, 1)->planned);
	wanted.to = 500 * S;
	assert_true(windows_edit(&windows, &wanted, changes, &count, &fault));
	assert_false(windows_by_id(&windows, 1)->planned);
}

/* What a person has seen is not undone by taking a mark back. */
static void what_runs_is_unseen_until_somebody_looks(void **state)
{
	uint32_t ids[4];

	(void)state;
	assert_true(now("before", 100));
	assert_true(windows_by_id(&windows, 1)->unseen);
	assert_true(now("change", 200)); /* closes it */
	assert_true(now("after", 300));
	assert_int_equal(windows_seen(&windows, 350 * S, ids), 1);
	assert_int_equal(ids[0], 3);
	assert_true(windows_by_id(&windows, 1)->unseen);
	assert_false(windows_by_id(&windows, 3)->unseen);
	assert_int_equal(windows_seen(&windows, 360 * S, ids), 0);
	assert_true(request((struct mark){.name = "AFTER",
		.from = 400 * S,
		.now = 400 * S,
		.to = WINDOW_OPEN,
		.close = true}));
	windows_revert(&windows, changes, count);
	assert_window(3, "AFTER", ROLE_AFTER, 300, -1);
	assert_false(windows_by_id(&windows, 3)->unseen);
}

static void a_look_between_a_deed_and_its_undoing_counts(void **state)
{
	struct window wanted;
	uint32_t ids[4];

	(void)state;
	assert_true(now("after", 100));
	wanted = *windows_by_id(&windows, 1);
	(void)text_copy(wanted.name, sizeof wanted.name, "later");
	assert_true(windows_edit(&windows, &wanted, changes, &count, &fault));
	assert_int_equal(windows_seen(&windows, 150 * S, ids), 1);
	windows_revert(&windows, changes, count);
	assert_window(1, "AFTER", ROLE_AFTER, 100, -1);
	assert_false(windows_by_id(&windows, 1)->unseen);
}

static void what_is_set_afterwards_or_moved_is_not_unseen(void **state)
{
	struct window wanted;

	(void)state;
	assert_true(request((struct mark){
		.name = "before", .from = 40 * S, .to = 90 * S, .now = 100 * S}));
	assert_false(windows_by_id(&windows, 1)->unseen);
	assert_true(now("after", 100));
	wanted = *windows_by_id(&windows, 2);
	wanted.from = 95 * S;
	assert_true(windows_edit(&windows, &wanted, changes, &count, &fault));
	assert_false(windows_by_id(&windows, 2)->unseen);
}

static void an_edge_set_late_moves_both_sides_of_it(void **state)
{
	(void)state;
	assert_true(now("before", 10));
	assert_true(request((struct mark){
		.name = "change", .from = 60 * S, .to = WINDOW_OPEN, .now = 90 * S}));
	assert_window(1, "BEFORE", ROLE_BEFORE, 10, 60);
	assert_window(2, "CHANGE", ROLE_CHANGE, 60, -1);
}

static void an_edge_before_the_open_window_began_changes_nothing(void **state)
{
	(void)state;
	assert_true(now("copy", 5) && now("before", 50));
	assert_false(request((struct mark){
		.name = "change", .from = 20 * S, .to = WINDOW_OPEN, .now = 90 * S}));
	assert_non_null(strstr(fault.text, "BEFORE"));
	assert_int_equal(count, 0);
	assert_int_equal(windows.count, 2);
	assert_window(1, "copy", ROLE_OTHER, 5, -1);
	assert_window(2, "BEFORE", ROLE_BEFORE, 50, -1);
	assert_true(now("change", 91));
	assert_window(3, "CHANGE", ROLE_CHANGE, 91, -1);
}

static void closing_ends_the_open_window_of_that_name_or_role(void **state)
{
	(void)state;
	assert_true(now("after", 1) && now("after", 2));
	assert_true(request((struct mark){
		.name = "after", .from = 9 * S, .now = 9 * S, .close = true}));
	assert_window(2, "AFTER 2", ROLE_AFTER, 2, 9);
	assert_false(request((struct mark){
		.name = "after", .from = 10 * S, .now = 10 * S, .close = true}));
	assert_string_equal(fault.text, "after is not open");
}

static void a_run_keeps_its_command_and_its_end(void **state)
{
	(void)state;
	assert_true(request((struct mark){.name = "one",
		.from = 3 * S,
		.to = WINDOW_OPEN,
		.now = 3 * S,
		.run = true,
		.command = "cp -a \033[31mone two"}));
	assert_string_equal(windows_by_id(&windows, 1)->command, "cp -a ?[31mone two");
	assert_int_equal(windows_by_id(&windows, 1)->exit_status, -1);
	assert_true(windows_end_run(&windows, 1, 8 * S, 137, changes, &count, &fault));
	assert_window(1, "one", ROLE_RUN, 3, 8);
	assert_int_equal(windows_by_id(&windows, 1)->exit_status, 137);
	assert_false(windows_end_run(&windows, 1, 9 * S, 0, changes, &count, &fault));
	assert_false(windows_end_run(&windows, 7, 9 * S, 0, changes, &count, &fault));
}

static void a_run_does_not_take_the_name_of_a_mark(void **state)
{
	(void)state;
	assert_false(request((struct mark){.name = "Before",
		.from = 3 * S,
		.to = WINDOW_OPEN,
		.now = 3 * S,
		.run = true,
		.command = "cp one two"}));
	assert_non_null(strstr(fault.text, "name of a mark"));
	assert_int_equal(windows.count, 0);
}

static void undo_takes_back_all_that_a_mark_did(void **state)
{
	(void)state;
	assert_true(now("before", 10) && now("copy", 12));
	assert_true(now("change", 20));
	assert_int_equal(count, 3);
	windows_revert(&windows, changes, count);
	assert_int_equal(windows.count, 2);
	assert_window(1, "BEFORE", ROLE_BEFORE, 10, -1);
	assert_window(2, "copy", ROLE_OTHER, 12, -1);
	assert_true(now("change", 30));
	assert_window(4, "CHANGE", ROLE_CHANGE, 30, -1);
}

static void windows_are_moved_renamed_and_deleted_and_all_of_it_undone(void **state)
{
	struct window wanted;

	(void)state;
	assert_true(now("copy", 10));
	wanted = *windows_by_id(&windows, 1);
	wanted.from = 4 * S;
	wanted.to = 9 * S;
	(void)text_copy(wanted.name, sizeof wanted.name, "before");
	assert_true(windows_edit(&windows, &wanted, changes, &count, &fault));
	assert_window(1, "BEFORE", ROLE_BEFORE, 4, 9);
	windows_revert(&windows, changes, count);
	assert_window(1, "copy", ROLE_OTHER, 10, -1);
	assert_true(windows_delete(&windows, 1, changes, &count, &fault));
	assert_int_equal(windows.count, 0);
	windows_revert(&windows, changes, count);
	assert_window(1, "copy", ROLE_OTHER, 10, -1);
	wanted.to = wanted.from;
	assert_false(windows_edit(&windows, &wanted, changes, &count, &fault));
	assert_false(windows_delete(&windows, 5, changes, &count, &fault));
}

static void a_window_ends_after_it_begins_and_does_not_begin_later(void **state)
{
	(void)state;
	assert_false(request((struct mark){
		.name = "x", .from = 20 * S, .to = 20 * S, .now = 30 * S}));
	assert_false(request((struct mark){
		.name = "x", .from = 40 * S, .to = WINDOW_OPEN, .now = 30 * S}));
	assert_int_equal(windows.count, 0);
}

static void only_names_that_need_no_quoting_are_taken(void **state)
{
	static const char *const good[] = {
		"a", "0", "AFTER 2", "hba2nic", "a.b_c-d", "copy 12"};
	static const char *const bad[] = {"", " a", "a b", "a 2 ", "-a", ".a", "a/b",
		"a\n", "caf\xc3\xa9", "a 2b", "a  2", "\033[31m",
		"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"};

	(void)state;
	for (size_t i = 0; i < sizeof good / sizeof *good; i++)
		assert_true(window_name_valid(good[i]));
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		assert_false(window_name_valid(bad[i]));
		assert_false(now(bad[i], 5));
	}
	assert_int_equal(windows.count, 0);
}

static void a_mark_never_does_more_than_can_be_noted(void **state)
{
	char name[8];
	int opened = 0;

	(void)state;
	for (int i = 0; i < 20; i++) {
		(void)snprintf(name, sizeof name, "w%d", i);
		opened += now(name, 10 + i);
	}
	assert_int_equal(opened, WINDOW_CHANGES - 1);
	assert_true(now("change", 50));
	assert_int_equal(count, WINDOW_CHANGES);
	windows_revert(&windows, changes, count);
	assert_int_equal(windows.count, WINDOW_CHANGES - 1);
	/* More open ones may have come from elsewhere. */
	windows_put(
		&windows, &(struct window){.id = 90, .name = "x", .to = WINDOW_OPEN});
	windows_put(
		&windows, &(struct window){.id = 91, .name = "y", .to = WINDOW_OPEN});
	assert_false(now("change", 60));
	assert_int_equal(count, 0);
	assert_int_equal(windows_by_id(&windows, 1)->to, WINDOW_OPEN);
}

static void there_is_a_limit_to_the_number_of_windows(void **state)
{
	(void)state;
	for (int i = 0; i < WINDOW_MAX; i++)
		assert_true(request((struct mark){.name = "x",
			.from = i * S,
			.to = (i + 1) * S,
			.now = 9999 * S}));
	assert_false(now("y", 10000));
}

static void a_mirror_keeps_windows_by_id_in_any_order(void **state)
{
	static const uint32_t order[] = {5, 1, 3, 3, 2};

	(void)state;
	for (size_t i = 0; i < sizeof order / sizeof *order; i++)
		windows_put(&windows,
			&(struct window){.id = order[i], .from = (nsec)i, .to = 100});
	assert_int_equal(windows.count, 4);
	for (size_t i = 1; i < windows.count; i++)
		assert_true(windows.list[i - 1].id < windows.list[i].id);
	assert_int_equal(windows_by_id(&windows, 3)->from, 3);
	assert_int_equal(windows.last_id, 5);
	windows_remove(&windows, 3);
	windows_remove(&windows, 3);
	assert_int_equal(windows.count, 3);
	assert_null(windows_by_id(&windows, 3));
	assert_null(windows_open(&windows, 100));
}

static void one_whose_end_is_ahead_runs_up_to_the_last_tick(void **state)
{
	const struct window planned = {.from = 10, .to = 40},
			    endless = {.from = 10, .to = WINDOW_OPEN};

	(void)state;
	assert_true(window_runs(&planned, 39));
	assert_false(window_runs(&planned, 40));
	assert_true(window_runs(&endless, INT64_MAX - 1));
	assert_int_equal(window_until(&planned, 25), 25);
	assert_int_equal(window_until(&planned, 90), 40);
	/* marked at the last tick: it has no length yet, and no end in a far year */
	assert_int_equal(window_until(&endless, 10), 10);
	assert_int_equal(window_until(&endless, 9), 10);
}

static void the_newest_is_the_one_that_begins_last(void **state)
{
	(void)state;
	windows_put(&windows, &(struct window){.id = 11, .from = 600, .to = 700});
	windows_put(&windows, &(struct window){.id = 12, .from = 100, .to = 200});
	assert_int_equal(windows_newest(&windows, ROLE_BEFORE)->id, 11);
	windows_put(&windows, &(struct window){.id = 13, .from = 600, .to = 650});
	assert_int_equal(windows_newest(&windows, ROLE_BEFORE)->id, 13);
	assert_null(windows_newest(&windows, ROLE_AFTER));
}

static void roles_have_words(void **state)
{
	(void)state;
	for (unsigned i = 0; i <= ROLE_RUN; i++) {
		enum role role = ROLE_OTHER;

		assert_true(role_find(role_word((enum role)i), &role));
		assert_int_equal(role, i);
	}
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, empty, empty)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(before_change_after_follow_each_other_without_a_hole),
		TEST(before_again_while_it_is_open_is_refused),
		TEST(each_further_after_has_a_number),
		TEST(a_second_before_ends_the_after_and_has_a_number),
		TEST(a_named_window_stands_beside_the_others),
		TEST(a_change_closes_whatever_is_open_but_a_running_command),
		TEST(the_same_name_again_is_the_same_name),
		TEST(a_backwards_window_closes_nothing),
		TEST(a_window_for_some_time_ends_what_is_open_and_itself),
		TEST(an_end_that_was_moved_is_planned_no_more),
		TEST(what_runs_is_unseen_until_somebody_looks),
		TEST(a_look_between_a_deed_and_its_undoing_counts),
		TEST(what_is_set_afterwards_or_moved_is_not_unseen),
		TEST(an_edge_set_late_moves_both_sides_of_it),
		TEST(an_edge_before_the_open_window_began_changes_nothing),
		TEST(closing_ends_the_open_window_of_that_name_or_role),
		TEST(a_run_keeps_its_command_and_its_end),
		TEST(a_run_does_not_take_the_name_of_a_mark),
		TEST(undo_takes_back_all_that_a_mark_did),
		TEST(windows_are_moved_renamed_and_deleted_and_all_of_it_undone),
		TEST(a_window_ends_after_it_begins_and_does_not_begin_later),
		TEST(only_names_that_need_no_quoting_are_taken),
		TEST(a_mark_never_does_more_than_can_be_noted),
		TEST(there_is_a_limit_to_the_number_of_windows),
		TEST(a_mirror_keeps_windows_by_id_in_any_order),
		TEST(one_whose_end_is_ahead_runs_up_to_the_last_tick),
		TEST(the_newest_is_the_one_that_begins_last),
		TEST(roles_have_words),
	};

	return cmocka_run_group_tests_name("window", tests, NULL, NULL);
}
