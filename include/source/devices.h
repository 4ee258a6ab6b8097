/*
 * Which disks and network interfaces there are, which of them are shown, and
 * what they are called. The one place for all of that: every source asks here,
 * so that all of them describe a device with the same words.
 *
 * One registry per kind is shared by the sources of a process, which may run in
 * different threads. A device that was ever shown keeps its index until the
 * registry is closed, and the struct of it never changes: it stays readable, and
 * another struct takes its place when the device behind the name is another one
 * or got another label. One that was made anew or comes back has a higher
 * LIFE.
 */
#ifndef WEIR_SOURCE_DEVICES_H
#define WEIR_SOURCE_DEVICES_H

#include "source/source.h"

#include <stdatomic.h>

enum device_class {
	DEVICE_BUS,     /* has a bus parent: its figures may be summed */
	DEVICE_STACKED, /* built on other devices: shown beside them */
	DEVICE_VIRTUAL, /* no bus parent: shown once it is in use */
	DEVICE_HIDDEN,  /* loop, ram, zram, lo: shown only when asked for */
};

struct device {
	struct subject subject;
	char key[SUBJECT_NAME]; /* kernel name as in /proc, not cleaned */
	char dir[SUBJECT_NAME]; /* its folder in sysfs; "" where sysfs has none */
	bool multipath_head;    /* NVMe: the I/O may be counted on its paths only */

	atomic_uint life;
	atomic_bool active;      /* disk: it did something in the last tick */
	atomic_bool unaccounted; /* disk: queue/iostats is 0: counters stand still */

	/* of the registry and the inspectors */
	struct device *next;
	enum device_class class;
	uint64_t birth, seen_birth; /* inode of the sysfs entry: tells re-creation */
	uint64_t traffic;
	bool known, shown, in_use, in_sys, in_proc;
	bool unsure; /* what identifies it does not answer: not to be shown yet */
};

struct devices;

/* Null and a fault where the selection is no good. Counts its users. */
struct devices *devices_open(
	const struct source_env *env, enum kind kind, struct fault *fault);
void devices_close(struct devices *devices);

/* Looks again if the last look is at least AGE old. Never waits for a look that
 * another thread is taking. */
void devices_refresh(struct devices *devices, nsec now, nsec age);

/* Moves whenever a shown device came, went or was replaced. */
unsigned devices_generation(const struct devices *devices);
size_t devices_count(struct devices *devices);

/* The shown and present device at INDEX, or null. */
struct device *devices_at(struct devices *devices, size_t index);

/* Index of the shown and present device with that kernel name, or -1. */
long devices_find(struct devices *devices, const char *key);

/* The name under which DEVICE was shown before, if one of its identity has gone under
 * another name; else false. */
bool devices_former(
	struct devices *devices, const struct device *device, char *name, size_t size);

/* Whether the mounted sysfs is that of another network namespace. */
bool devices_foreign(struct devices *devices);

/* Full path of the device's folder in sysfs; false where it has none. */
bool devices_folder(const struct devices *devices, const struct device *device,
	char *folder, size_t size);

/* ---- one look at one device (device_disk.c, device_nic.c) ---- */

/* Fill subject, class and the like from FOLDER, the device's folder in sysfs,
 * or null where sysfs has none. KEY and dir are set. SYS is the root of sysfs. */
void device_disk_inspect(struct device *device, const char *sys, const char *folder);
void device_nic_inspect(struct device *device, const char *sys, const char *folder);

/* Whether a virtual disk has a size by now. */
bool device_disk_in_use(const char *folder);

/* The address of the nearest PCI (or other bus) ancestor of the device behind
 * FOLDER: the same after a reboot, where numbers given in order are not. */
bool device_bus_address(const char *folder, char *text, size_t size);

/* The part of PATH that begins with PREFIX and a digit, or false: "session3" for
 * "/session". */
bool device_path_part(const char *path, const char *prefix, char *part, size_t size);

#endif
