/* Storms of events: what passes, and what is said about the rest. */
#include "config.h"

#include "app/throttle.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static unsigned passing(struct throttle *throttle, unsigned count, nsec mono)
{
	unsigned passed = 0;

	for (unsigned i = 0; i < count; i++)
		passed += throttle_pass(throttle, mono);
	return passed;
}

static void one_a_second_always_passes(void **state)
{
	struct throttle throttle = {0};

	(void)state;
	for (nsec at = 0; at < 10000; at++) {
		assert_true(throttle_pass(&throttle, (at + 77) * NSEC_PER_SEC));
		assert_int_equal(throttle_tell(&throttle, (at + 77) * NSEC_PER_SEC), 0);
	}
}

static void a_burst_passes_and_the_rest_is_counted(void **state)
{
	struct throttle throttle = {0};
	nsec now = 3600 * NSEC_PER_SEC;

	(void)state;
	assert_int_equal(passing(&throttle, 1000, now), THROTTLE_BURST);
	assert_int_equal(throttle_tell(&throttle, now), 0); /* it is still going on */
	now += THROTTLE_PAUSE * NSEC_PER_SEC;
	assert_int_equal(throttle_tell(&throttle, now), 1000 - THROTTLE_BURST);
	assert_int_equal(throttle_tell(&throttle, now), 0); /* once */
	assert_true(throttle_pass(&throttle, now));
}

/* An hour of 64 a second: no more than one line a second in the long run, and each
 * event is either there or in the count of one of the lines. */
static void a_storm_of_an_hour_is_counted_to_the_last(void **state)
{
	struct throttle throttle = {0};
	uint64_t passed = 0, told = 0, lines = 0;

	(void)state;
	for (nsec at = 1; at <= 3600; at++) {
		uint64_t left = throttle_tell(&throttle, at * NSEC_PER_SEC);

		told += left;
		lines += left > 0;
		passed += passing(&throttle, 64, at * NSEC_PER_SEC);
	}
	assert_true(lines >= 3600 / THROTTLE_PAUSE - THROTTLE_BURST);
	assert_true(passed + lines <= 3600 + THROTTLE_BURST);
	told += throttle_tell(&throttle, 7200 * NSEC_PER_SEC);
	assert_int_equal(passed + told, 3600 * 64);
}

static void what_others_left_out_is_told_too(void **state)
{
	struct throttle throttle = {0};

	(void)state;
	throttle_left_out(&throttle, 5);
	assert_int_equal(throttle_tell(&throttle, NSEC_PER_SEC), 5);
	assert_int_equal(throttle_tell(&throttle, NSEC_PER_SEC), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_a_second_always_passes),
		cmocka_unit_test(a_burst_passes_and_the_rest_is_counted),
		cmocka_unit_test(a_storm_of_an_hour_is_counted_to_the_last),
		cmocka_unit_test(what_others_left_out_is_told_too),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
