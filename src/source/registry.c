/* Names and places of devices; see the header. */
#include "config.h"

#include "source/registry.h"

#include "base/alloc.h"
#include "base/text.h"

#include <stdlib.h>
#include <string.h>

enum {
	LEAST = 64 /* places; a power of two */
};

static size_t hash(const char *key)
{
	uint64_t sum = 14695981039346656037u; /* FNV-1a */

	for (; *key; key++)
		sum = (sum ^ (unsigned char)*key) * 1099511628211u;
	return (size_t)(sum ^ sum >> 32);
}

/* The place of KEY in the table, or the empty place where it belongs. */
static uint32_t *place(const struct devices *devices, const char *key)
{
	size_t mask = devices->table_size - 1;
	size_t at = hash(key) & mask;

	while (devices->table[at] &&
		strcmp(devices->all[devices->table[at] - 1]->key, key) != 0)
		at = (at + 1) & mask;
	return &devices->table[at];
}

void registry_rebuild(struct devices *devices, size_t size)
{
	free(devices->table);
	devices->table = xarray(size, sizeof *devices->table);
	devices->table_size = size;
	for (size_t i = 0; i < devices->count; i++)
		if (devices->all[i] && devices->all[i]->known)
			*place(devices, devices->all[i]->key) = (uint32_t)i + 1;
	devices->stale = false;
}

void registry_init(struct devices *devices)
{
	registry_rebuild(devices, LEAST);
}

long registry_find(const struct devices *devices, const char *key)
{
	return (long)*place(devices, key) - 1;
}

static size_t free_slot(struct devices *devices)
{
	size_t slot = 0;

	while (slot < devices->count && devices->all[slot])
		slot++;
	if (slot == devices->count) {
		xgrow(&devices->all, &devices->room, slot + 1, sizeof *devices->all);
		devices->count++;
	}
	return slot;
}

struct device *registry_meet(struct devices *devices, const char *key)
{
	uint32_t *at = place(devices, key);
	struct device *device;
	size_t slot;

	if (*at)
		return devices->all[*at - 1];
	slot = free_slot(devices);
	device = xalloc(sizeof *device);
	(void)text_copy(
		device->key, sizeof device->key, key); /* the caller saw to it */
	device->known = true;
	devices->all[slot] = device;
	*at = (uint32_t)slot + 1;
	if (devices->count * 2 > devices->table_size)
		registry_rebuild(devices, devices->table_size * 2);
	return device;
}

void registry_replace(struct devices *devices, size_t slot, struct device *fresh)
{
	struct device *old = devices->all[slot];

	old->next = devices->replaced;
	devices->replaced = old;
	devices->all[slot] = fresh;
}

void registry_fini(struct devices *devices)
{
	while (devices->replaced) {
		struct device *next = devices->replaced->next;

		free(devices->replaced);
		devices->replaced = next;
	}
	for (size_t i = 0; i < devices->count; i++)
		free(devices->all[i]);
	free(devices->all);
	free(devices->table);
	buffer_fini(&devices->text);
	mounted_fini(&devices->mounted);
	if (devices->folder)
		(void)closedir(devices->folder); /* only read */
}
