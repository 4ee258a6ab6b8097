/* Allocation that cannot fail; see the header. */
#include "config.h"

#include "base/alloc.h"

#include "base/die.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

void *xarray(size_t count, size_t size)
{
	void *memory = calloc(count ? count : 1, size ? size : 1);

	if (!memory)
		die("out of memory (%zu times %zu bytes)", count, size);
	return memory;
}

void *xalloc(size_t size)
{
	return xarray(1, size);
}

char *xstrdup(const char *text)
{
	char *copy = strdup(text);

	if (!copy)
		die("out of memory (%zu bytes)", strlen(text) + 1);
	return copy;
}

void xgrow(void *array, size_t *room, size_t need, size_t size)
{
	void **memory = array;
	size_t wanted = *room ? *room : 8;
	void *grown;

	if (need <= *room)
		return;
	while (wanted < need)
		wanted *= 2;
	if (wanted > SIZE_MAX / size)
		die("out of memory (%zu times %zu bytes)", wanted, size);
	grown = realloc(*memory, wanted * size);
	if (!grown)
		die("out of memory (%zu times %zu bytes)", wanted, size);
	memset((char *)grown + *room * size, 0, (wanted - *room) * size);
	*memory = grown;
	*room = wanted;
}
