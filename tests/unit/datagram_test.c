/* Which messages in UDP end before their own end: each cut at every length. */
#include "config.h"

#include "packet/datagram.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

/* An answer with one record, its name a pointer (RFC 1035 4.1). */
static const uint8_t answer[] = {0xaa, 0xd3, 0x80, 0x00, 0, 1, 0, 1, 0, 0, 0, 0, 4, 'w',
	'e', 'i', 'r', 0, 0, 1, 0, 1, 0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, 192, 0,
	2, 1};
static const char invitation[] = "INVITE sip:a@192.0.2.1 SIP/2.0\r\n"
				 "CSeq: 1 INVITE\r\n"
				 "\r\n"
				 "v=0";

static struct view view_all(const void *data, size_t size)
{
	return view_of(data, (uint32_t)size, (uint32_t)size);
}

static bool early(uint16_t port, const void *data, size_t size)
{
	uint8_t ports[4] = {0xc0, 0x00, (uint8_t)(port >> 8), (uint8_t)port};
	struct view view = view_all(data, size);

	return datagram_ends_early(ports, &view);
}

static void a_name_service_message_ends_early_at_every_cut(void **state)
{
	static const uint16_t ports[] = {53, 137, 5353, 5355};

	(void)state;
	for (size_t i = 0; i < sizeof ports / sizeof *ports; i++) {
		assert_false(early(ports[i], answer, sizeof answer));
		for (size_t size = 1; size < sizeof answer; size++)
			assert_true(early(ports[i], answer, size));
	}
}

static void elsewhere_it_is_known_by_its_question(void **state)
{
	uint8_t other[sizeof answer];

	(void)state;
	assert_true(early(156, answer, sizeof answer - 1));
	assert_false(early(156, answer, 20)); /* no question there yet */
	memcpy(other, answer, sizeof other);
	other[5] = 2; /* questions */
	assert_false(early(156, other, sizeof other - 1));
}

static void counts_of_records_that_are_not_there_end_it_early(void **state)
{
	uint8_t many[sizeof answer];

	(void)state;
	memcpy(many, answer, sizeof many);
	many[6] = 0xff;
	many[8] = 0xff;
	assert_true(early(53, many, sizeof many));
}

static void a_text_message_ends_early_inside_a_line_of_its_head(void **state)
{
	(void)state;
	assert_false(early(5060, invitation, 20)); /* no first line */
	assert_false(early(5060, invitation, 32)); /* whole lines */
	assert_true(early(5060, invitation, 33));
	assert_true(early(5060, invitation, 40));
	assert_false(early(5060, invitation, sizeof invitation - 1)); /* the body */
	assert_false(early(5060, "INVITE a SIP/2.x\r\nCSeq", 22));
}

static void a_key_exchange_says_how_long_it_is(void **state)
{
	uint8_t keys[40] = {[27] = sizeof keys};

	(void)state;
	assert_false(early(500, keys, sizeof keys));
	assert_true(early(500, keys, sizeof keys - 1));
	assert_false(early(500, keys, 27)); /* not even a head: not known as one */
	assert_false(early(501, keys, sizeof keys - 1));
}

static void what_the_capture_cut_is_not_judged(void **state)
{
	const uint8_t ports[4] = {0, 53, 0, 53};
	struct view view = view_of(answer, 20, sizeof answer);

	(void)state;
	assert_false(datagram_ends_early(ports, &view));
	view = view_of(answer, 0, 0);
	assert_false(datagram_ends_early(ports, &view));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_name_service_message_ends_early_at_every_cut),
		cmocka_unit_test(elsewhere_it_is_known_by_its_question),
		cmocka_unit_test(counts_of_records_that_are_not_there_end_it_early),
		cmocka_unit_test(a_text_message_ends_early_inside_a_line_of_its_head),
		cmocka_unit_test(a_key_exchange_says_how_long_it_is),
		cmocka_unit_test(what_the_capture_cut_is_not_judged),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
