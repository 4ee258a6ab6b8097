/*
 * The registry of devices; see the header. What is listed comes from the names
 * in sysfs; for interfaces also from /proc/net/dev, which is the view of this
 * network namespace and says which of them carry traffic. Where the two name
 * different interfaces, the mounted sysfs belongs to another namespace, and its
 * figures would be another machine's: it is then not used.
 */
#include "config.h"

#include "source/devices.h"

#include "base/alloc.h"
#include "base/scan.h"
#include "base/text.h"
#include "source/attr.h"

#include <dirent.h>
#include <pthread.h>
#include <regex.h>
#include <stdlib.h>
#include <string.h>

enum {
	LIST_LIMIT = 16 << 20 /* bytes of /proc/net/dev */
};

struct devices {
	struct devices *next; /* list of the registries of this process */
	unsigned users;
	enum kind kind;
	char *sys, *proc, *top; /* top: the folder with one entry per device */
	const struct selection *selection; /* borrowed */
	regex_t pattern;
	bool has_pattern;

	pthread_mutex_t lock; /* guards everything below */
	struct device **all;
	size_t count, room;
	uint32_t *table; /* hash of key: 1 + index; only of devices that are there */
	size_t table_size;
	DIR *folder;
	struct buffer text;
	bool looked;
	bool foreign; /* sysfs is that of another network namespace */
	bool stale;   /* the table names devices that went */
	nsec looked_at;
	atomic_uint generation;
};

static pthread_mutex_t shared_lock = PTHREAD_MUTEX_INITIALIZER;
static struct devices *shared; /* what all sources of the process describe alike */

static void hold(struct devices *devices)
{
	(void)pthread_mutex_lock(&devices->lock); /* a plain mutex cannot fail here */
}

static void release(struct devices *devices)
{
	(void)pthread_mutex_unlock(&devices->lock); /* held: cannot fail */
}

/* ---- names to devices ---- */

static size_t hash(const char *key)
{
	uint64_t sum = 14695981039346656037u;

	for (; *key; key++)
		sum = (sum ^ (unsigned char)*key) * 1099511628211u;
	return (size_t)(sum ^ sum >> 32);
}

/* The place of KEY in the table, or the empty place where it belongs. */
static uint32_t *place(struct devices *devices, const char *key)
{
	size_t mask = devices->table_size - 1;
	size_t at = hash(key) & mask;

	while (devices->table[at] &&
		strcmp(devices->all[devices->table[at] - 1]->key, key) != 0)
		at = (at + 1) & mask;
	return &devices->table[at];
}

