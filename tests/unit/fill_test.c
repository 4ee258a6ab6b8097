/* How full the ring was, told by the age of frames. */
#include "config.h"

#include "capture/fill.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum {
	HALF = 1 << 20
};

/* Frames of SIZE bytes, one each millisecond of frame time from FROM on, read at NOW:
 * how many until the ring is known to have been half full; COUNT where it never was. */
static unsigned read_all(
	struct fill *fill, nsec from, nsec now, uint32_t size, unsigned count)
{
	for (unsigned i = 0; i < count; i++) {
		nsec time = from + i * NSEC_PER_MSEC;

		if (fill_is_new(fill, time))
			fill_begin(fill, now > time ? now : time);
		if (fill_add(fill, time, size))
			return i;
	}
	return count;
}

static void frames_that_are_read_as_they_come_never_fill_it(void **state)
{
	struct fill fill = {.half = HALF};

	(void)state;
	assert_int_equal(read_all(&fill, NSEC_PER_SEC, 0, 1500, 100000), 100000);
}

static void frames_that_waited_together_were_in_it_together(void **state)
{
	struct fill fill = {.half = HALF};
	nsec now = 10 * NSEC_PER_SEC;

	(void)state;
	assert_int_equal(read_all(&fill, NSEC_PER_SEC, now, 1500, 2000), HALF / 1628);
}

/* Three frames of 65,000 bytes leave a quarter of a block of 256 KiB empty. */
static void what_big_frames_leave_empty_counts(void **state)
{
	struct fill fill = {.half = HALF};
	nsec now = 10 * NSEC_PER_SEC;

	(void)state;
	assert_int_equal(read_all(&fill, NSEC_PER_SEC, now, 66000, 2000), 12);
	fill = (struct fill){.half = HALF};
	assert_int_equal(read_all(&fill, NSEC_PER_SEC, now, 140000, 2000), 4);
}

/* Otherwise all frames of that hour would be taken for waiting ones. */
static void a_clock_that_was_set_back_fills_nothing(void **state)
{
	struct fill fill = {.half = HALF};
	const nsec hour = 3600 * NSEC_PER_SEC;

	(void)state;
	assert_int_equal(read_all(&fill, 2 * hour, 0, 1500, 100), 100);
	assert_int_equal(read_all(&fill, hour, 0, 1500, 100000), 100000);
}

static void disorder_of_a_moment_is_no_clock_that_was_set_back(void **state)
{
	struct fill fill = {.half = HALF};
	nsec now = 10 * NSEC_PER_SEC;

	(void)state;
	fill_begin(&fill, now);
	(void)fill_add(&fill, now - 5 * NSEC_PER_MSEC, 1500);
	assert_false(fill_is_new(&fill, now - 6 * NSEC_PER_MSEC));
	assert_true(fill_is_new(&fill, now - 20 * NSEC_PER_MSEC));
	assert_true(fill_is_new(&fill, now + 1));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(frames_that_are_read_as_they_come_never_fill_it),
		cmocka_unit_test(frames_that_waited_together_were_in_it_together),
		cmocka_unit_test(what_big_frames_leave_empty_counts),
		cmocka_unit_test(a_clock_that_was_set_back_fills_nothing),
		cmocka_unit_test(disorder_of_a_moment_is_no_clock_that_was_set_back),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
