/*
 * The TCP ports that storage is spoken on: those that everybody uses, and more that a
 * person names.
 */
#ifndef WEIR_SOURCE_PORTS_H
#define WEIR_SOURCE_PORTS_H

#include "base/fault.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	PORTS_KNOWN = 5,
	PORTS_MAX = 32 /* bits of a word */
};

struct ports {
	uint16_t list[PORTS_MAX];
	size_t count;
};

/* The known ones and those of MORE, numbers with commas, or null. Text that is no such
 * list is a fault. */
bool ports_set(struct ports *ports, const char *more, struct fault *fault);

/* The index of PORT, or -1. */
int ports_find(const struct ports *ports, uint16_t port);

/* "iSCSI"; of a port that was named by a person, "storage". */
const char *ports_protocol(size_t index);

#endif