static void rebuild(struct devices *devices, size_t size)
{
	free(devices->table);
	devices->table = xarray(size, sizeof *devices->table);
	devices->table_size = size;
	for (size_t i = 0; i < devices->count; i++)
		if (devices->all[i] && devices->all[i]->known)
			*place(devices, devices->all[i]->key) = (uint32_t)i + 1;
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

/* The device of that name that is there, made if it is new. */
static struct device *meet(struct devices *devices, const char *key)
{
	uint32_t *at = place(devices, key);
	struct device *device;
	size_t slot;

	if (*at)
		return devices->all[*at - 1];
	slot = free_slot(devices);
	device = xalloc(sizeof *device);
	(void)text_copy(device->key, sizeof device->key, key);
	device->known = true;
	devices->all[slot] = device;
	if (devices->count * 2 > devices->table_size)
		rebuild(devices, devices->table_size * 2);
	else
		*at = (uint32_t)slot + 1;
	return device;
}

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

		if (entry->d_name[0] == '.' ||
			!text_copy(key, sizeof key, entry->d_name))
			continue;
		for (char *c = key; *c; c++)
			if (*c == '!') /* sysfs writes the slash of a name so */
				*c = '/';
		device = meet(devices, key);
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

	if (!colon)
		return;
	*colon = 0;
	line += strspn(line, " ");
	if (!*line || strlen(line) >= SUBJECT_NAME)
		return;
	for (int i = 0; i < 10 && scan_u64(&at, &value); i++)
		packets += i == 1 || i == 9 ? value : 0;
	device = meet(devices, line);
	device->in_proc = true;
	if (device->shown || !device->subject.name[0])
		device->traffic = packets;
	else if (packets != device->traffic)
		device->in_use = true;
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

/* Whether NAME is one of LIST, which has commas between names. */
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

static bool wanted(const struct devices *devices, const struct device *device)
{
	const struct selection *selection = devices->selection;

	if (devices->has_pattern)
		return !regexec(&devices->pattern, device->key, 0, NULL, 0);
	if (devices->kind == KIND_NIC && selection && selection->interfaces)
		return is_listed(selection->interfaces, device->key);
	if (selection && selection->all)
		return true;
	return device->class == DEVICE_VIRTUAL ? device->in_use
					       : device->class != DEVICE_HIDDEN;
}

bool devices_folder(const struct devices *devices, const struct device *device,
	char *folder, size_t size)
{
	return device->dir[0] &&
	       text_format(folder, size, "%s/%s", devices->top, device->dir);
}

static void inspect(struct devices *devices, struct device *device)
{
	char folder[ATTR_PATH];
	bool has;

	if (device->birth) {
		(void)text_copy(device->dir, sizeof device->dir, device->key);
		for (char *c = device->dir; *c; c++)
			if (*c == '/') /* sysfs has '!' there */
				*c = '!';
	}
	has = devices_folder(devices, device, folder, sizeof folder);
	device->subject = (struct subject){.kind = devices->kind};
	if (devices->kind == KIND_DISK)
		device_disk_inspect(device, devices->sys, has ? folder : NULL);
	else
		device_nic_inspect(device, devices->sys, has ? folder : NULL);
	if (devices->kind == KIND_DISK && has)
		device->in_use = device_disk_in_use(folder);
}

/* A device that was shown before, is gone, and is this very one. */
static struct device *revive(struct devices *devices, const struct device *fresh)
{
	for (size_t i = 0; i < devices->count; i++) {
		struct device *old = devices->all[i];

		if (old && !old->known && old->class == fresh->class &&
			!strcmp(old->dir, fresh->dir) &&
			!memcmp(&old->subject, &fresh->subject, sizeof old->subject))
			return old;
	}
	return NULL;
}

static void leave(struct devices *devices, size_t slot)
{
	struct device *device = devices->all[slot];

	devices->stale = true;
	if (!device->shown) {
		free(device);
		devices->all[slot] = NULL;
		return;
	}
	device->known = false;
	atomic_store(&device->present, false);
	atomic_fetch_add(&devices->generation, 1);
}

/* DEVICE, not shown so far, shall be: as a returning one if it is that. */
static void show(struct devices *devices, size_t slot)
{
	struct device *device = devices->all[slot];
	struct device *old = revive(devices, device);

	if (old) {
		old->birth = device->birth;
		old->known = true;
		free(device);
		devices->all[slot] = NULL;
		devices->stale = true;
		device = old;
	}
	device->shown = true;
	atomic_fetch_add(&device->life, 1);
	atomic_store(&device->present, true);
	atomic_fetch_add(&devices->generation, 1);
}

/* The device is another one than at the last look, or was never looked at. */
static void look(struct devices *devices, size_t slot)
{
	struct device *device = devices->all[slot];

	if (device->shown) { /* others may be reading it: leave it as it is */
		const struct device *old = device;

		leave(devices, slot);
		slot = free_slot(devices);
		device = xalloc(sizeof *device);
		memcpy(device->key, old->key, sizeof device->key);
		device->seen_birth = old->seen_birth;
		device->traffic = old->traffic;
		device->in_use = old->in_use;
		device->in_sys = old->in_sys;
		device->in_proc = old->in_proc;
		device->known = true;
		devices->all[slot] = device;
	}
	device->birth = device->seen_birth;
	inspect(devices, device);
}

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
	if (!device->subject.name[0] || device->birth != device->seen_birth)
		look(devices, slot);
	else if (!device->shown && devices->kind == KIND_DISK &&
		 devices_folder(devices, device, folder, sizeof folder))
		device->in_use = device_disk_in_use(folder);
}

static void settle(struct devices *devices, bool has_proc)
{
	size_t count = devices->count; /* look() may add: those are settled */

	for (size_t i = 0; i < count; i++)
		if (devices->all[i] && devices->all[i]->known)
			settle_one(devices, i, has_proc);
	for (size_t i = 0; i < devices->count; i++) {
		const struct device *device = devices->all[i];

		if (device && device->known && !device->shown &&
			wanted(devices, device))
			show(devices, i);
	}
	if (devices->stale)
		rebuild(devices, devices->table_size);
	devices->stale = false;
}

