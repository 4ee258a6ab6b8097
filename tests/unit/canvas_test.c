/* The canvas: whatever is drawn stays inside, and prints as it was drawn. */
#include "config.h"

#include "tui/canvas.h"

#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static const char *printed(const struct canvas *canvas, bool roles, struct buffer *out)
{
	buffer_clear(out);
	canvas_print(canvas, out, roles);
	return buffer_string(out);
}

static void text_is_clipped_at_every_edge(void **state)
{
	struct canvas canvas = {0};
	struct buffer out = {0};

	(void)state;
	canvas_resize(&canvas, 3, 5);
	assert_int_equal(canvas_text(&canvas, 0, 3, CELL_PLAIN, "abcdef"), 5);
	canvas_text(&canvas, 1, -2, CELL_PLAIN, "abcd");
	canvas_text(&canvas, -1, 0, CELL_PLAIN, "above");
	canvas_text(&canvas, 3, 0, CELL_PLAIN, "below");
	assert_string_equal(printed(&canvas, false, &out), "   ab\ncd\n\n");
	canvas_fini(&canvas);
	buffer_fini(&out);
}

static void a_part_clips_to_its_parent(void **state)
{
	struct canvas canvas = {0}, part, inner, outside;
	struct buffer out = {0};

	(void)state;
	canvas_resize(&canvas, 3, 6);
	part = canvas_part(&canvas, 1, 2, 10, 3);
	assert_int_equal(part.height, 2);
	assert_int_equal(part.width, 3);
	inner = canvas_part(&part, -1, 1, 2, 10);
	assert_int_equal(inner.height, 1);
	assert_int_equal(inner.width, 2);
	canvas_text(&part, 0, 0, CELL_PLAIN, "xxxxxx");
	canvas_text(&inner, 0, 0, CELL_PLAIN, "yyyyyy");
	outside = canvas_part(&canvas, 7, 7, 2, 2);
	assert_int_equal(outside.height, 0);
	canvas_text(&outside, 0, 0, CELL_PLAIN, "never");
	canvas_clear(&outside);
	assert_string_equal(printed(&canvas, false, &out), "\n  xyy\n\n");
	canvas_fini(&canvas);
	buffer_fini(&out);
}

static void wide_and_control_characters_become_question_marks(void **state)
{
	struct canvas canvas = {0};
	struct buffer out = {0};

	(void)state;
	if (!setlocale(LC_CTYPE, "C.UTF-8"))
		skip();
	canvas_resize(&canvas, 1, 20);
	/* a: narrow, two: CJK (2 columns), combining acute (0 columns), escape */
	canvas_text(&canvas, 0, 0, CELL_PLAIN,
		"a\xc3\xa9\xe4\xba\x8c"
		"b\xcc\x81"
		"c\x1b[2J\xff");
	assert_string_equal(printed(&canvas, false, &out), "a\xc3\xa9?b?c?[2J?\n");
	canvas_fini(&canvas);
	buffer_fini(&out);
}

static void roles_print_as_a_second_block(void **state)
{
	struct canvas canvas = {0};
	struct buffer out = {0};

	(void)state;
	canvas_resize(&canvas, 2, 6);
	canvas_text(&canvas, 0, 0, CELL_TITLE, "ab");
	canvas_fill(&canvas, (struct spot){1, 1, CELL_GRAPH}, 2, '=');
	canvas_paint(&canvas, 1, 2, 9, CELL_ALERT);
	assert_string_equal(printed(&canvas, true, &out), "ab\n ==\nTT\n.g!!!!\n");
	canvas_fini(&canvas);
	buffer_fini(&out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(text_is_clipped_at_every_edge),
		cmocka_unit_test(a_part_clips_to_its_parent),
		cmocka_unit_test(wide_and_control_characters_become_question_marks),
		cmocka_unit_test(roles_print_as_a_second_block),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
