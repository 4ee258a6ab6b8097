/* Who did it: a bounded table keeps the busy peers, loses no count, and its lines say
 * what it holds. */
#include "config.h"

#include "packet/decode.h"
#include "packet/peer.h"
#include "packet/wire_peer.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct peer_end end4(unsigned number, uint16_t port)
{
	struct peer_end end = {.version = 4, .port = port};

	end.address[0] = 10;
	end.address[1] = (uint8_t)(number >> 16);
	end.address[2] = (uint8_t)(number >> 8);
	end.address[3] = (uint8_t)number;
	return end;
}

static void count_one(struct peer_table *table, unsigned number)
{
	struct peer_end end = end4(number, 3260);
	struct peer_row *row = peer_row_of(table, &end);

	row->segments[PACKET_RX]++;
	row->count[3][PACKET_RX]++;
}

static int setup(void **state)
{
	*state = calloc(3, sizeof(struct peer_table));
	return *state ? 0 : -1;
}

static int teardown(void **state)
{
	free(*state);
	return 0;
}

static void the_end_with_the_storage_port_is_the_peer(void **state)
{
	struct network network = {
		.version = 4, .source = {10, 0, 0, 1}, .target = {10, 0, 0, 2}};
	static const uint8_t to[4] = {0xc0, 0, 0x0c, 0xbc};      /* 49152 > 3260 */
	static const uint8_t from[4] = {0x01, 0xbd, 0xc0, 0};    /* 445 > 49152 */
	static const uint8_t both[4] = {0x03, 0x5c, 0x08, 0x01}; /* 860 > 2049 */
	static const uint8_t none[4] = {0, 80, 0xc0, 0};
	struct peer_end end;
	char text[PEER_TEXT];

	(void)state;
	assert_true(peer_end_of(&network, to, &end));
	peer_text(&end, text);
	assert_string_equal(text, "10.0.0.2:3260");
	assert_true(peer_end_of(&network, from, &end));
	peer_text(&end, text);
	assert_string_equal(text, "10.0.0.1:445");
	assert_true(peer_end_of(&network, both, &end));
	peer_text(&end, text);
	assert_string_equal(text, "10.0.0.2:2049");
	assert_false(peer_end_of(&network, none, &end));
}

static void the_busy_stay_and_no_count_is_lost(void **state)
{
	struct peer_table *table = *state;
	uint64_t all = 0, counted = 0;

	for (unsigned round = 0; round < 3000; round++) {
		for (unsigned busy = 0; busy < PEERS_TOLD_APART / 2; busy++)
			count_one(table, busy);
		count_one(table, 100000 + round); /* one that comes once */
		all += PEERS_TOLD_APART / 2 + 1;
	}
	for (unsigned i = 0; i < PEER_ROWS; i++) {
		assert_int_equal(table->row[i].segments[PACKET_RX],
			table->row[i].count[3][PACKET_RX]);
		counted += table->row[i].segments[PACKET_RX];
	}
	assert_int_equal(counted, all);
	for (unsigned busy = 0; busy < PEERS_TOLD_APART / 2; busy++) {
		struct peer_end end = end4(busy, 3260);

		assert_int_equal(peer_row_of(table, &end)->segments[PACKET_RX], 3000);
	}
	assert_true(table->row[PEER_OTHERS].segments[PACKET_RX] > 0);
}

static void a_new_busy_one_replaces_what_was_busy_long_ago(void **state)
{
	struct peer_table *table = *state;
	struct peer_end end = end4(77, 3260);

	for (unsigned i = 0; i < PEERS_TOLD_APART; i++)
		for (unsigned n = 0; n < 1000; n++)
			count_one(table, i);
	for (unsigned n = 0; n < 10000; n++)
		count_one(table, 77);
	/* until it had done as much as the one that did least, it was one of the others
	 */
	assert_true(peer_row_of(table, &end)->segments[PACKET_RX] >= 8900);
	assert_int_equal(table->row[PEER_OTHERS].segments[PACKET_RX] +
				 peer_row_of(table, &end)->segments[PACKET_RX],
		11000);
}

static uint32_t next_random(uint32_t *state)
{
	*state = *state * 1664525 + 1013904223;
	return *state >> 16;
}

/* One more than there are rows, all as busy as each other: who has a row keeps it. */
static void seventeen_equal_ones_do_not_push_each_other_out(void **state)
{
	struct peer_table *table = *state;
	uint32_t random = 1;
	uint64_t counted = 0;

	for (unsigned n = 0; n < 170000; n++)
		count_one(table, next_random(&random) % (PEERS_TOLD_APART + 1));
	assert_true(table->tenants < PEERS_TOLD_APART + 20);
	for (unsigned i = 0; i < PEER_ROWS; i++)
		counted += table->row[i].segments[PACKET_RX];
	assert_int_equal(counted, 170000);
}

