/* Which packets are kept, for how long there is room, and that the session gives back
 * what went into it. */
#include "config.h"

#include "app/evidence_keeper.h"
#include "folder.h"
#include "packet/decode.h"
#include "packet/pcapng.h"
#include "store/store.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* ---- the engine's side ---- */

struct kept {
	struct evidence_entry entry[64];
	unsigned count;
};

static void put(void *context, const struct evidence_entry *entry)
{
	struct kept *kept = context;

	assert_true(kept->count < 64);
	kept->entry[kept->count++] = *entry;
}

static const uint8_t bytes[2000];

/* A frame of connection FLOW at second SECOND; SEEN: the class that it has, or -1. */
static void frame(struct evidence *evidence, uint64_t flow, nsec second, int seen)
{
	const struct packet_frame frame = {.data = bytes,
		.captured = 1000,
		.length = 1000,
		.time = second * NSEC_PER_SEC};
	struct decode decode = {.frame = &frame, .flow = flow, .headers = 54};

	if (seen >= 0)
		see(&decode, (enum seen)seen);
	evidence_frame(evidence, &decode);
}

static struct evidence *evidence_of(struct kept *kept, unsigned quota, nsec period)
{
	kept->count = 0;
	return evidence_new(&(struct evidence_options){
		.quota = quota, .period = period, .put = put, .context = kept});
}

static void a_finding_has_two_before_and_two_behind_of_its_connection(void **state)
{
	static struct kept kept;
	struct evidence *evidence = evidence_of(&kept, 8, 0);
	static const struct {
		int32_t place;
		nsec second;
	} wanted[] = {{0, 6}, {-1, 4}, {-2, 2}, {1, 8}, {2, 10}};

	(void)state;
	for (nsec second = 0; second < 12; second++) /* two connections in turn */
		frame(evidence, 100 + (uint64_t)second % 2, second,
			second == 6 ? (int)SEEN_TCP_SUM_BAD : -1);
	assert_int_equal(kept.count, 5);
	for (unsigned i = 0; i < 5; i++) {
		assert_int_equal(kept.entry[i].place, wanted[i].place);
		assert_int_equal(kept.entry[i].time, wanted[i].second * NSEC_PER_SEC);
		assert_int_equal(kept.entry[i].finding, 1);
		assert_int_equal(kept.entry[i].captured, 54 + EVIDENCE_BEHIND);
		assert_int_equal(kept.entry[i].length, 1000);
	}
	evidence_free(evidence);
}

static void a_packet_is_kept_once(void **state)
{
	static struct kept kept;
	struct evidence *evidence = evidence_of(&kept, 8, 0);

	(void)state;
	for (nsec second = 0; second < 6; second++)
		frame(evidence, 7, second, second < 4 ? (int)SEEN_TCP_RETRANS : -1);
	assert_int_equal(kept.count, 6);
	for (unsigned i = 0; i < 6; i++)
		for (unsigned other = 0; other < i; other++)
			assert_int_not_equal(
				kept.entry[i].time, kept.entry[other].time);
	evidence_free(evidence);
}

static void a_flood_of_one_class_hides_no_other(void **state)
{
	static struct kept kept;
	struct evidence *evidence = evidence_of(&kept, 3, 10 * NSEC_PER_SEC);

	(void)state;
	for (unsigned i = 0; i < 1000; i++)
		frame(evidence, 0, 105, SEEN_TCP_DUPACK);
	frame(evidence, 0, 105, SEEN_IP4_SUM_BAD);
	assert_int_equal(kept.count, 4);
	frame(evidence, 0, 114, SEEN_TCP_DUPACK); /* not yet */
	assert_int_equal(kept.count, 4);
	frame(evidence, 0, 115, SEEN_TCP_DUPACK);
	assert_int_equal(kept.count, 5);
	evidence_free(evidence);
}

