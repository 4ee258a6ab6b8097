/* The engine as its users see it: the table, directions, lengths, exposure. What it
 * makes of packets is in tests/packets/list. */
#include "config.h"

#include "packet/class_id.h"
#include "packet/column.h"
#include "packet/engine.h"
#include "packet/sum.h"

#include <ctype.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum {
	ETHERNET = 14,
	IP = 20,
	TCP = 20,
	PAYLOAD = 4000,
	SIZE = ETHERNET + IP + TCP + PAYLOAD
};

/* A TCP segment larger than any wire takes, all sums right. */
static void make_at(uint8_t *frame, uint32_t sequence)
{
	static const uint8_t head[ETHERNET + IP + TCP] = {2, 0, 0, 0, 0, 2, 2, 0, 0, 0,
		0, 1, 8, 0, 0x45, 0, (IP + TCP + PAYLOAD) >> 8,
		(IP + TCP + PAYLOAD) & 0xff, 0, 1, 0, 0, 64, 6, 0, 0, 192, 0, 2, 1, 192,
		0, 2, 2, 0x80, 0, 0x0b, 0xb8, 0, 0, 1, 0, 0, 0, 0, 0, 0x50, 0x10, 4, 0};
	uint8_t *ip = frame + ETHERNET, *tcp = ip + IP;
	uint16_t sum;

	memset(frame, 0x5a, SIZE);
	memcpy(frame, head, sizeof head);
	for (int i = 0; i < 4; i++)
		tcp[4 + i] = (uint8_t)(sequence >> (24 - 8 * i));
	sum = (uint16_t)~sum_fold(sum_bytes(ip, IP));
	memcpy(ip + 10, &sum, sizeof sum);
	sum = (uint16_t)~sum_fold(sum_bytes(ip + 12, 8) + sum_number(6) +
				  sum_number(TCP + PAYLOAD) +
				  sum_bytes(tcp, TCP + PAYLOAD));
	memcpy(tcp + 16, &sum, sizeof sum);
}

static void make(uint8_t *frame)
{
	make_at(frame, 1);
}

static struct engine *start(void)
{
	struct engine_options options = {
		.rules = RULES_WEIR, .linktype = 1, .flows = 64};
	return engine_new(&options);
}

static void every_class_is_described(void **state)
{
	(void)state;
	assert_int_equal(packet_class_count, SEEN_COUNT);
	for (unsigned i = 0; i < packet_class_count; i++) {
		const struct class_info *row = &packet_classes[i];
		assert_int_equal(packet_class_find(row->id), i);
		assert_true(strlen(row->title) <= 24);
		assert_true(strlen(row->layer) > 0 && row->group < GROUP_COUNT);
		for (const char *p = row->id; *p; p++)
			assert_true(
				islower(*p) || isdigit(*p) || *p == '.' || *p == '_');
		const char *texts[] = {row->means, row->todo, row->harmless};
		for (int k = 0; k < 3; k++)
			assert_int_equal(texts[k][strlen(texts[k]) - 1], '.');
	}
	assert_int_equal(packet_class_find("no.such"), -1);
}

static void the_four_answers_follow_each_other(void **state)
{
	static const char *const protocols[] = {"ip4", "tcp", "udp", "icmp", "icmp6"};
	static const char *const answers[] = {"", ".good", ".offloaded", ".unjudged"};
	char id[40];

	(void)state;
	for (int p = 0; p < 5; p++)
		for (int a = 0; a < 4; a++) {
			(void)snprintf(
				id, sizeof id, "%s.cksum%s", protocols[p], answers[a]);
			assert_int_equal(packet_class_find(id), p * 4 + a);
		}
}

static void columns_have_their_names(void **state)
{
	(void)state;
	assert_int_equal(COLUMN_COUNT, 60);
	assert_string_equal(packet_columns[0], "ip_ck_bad");
	assert_string_equal(packet_columns[COLUMN_COUNT - 1], "udp_ck_partial");
}

/* A card that finishes sums makes weir keep only headers of what is sent, so that a
 * wrong number in one of them cannot be told by its sum. */
static void a_wrong_number_that_no_sum_tells_makes_no_retransmissions(void **state)
{
	static const struct {
		uint32_t segment;     /* number in order */
		uint32_t damage;      /* in its sequence number */
		uint64_t again, gaps; /* of the wire: three in a frame */
	} steps[] = {{0, 0, 0, 0}, {1, 0, 0, 0}, {2, 1u << 30, 0, 0}, {3, 0, 0, 0},
		{4, 0, 0, 1}, {5, 0, 0, 1}, {6, 1u << 18, 0, 1}, {6, 0, 0, 1},
		{7, 0, 0, 1}, {2, 0, 3, 1}, {8, 0, 3, 1}};
	static uint8_t bytes[SIZE];
	struct engine *engine = start();
	const struct tally *tally = engine_tally(engine);

	(void)state;
	for (unsigned i = 0; i < sizeof steps / sizeof *steps; i++) {
		struct packet_frame frame = {.data = bytes,
			.captured = ETHERNET + IP + TCP,
			.length = SIZE,
			.cut = true,
			.time = (nsec)i * NSEC_PER_SEC,
			.direction = PACKET_TX};
		make_at(bytes, 1 + steps[i].segment * PAYLOAD + steps[i].damage);
		(void)engine_frame(engine, &frame);
		assert_int_equal(
			tally->count[SEEN_TCP_RETRANS][PACKET_TX], steps[i].again);
		assert_int_equal(tally->count[SEEN_TCP_GAP][PACKET_TX], steps[i].gaps);
	}
	engine_free(engine);
}

