/*
 * What devices there are and which are shown. What is listed comes from the names
 * in sysfs; for interfaces also from /proc/net/dev, which is the view of this
 * network namespace and says which of them carry traffic. Where the two name
 * different interfaces, the mounted sysfs belongs to another namespace, and its
 * figures would be another machine's: it is then not used.
 *
 * The default selection: what has a bus parent, what is stacked on other devices
 * (flagged, so that nobody adds it on top), virtual disks with a size, virtual
 * interfaces once they carry traffic. Where no interface has a bus parent, as in
 * a container, traffic before weir started is enough.
 */
#include "config.h"

#include "source/registry.h"

#include "base/alloc.h"
#include "base/scan.h"
#include "base/text.h"
#include "source/attr.h"

#include <stdlib.h>
#include <string.h>

enum {
	LIST_LIMIT = 16 << 20 /* bytes of /proc/net/dev */
};

/* ---- what is listed ---- */

static void list_sys(struct devices *devices)
{
	struct dirent *entry;

	if (!devices->folder)
		devices->folder = opendir(devices->top);
	if (!devices->folder)
		return;
	rewinddir(devices->folder);
	while ((entry = readdir(devices->folder))) {
		char key[SUBJECT_NAME];
		struct device *device;

		if (entry->d_name[0] == '.' || entry->d_type == DT_REG ||
			!text_copy(key, sizeof key, entry->d_name))
			continue; /* bonding_masters is a file */
		for (char *c = key; *c; c++)
			if (*c == '!') /* sysfs writes the slash of a name so */
				*c = '/';
		device = registry_meet(devices, key);
		device->in_sys = true;
		device->seen_birth = entry->d_ino;
	}
}

/* "  NAME: bytes packets errs drop fifo frame compressed multicast bytes packets":
 * the last colon ends the name, since what follows is numbers (field: names with
 * colons). */
static void list_line(struct devices *devices, char *line)
{
	char *colon = strrchr(line, ':');
	const char *at = colon ? colon + 1 : line;
	uint64_t value, packets = 0;
	struct device *device;
	int column = 0;

	if (!colon)
		return;
	*colon = 0;
	line += strspn(line, " ");
	for (; column < 10 && scan_u64(&at, &value); column++)
		packets += column == 1 || column == 9 ? value : 0;
	if (!*line || strlen(line) >= SUBJECT_NAME || !column)
		return; /* a line of headings has no numbers */
	device = registry_meet(devices, line);
	device->in_proc = true;
	if (device->subject.name[0] && packets != device->traffic)
		device->in_use = true;
	device->traffic = packets;
}

static bool list_proc(struct devices *devices)
{
	char *at, *line;

	if (devices->kind != KIND_NIC ||
		!scan_file(devices->proc, "/net/dev", &devices->text, LIST_LIMIT, NULL))
		return false;
	at = buffer_string(&devices->text);
	while ((line = scan_line(&at)))
		list_line(devices, line);
	return true;
}

/* Returns whether sysfs and /proc name the same devices. */
static bool list(struct devices *devices, bool *has_proc)
{
	bool same = true;

	for (size_t i = 0; i < devices->count; i++)
		if (devices->all[i])
			devices->all[i]->in_sys = devices->all[i]->in_proc = false;
	*has_proc = list_proc(devices);
	list_sys(devices);
	for (size_t i = 0; *has_proc && i < devices->count; i++)
		if (devices->all[i])
			same &= devices->all[i]->in_sys == devices->all[i]->in_proc;
	return same;
}

/* ---- what is shown ---- */

/* Whether NAME is one of NAMES, which has commas between names. */
static bool is_listed(const char *names, const char *name)
{
	size_t length = strlen(name);

	while (*names) {
		size_t item = strcspn(names, ",");

		if (item == length && !memcmp(names, name, length))
			return true;
		names += item + (names[item] == ',');
	}
	return false;
}

static bool is_used(const struct devices *devices, const struct device *device)
{
	bool alone = devices->kind == KIND_NIC && !devices->has_bus;

	return device->in_use || (alone && device->traffic);
}

static bool wanted(const struct devices *devices, const struct device *device)
{
	const struct selection *selection = devices->selection;

	if (devices->has_pattern)
		return !regexec(&devices->pattern, device->key, 0, NULL, 0);
	if (devices->kind == KIND_NIC && selection && selection->interfaces)
		return is_listed(selection->interfaces, device->key);
	if (selection && selection->all)
		return true;
	return device->class == DEVICE_VIRTUAL ? is_used(devices, device)
					       : device->class != DEVICE_HIDDEN;
}