static void what_is_good_or_not_judged_is_no_evidence(void **state)
{
	static struct kept kept;
	struct evidence *evidence = evidence_of(&kept, 3, 0);

	(void)state;
	frame(evidence, 1, 1, SEEN_TCP_SUM_GOOD);
	frame(evidence, 1, 2, SEEN_TCP_SUM_OFFLOADED);
	frame(evidence, 1, 3, SEEN_TCP_SUM_UNJUDGED);
	frame(evidence, 1, 4, SEEN_SMB2_SIGNED);
	frame(evidence, 1, 5, -1);
	assert_int_equal(kept.count, 0);
	evidence_free(evidence);
}

/* ---- the recorder's side ---- */

static struct evidence_packet packet(uint32_t finding, int32_t place, unsigned seen)
{
	struct evidence_packet packet = {.linktype = 1, .interface = "eth0"};

	packet.entry = (struct evidence_entry){.time = 1000 + finding,
		.captured = 100 + finding % 50,
		.length = 1500,
		.finding = finding,
		.place = place,
		.direction = PACKET_RX,
		.data = bytes};
	if (!place)
		packet.entry.seen[seen / 64] |= UINT64_C(1) << (seen % 64);
	return packet;
}

static size_t take(struct evidence_keeper *keeper, nsec at,
	const struct windows *windows, const struct evidence_packet *one)
{
	struct evidence_batch from = {0}, to = {0};
	size_t count;

	evidence_batch_add(&from, one);
	evidence_keeper_take(keeper, at, windows, &from, &to);
	count = to.count;
	evidence_batch_fini(&from);
	evidence_batch_fini(&to);
	return count;
}

static void each_class_has_a_quota_in_each_window(void **state)
{
	struct evidence_keeper keeper = {0};
	struct window list[1] = {{.id = 1, .to = WINDOW_OPEN}};
	struct windows none = {0}, windows = {.list = list, .count = 1};
	struct evidence_packet one;
	size_t kept = 0;

	(void)state;
	for (uint32_t i = 1; i <= 100; i++) {
		one = packet(i, 0, SEEN_TCP_RETRANS);
		kept += take(&keeper, 5, &none, &one);
	}
	assert_int_equal(kept, KEEPER_QUOTA);
	one = packet(101, 0, SEEN_TCP_RST); /* another class */
	assert_int_equal(take(&keeper, 5, &none, &one), 1);
	one = packet(102, 0, SEEN_TCP_RETRANS); /* BEFORE begins */
	assert_int_equal(take(&keeper, 6, &windows, &one), 1);
	for (uint32_t i = 103; i <= 200; i++) {
		one = packet(i, 0, SEEN_TCP_RETRANS);
		(void)take(&keeper, 6, &windows, &one);
	}
	one = packet(201, 0, SEEN_TCP_RETRANS);
	assert_int_equal(take(&keeper, 6, &windows, &one), 0);
	list[0].to = 7; /* it ends */
	assert_int_equal(take(&keeper, 7, &windows, &one), 1);
	assert_int_equal(take(&keeper, 3601 * NSEC_PER_SEC, &windows, &one), 1);
}

static void neighbours_go_with_their_finding(void **state)
{
	struct evidence_keeper keeper = {0};
	struct windows none = {0};
	struct evidence_packet one = packet(1, -1, 0), other = packet(1, 1, 0);

	(void)state;
	assert_int_equal(take(&keeper, 5, &none, &one), 0);
	one = packet(1, 0, SEEN_TCP_RST);
	assert_int_equal(take(&keeper, 5, &none, &one), 1);
	assert_int_equal(take(&keeper, 5, &none, &other), 1);
	other.interface[3] = '1'; /* the first finding of another helper */
	assert_int_equal(take(&keeper, 5, &none, &other), 0);
}

static uint32_t number_given(
	struct evidence_keeper *keeper, const struct evidence_packet *one)
{
	struct evidence_batch from = {0}, to = {0};
	struct windows none = {0};
	uint32_t number;

	evidence_batch_add(&from, one);
	evidence_keeper_take(keeper, 5, &none, &from, &to);
	assert_int_equal(to.count, 1);
	number = evidence_batch_at(&to, 0).entry.finding;
	evidence_batch_fini(&from);
	evidence_batch_fini(&to);
	return number;
}