static void an_unknown_link_type_is_refused(void **state)
{
	struct engine_options options = {.linktype = 147};

	(void)state;
	assert_null(engine_new(&options));
}

static void counts_go_to_the_direction_of_the_frame(void **state)
{
	static uint8_t bytes[SIZE];
	struct engine *engine = start();
	const struct tally *tally = engine_tally(engine);

	(void)state;
	make(bytes);
	bytes[SIZE - 1] ^= 1;
	for (int i = 0; i < PACKET_DIRECTIONS; i++) {
		struct packet_frame frame = {.data = bytes,
			.captured = SIZE,
			.length = SIZE,
			.direction = (enum packet_direction)i};
		for (int times = 0; times <= i; times++)
			(void)engine_frame(engine, &frame);
		assert_int_equal(tally->count[SEEN_TCP_SUM_BAD][i], i + 1);
		assert_int_equal(tally->frames[i], i + 1);
		assert_int_equal(tally->bytes[i], (i + 1) * SIZE);
	}
	engine_free(engine);
}

static void a_merged_segment_stands_for_those_on_the_wire(void **state)
{
	static uint8_t bytes[SIZE];
	struct packet_frame frame = {.data = bytes, .captured = SIZE, .length = SIZE};
	struct engine *engine = start();

	(void)state;
	make(bytes);
	(void)engine_frame(engine, &frame);
	assert_int_equal(engine_tally(engine)->segments[PACKET_RX], 3);
	assert_int_equal(engine_tally(engine)->count[SEEN_TCP_SUM_GOOD][PACKET_RX], 1);
	engine_free(engine);
}

static void a_record_with_impossible_lengths_is_counted(void **state)
{
	static uint8_t bytes[SIZE];
	struct packet_frame frame = {
		.data = bytes, .captured = SIZE, .length = SIZE - 1};
	struct engine *engine = start();

	(void)state;
	make(bytes);
	(void)engine_frame(engine, &frame);
	assert_int_equal(engine_tally(engine)->count[SEEN_REC_CAPLEN][PACKET_RX], 1);
	assert_int_equal(engine_tally(engine)->cut, 0);
	engine_free(engine);
}

static void headers_only_on_purpose_is_no_damage(void **state)
{
	static uint8_t bytes[SIZE];
	struct packet_frame frame = {
		.data = bytes, .captured = 192, .length = SIZE, .cut = true};
	struct engine *engine = start();
	const struct tally *tally = engine_tally(engine);

	(void)state;
	make(bytes);
	(void)engine_frame(engine, &frame);
	assert_int_equal(tally->cut, 1);
	assert_int_equal(tally->count[SEEN_REC_SNAPPED][PACKET_RX], 0);
	assert_int_equal(tally->count[SEEN_TCP_SUM_UNJUDGED][PACKET_RX], 1);
	assert_int_equal(tally->bytes[PACKET_RX], SIZE);
	engine_free(engine);
}

/* More connections than fit: the oldest go, nothing breaks. */
static void connections_beyond_the_room_are_forgotten(void **state)
{
	static uint8_t bytes[SIZE];
	struct packet_frame frame = {.data = bytes, .captured = SIZE, .length = SIZE};
	struct engine *engine = start();

	(void)state;
	make(bytes);
	for (unsigned port = 0; port < 5000; port++) {
		bytes[ETHERNET + IP] = (uint8_t)(port >> 8);
		bytes[ETHERNET + IP + 1] = (uint8_t)port;
		(void)engine_frame(engine, &frame);
	}
	assert_int_equal(engine_tally(engine)->frames[PACKET_RX], 5000);
	engine_free(engine);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_class_is_described),
		cmocka_unit_test(the_four_answers_follow_each_other),
		cmocka_unit_test(columns_have_their_names),
		cmocka_unit_test(
			a_wrong_number_that_no_sum_tells_makes_no_retransmissions),
		cmocka_unit_test(an_unknown_link_type_is_refused),
		cmocka_unit_test(counts_go_to_the_direction_of_the_frame),
		cmocka_unit_test(a_merged_segment_stands_for_those_on_the_wire),
		cmocka_unit_test(a_record_with_impossible_lengths_is_counted),
		cmocka_unit_test(headers_only_on_purpose_is_no_damage),
		cmocka_unit_test(connections_beyond_the_room_are_forgotten),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
