/* The lines of weir-capture: what is said is heard, and nothing breaks the ear. */
#include "config.h"

#include "packet/wire.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static void hear(struct wire_input *input, const char *text)
{
	wire_feed(input, text, strlen(text));
}

static struct tally some_tally(void)
{
	struct tally tally = {0};

	for (unsigned i = 0; i < packet_class_count; i++)
		for (unsigned d = 0; d < PACKET_DIRECTIONS; d++)
			tally.count[i][d] = UINT64_MAX - i * 3 - d;
	for (unsigned d = 0; d < PACKET_DIRECTIONS; d++) {
		tally.frames[d] = 10 + d;
		tally.bytes[d] = 1000 + d;
		tally.segments[d] = 100 + d;
	}
	tally.cut = 7;
	return tally;
}

/* Says NOW in chunks of SIZE and has INPUT hear them; returns the chunks used. */
static unsigned tell(const struct tally *now, struct tally *sent, bool everything,
	size_t size, struct wire_input *input)
{
	struct wire_report report = {
		.at = 5 * NSEC_PER_SEC, .lost = 3, .cpu = 99, .effort = EFFORT_RING};
	const struct wire_speech speech = {&report, now, sent, everything};
	unsigned from = 0, chunks = 0;
	char text[WIRE_CHUNK];

	while (from < packet_class_count) {
		unsigned start = from;
		size_t used = wire_chunk(&speech, &from, text, size);

		assert_true(used > 0 && used <= size);
		assert_true(text[used - 1] == '\n');
		assert_true(from > start);
		wire_feed(input, text, used);
		wire_sent(sent, now, start, from);
		chunks++;
	}
	return chunks;
}

static void a_report_is_heard_as_it_was_said(void **state)
{
	struct tally now = some_tally(), sent = {0};
	struct wire_input input = {0};

	(void)state;
	(void)tell(&now, &sent, false, WIRE_CHUNK, &input);
	assert_memory_equal(&input.tally, &now, sizeof now);
	assert_memory_equal(sent.count, now.count, sizeof now.count);
	assert_int_equal(input.report.at, 5 * NSEC_PER_SEC);
	assert_int_equal(input.report.lost, 3);
	assert_int_equal(input.report.cpu, 99);
	assert_int_equal(input.report.effort, EFFORT_RING);
	assert_int_equal(input.bad, 0);
}

static void a_small_chunk_needs_more_of_them_and_says_the_same(void **state)
{
	struct tally now = some_tally(), sent = {0};
	struct wire_input input = {0};

	(void)state;
	(void)tell(&now, &sent, false, 2 * WIRE_LINE + 200, &input);
	assert_memory_equal(&input.tally, &now, sizeof now);
}

static void only_classes_that_changed_are_said_again(void **state)
{
	struct tally now = some_tally(), sent = some_tally();
	struct wire_input input = {0};

	(void)state;
	now.count[0][PACKET_TX] = 5;
	(void)tell(&now, &sent, false, WIRE_CHUNK, &input);
	assert_int_equal(input.tally.count[0][PACKET_TX], 5);
	for (unsigned i = 1; i < packet_class_count; i++)
		assert_int_equal(input.tally.count[i][PACKET_RX], 0);
}

static void the_full_repeat_heals_a_reader_that_missed_lines(void **state)
{
	struct tally now = some_tally(), sent = some_tally();
	struct wire_input input = {0};

	(void)state;
	(void)tell(&now, &sent, true, WIRE_CHUNK, &input);
	assert_memory_equal(&input.tally, &now, sizeof now);
}

static void no_line_is_longer_than_promised(void **state)
{
	struct tally now = some_tally(), sent = {0};
	struct wire_report report = {.at = INT64_MAX,
		.lost = UINT64_MAX,
		.cpu = UINT64_MAX,
		.effort = EFFORT_RING};
	const struct wire_speech speech = {&report, &now, &sent, true};
	char text[WIRE_CHUNK + 1];
	unsigned from = 0;

	(void)state;
	memset(now.frames, 0xff, sizeof now.frames);
	memset(now.bytes, 0xff, sizeof now.bytes);
	while (from < packet_class_count) {
		size_t used = wire_chunk(&speech, &from, text, WIRE_CHUNK);

		text[used] = '\0';
		for (char *line = text, *end; (end = strchr(line, '\n'));
			line = end + 1)
			assert_true(end + 1 - line <= WIRE_LINE);
	}
}

static void hello_and_bye_arrive(void **state)
{
	struct wire_hello hello = {WIRE_VERSION, 1, 65534, true, true};
	struct wire_input input = {0};
	char text[WIRE_CHUNK];

	(void)state;
	wire_feed(&input, text, wire_hello(&hello, text, sizeof text));
	assert_int_equal(input.hello.version, WIRE_VERSION);
	assert_int_equal(input.hello.linktype, 1);
	assert_int_equal(input.hello.uid, 65534);
	assert_true(input.hello.caged);
	assert_true(input.hello.tx_headers);
	assert_false(input.ended);
	wire_feed(
		&input, text, wire_bye(WIRE_GONE, "it went\033[2J", text, sizeof text));
	assert_true(input.ended);
	assert_int_equal(input.status, WIRE_GONE);
	assert_string_equal(input.reason, "it went?[2J");
	assert_int_equal(input.bad, 0);
}

