/* Facts of the host: only changes are kept, and what held at a time can be asked. */
#include "config.h"

#include "core/fact.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define S NSEC_PER_SEC

static struct fact disk(nsec at, const char *name, const char *key, const char *value)
{
	return (struct fact){.at = at,
		.kind = KIND_DISK,
		.name = name,
		.id = "",
		.key = key,
		.value = value};
}

static struct fact none(nsec at, const char *name, const char *key, enum why why)
{
	struct fact fact = disk(at, name, key, "");

	fact.why = why;
	return fact;
}

static bool put(struct facts *facts, struct fact fact)
{
	return facts_put(facts, &fact);
}

static struct fact ask(
	const struct facts *facts, const char *name, const char *key, nsec at)
{
	struct fact of = disk(0, name, key, "");

	return facts_at(facts, &of, at);
}

/* What a difference told, line by line. */
struct told {
	size_t count;
	char lines[8][160];
};

static void tell(void *context, const struct fact *a, const struct fact *b)
{
	struct told *told = context;

	assert_string_equal(a->key, b->key);
	assert_string_equal(a->name, b->name);
	assert_true(told->count < 8);
	(void)snprintf(told->lines[told->count++], sizeof told->lines[0],
		"%s %s %s > %s", a->name, a->key, fact_text(a), fact_text(b));
}

static void the_same_again_says_nothing_new(void **state)
{
	struct facts facts = {0};

	(void)state;
	assert_true(put(&facts, disk(1 * S, "sda", "scheduler", "none")));
	assert_false(put(&facts, disk(2 * S, "sda", "scheduler", "none")));
	assert_true(put(&facts, disk(2 * S, "sdb", "scheduler", "none")));
	assert_true(put(&facts, disk(2 * S, "sda", "nomerges", "none")));
	assert_true(put(&facts, disk(3 * S, "sda", "scheduler", "bfq")));
	assert_true(put(&facts, none(4 * S, "sda", "scheduler", WHY_DENIED)));
	assert_false(put(&facts, none(5 * S, "sda", "scheduler", WHY_DENIED)));
	assert_true(put(&facts, disk(6 * S, "sda", "scheduler", "bfq")));
	assert_int_equal(facts.count, 6);
	facts_fini(&facts);
}

static void what_held_is_asked_for_by_time(void **state)
{
	struct facts facts = {0};

	(void)state;
	(void)put(&facts, disk(10 * S, "sda", "scheduler", "none"));
	(void)put(&facts, disk(20 * S, "sda", "scheduler", "bfq"));
	(void)put(&facts, none(30 * S, "sda", "scheduler", WHY_ABSENT));
	assert_int_equal(ask(&facts, "sda", "scheduler", 10 * S - 1).why, WHY_FIRST);
	assert_string_equal(ask(&facts, "sda", "scheduler", 10 * S).value, "none");
	assert_string_equal(ask(&facts, "sda", "scheduler", 20 * S - 1).value, "none");
	assert_string_equal(ask(&facts, "sda", "scheduler", 20 * S).value, "bfq");
	assert_int_equal(ask(&facts, "sda", "scheduler", 20 * S).at, 20 * S);
	assert_int_equal(ask(&facts, "sda", "scheduler", 30 * S).why, WHY_ABSENT);
	assert_int_equal(ask(&facts, "sdz", "scheduler", 30 * S).why, WHY_ABSENT);
	assert_int_equal(ask(&facts, "sdz", "scheduler", 1 * S).why, WHY_FIRST);
	facts_fini(&facts);
}

static void a_device_with_an_id_is_the_same_under_another_name(void **state)
{
	struct facts facts = {0};
	struct fact old = disk(1 * S, "sda", "scheduler", "none");
	struct fact new = disk(2 * S, "sdq", "scheduler", "none");

	(void)state;
	old.id = new.id = "wwid-1";
	assert_true(facts_put(&facts, &old));
	assert_false(facts_put(&facts, &new));
	assert_string_equal(facts_at_index(&facts, 0).name, "sdq");
	new.id = "wwid-2";
	assert_true(facts_put(&facts, &new));
	/* and one without an id is another one than one with */
	assert_true(put(&facts, disk(3 * S, "sdq", "scheduler", "none")));
	facts_fini(&facts);
}

static void differences_are_exactly_what_differs(void **state)
{
	struct facts facts = {0};
	struct told told = {0};

	(void)state;
	(void)put(&facts, disk(1 * S, "sda", "scheduler", "none"));
	(void)put(&facts, disk(1 * S, "sda", "nr_requests", "64"));
	(void)put(&facts, disk(1 * S, "sda", "read_ahead_kb", "128"));
	(void)put(&facts, disk(1 * S, "sdb", "scheduler", "none"));
	(void)put(&facts, disk(5 * S, "sda", "scheduler", "bfq"));
	(void)put(&facts, none(5 * S, "sdb", "scheduler", WHY_ABSENT));
	(void)put(&facts, disk(6 * S, "sdc", "scheduler", "none"));
	/* there and back again is no difference */
	(void)put(&facts, disk(5 * S, "sda", "read_ahead_kb", "4096"));
	(void)put(&facts, disk(6 * S, "sda", "read_ahead_kb", "128"));
	assert_int_equal(facts_difference(&facts, 2 * S, 9 * S, tell, &told), 5);
	assert_int_equal(told.count, 3);
	assert_string_equal(told.lines[0], "sda scheduler none > bfq");
	assert_string_equal(told.lines[1], "sdb scheduler none > (not there)");
	assert_string_equal(told.lines[2], "sdc scheduler (not there) > none");
	told.count = 0;
	assert_int_equal(facts_difference(&facts, 2 * S, 4 * S, tell, &told), 4);
	assert_int_equal(told.count, 0);
	facts_fini(&facts);
}