/* The second interface and the recorder that goes on both begin at 1 with a helper. */
static void a_number_is_given_once_in_a_session(void **state)
{
	struct evidence_keeper keeper = {0}, next = {0};
	struct evidence_packet one = packet(1, 0, SEEN_TCP_RST), other = one,
			       behind = packet(1, 1, 0);
	struct evidence_batch batch = {0};
	struct store *store;
	struct fault fault = {0};

	(void)state;
	other.interface[3] = behind.interface[3] = '1';
	assert_int_equal(number_given(&keeper, &one), 1);
	assert_int_equal(number_given(&keeper, &other), 2);
	assert_int_equal(number_given(&keeper, &behind), 2);

	store = store_open(folder_path("numbers.weir"), STORE_CREATE, &fault);
	assert_non_null(store);
	assert_int_equal(store_evidence_last(store), 0);
	other.entry.finding = keeper.last;
	evidence_batch_add(&batch, &other);
	assert_true(store_evidence(store, 5, &batch, &fault));
	evidence_batch_fini(&batch);
	next.last = store_evidence_last(store);
	store_close(store);
	assert_int_equal(number_given(&next, &one), 3);
}

/* ---- the session ---- */

struct given {
	unsigned count;
	nsec last;
	char classes[64];
	struct evidence_packet first, packet;
};

static void see_one(
	void *context, const struct evidence_packet *one, const char *classes)
{
	struct given *given = context;

	assert_true(one->entry.time >= given->last);
	given->last = one->entry.time;
	if (!given->count++)
		given->first = *one;
	given->packet = *one;
	(void)snprintf(given->classes, sizeof given->classes, "%s", classes);
	assert_memory_equal(one->entry.data, bytes, one->entry.captured);
}

static void count_one(
	void *context, const struct evidence_packet *one, const char *classes)
{
	struct given *given = context;

	(void)one;
	(void)classes;
	given->count++;
}

static void add_at(struct store *store, nsec at, uint32_t first, uint32_t count)
{
	struct evidence_batch batch = {0};
	struct fault fault;

	for (uint32_t i = 0; i < count; i++) {
		struct evidence_packet one = packet(first + i, 0, SEEN_TCP_RST);

		evidence_batch_add(&batch, &one);
	}
	assert_true(store_evidence(store, at, &batch, &fault));
	evidence_batch_fini(&batch);
}

static void add_to(struct store *store, uint32_t first, uint32_t count)
{
	add_at(store, 5, first, count);
}

static void the_session_gives_back_what_went_into_it(void **state)
{
	struct fault fault = {0};
	struct store *store = store_open(folder_path("e.weir"), STORE_CREATE, &fault);
	struct given given = {0};

	(void)state;
	assert_non_null(store);
	add_to(store, 3, 1);
	assert_true(store_evidence_each(store, see_one, &given, &fault));
	assert_int_equal(given.count, 1);
	assert_int_equal(given.packet.linktype, 1);
	assert_string_equal(given.packet.interface, "eth0");
	assert_int_equal(given.packet.entry.captured, 103);
	assert_int_equal(given.packet.entry.length, 1500);
	assert_int_equal(given.packet.entry.direction, PACKET_RX);
	assert_string_equal(given.classes, "tcp.rst");
	store_close(store);
}

static void there_is_an_end_to_what_a_session_holds(void **state)
{
	struct fault fault = {0};
	struct store *store = store_open(folder_path("f.weir"), STORE_CREATE, &fault);
	struct given given = {0};

	(void)state;
	assert_non_null(store);
	for (uint32_t i = 0; i < 25; i++)
		add_to(store, i * 1000 + 1, 1000);
	assert_true(store_evidence_each(store, see_one, &given, &fault));
	assert_int_equal(given.count, 20000);
	assert_int_equal(given.packet.entry.finding, 25000); /* the newest are there */
	store_close(store);
}

