/* What sources ask a registry of devices, and how they share it; see the header. */
#include "config.h"

#include "source/registry.h"

#include "base/alloc.h"
#include "base/text.h"

#include <stdlib.h>
#include <string.h>

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

bool devices_folder(const struct devices *devices, const struct device *device,
	char *folder, size_t size)
{
	return device->dir[0] &&
	       text_format(folder, size, "%s/%s", devices->top, device->dir);
}

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
	long index;

	hold(devices);
	index = registry_find(devices, key);
	if (index >= 0 && !is_there(devices->all[index]))
		index = -1;
	release(devices);
	return index;
}

/* An identity that is only a name identifies nobody under another one. */
static bool was_called_otherwise(const struct device *old, const struct device *device)
{
	const struct subject *a = &old->subject, *b = &device->subject;

	return !old->known && old->shown && *b->id && !strcmp(a->id, b->id) &&
	       strcmp(a->name, b->name) != 0 && strcmp(b->id, b->name) != 0;
}

bool devices_former(
	struct devices *devices, const struct device *device, char *name, size_t size)
{
	bool found = false;

	hold(devices);
	for (size_t i = devices->count; i-- && !found;) {
		const struct device *old = devices->all[i];

		found = old && was_called_otherwise(old, device);
		if (found)
			(void)text_copy(name, size, old->subject.name); /* fits */
	}
	release(devices);
	return found;
}

bool devices_foreign(struct devices *devices)
{
	bool foreign;

	hold(devices);
	foreign = devices->foreign;
	release(devices);
	return foreign;
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
	registry_init(devices);
	return devices;
}

static void destroy(struct devices *devices)
{
	registry_fini(devices);
	if (devices->has_pattern)
		regfree(&devices->pattern);
	(void)pthread_mutex_destroy(&devices->lock); /* nobody is left */
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