static void how_far_the_clock_is_off_is_no_setting(void **state)
{
	struct facts facts = {0};
	struct told told = {0};

	(void)state;
	(void)put(&facts, disk(1 * S, "host", "clock.error", "at most 10ms"));
	(void)put(&facts, disk(5 * S, "host", "clock.error", "at most 100ms"));
	assert_int_equal(facts_difference(&facts, 2 * S, 9 * S, tell, &told), 0);
	assert_int_equal(told.count, 0);
	facts_fini(&facts);
}

static void what_could_not_be_read_is_no_difference(void **state)
{
	struct facts facts = {0};
	struct told told = {0};

	(void)state;
	(void)put(&facts, disk(5 * S, "sda", "scheduler", "none"));
	(void)put(&facts, none(5 * S, "sda", "wbt_lat_usec", WHY_DENIED));
	(void)put(&facts, none(5 * S, "sda", "speed", WHY_UNSUPPORTED));
	(void)put(&facts, disk(7 * S, "sda", "wbt_lat_usec", "75000"));
	(void)put(&facts, disk(7 * S, "sda", "speed", "1000"));
	/* before anything was read there is nothing to compare */
	assert_int_equal(facts_difference(&facts, 1 * S, 9 * S, tell, &told), 0);
	assert_int_equal(facts_difference(&facts, 5 * S, 9 * S, tell, &told), 2);
	assert_int_equal(told.count, 1);
	assert_string_equal(told.lines[0], "sda speed (not reported) > 1000");
	facts_fini(&facts);
}

static void put_gone(void *context, const struct fact *fact)
{
	struct fact gone = *fact;

	gone.at = 9 * S;
	assert_true(facts_put(context, &gone));
}

static void what_a_round_does_not_name_is_gone(void **state)
{
	struct facts facts = {0};
	struct fact host = {.at = 1 * S,
		.kind = KIND_HOST,
		.name = "host",
		.id = "host",
		.key = "kernel",
		.value = "6"};

	(void)state;
	(void)facts_put(&facts, &host);
	facts_round(&facts);
	(void)put(&facts, disk(1 * S, "sda", "scheduler", "none"));
	(void)put(&facts, disk(1 * S, "sdb", "scheduler", "none"));
	facts_round(&facts);
	(void)put(&facts, disk(9 * S, "sdb", "scheduler", "none"));
	facts_gone(&facts, KIND_DISK, put_gone, &facts);
	assert_int_equal(ask(&facts, "sda", "scheduler", 9 * S).why, WHY_ABSENT);
	assert_int_equal(ask(&facts, "sdb", "scheduler", 9 * S).why, WHY_NONE);
	assert_int_equal(facts.count, 4);
	facts_gone(&facts, KIND_DISK, put_gone, &facts); /* told once */
	assert_int_equal(facts.count, 4);
	assert_int_equal(facts_before(&facts, 3).why, WHY_NONE);
	assert_int_equal(facts_before(&facts, 1).why, WHY_FIRST);
	facts_fini(&facts);
}

/* 1000 disks with 20 keys each, read again: one look-up each, nothing is kept. */
static void a_big_host_is_read_again_without_growing(void **state)
{
	struct facts facts = {0};

	(void)state;
	for (int round = 0; round < 3; round++) {
		for (int i = 0; i < 20000; i++) {
			char name[16], key[16];

			(void)snprintf(name, sizeof name, "sd%d", i / 20);
			(void)snprintf(key, sizeof key, "key%d", i % 20);
			assert_int_equal(put(&facts, disk(round * S, name, key, "1")),
				round == 0);
		}
	}
	assert_int_equal(facts.count, 20000);
	assert_int_equal(facts.device_count, 1000);
	facts_fini(&facts);
}

static void times_that_go_back_are_taken_as_the_last(void **state)
{
	struct facts facts = {0};

	(void)state;
	(void)put(&facts, disk(10 * S, "sda", "scheduler", "none"));
	(void)put(&facts, disk(4 * S, "sda", "scheduler", "bfq"));
	assert_string_equal(ask(&facts, "sda", "scheduler", 10 * S).value, "bfq");
	facts_fini(&facts);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_same_again_says_nothing_new),
		cmocka_unit_test(what_held_is_asked_for_by_time),
		cmocka_unit_test(a_device_with_an_id_is_the_same_under_another_name),
		cmocka_unit_test(differences_are_exactly_what_differs),
		cmocka_unit_test(how_far_the_clock_is_off_is_no_setting),
		cmocka_unit_test(what_could_not_be_read_is_no_difference),
		cmocka_unit_test(what_a_round_does_not_name_is_gone),
		cmocka_unit_test(a_big_host_is_read_again_without_growing),
		cmocka_unit_test(times_that_go_back_are_taken_as_the_last),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
