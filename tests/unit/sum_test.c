/* The internet checksum, against the worked example of RFC 1071 and a slow sum. */
#include "config.h"

#include "packet/crc32c.h"
#include "packet/sum.h"
#include "packet/view.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

/* Section 3 of the RFC: four 16-bit words, sum 2ddf0, folded ddf2. */
static const uint8_t example[8] = {0x00, 0x01, 0xf2, 0x03, 0xf4, 0xf5, 0xf6, 0xf7};

static uint16_t in_network_order(uint16_t sum)
{
	uint8_t bytes[2];
	memcpy(bytes, &sum, sizeof bytes);
	return load_be16(bytes);
}

static uint16_t slow(const uint8_t *data, size_t size)
{
	uint32_t sum = 0;

	for (size_t i = 0; i < size; i++) {
		sum += i % 2 ? data[i] : (uint32_t)data[i] << 8;
		sum = (sum & 0xffff) + (sum >> 16);
	}
	return (uint16_t)sum;
}

static void the_example_of_rfc_1071_sums_to_ddf2(void **state)
{
	(void)state;
	assert_int_equal(in_network_order(sum_fold(sum_bytes(example, 8))), 0xddf2);
}

static void nothing_sums_to_zero(void **state)
{
	(void)state;
	assert_int_equal(sum_fold(sum_bytes(example, 0)), 0);
}

static void every_size_and_alignment_agrees_with_a_slow_sum(void **state)
{
	uint8_t data[600];
	uint32_t random = 1;

	(void)state;
	for (size_t i = 0; i < sizeof data; i++) {
		random = random * 1103515245 + 12345;
		data[i] = (uint8_t)(random >> 16);
	}
	for (size_t from = 0; from < 17; from++)
		for (size_t size = 0; from + size <= sizeof data; size++)
			assert_int_equal(in_network_order(sum_fold(
						 sum_bytes(data + from, size))),
				slow(data + from, size));
}

static void all_ones_do_not_overflow(void **state)
{
	static uint8_t ones[65536];

	(void)state;
	memset(ones, 0xff, sizeof ones);
	assert_int_equal(sum_fold(sum_bytes(ones, sizeof ones)), 0xffff);
	assert_int_equal(sum_fold(UINT64_MAX), 0xffff);
}

static void a_message_with_its_checksum_folds_to_ones(void **state)
{
	uint8_t message[10];
	uint16_t sum = (uint16_t)~sum_fold(sum_bytes(example, 8));

	(void)state;
	memcpy(message, example, 8);
	memcpy(message + 8, &sum, 2);
	assert_int_equal(sum_fold(sum_bytes(message, 10)), 0xffff);
	assert_int_equal(sum_field(message + 8), sum);
}

static void a_number_adds_as_its_bytes_do(void **state)
{
	const uint8_t bytes[4] = {0x12, 0x34, 0x56, 0x78};

	(void)state;
	assert_int_equal(
		sum_fold(sum_number(0x12345678)), sum_fold(sum_bytes(bytes, 4)));
}

/* RFC 7143, A.4: digests of 32 bytes. */
static void crc32c_agrees_with_rfc_7143(void **state)
{
	static struct crc32c crc;
	uint8_t data[32];

	(void)state;
	crc32c_init(&crc);
	memset(data, 0, sizeof data);
	assert_int_equal(
		~crc32c_add(&crc, (uint32_t)CRC32C_START, data, 32), 0x8a9136aa);
	memset(data, 0xff, sizeof data);
	assert_int_equal(
		~crc32c_add(&crc, (uint32_t)CRC32C_START, data, 32), 0x62a8ab43);
	for (uint8_t i = 0; i < 32; i++)
		data[i] = i;
	assert_int_equal(
		~crc32c_add(&crc, (uint32_t)CRC32C_START, data, 32), 0x46dd794e);
}

static void crc32c_may_be_cut_anywhere(void **state)
{
	static struct crc32c crc;
	uint8_t data[32];

	(void)state;
	crc32c_init(&crc);
	for (uint8_t i = 0; i < 32; i++)
		data[i] = (uint8_t)(31 - i);
	for (size_t cut = 0; cut <= 32; cut++) {
		uint32_t half = crc32c_add(&crc, (uint32_t)CRC32C_START, data, cut);
		assert_int_equal(
			~crc32c_add(&crc, half, data + cut, 32 - cut), 0x113fdb5c);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_example_of_rfc_1071_sums_to_ddf2),
		cmocka_unit_test(nothing_sums_to_zero),
		cmocka_unit_test(every_size_and_alignment_agrees_with_a_slow_sum),
		cmocka_unit_test(all_ones_do_not_overflow),
		cmocka_unit_test(a_message_with_its_checksum_folds_to_ones),
		cmocka_unit_test(a_number_adds_as_its_bytes_do),
		cmocka_unit_test(crc32c_agrees_with_rfc_7143),
		cmocka_unit_test(crc32c_may_be_cut_anywhere),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
