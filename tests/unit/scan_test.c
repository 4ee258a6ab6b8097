/* A number is there, whole, or the function says no and has not moved. */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/scan.h"

#include <string.h>

static void numbers_are_read_in_turn(void **state)
{
	const char *at = "  8\t0 sda 18446744073709551615\n";
	char word[8];
	uint64_t value;

	(void)state;
	assert_true(scan_u64(&at, &value));
	assert_int_equal(value, 8);
	assert_true(scan_u64(&at, &value));
	assert_int_equal(value, 0);
	assert_true(scan_word(&at, word, sizeof word));
	assert_string_equal(word, "sda");
	assert_true(scan_u64(&at, &value));
	assert_true(value == UINT64_MAX);
	assert_true(scan_end(at));
}

static void what_is_not_a_number_is_refused_without_moving(void **state)
{
	static const char *const bad[] = {"", "-1", "x", "12a", "18446744073709551616",
		"99999999999999999999999", "+1"};
	uint64_t value = 77;

	(void)state;
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		const char *at = bad[i];

		assert_false(scan_u64(&at, &value));
		assert_ptr_equal(at, bad[i]);
	}
	assert_int_equal(value, 77);
}

static void signs_hexadecimal_and_fractions(void **state)
{
	const char *at = "-5 0x1F ffffffffffffffff 3.25 -0.5 10000000000000000";
	int64_t number;
	uint64_t hex;
	double real;

	(void)state;
	assert_true(scan_i64(&at, &number));
	assert_int_equal(number, -5);
	assert_true(scan_hex(&at, &hex));
	assert_int_equal(hex, 31);
	assert_true(scan_hex(&at, &hex));
	assert_true(hex == UINT64_MAX);
	assert_true(scan_real(&at, &real));
	assert_true(real == 3.25);
	assert_true(scan_real(&at, &real));
	assert_true(real == -0.5);
	assert_false(scan_hex(&at, &hex)); /* 17 digits */
}

static void exact_words_are_whole_words(void **state)
{
	const char *at = "Tcp: RtoMin";

	(void)state;
	assert_false(scan_exact(&at, "Tcp"));
	assert_true(scan_exact(&at, "Tcp:"));
	assert_false(scan_exact(&at, "Rto"));
	assert_true(scan_exact(&at, "RtoMin"));
}

static void lines_are_cut_one_by_one(void **state)
{
	char text[] = "one\n\ntwo";
	char *at = text;

	(void)state;
	assert_string_equal(scan_line(&at), "one");
	assert_string_equal(scan_line(&at), "");
	assert_string_equal(scan_line(&at), "two");
	assert_null(scan_line(&at));
}

static void proc_files_are_read_whole(void **state)
{
	struct buffer buffer = {0};
	struct fault fault = {0};

	(void)state;
	assert_true(scan_file("/proc", "/self/maps", &buffer, 1 << 20, &fault));
	assert_true(buffer.size > 500);
	assert_int_equal(strlen(buffer_string(&buffer)), buffer.size);
	assert_false(scan_file("/proc", "/self/maps", &buffer, 10, &fault));
	assert_false(scan_file("/proc", "/no/such", &buffer, 10, &fault));
	assert_non_null(strstr(fault.text, "/proc/no/such"));
	buffer_fini(&buffer);
}

static void variable_length_numbers_have_the_stated_size(void **state)
{
	struct buffer buffer = {0};

	(void)state;
	buffer_varint(&buffer, 127);
	assert_int_equal(buffer.size, 1);
	buffer_varint(&buffer, 128);
	assert_int_equal(buffer.size, 3);
	assert_int_equal(buffer.data[1], 0x80);
	assert_int_equal(buffer.data[2], 0x01);
	buffer_clear(&buffer);
	buffer_varint(&buffer, UINT64_MAX);
	assert_int_equal(buffer.size, 10);
	buffer_clear(&buffer);
	buffer_zigzag(&buffer, -1);
	assert_int_equal(buffer.data[0], 1);
	buffer_clear(&buffer);
	buffer_zigzag(&buffer, INT64_MIN);
	assert_int_equal(buffer.size, 10);
	buffer_fini(&buffer);
	buffer_fini(&buffer);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_are_read_in_turn),
		cmocka_unit_test(what_is_not_a_number_is_refused_without_moving),
		cmocka_unit_test(signs_hexadecimal_and_fractions),
		cmocka_unit_test(exact_words_are_whole_words),
		cmocka_unit_test(lines_are_cut_one_by_one),
		cmocka_unit_test(proc_files_are_read_whole),
		cmocka_unit_test(variable_length_numbers_have_the_stated_size),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
