/* The command line: what is taken, what is refused, what is suggested. */
#include "config.h"

#include "app/arguments.h"
#include "app/record.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static const struct option_info extra[] = {{"count", 'n', "COUNT", "a value"},
	{"batch", 'b', NULL, "a flag"},
	{"redact", 0, "[=all]", "a flag that may have a value"}, {0}};

static const struct command plain = {
	.name = "plain",
	.words = "WORD [WORD]",
	.options = {options_session, extra},
	.least_words = 1,
	.most_words = 2,
};

static const struct command rest = {
	.name = "rest",
	.words = "NAME -- COMMAND...",
	.options = {options_session},
	.least_words = 2,
	.most_words = SIZE_MAX,
	.rest_is_command = true,
};

static const char *room[32];
static struct arguments arguments;

/* WORDS separated by single blanks. */
static enum arguments_result parse(const struct command *command, const char *text)
{
	static char copy[256];
	const char *words[32];
	size_t count = 0;

	assert_true(strlen(text) < sizeof copy);
	memcpy(copy, text, strlen(text) + 1);
	for (char *at = *copy ? copy : NULL; at; count++) {
		words[count] = at;
		at = strchr(at, ' ');
		if (at)
			*at++ = 0;
	}
	return arguments_parse(command, count, words, room, &arguments);
}

static void options_may_stand_anywhere(void **state)
{
	(void)state;
	assert_int_equal(parse(&plain, "one -s here --batch two"), ARGUMENTS_GOOD);
	assert_int_equal(arguments.word_count, 2);
	assert_string_equal(arguments.words[0], "one");
	assert_string_equal(arguments.words[1], "two");
	assert_string_equal(argument(&arguments, "session"), "here");
	assert_true(argument_given(&arguments, "batch"));
	assert_false(argument_given(&arguments, "count"));
}

static void values_may_be_glued(void **state)
{
	(void)state;
	assert_int_equal(parse(&plain, "a --count=5"), ARGUMENTS_GOOD);
	assert_string_equal(argument(&arguments, "count"), "5");
	assert_int_equal(parse(&plain, "a -bn7"), ARGUMENTS_GOOD);
	assert_string_equal(argument(&arguments, "count"), "7");
	assert_true(argument_given(&arguments, "batch"));
	assert_int_equal(parse(&plain, "a --count="), ARGUMENTS_GOOD);
	assert_string_equal(argument(&arguments, "count"), "");
}

static void a_value_that_may_lack_is_only_taken_when_glued(void **state)
{
	(void)state;
	assert_int_equal(parse(&plain, "--redact a"), ARGUMENTS_GOOD);
	assert_string_equal(argument(&arguments, "redact"), "");
	assert_string_equal(arguments.words[0], "a");
	assert_int_equal(parse(&plain, "a --redact=all"), ARGUMENTS_GOOD);
	assert_string_equal(argument(&arguments, "redact"), "all");
}

static void the_last_value_counts(void **state)
{
	(void)state;
	assert_int_equal(parse(&plain, "a -n1 -n 2"), ARGUMENTS_GOOD);
	assert_string_equal(argument(&arguments, "count"), "2");
}

static void two_dashes_end_the_options(void **state)
{
	(void)state;
	assert_int_equal(parse(&plain, "-- -s --batch"), ARGUMENTS_GOOD);
	assert_string_equal(arguments.words[0], "-s");
	assert_string_equal(arguments.words[1], "--batch");
	assert_int_equal(parse(&plain, "-"), ARGUMENTS_GOOD);
}

static void a_command_keeps_its_own_options(void **state)
{
	(void)state;
	assert_int_equal(parse(&rest, "-s here one -- cp -a --help x"), ARGUMENTS_GOOD);
	assert_int_equal(arguments.word_count, 5);
	assert_string_equal(arguments.words[1], "cp");
	assert_string_equal(arguments.words[2], "-a");
	assert_string_equal(arguments.words[3], "--help");
	assert_int_equal(parse(&rest, "one cp -a"), ARGUMENTS_GOOD);
	assert_string_equal(arguments.words[2], "-a");
	assert_int_equal(parse(&rest, "one -s here -- cp -s"), ARGUMENTS_GOOD);
	assert_string_equal(argument(&arguments, "session"), "here");
	assert_int_equal(arguments.word_count, 3);
	assert_int_equal(parse(&rest, "one -- env -- -x"), ARGUMENTS_GOOD);
	assert_string_equal(arguments.words[2], "--");
}

static void help_is_an_answer_however_many_words(void **state)
{
	(void)state;
	assert_int_equal(parse(&plain, "--help"), ARGUMENTS_HELP);
	assert_int_equal(parse(&plain, "-h"), ARGUMENTS_HELP);
	assert_int_equal(parse(&plain, "a b --help"), ARGUMENTS_HELP);
}

static void wrong_use_is_refused(void **state)
{
	static const char *const rows[] = {"", "a b c", "a --cuont 1", "a -x",
		"a --count", "a -n", "a --batch=1", "a --helpme", "a -bx", "a ---",
		"a --=x"};

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		assert_int_equal(parse(&plain, rows[i]), ARGUMENTS_BAD);
	assert_int_equal(parse(&rest, "one"), ARGUMENTS_BAD);
	assert_int_equal(parse(&rest, "one --"), ARGUMENTS_BAD);
}

