/* Bounds: what is there, what was cut by the capture, what never was. */
#include "config.h"

#include "packet/view.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static const uint8_t bytes[8] = {1, 2, 3, 4, 5, 6, 7, 8};

static struct view cut(void)
{
	return view_of(bytes, 6, 8);
}

static void bytes_are_given_only_where_all_were_captured(void **state)
{
	struct view view = cut();

	(void)state;
	assert_ptr_equal(view_bytes(&view, 0, 6), bytes);
	assert_ptr_equal(view_bytes(&view, 2, 4), bytes + 2);
	assert_ptr_equal(view_bytes(&view, 6, 0), bytes + 6);
	assert_null(view_bytes(&view, 0, 7));
	assert_null(view_bytes(&view, 6, 1));
	assert_null(view_bytes(&view, 7, 0));
}

static void huge_offsets_and_counts_do_not_wrap(void **state)
{
	struct view view = cut();

	(void)state;
	assert_null(view_bytes(&view, UINT32_MAX, 2));
	assert_null(view_bytes(&view, 2, UINT32_MAX));
	assert_int_equal(view_end(&view, UINT32_MAX, 2), VIEW_PAST);
	assert_int_equal(view_end(&view, 2, UINT32_MAX), VIEW_PAST);
	assert_int_equal(view_from(&view, UINT32_MAX).length, 0);
}

static void an_end_is_a_cut_or_the_end_of_the_wire(void **state)
{
	struct view view = cut();

	(void)state;
	assert_int_equal(view_end(&view, 0, 6), VIEW_THERE);
	assert_int_equal(view_end(&view, 0, 7), VIEW_CUT);
	assert_int_equal(view_end(&view, 0, 8), VIEW_CUT);
	assert_int_equal(view_end(&view, 0, 9), VIEW_PAST);
	assert_int_equal(view_end(&view, 8, 1), VIEW_PAST);
}

static void the_rest_keeps_both_lengths(void **state)
{
	struct view view = cut();
	struct view rest = view_from(&view, 7);

	(void)state;
	assert_int_equal(rest.captured, 0);
	assert_int_equal(rest.length, 1);
	rest = view_from(&view, 2);
	assert_int_equal(rest.captured, 4);
	assert_int_equal(rest.length, 6);
	assert_false(view_whole(&rest));
}

static void the_first_part_is_never_longer_than_the_whole(void **state)
{
	struct view view = cut();
	struct view first = view_first(&view, 4);

	(void)state;
	assert_int_equal(first.captured, 4);
	assert_true(view_whole(&first));
	first = view_first(&view, 100);
	assert_int_equal(first.captured, 6);
	assert_int_equal(first.length, 8);
}

static void more_captured_than_on_the_wire_counts_as_the_wire(void **state)
{
	(void)state;
	assert_int_equal(view_of(bytes, 8, 5).captured, 5);
}

static void a_byte_past_the_end_reads_as_zero_and_no(void **state)
{
	struct view view = cut();
	uint8_t value = 9;

	(void)state;
	assert_true(view_u8(&view, 5, &value));
	assert_int_equal(value, 6);
	assert_false(view_u8(&view, 6, &value));
	assert_int_equal(value, 0);
}

static void numbers_are_read_in_both_orders(void **state)
{
	(void)state;
	assert_int_equal(load_be16(bytes), 0x0102);
	assert_int_equal(load_be32(bytes), 0x01020304);
	assert_int_equal(load_le16(bytes), 0x0201);
	assert_int_equal(load_le32(bytes), 0x04030201);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bytes_are_given_only_where_all_were_captured),
		cmocka_unit_test(huge_offsets_and_counts_do_not_wrap),
		cmocka_unit_test(an_end_is_a_cut_or_the_end_of_the_wire),
		cmocka_unit_test(the_rest_keeps_both_lengths),
		cmocka_unit_test(the_first_part_is_never_longer_than_the_whole),
		cmocka_unit_test(more_captured_than_on_the_wire_counts_as_the_wire),
		cmocka_unit_test(a_byte_past_the_end_reads_as_zero_and_no),
		cmocka_unit_test(numbers_are_read_in_both_orders),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
