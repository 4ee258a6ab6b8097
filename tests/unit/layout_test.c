/* Sharing out rows: always exactly as many as there are, and in the right order. */
#include "config.h"

#include "tui/layout.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static const int plenty[PANE_COUNT] = {20, 6, 10, 40};

static int sum(const struct layout *layout)
{
	int rows = 0;

	for (int i = 0; i < BLOCK_COUNT; i++) {
		assert_int_equal(layout->top[i], rows);
		assert_true(layout->height[i] >= 0);
		rows += layout->height[i];
	}
	return rows;
}

static void every_height_is_used_up_exactly(void **state)
{
	struct layout layout;

	(void)state;
	for (int rows = 1; rows <= 500; rows++) {
		for (int zoom = -1; zoom < PANE_COUNT; zoom++) {
			layout_make(&layout, rows, plenty, zoom);
			if (rows <= 76 || zoom >= 0)
				assert_int_equal(sum(&layout), rows);
			else
				assert_true(sum(&layout) <= rows);
		}
	}
}

static void the_last_three_rows_are_verdict_packets_and_coverage(void **state)
{
	struct layout layout;

	(void)state;
	layout_make(&layout, 1, plenty, -1);
	assert_int_equal(layout.height[BLOCK_VERDICT], 1);
	layout_make(&layout, 3, plenty, -1);
	assert_int_equal(layout.height[BLOCK_VERDICT], 1);
	assert_int_equal(layout.height[BLOCK_PACKETS], 1);
	assert_int_equal(layout.height[BLOCK_COVERAGE], 1);
}

/* A block that is there at some height is there at every greater one. */
static void a_block_never_leaves_when_the_terminal_grows(void **state)
{
	struct layout small, large;

	(void)state;
	for (int rows = 1; rows < 100; rows++) {
		layout_make(&small, rows, plenty, -1);
		layout_make(&large, rows + 1, plenty, -1);
		for (int i = 0; i < BLOCK_COUNT; i++)
			assert_true(large.height[i] >= small.height[i]);
	}
}

static void everything_is_on_a_screen_of_24_rows(void **state)
{
	struct layout layout;

	(void)state;
	layout_make(&layout, 24, plenty, -1);
	for (int i = 0; i < BLOCK_COUNT; i++)
		assert_true(layout.height[i] > 0);
	assert_int_equal(layout.height[BLOCK_RIBBON], 2);
	assert_true(layout.height[BLOCK_DISK] >= 6);
	assert_true(layout.height[BLOCK_NET] >= 3);
	assert_true(layout.height[BLOCK_PACKETS] >= 4);
	assert_true(layout.height[BLOCK_EVENTS] >= 4);
}

static void the_key_line_is_the_first_to_leave(void **state)
{
	struct layout layout;
	int rows = 24;

	(void)state;
	do {
		layout_make(&layout, --rows, plenty, -1);
		if (!layout.height[BLOCK_KEYS])
			break;
	} while (rows > 1);
	for (int i = 0; i < BLOCK_KEYS; i++)
		assert_true(layout.height[i] > 0);
}

static void a_zoomed_pane_takes_what_the_lines_leave(void **state)
{
	struct layout layout;

	(void)state;
	layout_make(&layout, 24, plenty, PANE_NET);
	assert_int_equal(layout.height[BLOCK_NET], 19);
	assert_int_equal(layout.height[BLOCK_DISK], 0);
	assert_int_equal(layout.height[BLOCK_STATUS], 1);
	layout_make(&layout, 1, plenty, PANE_NET);
	assert_int_equal(layout.height[BLOCK_NET], 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_height_is_used_up_exactly),
		cmocka_unit_test(the_last_three_rows_are_verdict_packets_and_coverage),
		cmocka_unit_test(a_block_never_leaves_when_the_terminal_grows),
		cmocka_unit_test(everything_is_on_a_screen_of_24_rows),
		cmocka_unit_test(the_key_line_is_the_first_to_leave),
		cmocka_unit_test(a_zoomed_pane_takes_what_the_lines_leave),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
