/*
 * A strict walk through a JSON text (RFC 8259), for tests: every value is told with
 * its path, such as "head.windows[].from". Where an object's keys are the letters of
 * windows, "A" to "H", its path has a star: "disks.figures[].*.mean".
 */
#ifndef WEIR_TESTS_JSON_WALK_H
#define WEIR_TESTS_JSON_WALK_H

#include <stdbool.h>

/* TYPE: '{', '[', '"', '0' (a number), 't' (true or false), 'n' (null). */
typedef void json_told(void *context, const char *path, char type);

/* False, with *AT at the offence, for anything but one value. TOLD may be null. */
bool json_walk(const char **at, json_told *told, void *context);

#endif
