/* libFuzzer: names looked up in the class table; only what is in it is found. */
#include "config.h"

#include "packet/class.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *id = malloc(size + 1);
	int row;

	if (!id)
		abort();
	memcpy(id, data, size);
	id[size] = 0;
	row = packet_class_find(id);
	if (row >= (int)packet_class_count ||
		(row >= 0 && strcmp(packet_classes[row].id, id) != 0))
		abort();
	for (unsigned i = 0; row < 0 && i < packet_class_count; i++)
		if (!strcmp(packet_classes[i].id, id))
			abort();
	free(id);
	return 0;
}
