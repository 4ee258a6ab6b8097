/*
 * A screen without a terminal for tests of keys: the session of stage.h, and a host
 * that remembers what it was asked for.
 */
#ifndef WEIR_TESTS_DESK_H
#define WEIR_TESTS_DESK_H

#include "stage.h"

#include "tui/actions.h"

/* Requests one per line, the rest as counts. */
struct asked {
	char text[1024];
	int left, suspended, redrawn, reports;
	unsigned theme;
};

struct set {
	struct stage stage;
	struct view view;
	struct status status;
	struct asked asked;
	struct host host;
	struct desk desk;
};

/* cmocka's setup and teardown; the session is played up to second 310. A time is
 * "N", the second of the session; the only duration there is, is "10m". */
int set_up(void **state);
int tear_down(void **state);

void press(struct set *set, int key);
void type(struct set *set, const char *text);

#define KEY_TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

#endif