static void a_reason_of_any_length_keeps_its_beginning(void **state)
{
	struct wire_input input = {0};
	char text[WIRE_CHUNK], reason[600];
	size_t used;

	(void)state;
	memset(reason, '%', sizeof reason - 1);
	reason[sizeof reason - 1] = '\0';
	used = wire_bye(WIRE_FAILED, reason, text, sizeof text);
	assert_true(used <= WIRE_LINE);
	wire_feed(&input, text, used);
	assert_true(input.ended);
	assert_memory_equal(input.reason, "%%%%%%%%", 8);
}

static void lines_may_be_cut_anywhere(void **state)
{
	const char *text = "at 77 lost 1 cpu 2 effort cpu\nframes 4 5 6\ncut 9\n";
	struct wire_input input = {0};

	(void)state;
	for (const char *p = text; *p; p++)
		wire_feed(&input, p, 1);
	assert_int_equal(input.report.at, 77);
	assert_int_equal(input.report.effort, EFFORT_CPU);
	assert_int_equal(input.tally.frames[PACKET_TX], 5);
	assert_int_equal(input.tally.cut, 9);
}

static void what_a_newer_helper_adds_is_passed_over(void **state)
{
	struct wire_input input = {0};

	(void)state;
	hear(&input, "class from.the.future 1 2 3\npeers 1 2 3 4\n"
		     "hello 2 link=1 uid=5 cage=full tx=full more=yes\n");
	assert_int_equal(input.bad, 0);
	assert_int_equal(input.hello.version, 2);
}

static void a_line_is_taken_whole_or_not_at_all(void **state)
{
	static const char *const wrong[] = {"frames 1 2", "frames 1 2 3 4",
		"frames 1 -2 3", "frames 1 2 18446744073709551616", "frames 1 2 3x",
		"cut", "cut 1 2", "at 0 lost 1 cpu 1 effort full",
		"at -5 lost 1 cpu 1 effort full", "at 5 lost 1 cpu 1 effort lazy",
		"at 5 lost 1 cpu 1", "at 5 cpu 1 lost 1", "hello",
		"hello 0 link=1 uid=1 cage=full tx=full",
		"hello 1 link=1 uid=1 cage=maybe tx=full", "hello 1 link=x", "class",
		"class ip4.cksum", "class ip4.cksum 1 2", "class from.the.future 1",
		"bye", "bye 9 x", "bye 1 %zz", "bye 1", "", " ", "frames\t1 2 3"};

	(void)state;
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
		struct wire_input input = {0};
		const struct tally none = {0};

		hear(&input, wrong[i]);
		hear(&input, "\n");
		if (input.bad != 1)
			fail_msg("taken: \"%s\"", wrong[i]);
		assert_memory_equal(&input.tally, &none, sizeof none);
		assert_int_equal(input.report.at, 0);
		assert_int_equal(input.hello.version, 0);
		assert_false(input.ended);
	}
}

static void an_endless_line_is_dropped_and_the_next_one_heard(void **state)
{
	struct wire_input input = {0};

	(void)state;
	for (int i = 0; i < 100000; i++)
		wire_feed(&input, "cut 5 ", 6);
	hear(&input, "\ncut 6\n");
	assert_int_equal(input.bad, 1);
	assert_int_equal(input.tally.cut, 6);
}

static void bytes_that_are_not_text_spoil_their_line_only(void **state)
{
	static const char bytes[] = "cut 1\0\ncut\0332\ncut 3\xff\ncut 4\n";
	struct wire_input input = {0};

	(void)state;
	wire_feed(&input, bytes, sizeof bytes - 1);
	assert_int_equal(input.bad, 3);
	assert_int_equal(input.tally.cut, 4);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_report_is_heard_as_it_was_said),
		cmocka_unit_test(a_small_chunk_needs_more_of_them_and_says_the_same),
		cmocka_unit_test(only_classes_that_changed_are_said_again),
		cmocka_unit_test(the_full_repeat_heals_a_reader_that_missed_lines),
		cmocka_unit_test(no_line_is_longer_than_promised),
		cmocka_unit_test(hello_and_bye_arrive),
		cmocka_unit_test(a_reason_of_any_length_keeps_its_beginning),
		cmocka_unit_test(lines_may_be_cut_anywhere),
		cmocka_unit_test(what_a_newer_helper_adds_is_passed_over),
		cmocka_unit_test(a_line_is_taken_whole_or_not_at_all),
		cmocka_unit_test(an_endless_line_is_dropped_and_the_next_one_heard),
		cmocka_unit_test(bytes_that_are_not_text_spoil_their_line_only),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