/* Three times as busy as each of those that have the rows. */
static void one_that_does_more_than_a_row_gets_in(void **state)
{
	struct peer_table *table = *state;
	struct peer_end end = end4(77, 3260);
	uint32_t random = 1;

	for (unsigned n = 0; n < 160000; n++)
		count_one(table, next_random(&random) % PEERS_TOLD_APART);
	for (unsigned n = 0; n < 190000; n++) {
		unsigned who = next_random(&random) % (PEERS_TOLD_APART + 3);

		count_one(table, who < PEERS_TOLD_APART ? who : 77);
	}
	assert_int_equal(peer_row_of(table, &end)->end.version, 4);
	assert_true(peer_row_of(table, &end)->segments[PACKET_RX] > 14000);
}

static void answers_are_sorted_by_the_edges(void **state)
{
	struct peer_table *table = *state;
	struct response *response = &table->row[0].response[RESPONSE_READ];
	uint64_t us;

	assert_false(response_bound(response, 0.5, &us));
	peer_answered(&table->row[0], RESPONSE_READ, 64 * 1000); /* not over 64 us */
	peer_answered(&table->row[0], RESPONSE_READ, 65 * 1000); /* over 64, not 128 */
	peer_answered(&table->row[0], RESPONSE_READ, 3000 * 1000);
	peer_answered(&table->row[0], RESPONSE_READ, 60 * NSEC_PER_SEC);
	peer_answered(&table->row[0], RESPONSE_READ, -1); /* the clock ran backwards */
	assert_int_equal(response->count, 4);
	assert_int_equal(response->sum_us, 64 + 65 + 3000 + 60000000);
	assert_int_equal(response->slower[0], 3);
	assert_int_equal(response->slower[1], 2);
	assert_int_equal(response->slower[5], 2); /* 2048 us */
	assert_int_equal(response->slower[6], 1); /* 4096 us */
	assert_int_equal(response->slower[RESPONSE_EDGES - 1], 1);
	assert_true(response_bound(response, 0.5, &us));
	assert_int_equal(us, 128);
	assert_false(response_bound(response, 0.99, &us));
}

/* ---- lines ---- */

static void hear_all(const struct wire_peers *speech, struct wire_input *input,
	struct peer_table *sent)
{
	unsigned from = 0;
	char text[WIRE_CHUNK];

	while (from < wire_peer_items()) {
		unsigned start = from;
		size_t used = wire_peer_chunk(speech, &from, text, sizeof text);

		assert_true(from > start);
		for (size_t i = 0, line = 0; i < used; i++) {
			assert_true(i - line < WIRE_LINE);
			line = text[i] == '\n' ? i + 1 : line;
		}
		wire_feed(input, text, used);
		wire_peer_sent(sent, speech->now, start, from);
	}
}

static void fill(struct peer_row *row, unsigned number, uint64_t value)
{
	row->end = end4(number, 3260);
	row->tenant = number;
	row->dialect = 0x0311;
	row->header_digest = PEER_DIGEST_ON;
	row->data_digest = PEER_DIGEST_OFF;
	for (unsigned d = 0; d < PACKET_DIRECTIONS; d++)
		row->segments[d] = value - d;
	for (unsigned i = 0; i < packet_class_count; i++)
		row->count[i][PACKET_TX] = value - i;
	for (unsigned k = 0; k < RESPONSE_KINDS; k++) {
		row->response[k].count = value - k;
		row->response[k].sum_us = value;
		for (unsigned e = 0; e < RESPONSE_EDGES; e++)
			row->response[k].slower[e] = value - e;
	}
}

static void what_peers_did_is_heard_as_it_was_said(void **state)
{
	struct peer_table *now = *state, *sent = now + 1, *heard = now + 2;
	struct wire_input input = {.peers = heard};
	struct wire_peers speech = {now, sent, false};

	for (unsigned i = 0; i < PEERS_TOLD_APART; i++)
		fill(&now->row[i], i + 1, UINT64_MAX - i);
	now->row[4].end.version = 6;
	now->row[4].end.address[15] = 1;
	now->tenants = PEERS_TOLD_APART;
	hear_all(&speech, &input, sent);
	assert_int_equal(input.bad, 0);
	assert_memory_equal(heard->row, now->row, sizeof now->row);
	assert_memory_equal(sent->row, now->row, sizeof now->row);
	/* nothing is new: nothing is said */
	unsigned from = 0;
	char text[WIRE_CHUNK];
	while (from < wire_peer_items())
		assert_int_equal(wire_peer_chunk(&speech, &from, text, sizeof text), 0);
}

static void a_row_that_is_another_ones_begins_at_0(void **state)
{
	struct peer_table *now = *state, *sent = now + 1, *heard = now + 2;
	struct wire_input input = {.peers = heard};
	struct wire_peers speech = {now, sent, false};

	now->tenants = 1;
	fill(&now->row[0], 1, 1000);
	hear_all(&speech, &input, sent);
	memset(&now->row[0], 0, sizeof now->row[0]);
	now->row[0].end = end4(2, 445);
	now->row[0].tenant = 2;
	now->row[0].count[5][PACKET_TX] = 995; /* what the one before had, by chance */
	hear_all(&speech, &input, sent);
	assert_int_equal(input.bad, 0);
	assert_memory_equal(heard->row, now->row, sizeof now->row);
}

