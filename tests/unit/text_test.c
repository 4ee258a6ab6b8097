/* Text from outside is cleaned once; cutting never makes half a character. */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/text.h"

#include <locale.h>
#include <string.h>

static void escape_codes_and_controls_become_question_marks(void **state)
{
	char out[64];

	(void)state;
	assert_true(text_clean(out, sizeof out, "sda\x1b[31m\n\x7f"));
	assert_string_equal(out, "sda?[31m??");
}

static void bytes_that_are_not_utf8_become_question_marks(void **state)
{
	char out[64];

	(void)state;
	/* overlong, surrogate, lone continuation, cut at the end, above U+10FFFF */
	assert_true(text_clean(
		out, sizeof out, "a\xc0\xaf|\xed\xa0\x80|\x80|\xf5z|\xe2\x82"));
	assert_string_equal(out, "a??|???|?|?z|??");
}

static void c1_controls_and_bidirectional_overrides_do_not_pass(void **state)
{
	char out[64];

	(void)state;
	assert_true(text_clean(out, sizeof out,
		"\xc2\x9b"
		"31m\xe2\x80\xae"
		"x\xef\xbb\xbf"));
	assert_string_equal(out, "?31m?x?");
}

static void good_utf8_passes_and_lines_are_kept_only_where_wanted(void **state)
{
	char out[64];

	(void)state;
	assert_true(text_clean(out, sizeof out, "M\xc3\xbc\tller"));
	assert_string_equal(out, "M\xc3\xbc?ller");
	assert_true(text_clean_lines(out, sizeof out, "a\n\tb\x1b"));
	assert_string_equal(out, "a\n\tb?");
}

static void cutting_never_leaves_half_a_character(void **state)
{
	char out[4];

	(void)state;
	assert_false(text_copy(out, sizeof out, "ab\xc3\xbc"));
	assert_string_equal(out, "ab");
	assert_false(text_clean(out, sizeof out, "ab\xc3\xbc"));
	assert_string_equal(out, "ab");
	assert_true(text_copy(out, sizeof out, "a\xc3\xbc"));
	assert_string_equal(out, "a\xc3\xbc");
}

static void quoting_is_one_word_and_comes_back(void **state)
{
	static const char *const texts[] = {
		"", "%", "a b", "line\nline\r", "100 %", "\xc3\xbc"};
	char quoted[64], back[64];

	(void)state;
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		assert_true(text_quote(quoted, sizeof quoted, texts[i]));
		assert_null(strpbrk(quoted, " \n\r\t"));
		assert_true(*quoted);
		assert_true(text_unquote(back, sizeof back, quoted));
		assert_string_equal(back, texts[i]);
	}
}

static void bad_quoting_is_refused(void **state)
{
	char back[8];

	(void)state;
	assert_false(text_unquote(back, sizeof back, "%2"));
	assert_false(text_unquote(back, sizeof back, "%zz"));
	assert_false(text_unquote(back, sizeof back, "%00"));
	assert_false(text_unquote(back, sizeof back, "12345678"));
	assert_false(text_quote(back, sizeof back, "a b c d"));
}

static void a_long_name_keeps_both_ends(void **state)
{
	char out[64];

	(void)state;
	text_middle(out, sizeof out, "mpath-very-long-name-a", 9);
	assert_string_equal(out, "mpat~me-a");
	text_middle(out, sizeof out, "short", 9);
	assert_string_equal(out, "short");
	text_middle(out, sizeof out, "abc", 1);
	assert_int_equal(strlen(out), 1);
	text_middle(out, sizeof out, "abc", 0);
	assert_string_equal(out, "");
	text_middle(out, sizeof out, "\xc3\xbc\xc3\xbc\xc3\xbc\xc3\xbc\xc3\xbc", 3);
	assert_string_equal(out, "\xc3\xbc~\xc3\xbc");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(escape_codes_and_controls_become_question_marks),
		cmocka_unit_test(bytes_that_are_not_utf8_become_question_marks),
		cmocka_unit_test(c1_controls_and_bidirectional_overrides_do_not_pass),
		cmocka_unit_test(good_utf8_passes_and_lines_are_kept_only_where_wanted),
		cmocka_unit_test(cutting_never_leaves_half_a_character),
		cmocka_unit_test(quoting_is_one_word_and_comes_back),
		cmocka_unit_test(bad_quoting_is_refused),
		cmocka_unit_test(a_long_name_keeps_both_ends),
	};

	(void)setlocale(LC_CTYPE, "C.UTF-8"); /* wcwidth; there on every Debian */
	return cmocka_run_group_tests(tests, NULL, NULL);
}
