/*
 * The inside of a registry of devices, for the three files that make it:
 * devices.c (what sources call), registry.c (names and places), discover.c
 * (what there is and what is shown).
 */
#ifndef WEIR_SOURCE_REGISTRY_H
#define WEIR_SOURCE_REGISTRY_H

#include "base/buffer.h"
#include "source/devices.h"
#include "source/mounted.h"

#include <dirent.h>
#include <pthread.h>
#include <regex.h>

struct devices {
	struct devices *next; /* the registries of this process */
	unsigned users;
	enum kind kind;
	char *sys, *proc, *top; /* top: the folder with one entry per device */
	const struct selection *selection; /* borrowed */
	regex_t pattern;
	bool has_pattern;

	pthread_mutex_t lock; /* guards everything below */
	struct device **all;  /* by index; null: free */
	size_t count, room;
	struct device *replaced; /* not in `all` any more; somebody may read them */
	uint32_t *table; /* hash of key: 1 + index; only of devices that are there */
	size_t table_size;
	DIR *folder;
	struct buffer text;
	struct mounted mounted; /* disks */
	bool looked;
	bool foreign; /* sysfs is that of another network namespace */
	bool has_bus; /* some device has a bus parent */
	bool stale;   /* the table names devices that went */
	nsec looked_at;
	atomic_uint generation;
};

void registry_init(struct devices *devices);
void registry_fini(struct devices *devices);

/* The index of the device KEY that is there, or -1. */
long registry_find(const struct devices *devices, const char *key);

/* The device of that name that is there, made if it is new. */
struct device *registry_meet(struct devices *devices, const char *key);

/* The table again, after devices went. */
void registry_rebuild(struct devices *devices, size_t size);

/* FRESH takes the place of what is shown at SLOT, which stays readable. */
void registry_replace(struct devices *devices, size_t slot, struct device *fresh);

#endif