/* A month of findings does not push out those of BEFORE. */
static void what_was_found_in_a_window_stays(void **state)
{
	const nsec hour = 3600 * NSEC_PER_SEC;
	struct window before = {.id = 1,
		.role = ROLE_BEFORE,
		.name = "before",
		.from = 10 * hour,
		.to = 11 * hour};
	struct windows windows = {.list = &before, .count = 1};
	struct fault fault = {0};
	struct store *store = store_open(folder_path("w.weir"), STORE_CREATE, &fault);
	struct given given = {0};

	(void)state;
	assert_non_null(store);
	add_at(store, 5, 1, 500);
	assert_true(store_windows(store, &windows, &fault));
	add_at(store, 10 * hour + hour / 2, 1001, 300);
	for (uint32_t i = 0; i < 30; i++)
		add_at(store, (20 + i) * hour, (i + 2) * 1000, 1000);
	assert_true(store_evidence_each(store, see_one, &given, &fault));
	assert_int_equal(given.count, 20000);
	assert_int_equal(given.first.entry.finding, 1001);
	assert_int_equal(given.packet.entry.finding, 31999);
	store_close(store);
}

/* One long packet says nothing about how long the others are. */
static void a_long_packet_costs_no_more_than_its_bytes(void **state)
{
	static uint8_t long_bytes[65600];
	struct evidence_packet one = packet(9001, 0, SEEN_TCP_RST);
	struct fault fault = {0};
	struct store *store = store_open(folder_path("l.weir"), STORE_CREATE, &fault);
	struct evidence_batch batch = {0};
	struct given given = {0};

	(void)state;
	assert_non_null(store);
	add_to(store, 1, 9000);
	one.entry.data = long_bytes;
	one.entry.captured = one.entry.length = sizeof long_bytes;
	evidence_batch_add(&batch, &one);
	assert_true(store_evidence(store, 5, &batch, &fault));
	assert_true(store_evidence_each(store, count_one, &given, &fault));
	assert_int_equal(given.count, 9001);
	given.count = 0;
	for (unsigned i = 0; i < 1100; i++) /* 72 MB */
		assert_true(store_evidence(store, 5, &batch, &fault));
	assert_true(store_evidence_each(store, count_one, &given, &fault));
	assert_in_range(given.count, 1023 - 64, 1023); /* 64 MiB */
	evidence_batch_fini(&batch);
	store_close(store);
}

static void a_comment_says_why_a_packet_is_there(void **state)
{
	struct evidence_packet one = packet(9, 0, SEEN_TCP_RST);
	char classes[64], comment[EVIDENCE_COMMENT];

	(void)state;
	evidence_classes(one.entry.seen, classes, sizeof classes);
	evidence_comment(&one.entry, classes, comment, sizeof comment);
	assert_string_equal(comment, "weir: finding 9, rx: tcp.rst (resets: A "
				     "connection was ended or refused "
				     "by force.)");
	one.entry.place = -2;
	evidence_comment(&one.entry, "", comment, sizeof comment);
	assert_string_equal(comment, "weir: 2 before finding 9 in its connection");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			a_finding_has_two_before_and_two_behind_of_its_connection),
		cmocka_unit_test(a_packet_is_kept_once),
		cmocka_unit_test(a_flood_of_one_class_hides_no_other),
		cmocka_unit_test(what_is_good_or_not_judged_is_no_evidence),
		cmocka_unit_test(each_class_has_a_quota_in_each_window),
		cmocka_unit_test(neighbours_go_with_their_finding),
		cmocka_unit_test(a_number_is_given_once_in_a_session),
		cmocka_unit_test(the_session_gives_back_what_went_into_it),
		cmocka_unit_test(there_is_an_end_to_what_a_session_holds),
		cmocka_unit_test(what_was_found_in_a_window_stays),
		cmocka_unit_test(a_long_packet_costs_no_more_than_its_bytes),
		cmocka_unit_test(a_comment_says_why_a_packet_is_there),
	};

	return cmocka_run_group_tests(tests, folder_begin, folder_end);
}
