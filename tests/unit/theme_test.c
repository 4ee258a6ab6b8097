/* Themes: every file that is shipped is whole, and a bad one says where. */
#include "config.h"

#include "tui/theme.h"

#include "base/text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void folder(char *path, size_t size)
{
	const char *top = getenv("WEIR_SRC");

	assert_true(text_format(path, size, "%s/themes", top ? top : "."));
}

static void every_theme_loads_and_sets_every_role(void **state)
{
	char path[512];

	(void)state;
	folder(path, sizeof path);
	for (unsigned i = 0; i < theme_count; i++) {
		struct theme theme;
		struct fault fault = {0, ""};

		if (!theme_load(&theme, path, theme_names[i], &fault))
			fail_msg("%s", fault.text);
		assert_string_equal(theme.name, theme_names[i]);
	}
}

static bool same(const struct style *a, const struct style *b)
{
	return a->fore == b->fore && a->back == b->back &&
	       a->attributes == b->attributes;
}

/* What must not be overlooked differs from plain text even without colours. */
static void alerts_stand_out_without_colours(void **state)
{
	static const enum role_cell loud[] = {
		CELL_WORSE, CELL_ALERT, CELL_PAUSED, CELL_SELECT, CELL_FOCUS};
	char path[512];

	(void)state;
	folder(path, sizeof path);
	for (unsigned i = 0; i < theme_count; i++) {
		struct theme theme;

		assert_true(theme_load(&theme, path, theme_names[i], NULL));
		theme_strip(&theme);
		for (size_t n = 0; n < sizeof loud / sizeof *loud; n++)
			assert_false(same(
				&theme.styles[loud[n]], &theme.styles[CELL_PLAIN]));
	}
}

static void no_colour_keeps_bold_underline_and_reverse(void **state)
{
	struct theme theme;

	(void)state;
	(void)theme_parse(
		&theme, "t", "worse = red on blue bold underline reverse dim\n", NULL);
	theme_strip(&theme);
	assert_int_equal(theme.styles[CELL_WORSE].fore, COLOUR_DEFAULT);
	assert_int_equal(theme.styles[CELL_WORSE].back, COLOUR_DEFAULT);
	assert_int_equal(theme.styles[CELL_WORSE].attributes,
		STYLE_BOLD | STYLE_UNDERLINE | STYLE_REVERSE);
}

static void a_bad_line_is_named_and_the_good_ones_hold(void **state)
{
	static const struct {
		const char *text, *says;
	} cases[] = {
		{"title = bold\nworse = pink\n", "theme t: line 2 is not understood"},
		{"# x\n\nnobody = bold\n", "theme t: line 3 is not understood"},
		{"title bold\n", "theme t: line 1 is not understood"},
		{"title =\n", "theme t: line 1 is not understood"},
		{"title = on\n", "theme t: line 1 is not understood"},
		{"title = on bold\n", "theme t: line 1 is not understood"},
		{"title = bold\n", "theme t: plain is not set"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct theme theme;
		struct fault fault = {0, ""};

		assert_false(theme_parse(&theme, "t", cases[i].text, &fault));
		assert_string_equal(fault.text, cases[i].says);
		assert_int_equal(theme.styles[CELL_TITLE].attributes, STYLE_BOLD);
	}
}

static void colours_and_comments_are_read(void **state)
{
	struct theme theme;

	(void)state;
	(void)theme_parse(&theme, "t", "  key = green on black # loud\n", NULL);
	assert_int_equal(theme.styles[CELL_KEY].fore, 2);
	assert_int_equal(theme.styles[CELL_KEY].back, 0);
	assert_int_equal(theme.styles[CELL_KEY].attributes, 0);
}

static void a_missing_file_leaves_the_built_in_one(void **state)
{
	struct theme theme;
	struct fault fault = {0, ""};

	(void)state;
	assert_false(theme_load(&theme, "/nonexistent", "default", &fault));
	assert_true(strstr(fault.text, "/nonexistent/default.theme"));
	assert_int_equal(theme.styles[CELL_PAUSED].attributes, STYLE_REVERSE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_theme_loads_and_sets_every_role),
		cmocka_unit_test(alerts_stand_out_without_colours),
		cmocka_unit_test(no_colour_keeps_bold_underline_and_reverse),
		cmocka_unit_test(a_bad_line_is_named_and_the_good_ones_hold),
		cmocka_unit_test(colours_and_comments_are_read),
		cmocka_unit_test(a_missing_file_leaves_the_built_in_one),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