/* What a peer was shown to have does not come again as what the others have. */
static void the_others_do_not_get_what_a_peer_had(void **state)
{
	struct peer_table *now = *state, *sent = now + 1, *heard = now + 2;
	struct wire_input input = {.peers = heard};
	struct wire_peers speech = {now, sent, false};
	struct peer_row old;

	fill(&now->row[0], 1, 1000);
	now->row[PEER_OTHERS].segments[PACKET_RX] = 7;
	hear_all(&speech, &input, sent);
	assert_int_equal(peer_others_heard(heard)->segments[PACKET_RX], 7);
	/* three more before it is given up, which nobody heard of as its own */
	old = now->row[0];
	old.segments[PACKET_RX] += 3;
	peer_add_up(&now->row[PEER_OTHERS], &old);
	memset(&now->row[0], 0, sizeof now->row[0]);
	now->row[0].end = end4(2, 445);
	now->row[0].tenant = 2;
	hear_all(&speech, &input, sent);
	assert_int_equal(now->row[PEER_OTHERS].segments[PACKET_RX], 1010);
	assert_int_equal(peer_others_heard(heard)->segments[PACKET_RX], 10);
	assert_int_equal(peer_others_heard(heard)->count[0][PACKET_TX], 0);
	assert_int_equal(peer_others_heard(heard)->response[0].count, 0);
}

/* Only the first part of the report arrived: what the others had is not less. */
static void what_the_others_have_never_falls(void **state)
{
	static const char half[] = "peer 0 2 10.0.0.2:445 dialect=0 header=unknown "
				   "data=unknown\n";
	struct peer_table *now = *state, *sent = now + 1, *heard = now + 2;
	struct wire_input input = {.peers = heard};
	struct wire_peers speech = {now, sent, false};

	fill(&now->row[0], 1, 1000);
	now->row[PEER_OTHERS].segments[PACKET_RX] = 1500;
	hear_all(&speech, &input, sent);
	assert_int_equal(peer_others_heard(heard)->segments[PACKET_RX], 1500);
	wire_feed(&input, half, sizeof half - 1);
	assert_int_equal(peer_others_heard(heard)->segments[PACKET_RX], 1500);
}

static void what_is_not_understood_changes_nothing(void **state)
{
	static const char *const wrong[] = {"peer", "peer 17 1 others dialect=0",
		"peer 0 1 10.0.0.1 dialect=0 header=on data=on",
		"peer 0 1 10.0.0.1:99999 dialect=0 header=on data=on",
		"peer 0 1 [::1:445 dialect=0 header=on", "peer 0 1 [:445 dialect=0",
		"peer 0 1 :445 dialect=0 header=on data=on",
		"peer 0 1 10.0.0.1:445 dialect=0 header=maybe data=on",
		"peer-segments 0 1 2", "peer-segments 99 1 2 3",
		"peer-class 0 tcp.rst 1 2", "peer-times 0 read 1",
		"peer-times 0 sleep 1 2", "peer-slower 0 read 19 1",
		"peer-slower 0 read 15 1 2 3", "peer-slower 0 read 0 1 2 3 4 5 6"};
	struct peer_table *heard = *state;
	static const struct peer_table nothing;

	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
		struct wire_input input = {.peers = heard};

		wire_feed(&input, wrong[i], strlen(wrong[i]));
		wire_feed(&input, "\n", 1);
		if (input.bad != 1)
			fail_msg("taken: \"%s\"", wrong[i]);
		assert_memory_equal(heard, &nothing, sizeof nothing);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_end_with_the_storage_port_is_the_peer),
		cmocka_unit_test_setup_teardown(
			the_busy_stay_and_no_count_is_lost, setup, teardown),
		cmocka_unit_test_setup_teardown(
			a_new_busy_one_replaces_what_was_busy_long_ago, setup,
			teardown),
		cmocka_unit_test_setup_teardown(
			seventeen_equal_ones_do_not_push_each_other_out, setup,
			teardown),
		cmocka_unit_test_setup_teardown(
			one_that_does_more_than_a_row_gets_in, setup, teardown),
		cmocka_unit_test_setup_teardown(
			answers_are_sorted_by_the_edges, setup, teardown),
		cmocka_unit_test_setup_teardown(
			what_peers_did_is_heard_as_it_was_said, setup, teardown),
		cmocka_unit_test_setup_teardown(
			a_row_that_is_another_ones_begins_at_0, setup, teardown),
		cmocka_unit_test_setup_teardown(
			the_others_do_not_get_what_a_peer_had, setup, teardown),
		cmocka_unit_test_setup_teardown(
			what_the_others_have_never_falls, setup, teardown),
		cmocka_unit_test_setup_teardown(
			what_is_not_understood_changes_nothing, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
