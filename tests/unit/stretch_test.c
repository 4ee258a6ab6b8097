/* Stretches above a level, against a plain count over the whole series. */
#include "config.h"

#include "core/stretch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>

#include <cmocka.h>

enum {
	TICKS = 400,
	HOLE = -1
};

/* All of them by looking at each tick, for a level that was known all along. */
static void count(
	const int *buckets, size_t n, double value, uint32_t *times, uint32_t *longest)
{
	uint32_t length = 0;

	*times = *longest = 0;
	for (size_t i = 0; i < n; i++) {
		bool above = buckets[i] != HOLE &&
			     histogram_low((unsigned)buckets[i]) > value;

		length = above ? length + 1 : 0;
		*times += length == 1;
		*longest = length > *longest ? length : *longest;
	}
}

static void put(struct stretches *s, const int *buckets, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (buckets[i] == HOLE)
			stretches_break(s);
		else
			stretches_add(s, (unsigned)buckets[i]);
}

static void three_peaks_and_the_longest_of_them(void **state)
{
	static const int buckets[] = {2, 9, 9, 2, 7, 2, 2, 12, 8, 30, 2};
	struct stretches s = {.ticks = 0};
	uint32_t longest;

	(void)state;
	put(&s, buckets, sizeof buckets / sizeof *buckets);
	assert_int_equal(stretches_above(&s, 6, &longest), 3);
	assert_int_equal(longest, 3);
	assert_int_equal(stretches_above(&s, 8, &longest), 3); /* 9 9; 12; 30 */
	assert_int_equal(longest, 2);
	assert_int_equal(stretches_above(&s, 30, &longest), 0);
	assert_int_equal(longest, 0);
	stretches_fini(&s);
}

static void one_that_is_under_way_counts(void **state)
{
	static const int buckets[] = {0, 5, 6, 5};
	struct stretches s = {.ticks = 0};
	uint32_t longest;

	(void)state;
	put(&s, buckets, sizeof buckets / sizeof *buckets);
	assert_int_equal(stretches_above(&s, 0, &longest), 1);
	assert_int_equal(longest, 3);
	stretches_fini(&s);
}

static void a_hole_cuts_a_stretch_in_two(void **state)
{
	static const int buckets[] = {5, 5, HOLE, 5, 5, 5, HOLE, HOLE};
	struct stretches s = {.ticks = 0};
	uint32_t longest;

	(void)state;
	put(&s, buckets, sizeof buckets / sizeof *buckets);
	assert_int_equal(stretches_above(&s, 4, &longest), 2);
	assert_int_equal(longest, 3);
	stretches_fini(&s);
}

static void nothing_is_above_nothing(void **state)
{
	struct stretches s = {.ticks = 0};
	uint32_t longest;

	(void)state;
	assert_int_equal(stretches_above(&s, 0, &longest), 0);
	assert_int_equal(longest, 0);
	stretches_break(&s);
	stretches_fini(&s);
}

/* A small generator of its own: the same series on every machine. */
static unsigned next(unsigned *seed)
{
	*seed = *seed * 1103515245 + 12345;
	return *seed >> 16 & 0x7fff;
}

static void any_series_at_any_level_is_as_counted_by_hand(void **state)
{
	unsigned seed = 7;

	(void)state;
	for (unsigned round = 0; round < 200; round++) {
		struct stretches s = {.ticks = 0};
		unsigned range = 2 + round % 60;
		int buckets[TICKS];

		for (size_t i = 0; i < TICKS; i++)
			buckets[i] = next(&seed) % 29 == 0 ? HOLE
							   : (int)(next(&seed) % range);
		if (round % 9 == 0) /* the last bucket, too */
			buckets[next(&seed) % TICKS] = HISTOGRAM_BUCKETS - 1;
		put(&s, buckets, TICKS);
		for (double value = 0; value < 2 * range; value += 0.5) {
			uint32_t times, longest, found, most;

			count(buckets, TICKS, value, &times, &longest);
			found = stretches_above(&s, value, &most);
			assert_int_equal(found, times);
			assert_int_equal(most, longest);
		}
		stretches_fini(&s);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(three_peaks_and_the_longest_of_them),
		cmocka_unit_test(one_that_is_under_way_counts),
		cmocka_unit_test(a_hole_cuts_a_stretch_in_two),
		cmocka_unit_test(nothing_is_above_nothing),
		cmocka_unit_test(any_series_at_any_level_is_as_counted_by_hand),
	};

	return cmocka_run_group_tests_name("stretch", tests, NULL, NULL);
}
