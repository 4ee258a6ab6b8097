/* Undo: each takes back their own last deed, and nobody else's. */
#include "config.h"

#include "app/deeds.h"
#include "base/text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static struct deeds deeds;

static int clear(void **state)
{
	(void)state;
	deeds = (struct deeds){0};
	return 0;
}

/* WINDOW 0: a note. */
static void did(const char *author, uint32_t window, uint32_t note)
{
	struct deed deed = {.note = note, .count = window != 0};

	assert_true(text_copy(deed.author, sizeof deed.author, author));
	deed.changes[0].id = window;
	deeds_add(&deeds, &deed);
}

static void the_last_deed_of_the_author_is_taken(void **state)
{
	struct deed deed;

	(void)state;
	did("anna", 1, 0);
	did("anna", 2, 0);
	did("ben", 3, 0);
	assert_true(deeds_take(&deeds, "anna", &deed, NULL));
	assert_int_equal(deed.changes[0].id, 2);
	assert_true(deeds_take(&deeds, "anna", &deed, NULL));
	assert_int_equal(deed.changes[0].id, 1);
	assert_false(deeds_take(&deeds, "anna", &deed, NULL));
	assert_int_equal(deeds.count, 1);
}

static void what_another_has_changed_since_stays(void **state)
{
	struct fault fault = {0};
	struct deed deed;

	(void)state;
	did("anna", 1, 0);
	did("ben", 1, 0);
	assert_false(deeds_take(&deeds, "anna", &deed, &fault));
	assert_non_null(strstr(fault.text, "ben"));
	assert_true(deeds_take(&deeds, "ben", &deed, NULL));
	assert_true(deeds_take(&deeds, "anna", &deed, NULL));
}

static void notes_are_in_nobodys_way(void **state)
{
	struct deed deed;

	(void)state;
	did("anna", 0, 9);
	did("ben", 0, 9);
	assert_true(deeds_take(&deeds, "anna", &deed, NULL));
	assert_int_equal(deed.note, 9);
}

static void only_so_many_are_remembered(void **state)
{
	struct deed deed;

	(void)state;
	did("anna", 1, 0);
	for (uint32_t i = 0; i < DEEDS_MAX; i++)
		did("ben", i + 2, 0);
	assert_int_equal(deeds.count, DEEDS_MAX);
	assert_false(deeds_take(&deeds, "anna", &deed, NULL));
	assert_true(deeds_take(&deeds, "ben", &deed, NULL));
	assert_int_equal(deed.changes[0].id, DEEDS_MAX + 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(the_last_deed_of_the_author_is_taken, clear),
		cmocka_unit_test_setup(what_another_has_changed_since_stays, clear),
		cmocka_unit_test_setup(notes_are_in_nobodys_way, clear),
		cmocka_unit_test_setup(only_so_many_are_remembered, clear),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
