/*
 * A folder of its own for one test program, taken away with all that is in it.
 */
#ifndef WEIR_TESTS_FOLDER_H
#define WEIR_TESTS_FOLDER_H

#include <stdbool.h>
#include <stddef.h>

/* cmocka group fixtures. */
int folder_begin(void **state);
int folder_end(void **state);

/* The path of NAME in it; one of a few buffers that are used in turn. */
const char *folder_path(const char *name);
bool folder_has(const char *name);

/* The bytes of a file of it: a sum that changes when any of them does. 0: not there. */
unsigned long long folder_sum(const char *name);

/* Writes SIZE bytes as NAME, or the first SIZE bytes of FROM. */
void folder_write(const char *name, const void *data, size_t size);
void folder_cut(const char *name, const char *from, size_t size);

#endif
