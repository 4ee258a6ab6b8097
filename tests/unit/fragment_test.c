/* Pieces that overlap: which bytes count. */
#include "config.h"

#include "packet/fragment.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static struct fragments *fragments;

static int begin(void **state)
{
	(void)state;
	fragments = fragments_new(2);
	return 0;
}

static int end(void **state)
{
	(void)state;
	fragments_free(fragments);
	return 0;
}

/* Bytes FROM to TO of one packet, all of them FILL; the last piece ends at 24. */
static struct fragment_answer add(uint32_t from, uint32_t to, uint8_t fill)
{
	uint8_t bytes[24];
	struct fragment_piece piece = {
		.offset = from, .more = to != sizeof bytes, .most = 65535};
	struct fragment_answer answer;

	memset(bytes, fill, sizeof bytes);
	memset(&piece.key, 0, sizeof piece.key);
	piece.data = view_of(bytes, to - from, to - from);
	fragments_add(fragments, &piece, &answer);
	return answer;
}

static void assert_bytes(const struct fragment_answer *answer, const char *text)
{
	assert_true(answer->complete);
	assert_int_equal(answer->whole.length, strlen(text));
	assert_memory_equal(answer->whole.data, text, strlen(text));
}

static void of_two_that_begin_together_the_first_to_come_counts(void **state)
{
	(void)state;
	assert_false(add(0, 8, 'a').complete);
	assert_false(add(0, 12, 'b').complete);
	struct fragment_answer answer = add(8, 24, 'c');
	assert_true(answer.fresh_overlap);
	assert_bytes(&answer, "aaaaaaaabbbbcccccccccccc");
}

static void the_piece_that_begins_lower_counts(void **state)
{
	(void)state;
	(void)add(0, 8, 'a');
	(void)add(16, 24, 'c');
	struct fragment_answer answer = add(8, 20, 'b');
	assert_true(answer.fresh_conflict);
	assert_bytes(&answer, "aaaaaaaabbbbbbbbbbbbcccc");
}

static void the_piece_that_begins_higher_does_not_count(void **state)
{
	(void)state;
	(void)add(0, 12, 'a');
	(void)add(16, 24, 'c');
	struct fragment_answer answer = add(8, 16, 'b');
	assert_bytes(&answer, "aaaaaaaaaaaabbbbcccccccc");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(
			of_two_that_begin_together_the_first_to_come_counts, begin,
			end),
		cmocka_unit_test_setup_teardown(
			the_piece_that_begins_lower_counts, begin, end),
		cmocka_unit_test_setup_teardown(
			the_piece_that_begins_higher_does_not_count, begin, end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