void devices_refresh(struct devices *devices, nsec now, nsec age)
{
	bool has_proc, same;

	if (pthread_mutex_trylock(&devices->lock))
		return;
	if (!devices->looked || now - devices->looked_at >= age) {
		same = list(devices, &has_proc);
		if (!same) /* one may have come or gone between the two lists */
			same = list(devices, &has_proc);
		devices->foreign = !same;
		settle(devices, has_proc);
		devices->looked = true;
		devices->looked_at = now;
	}
	(void)pthread_mutex_unlock(&devices->lock); /* held: cannot fail */
}

/* ---- for the sources ---- */

unsigned devices_generation(const struct devices *devices)
{
	return atomic_load(&devices->generation);
}

size_t devices_count(struct devices *devices)
{
	size_t count;

	hold(devices);
	count = devices->count;
	release(devices);
	return count;
}

static bool is_there(const struct device *device)
{
	return device && device->known && device->shown;
}

struct device *devices_at(struct devices *devices, size_t index)
{
	struct device *device = NULL;

	hold(devices);
	if (index < devices->count && is_there(devices->all[index]))
		device = devices->all[index];
	release(devices);
	return device;
}

long devices_find(struct devices *devices, const char *key)
{
	uint32_t at;
	long index = -1;

	hold(devices);
	at = *place(devices, key);
	if (at && is_there(devices->all[at - 1]))
		index = (long)at - 1;
	release(devices);
	return index;
}

/* ---- one registry for all ---- */

static bool same_view(
	const struct devices *devices, const struct source_env *env, enum kind kind)
{
	return devices->kind == kind && devices->selection == env->selection &&
	       !strcmp(devices->sys, env->sys) && !strcmp(devices->proc, env->proc);
}

static struct devices *make(
	const struct source_env *env, enum kind kind, struct fault *fault)
{
	const char *pattern =
		env->selection && kind == KIND_DISK ? env->selection->disks : NULL;
	const char *below = kind == KIND_DISK ? "/block" : "/class/net";
	struct devices *devices = xalloc(sizeof *devices);
	int error;

	devices->has_pattern = pattern != NULL;
	if (pattern && (error = regcomp(&devices->pattern, pattern,
				REG_EXTENDED | REG_NOSUB))) {
		char why[80];

		(void)regerror(error, &devices->pattern, why, sizeof why);
		(void)fault_set(fault, "pattern of disks \"%s\": %s", pattern, why);
		free(devices);
		return NULL;
	}
	devices->kind = kind;
	devices->selection = env->selection;
	devices->sys = xstrdup(env->sys);
	devices->proc = xstrdup(env->proc);
	devices->top = xarray(strlen(env->sys) + strlen(below) + 1, 1);
	(void)text_format(devices->top, strlen(env->sys) + strlen(below) + 1, "%s%s",
		env->sys, below);                       /* fits */
	(void)pthread_mutex_init(&devices->lock, NULL); /* cannot fail on Linux */
	rebuild(devices, 64);
	return devices;
}

static void destroy(struct devices *devices)
{
	for (size_t i = 0; i < devices->count; i++)
		free(devices->all[i]);
	if (devices->folder)
		(void)closedir(devices->folder); /* only read */
	if (devices->has_pattern)
		regfree(&devices->pattern);
	(void)pthread_mutex_destroy(&devices->lock); /* nobody is left */
	buffer_fini(&devices->text);
	free(devices->all);
	free(devices->table);
	free(devices->sys);
	free(devices->proc);
	free(devices->top);
	free(devices);
}

struct devices *devices_open(
	const struct source_env *env, enum kind kind, struct fault *fault)
{
	struct devices *devices;

	(void)pthread_mutex_lock(&shared_lock); /* a plain mutex cannot fail here */
	devices = shared;
	while (devices && !same_view(devices, env, kind))
		devices = devices->next;
	if (!devices && (devices = make(env, kind, fault))) {
		devices->next = shared;
		shared = devices;
	}
	if (devices)
		devices->users++;
	(void)pthread_mutex_unlock(&shared_lock); /* held: cannot fail */
	return devices;
}

void devices_close(struct devices *devices)
{
	struct devices **at = &shared;

	if (!devices)
		return;
	(void)pthread_mutex_lock(&shared_lock); /* a plain mutex cannot fail here */
	if (--devices->users == 0) {
		while (*at != devices)
			at = &(*at)->next;
		*at = devices->next;
		destroy(devices);
	}
	(void)pthread_mutex_unlock(&shared_lock); /* held: cannot fail */
}
