/*
 * Memory that is there or the program ends (base/die.h). All of it is zeroed.
 * Freed with free().
 */
#ifndef WEIR_BASE_ALLOC_H
#define WEIR_BASE_ALLOC_H

#include <stddef.h>

void *xalloc(size_t size) __attribute__((malloc, returns_nonnull, alloc_size(1)));
char *xstrdup(const char *text) __attribute__((malloc, returns_nonnull, nonnull));

/* Room for COUNT elements of SIZE bytes, overflow checked. */
void *xarray(size_t count, size_t size)
	__attribute__((malloc, returns_nonnull, alloc_size(1, 2)));

/* Grows *ARRAY (elements of SIZE bytes, *ROOM of them) so that it holds at
 * least NEED; new elements are zero. Doubles, so appending is cheap. */
void xgrow(void *array, size_t *room, size_t need, size_t size);

#endif
