/* How a disk is reached, as facts: from the LUN or what it is made of down to the
 * network card, and whether its packets pass through a card of this host. */
#ifndef WEIR_SOURCE_PATH_H
#define WEIR_SOURCE_PATH_H

#include "source/devices.h"

/* Facts "path"; "below", the disks that it is made of; "path_of", the multipath device
 * that it is a path of; "packets", the interface that they pass, or "no: " and why they
 * cannot be seen. */
void path_facts(struct sink *sink, const struct device *device, const char *sys,
	const char *folder);

/* The interface of this host that has ADDRESS, or false. */
bool path_interface(const char *address, char *name, size_t size);

#endif