/* ---- one device ---- */

/* As a person knows the disk in FOLDER: the alias of a map, the name of a volume; else,
 * beside its own name, the one place where it is mounted. The root of the system is no
 * name of a disk. */
static void label_disk(const struct devices *devices, const struct device *device,
	const char *folder, char *label, size_t size)
{
	char point[SUBJECT_LABEL - SUBJECT_NAME];

	if (device->class == DEVICE_STACKED &&
		attr_read_text(folder, "dm/name", label, size) == WHY_NONE)
		return;
	label[0] = 0;
	if (mounted_at(&devices->mounted, device->dir, point, sizeof point) == 1 &&
		strcmp(point, "/") != 0)
		(void)text_format(
			label, size, "%s %s", device->subject.name, point); /* fits */
}

static void sysfs_name(const struct device *device, char name[SUBJECT_NAME])
{
	(void)text_copy(name, SUBJECT_NAME, device->key); /* same size */
	for (char *c = name; *c; c++)
		if (*c == '/') /* sysfs has '!' there */
			*c = '!';
}

/* What tells one device from the next under the same name: the entry in sysfs, and
 * where the kernel has it the number of the disk, which also moves when another image
 * is attached to a loop device. */
static void identify(const struct devices *devices, struct device *device)
{
	char name[SUBJECT_NAME], folder[ATTR_PATH];
	uint64_t number;

	sysfs_name(device, name);
	if (devices->kind == KIND_DISK &&
		text_format(folder, sizeof folder, "%s/%s", devices->top, name) &&
		attr_read_u64(folder, "diskseq", &number) == WHY_NONE)
		device->seen_birth ^= number << 40;
}

static void inspect(struct devices *devices, struct device *device)
{
	char folder[ATTR_PATH];
	bool has;

	if (device->seen_birth)
		sysfs_name(device, device->dir);
	device->birth = device->seen_birth;
	has = devices_folder(devices, device, folder, sizeof folder);
	device->subject = (struct subject){.kind = devices->kind};
	device->unsure = false;
	if (devices->kind == KIND_DISK)
		device_disk_inspect(device, devices->sys, has ? folder : NULL);
	else
		device_nic_inspect(device, devices->sys, has ? folder : NULL);
	if (devices->has_pattern)
		device->subject.flags |= SUBJECT_NAMED;
	if (devices->kind == KIND_DISK && has) {
		device->in_use = device_disk_in_use(folder);
		label_disk(devices, device, folder, device->subject.label,
			sizeof device->subject.label);
	}
}

/* Looks again at a device that is shown. Others may be reading it, so that its
 * struct stays as it is: one that has changed is replaced. */
static void inspect_shown(struct devices *devices, size_t slot)
{
	struct device *old = devices->all[slot];
	struct device *fresh = xalloc(sizeof *fresh);
	bool born = old->birth != old->seen_birth;

	(void)text_copy(fresh->key, sizeof fresh->key, old->key); /* same size */
	fresh->seen_birth = old->seen_birth;
	fresh->traffic = old->traffic;
	fresh->in_sys = old->in_sys;
	fresh->in_proc = old->in_proc;
	fresh->known = fresh->shown = true;
	inspect(devices, fresh);
	if (fresh->unsure) { /* the next look asks again */
		free(fresh);
		return;
	}
	old->birth = old->seen_birth;
	if (!strcmp(fresh->dir, old->dir) && fresh->class == old->class &&
		!memcmp(&fresh->subject, &old->subject, sizeof fresh->subject)) {
		free(fresh);
		atomic_fetch_add(&old->life, born);
	} else {
		atomic_store(&fresh->life, atomic_load(&old->life) + born);
		atomic_store(&fresh->unaccounted, atomic_load(&old->unaccounted));
		registry_replace(devices, slot, fresh);
		born = true;
	}
	if (born)
		atomic_fetch_add(&devices->generation, 1);
}

/* A map was renamed, a disk was mounted. */
static bool is_relabelled(const struct devices *devices, const struct device *device)
{
	char folder[ATTR_PATH], label[SUBJECT_LABEL];

	if (devices->kind != KIND_DISK ||
		!devices_folder(devices, device, folder, sizeof folder))
		return false;
	label_disk(devices, device, folder, label, sizeof label);
	return strcmp(label, device->subject.label) != 0;
}

