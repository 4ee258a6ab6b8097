/*
 * A file system for SQLite in which there is one file, in memory, that can only be
 * read, whatever its name: for fuzzing, where a million of them are opened.
 */
#ifndef WEIR_TESTS_MEMORY_VFS_H
#define WEIR_TESTS_MEMORY_VFS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* From now on every database that is opened is that file. */
bool memory_vfs_begin(void);
/* Borrows DATA until the next call. */
void memory_vfs_file(const uint8_t *data, size_t size);

#endif
