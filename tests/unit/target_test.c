/* Whether what was wanted of a change is still possible, by the interval of the
 * verdict. */
#include "config.h"

#include "core/target.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static struct target wanted(const char *id, double share)
{
	int metric = metric_find(id);

	assert_true(metric >= 0);
	return (struct target){(unsigned)metric, share};
}

static void check(
	const char *id, double share, double low, double high, const char *words)
{
	struct target target = wanted(id, share);
	struct verdict v = {.tested = true, .low = low, .high = high};
	char text[64];

	target_words(text, sizeof text, &target, &v);
	assert_string_equal(text, words);
	assert_int_equal(target_ruled_out(&target, &v), !strstr(words, " not "));
}

static void where_lower_is_better_a_fall_is_the_gain(void **state)
{
	(void)state;
	check("disk.queue", 0.2, -0.12, 0.5, "a gain of 20 % is ruled out");
	check("disk.queue", 0.2, -0.28, 0.5, "a gain of 20 % is not ruled out");
	check("disk.queue", 0.28, -0.28, 0.5, "a gain of 28 % is not ruled out");
}

static void where_neither_is_better_both_ways_count(void **state)
{
	(void)state;
	check("disk.read.bytes", 0.1, -0.05, 0.09, "a change of 10 % is ruled out");
	check("disk.read.bytes", 0.1, -0.05, 0.5, "a change of 10 % is not ruled out");
	check("disk.read.bytes", 0.1, -0.5, 0.05, "a change of 10 % is not ruled out");
}

static void each_metric_has_one_and_the_last_counts(void **state)
{
	struct targets targets = {.count = 0};

	(void)state;
	assert_null(targets_find(NULL, 0));
	assert_null(targets_find(&targets, 3));
	assert_true(targets_put(&targets, 3, 0.1));
	assert_true(targets_put(&targets, 3, 0.3));
	assert_int_equal(targets.count, 1);
	assert_float_equal(targets_find(&targets, 3)->share, 0.3, 0);
	for (unsigned i = 0; i < TARGETS_MOST - 1; i++)
		assert_true(targets_put(&targets, 10 + i, 0.1));
	assert_false(targets_put(&targets, 9, 0.1));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(where_lower_is_better_a_fall_is_the_gain),
		cmocka_unit_test(where_neither_is_better_both_ways_count),
		cmocka_unit_test(each_metric_has_one_and_the_last_counts),
	};

	return cmocka_run_group_tests_name("target", tests, NULL, NULL);
}