static void leave(struct devices *devices, size_t slot)
{
	struct device *device = devices->all[slot];

	devices->stale = true;
	device->known = false;
	if (!device->shown) {
		free(device);
		devices->all[slot] = NULL;
		return;
	}
	atomic_fetch_add(&devices->generation, 1);
}

/* A device that was shown before, is gone, and is this very one, however it is called
 * now: its slot. */
static long gone_slot(const struct devices *devices, const struct device *device)
{
	for (size_t i = 0; i < devices->count; i++) {
		const struct device *old = devices->all[i];

		if (old && !old->known && old->class == device->class &&
			!strcmp(old->dir, device->dir) &&
			!strcmp(old->subject.name, device->subject.name) &&
			!strcmp(old->subject.id, device->subject.id))
			return (long)i;
	}
	return -1;
}

/* The device at SLOT goes on in BEFORE, where it was. Others may be reading the struct
 * there: it stays as it is, or is replaced where the device is called otherwise now. */
static struct device *take_back(struct devices *devices, size_t slot, size_t before)
{
	struct device *device = devices->all[slot], *old = devices->all[before];

	devices->all[slot] = NULL;
	devices->stale = true;
	if (memcmp(&old->subject, &device->subject, sizeof old->subject) != 0) {
		atomic_store(&device->life, atomic_load(&old->life));
		registry_replace(devices, before, device);
		return device;
	}
	old->birth = device->birth;
	old->seen_birth = device->seen_birth;
	old->traffic = device->traffic;
	old->in_sys = device->in_sys;
	old->in_proc = device->in_proc;
	old->known = true;
	free(device);
	return old;
}

/* The device at SLOT, hidden so far, shall be shown: as a returning one if it is
 * that, so that devices which come and go by the hour do not pile up. */
static void show(struct devices *devices, size_t slot)
{
	struct device *device = devices->all[slot];
	long before = gone_slot(devices, device);

	if (before >= 0)
		device = take_back(devices, slot, (size_t)before);
	device->shown = true;
	atomic_fetch_add(&device->life, 1);
	atomic_fetch_add(&devices->generation, 1);
}

/* ---- all of them ---- */

static void settle_one(struct devices *devices, size_t slot, bool has_proc)
{
	struct device *device = devices->all[slot];
	char folder[ATTR_PATH];

	if (!(has_proc ? device->in_proc : device->in_sys)) {
		leave(devices, slot);
		return;
	}
	if (!device->in_sys || devices->foreign)
		device->seen_birth = 0;
	else
		identify(devices, device);
	if (device->shown &&
		(device->birth != device->seen_birth || is_relabelled(devices, device)))
		inspect_shown(devices, slot);
	else if (!device->subject.name[0] || device->unsure ||
		 device->birth != device->seen_birth)
		inspect(devices, device);
	else if (!device->shown && devices->kind == KIND_DISK &&
		 devices_folder(devices, device, folder, sizeof folder))
		device->in_use = device_disk_in_use(folder);
}

static void settle(struct devices *devices, bool has_proc)
{
	devices->has_bus = false;
	for (size_t i = 0; i < devices->count; i++) {
		struct device *const *at = &devices->all[i];

		if (*at && (*at)->known)
			settle_one(devices, i, has_proc);
		if (*at && (*at)->known && (*at)->class == DEVICE_BUS)
			devices->has_bus = true;
	}
	for (size_t i = 0; i < devices->count; i++) {
		const struct device *device = devices->all[i];

		if (device && device->known && !device->shown && !device->unsure &&
			wanted(devices, device))
			show(devices, i);
	}
	if (devices->stale)
		registry_rebuild(devices, devices->table_size);
}

void devices_refresh(struct devices *devices, nsec now, nsec age)
{
	bool has_proc;

	if (pthread_mutex_trylock(&devices->lock))
		return;
	if (!devices->looked || now - devices->looked_at >= age) {
		/* One may have come or gone between the two lists: ask twice. */
		devices->foreign =
			!list(devices, &has_proc) && !list(devices, &has_proc);
		if (devices->kind == KIND_DISK)
			mounted_read(&devices->mounted, devices->proc, devices->sys);
		settle(devices, has_proc);
		devices->looked = true;
		devices->looked_at = now;
	}
	(void)pthread_mutex_unlock(&devices->lock); /* held: cannot fail */
}
