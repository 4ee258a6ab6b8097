/* Sent or received, by the addresses at both ends of a frame. */
#include "config.h"

#include "capture/own.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum {
	ETHERNET = 1,
	RAW = 12,
	SLL = 113,
	SLL2 = 276,
	BLUETOOTH = 201
};

static const uint8_t us[6] = {2, 0, 0, 0, 0, 1};
static const uint8_t bridge[6] = {2, 0, 0, 0, 0, 2};
static const uint8_t peer[6] = {2, 0, 0, 0, 0, 9};
static const uint8_t other[6] = {2, 0, 0, 0, 0, 8};
static const uint8_t everyone[6] = {255, 255, 255, 255, 255, 255};
static const uint8_t group[6] = {1, 0, 0x5e, 0, 0, 1};
static const uint8_t none[6];

static struct own ours(void)
{
	struct own own = {0};

	own_add_mac(&own, us);
	own_add_mac(&own, bridge);
	own_add_mac(&own, none);
	return own;
}

static enum packet_direction frame(
	const struct own *own, const uint8_t *from, const uint8_t *to)
{
	uint8_t data[14];

	memcpy(data, to, 6);
	memcpy(data + 6, from, 6);
	return own_direction(own, ETHERNET, data, sizeof data);
}

static void a_frame_from_one_of_our_addresses_was_sent(void **state)
{
	const struct own own = ours();

	(void)state;
	assert_int_equal(frame(&own, us, peer), PACKET_TX);
	assert_int_equal(frame(&own, bridge, peer), PACKET_TX);
	assert_int_equal(frame(&own, us, everyone), PACKET_TX);
}

static void a_frame_to_us_or_to_a_group_was_received(void **state)
{
	const struct own own = ours();

	(void)state;
	assert_int_equal(frame(&own, peer, us), PACKET_RX);
	assert_int_equal(frame(&own, peer, bridge), PACKET_RX);
	assert_int_equal(frame(&own, peer, everyone), PACKET_RX);
	assert_int_equal(frame(&own, peer, group), PACKET_RX);
}

static void what_others_say_to_each_other_has_no_direction(void **state)
{
	const struct own own = ours();

	(void)state;
	assert_int_equal(frame(&own, peer, other), PACKET_UNKNOWN);
}

static void on_a_bridge_port_a_group_frame_of_another_has_none_either(void **state)
{
	struct own own = ours();

	(void)state;
	own.bridge_port = true;
	assert_int_equal(frame(&own, peer, everyone), PACKET_UNKNOWN);
	assert_int_equal(frame(&own, peer, us), PACKET_RX);
	assert_int_equal(frame(&own, us, everyone), PACKET_TX);
}

static void without_an_address_of_ours_nothing_is_guessed(void **state)
{
	const struct own own = {0};

	(void)state;
	assert_int_equal(frame(&own, none, none), PACKET_UNKNOWN); /* loopback */
	assert_int_equal(frame(&own, peer, everyone), PACKET_UNKNOWN);
}

static void a_cooked_header_tells_it_itself(void **state)
{
	const struct own own = {0};
	uint8_t data[20] = {0};

	(void)state;
	data[1] = 4;
	assert_int_equal(own_direction(&own, SLL, data, 16), PACKET_TX);
	data[1] = 0;
	data[10] = 4;
	assert_int_equal(own_direction(&own, SLL, data, 16), PACKET_RX);
	assert_int_equal(own_direction(&own, SLL2, data, 20), PACKET_TX);
	assert_int_equal(own_direction(&own, SLL2, data, 10), PACKET_UNKNOWN);
	assert_int_equal(own_direction(&own, SLL, data, 1), PACKET_UNKNOWN);
}

static void without_a_link_header_the_ip_addresses_tell(void **state)
{
	uint8_t ip4[20] = {0x45}, ip6[40] = {0x60};
	uint8_t mapped[16] = {0};
	struct own own = {0};

	(void)state;
	mapped[10] = mapped[11] = 0xff;
	memcpy(mapped + 12, "\x0a\x00\x00\x01", 4);
	own_add_ip(&own, mapped);
	memset(mapped, 7, sizeof mapped);
	own_add_ip(&own, mapped);
	memcpy(ip4 + 12, "\x0a\x00\x00\x01", 4);
	assert_int_equal(own_direction(&own, RAW, ip4, 20), PACKET_TX);
	memcpy(ip4 + 12, "\x0a\x00\x00\x05\x0a\x00\x00\x01", 8);
	assert_int_equal(own_direction(&own, RAW, ip4, 20), PACKET_RX);
	memset(ip6 + 24, 7, 16);
	assert_int_equal(own_direction(&own, RAW, ip6, 40), PACKET_RX);
	memset(ip6 + 8, 7, 16);
	assert_int_equal(own_direction(&own, RAW, ip6, 40), PACKET_TX);
}

static void a_frame_cut_anywhere_is_never_read_past_its_end(void **state)
{
	static const int links[] = {ETHERNET, RAW, SLL, SLL2, 228, 229, BLUETOOTH};
	struct own own = ours();

	(void)state;
	own_add_ip(&own, (const uint8_t[16]){1});
	for (size_t i = 0; i < sizeof links / sizeof *links; i++)
		for (uint8_t size = 0; size < 48; size++) {
			/* exactly so large that a sanitizer sees one byte too many */
			uint8_t *data = malloc(size ? size : 1);

			assert_non_null(data);
			memset(data, 0x60, size ? size : 1);
			(void)own_direction(&own, links[i], data, size);
			free(data);
		}
	assert_int_equal(own_direction(&own, BLUETOOTH, us, 6), PACKET_UNKNOWN);
}

static void more_addresses_than_there_is_room_for_are_left_out(void **state)
{
	struct own own = {0};

	(void)state;
	for (uint8_t i = 1; i < 3 * OWN_ADDRESSES; i++) {
		own_add_mac(&own, (const uint8_t[6]){2, 0, 0, 0, 0, i});
		own_add_ip(&own, (const uint8_t[16]){i});
	}
	assert_int_equal(own.mac_count, OWN_ADDRESSES);
	assert_int_equal(own.ip_count, OWN_ADDRESSES);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_frame_from_one_of_our_addresses_was_sent),
		cmocka_unit_test(a_frame_to_us_or_to_a_group_was_received),
		cmocka_unit_test(what_others_say_to_each_other_has_no_direction),
		cmocka_unit_test(
			on_a_bridge_port_a_group_frame_of_another_has_none_either),
		cmocka_unit_test(without_an_address_of_ours_nothing_is_guessed),
		cmocka_unit_test(a_cooked_header_tells_it_itself),
		cmocka_unit_test(without_a_link_header_the_ip_addresses_tell),
		cmocka_unit_test(a_frame_cut_anywhere_is_never_read_past_its_end),
		cmocka_unit_test(more_addresses_than_there_is_room_for_are_left_out),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
