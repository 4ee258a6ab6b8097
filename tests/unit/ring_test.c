/* Ticks in memory, in rings so small that every edge is met. */
#include "config.h"

#include "app/ring.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct buffer out;

static bool add(struct ring *ring, nsec at, bool full, size_t size)
{
	uint8_t data[64];

	memset(data, (int)at, sizeof data);
	return ring_add(ring, &(struct ring_tick){at, full, data, size});
}

static void intact(struct ring *ring, uint64_t number, nsec at, size_t size)
{
	uint64_t got = number;
	struct ring_tick tick;

	assert_true(ring_copy(ring, &got, &out, &tick));
	assert_int_equal(got, number);
	assert_int_equal(tick.at, at);
	assert_int_equal(tick.size, size);
	for (size_t i = 0; i < size; i++)
		assert_int_equal(tick.data[i], (uint8_t)at);
}

static void ticks_come_back_as_they_went_in(void **state)
{
	struct ring ring;
	uint64_t end = 3;
	struct ring_tick tick;

	(void)state;
	ring_init(&ring, 100, 10, 1000);
	assert_true(add(&ring, 1, true, 30));
	assert_true(add(&ring, 2, false, 5));
	assert_true(add(&ring, 3, false, 7));
	intact(&ring, 0, 1, 30);
	intact(&ring, 1, 2, 5);
	intact(&ring, 2, 3, 7);
	assert_false(ring_copy(&ring, &end, &out, &tick));
	ring_fini(&ring);
}

static void it_begins_at_a_full_tick(void **state)
{
	struct ring ring;

	(void)state;
	ring_init(&ring, 100, 10, 1000);
	assert_false(add(&ring, 1, false, 10));
	assert_true(add(&ring, 2, true, 10));
	intact(&ring, 0, 2, 10);
	ring_fini(&ring);
}

static void the_oldest_go_up_to_the_next_full_one(void **state)
{
	struct ring ring;
	uint64_t place = 0;
	struct ring_tick tick;

	(void)state;
	ring_init(&ring, 1000, 6, 1000);
	for (nsec i = 0; i < 6; i++)
		assert_true(add(&ring, i, i % 3 == 0, 10));
	assert_true(add(&ring, 6, true, 10));
	assert_true(ring_copy(&ring, &place, &out, &tick));
	assert_int_equal(place, 3);
	assert_true(tick.full);
	ring_fini(&ring);
}

/* Sizes and full ticks by a fixed rule; everything held must stay intact. */
static void nothing_held_is_ever_overwritten(void **state)
{
	struct ring ring;
	size_t sizes[500];
	bool full[500];

	(void)state;
	ring_init(&ring, 97, 12, 100000);
	for (uint64_t n = 0; n < 500; n++) {
		struct ring_state look;

		sizes[n] = 1 + (n * 7 + n / 5) % 31;
		full[n] = n % 4 == 0;
		if (!add(&ring, (nsec)n, full[n], sizes[n])) {
			full[n] = true; /* all had to go: a full one is taken */
			assert_true(add(&ring, (nsec)n, true, sizes[n]));
		}
		ring_look(&ring, &look);
		assert_int_equal(look.next, n + 1);
		assert_true(full[look.first]);
		for (uint64_t i = look.first; i < look.next; i++)
			intact(&ring, i, (nsec)i, sizes[i]);
	}
	ring_fini(&ring);
}

static void what_went_unsaved_is_counted(void **state)
{
	struct ring ring;
	struct ring_state look;

	(void)state;
	ring_init(&ring, 1000, 4, 1000);
	for (nsec i = 0; i < 4; i++)
		assert_true(add(&ring, i, true, 10));
	ring_saved(&ring, 1);
	ring_look(&ring, &look);
	assert_int_equal(look.unsaved, 3);
	assert_int_equal(look.unsaved_at, 1);
	assert_true(add(&ring, 4, true, 10));
	assert_true(add(&ring, 5, true, 10));
	ring_look(&ring, &look);
	assert_int_equal(look.lost, 1);
	assert_int_equal(look.saved, 2);
	assert_int_equal(look.unsaved, 4);
	ring_fini(&ring);
}

/* The bound of a recording without a disk: an hour at ten times the size of a day of
 * 60 MB, and what is beyond is counted. */
static void an_hour_waits_for_the_disk(void **state)
{
	enum {
		SIZE = 7000,
		HOUR = 3600
	};
	uint8_t *data = calloc(1, SIZE);
	struct ring_state look;
	struct ring ring;
	nsec at = 0;

	(void)state;
	assert_non_null(data);
	ring_init(&ring, 32 << 20, 100000, INT64_MAX / 2);
	for (; at < HOUR; at++)
		assert_true(ring_add(
			&ring, &(struct ring_tick){at, at % 600 == 0, data, SIZE}));
	ring_look(&ring, &look);
	assert_int_equal(look.lost, 0);
	assert_int_equal(look.unsaved, HOUR);
	assert_int_equal(
		(int)(look.unsaved_share * 1000), 1000LL * HOUR * SIZE / (32 << 20));
	for (; at < 3 * HOUR; at++)
		assert_true(ring_add(
			&ring, &(struct ring_tick){at, at % 600 == 0, data, SIZE}));
	ring_look(&ring, &look);
	assert_int_equal(look.lost + look.unsaved, 3 * HOUR);
	assert_true(look.unsaved > HOUR);
	assert_int_equal(look.lost % 600, 0);
	assert_true(look.unsaved_share > 0.8 && look.unsaved_share <= 1);
	ring_fini(&ring);
	free(data);
}

static void old_ticks_go_once_they_are_saved(void **state)
{
	struct ring ring;
	struct ring_state look;

	(void)state;
	ring_init(&ring, 1000, 10, 5);
	assert_true(add(&ring, 1, true, 10));
	assert_true(add(&ring, 2, true, 10));
	assert_true(add(&ring, 20, true, 10));
	ring_look(&ring, &look);
	assert_int_equal(look.first, 0);
	ring_saved(&ring, 3);
	assert_true(add(&ring, 21, true, 10));
	ring_look(&ring, &look);
	assert_int_equal(look.first, 2);
	assert_int_equal(look.lost, 0);
	ring_fini(&ring);
}

static void a_viewer_starts_at_the_full_tick_before(void **state)
{
	struct ring ring;

	(void)state;
	ring_init(&ring, 1000, 10, 1000);
	for (nsec i = 10; i < 19; i++)
		assert_true(add(&ring, i, i % 3 == 1, 10)); /* 10, 13, 16 */
	assert_int_equal(ring_find(&ring, 15), 3);
	assert_int_equal(ring_find(&ring, 16), 6);
	assert_int_equal(ring_find(&ring, INT64_MAX), 6);
	assert_int_equal(ring_find(&ring, INT64_MIN), 0);
	ring_fini(&ring);
}

static int drop_out(void **state)
{
	(void)state;
	buffer_fini(&out);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ticks_come_back_as_they_went_in),
		cmocka_unit_test(it_begins_at_a_full_tick),
		cmocka_unit_test(the_oldest_go_up_to_the_next_full_one),
		cmocka_unit_test(nothing_held_is_ever_overwritten),
		cmocka_unit_test(what_went_unsaved_is_counted),
		cmocka_unit_test(an_hour_waits_for_the_disk),
		cmocka_unit_test(old_ticks_go_once_they_are_saved),
		cmocka_unit_test(a_viewer_starts_at_the_full_tick_before),
	};

	return cmocka_run_group_tests(tests, NULL, drop_out);
}
