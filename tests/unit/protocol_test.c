/* Lines of the socket: what goes in comes out, and hostile bytes are refused. */
#include "config.h"

#include "app/protocol.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct words words;
static struct buffer line;

static bool split(const char *text)
{
	return words_split(&words, text, strlen(text));
}

static bool split_line(void)
{
	assert_int_equal(line.data[line.size - 1], '\n');
	assert_null(memchr(line.data, '\n', line.size - 1));
	return words_split(&words, (const char *)line.data, line.size - 1);
}

static int clear(void **state)
{
	(void)state;
	buffer_clear(&line);
	return 0;
}

static int drop(void **state)
{
	(void)state;
	buffer_fini(&line);
	words_fini(&words);
	return 0;
}

static void words_are_unquoted_one_by_one(void **state)
{
	(void)state;
	assert_true(split("mark name=my%20win%25 author= x"));
	assert_int_equal(words.count, 4);
	assert_string_equal(words.list[0], "mark");
	assert_string_equal(words_value(&words, "name"), "my win%");
	assert_string_equal(words_value(&words, "author"), "");
	assert_null(words_value(&words, "nam"));
	assert_null(words_value(&words, "x"));
	assert_string_equal(words.list[3], "x");
}

static void malformed_lines_are_refused(void **state)
{
	static const char *const rows[] = {
		"", " ", "a  b", " a", "a ", "a %G1", "a %1", "a %00", "%4"};
	char many[2 * PROTOCOL_WORDS + 2];

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		assert_false(split(rows[i]));
	assert_false(words_split(&words, "a\0b", 3));
	for (size_t i = 0; i < sizeof many; i++)
		many[i] = i % 2 ? ' ' : 'x';
	many[2 * PROTOCOL_WORDS + 1] = 0;
	assert_false(split(many));
	many[2 * PROTOCOL_WORDS - 1] = 0;
	assert_true(split(many));
}

static void random_bytes_never_do_harm(void **state)
{
	char bytes[200];

	(void)state;
	srandom(1);
	for (int round = 0; round < 20000; round++) {
		size_t size = (size_t)random() % sizeof bytes;
		struct window window;
		struct note note;
		struct run run;
		struct fact fact;

		for (size_t i = 0; i < size; i++)
			bytes[i] = (char)(random() % 3 ? "% 09azF\n"[random() % 8]
						       : random());
		if (!words_split(&words, bytes, size))
			continue;
		for (size_t i = 0; i < words.count; i++)
			assert_true(strlen(words.list[i]) <= size);
		(void)words_window(&words, &window);
		(void)words_note(&words, &note);
		(void)words_run(&words, &run);
		(void)words_fact(&words, &fact);
	}
}

static void numbers_are_whole_or_not_there(void **state)
{
	int64_t value;

	(void)state;
	assert_true(split(
		"x a=12 b=-9223372036854775807 c=1x d= e=1.5 f=9223372036854775808"));
	assert_true(words_number(&words, "a", &value));
	assert_int_equal(value, 12);
	assert_true(words_number(&words, "b", &value));
	assert_int_equal(value, -INT64_MAX);
	assert_false(words_number(&words, "c", &value));
	assert_false(words_number(&words, "d", &value));
	assert_false(words_number(&words, "e", &value));
	assert_false(words_number(&words, "f", &value));
	assert_false(words_number(&words, "g", &value));
}

static void windows_survive_the_way(void **state)
{
	struct window in = {.id = 7,
		.role = ROLE_RUN,
		.name = "AFTER 2",
		.from = 123456789012,
		.to = WINDOW_OPEN,
		.author = "someone",
		.backwards = true,
		.exit_status = -1,
		.command = "cp -a \"my files\" /mnt 100%"};
	struct window out;

	(void)state;
	line_window(&line, &in);
	assert_true(split_line());
	assert_true(words_window(&words, &out));
	assert_int_equal(out.id, 7);
	assert_int_equal(out.role, ROLE_RUN);
	assert_string_equal(out.name, in.name);
	assert_int_equal(out.from, in.from);
	assert_int_equal(out.to, WINDOW_OPEN);
	assert_true(out.backwards);
	assert_int_equal(out.exit_status, -1);
	assert_string_equal(out.command, in.command);
	assert_false(out.planned);
	buffer_clear(&line);
	in.to = 5;
	in.backwards = false;
	in.planned = true;
	line_window(&line, &in);
	assert_true(split_line() && words_window(&words, &out));
	assert_int_equal(out.to, 5);
	assert_true(out.planned && !out.backwards);
	buffer_clear(&line);
	in.planned = false;
	in.unseen = true;
	line_window(&line, &in);
	assert_true(split_line() && words_window(&words, &out));
	assert_true(out.unseen && !out.planned);
}