static void more_options_than_there_is_room_are_refused(void **state)
{
	const char *words[ARGUMENT_MAX + 2];
	const char *many[ARGUMENT_MAX + 2];

	(void)state;
	for (size_t i = 0; i < ARGUMENT_MAX + 2; i++)
		words[i] = i ? "-b" : "a";
	assert_int_equal(
		arguments_parse(&plain, ARGUMENT_MAX + 1, words, many, &arguments),
		ARGUMENTS_GOOD);
	assert_int_equal(
		arguments_parse(&plain, ARGUMENT_MAX + 2, words, many, &arguments),
		ARGUMENTS_BAD);
}

static void distances_count_single_steps(void **state)
{
	(void)state;
	assert_int_equal(edit_distance("mark", "mark"), 0);
	assert_int_equal(edit_distance("makr", "mark"), 1);
	assert_int_equal(edit_distance("mrk", "mark"), 1);
	assert_int_equal(edit_distance("marks", "mark"), 1);
	assert_int_equal(edit_distance("kitten", "sitting"), 3);
	assert_int_equal(edit_distance("", "abc"), 3);
}

static const char *nearest(const char *wanted)
{
	struct suggestion best = suggestion_start(wanted);

	suggestion_offer(&best, "mark");
	suggestion_offer(&best, "record");
	suggestion_offer(&best, "report");
	suggestion_offer(&best, "ls");
	return best.word;
}

static void only_near_words_are_suggested(void **state)
{
	(void)state;
	assert_string_equal(nearest("makr"), "mark");
	assert_string_equal(nearest("recrod"), "record");
	assert_string_equal(nearest("rep"), "report");
	assert_null(nearest("zebra"));
	assert_null(nearest("x"));
	assert_null(nearest(""));
}

static bool record(
	const char *text, struct record_options *options, struct fault *fault)
{
	static const struct option_info duration[] = {{"for", 0, "D", ""}, {0}};
	static const struct command command = {
		.name = "record", .words = "", .options = {options_record, duration}};

	assert_int_equal(parse(&command, text), ARGUMENTS_GOOD);
	return record_options(&arguments, options, fault);
}

static void a_recording_reads_its_options(void **state)
{
	struct record_options options;
	struct fault fault = {0};

	(void)state;
	assert_true(record("", &options, &fault));
	assert_int_equal(options.interval, NSEC_PER_SEC);
	assert_int_equal(options.duration, 0);
	assert_true(options.selection.capture);
	assert_null(options.selection.disks);
	assert_int_equal(options.selection.queue_interval, 0);
	assert_int_equal(options.selection.ring, 0);
	assert_int_equal(options.selection.stall, 0);
	assert_true(record("--stall 0.5", &options, &fault));
	assert_int_equal(options.selection.stall, 500 * NSEC_PER_MSEC);
	assert_true(record("-t 0.1 -i eth0,eth1 -D ^sd --ports 3261,8445 --all "
			   "--promisc --for 10s --queue-interval 0.005 --ring 512",
		&options, &fault));
	assert_int_equal(options.interval, 100 * NSEC_PER_MSEC);
	assert_int_equal(options.duration, 10 * NSEC_PER_SEC);
	assert_int_equal(options.selection.queue_interval, 5 * NSEC_PER_MSEC);
	assert_string_equal(options.selection.interfaces, "eth0,eth1");
	assert_int_equal(options.selection.ring, 512);
	assert_string_equal(options.selection.ports, "3261,8445");
	assert_true(options.selection.all && options.selection.promiscuous);
}

static void bad_values_are_named(void **state)
{
	static const struct {
		const char *text;
		const char *named;
	} rows[] = {{"-t 0.09", "0.09"}, {"-t 3601", "3601"}, {"-t abc", "abc"},
		{"-t nan", "nan"}, {"-t -1", "-1"}, {"-t 1s", "1s"}, {"-D [", "["},
		{"-i a,,b", "a,,b"}, {"-i averylongnamehere", "averylongname"},
		{"--for 10", "10"}, {"--ports 70000", "70000"},
		{"--ports 1,,2", "1,,2"}, {"--ports 0", "no port"},
		{"--queue-interval 0.004", "0.004"}, {"--queue-interval 1.01", "1.01"},
		{"--queue-interval 20ms", "20ms"}, {"--queue-interval nan", "nan"},
		{"--stall 0.4", "0.4"}, {"--stall 3601", "3601"}, {"--stall 2s", "2s"},
		{"--stall nan", "nan"}, {"--ring 0", "'0'"}, {"--ring 513", "1 to 512"},
		{"--ring 1G", "1G"}, {"--ports ssh", "ssh"}, {"--ports 1,", "no list"},
		{"-f tcp --no-capture", "exclude"}};

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct record_options options;
		struct fault fault = {0};

		assert_false(record(rows[i].text, &options, &fault));
		assert_non_null(strstr(fault.text, rows[i].named));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(options_may_stand_anywhere),
		cmocka_unit_test(values_may_be_glued),
		cmocka_unit_test(a_value_that_may_lack_is_only_taken_when_glued),
		cmocka_unit_test(the_last_value_counts),
		cmocka_unit_test(two_dashes_end_the_options),
		cmocka_unit_test(a_command_keeps_its_own_options),
		cmocka_unit_test(help_is_an_answer_however_many_words),
		cmocka_unit_test(wrong_use_is_refused),
		cmocka_unit_test(more_options_than_there_is_room_are_refused),
		cmocka_unit_test(distances_count_single_steps),
		cmocka_unit_test(only_near_words_are_suggested),
		cmocka_unit_test(a_recording_reads_its_options),
		cmocka_unit_test(bad_values_are_named),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