static void notes_keep_their_lines(void **state)
{
	char body[] = "port 7:\n\tcrc 12 %\n";
	struct note in = {.id = 3,
		.kind = NOTE_ATTACHMENT,
		.at = -1,
		.author = "",
		.text = "switch counters",
		.body = body};
	struct note out;

	(void)state;
	line_note(&line, &in);
	assert_true(split_line() && words_note(&words, &out));
	assert_int_equal(out.kind, NOTE_ATTACHMENT);
	assert_int_equal(out.at, -1);
	assert_string_equal(out.author, "");
	assert_string_equal(out.text, in.text);
	assert_string_equal(out.body, body);
	assert_true(split("note 1 event 5 weir text %"));
	assert_true(words_note(&words, &out));
	assert_null(out.body);
	assert_false(split("note 1 rumour 5 weir text %") && words_note(&words, &out));
}

static void names_with_control_bytes_do_not_pass(void **state)
{
	struct window window;

	(void)state;
	assert_true(split("window 1 other %1B[31m 0 open me live -1 %"));
	assert_true(words_window(&words, &window));
	assert_string_equal(window.name, "?[31m");
}

static void runs_survive_the_way(void **state)
{
	struct run in = {.number = 2,
		.from = 99,
		.wall = 1790813170000000000,
		.boot_id = "b-1",
		.kernel = "6.1.0 x86_64",
		.host = "h",
		.version = "0.1.0"};
	struct run out;

	(void)state;
	line_run(&line, &in);
	assert_true(split_line() && words_run(&words, &out));
	assert_int_equal(out.number, 2);
	assert_int_equal(out.wall, in.wall);
	assert_string_equal(out.kernel, in.kernel);
	assert_string_equal(out.version, in.version);
}

static void facts_survive_the_way(void **state)
{
	struct fact in = {.at = 5,
		.kind = KIND_NIC,
		.name = "eth0",
		.id = "02:00:00:00:00:01 at 0000:01:00.0",
		.key = "rings.rx",
		.value = "512 of 4096"};
	struct fact out;

	(void)state;
	line_fact(&line, &in);
	assert_true(split_line() && words_fact(&words, &out));
	assert_int_equal(out.at, 5);
	assert_int_equal(out.kind, KIND_NIC);
	assert_string_equal(out.id, in.id);
	assert_string_equal(out.key, "rings.rx");
	assert_string_equal(out.value, "512 of 4096");
	assert_int_equal(out.why, WHY_NONE);
	assert_true(split("fact 7 disk sda % scheduler % denied"));
	assert_true(words_fact(&words, &out));
	assert_int_equal(out.why, WHY_DENIED);
	assert_string_equal(out.value, "");
	assert_false(split("fact 7 ghost sda % scheduler % denied") &&
		     words_fact(&words, &out));
	assert_false(split("fact 7 disk sda % scheduler % because") &&
		     words_fact(&words, &out));
	assert_false(split("fact 7 disk sda % scheduler a%1Bb %") &&
		     words_fact(&words, &out));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(words_are_unquoted_one_by_one, clear),
		cmocka_unit_test_setup(malformed_lines_are_refused, clear),
		cmocka_unit_test_setup(random_bytes_never_do_harm, clear),
		cmocka_unit_test_setup(numbers_are_whole_or_not_there, clear),
		cmocka_unit_test_setup(windows_survive_the_way, clear),
		cmocka_unit_test_setup(notes_keep_their_lines, clear),
		cmocka_unit_test_setup(names_with_control_bytes_do_not_pass, clear),
		cmocka_unit_test_setup(runs_survive_the_way, clear),
		cmocka_unit_test_setup(facts_survive_the_way, clear),
	};

	return cmocka_run_group_tests(tests, NULL, drop);
}
