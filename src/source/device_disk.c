/*
 * One look at one disk in sysfs: its class, its label, an identity that is the
 * same after a reboot, and one line about it.
 */
#include "config.h"

#include "source/devices.h"

#include "base/scan.h"
#include "base/text.h"
#include "source/attr.h"
#include "source/guard.h"

#include <ctype.h>
#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	WORD = 80
};

/* Disks of no storage path: shown only when asked for. */
static bool is_hidden(const char *name)
{
	static const char *const prefixes[] = {"loop", "ram", "zram", NULL};

	for (size_t i = 0; prefixes[i]; i++) {
		size_t length = strlen(prefixes[i]);

		if (!strncmp(name, prefixes[i], length) &&
			isdigit((unsigned char)name[length]))
			return true;
	}
	return false;
}

static bool has_entries(const char *folder, const char *name)
{
	char path[ATTR_PATH];
	const struct dirent *entry;
	bool found = false;
	DIR *dir;

	if (!text_format(path, sizeof path, "%s/%s", folder, name))
		return false;
	dir = opendir(path);
	if (!dir)
		return false;
	while (!found && (entry = readdir(dir)))
		found = entry->d_name[0] != '.';
	(void)closedir(dir); /* only read */
	return found;
}

/* nvme0n1 is a multipath head if a path nvme0cXn1 lies beside it. */
static bool is_multipath_head(const char *folder, const char *name)
{
	unsigned subsystem, disk, a, b, c;
	const struct dirent *entry;
	char top[ATTR_PATH];
	bool found = false;
	char rest;
	DIR *dir;

	if (sscanf(name, "nvme%un%u%c", &subsystem, &disk, &rest) != 2)
		return false;
	(void)text_copy(top, sizeof top, folder);
	*strrchr(top, '/') = 0;
	dir = opendir(top);
	if (!dir)
		return false;
	while (!found && (entry = readdir(dir)))
		found = sscanf(entry->d_name, "nvme%uc%un%u%c", &a, &b, &c, &rest) ==
				3 &&
			a == subsystem && c == disk;
	(void)closedir(dir); /* only read */
	return found;
}

static enum device_class classify(const struct device *device, const char *folder)
{
	if (is_hidden(device->key) || attr_exists(folder, "partition"))
		return DEVICE_HIDDEN;
	if (device->multipath_head || attr_exists(folder, "dm") ||
		attr_exists(folder, "md") || has_entries(folder, "slaves"))
		return DEVICE_STACKED;
	return attr_exists(folder, "device") ? DEVICE_BUS : DEVICE_VIRTUAL;
}

/* Some drivers ask the device itself (the serial number of virtio-blk): one that hangs
 * may not hold all others up. Of a device that does not say who it is nothing is said.
 */
static enum why ask(struct device *device, const char *folder, const char *name,
	char *text, size_t size)
{
	enum why why = WHY_LATE;

	text[0] = 0;
	if (!attr_exists(folder, name))
		return WHY_UNSUPPORTED;
	if (!device->unsure)
		why = guard_identity(folder, name, text, size);
	device->unsure |= why == WHY_LATE;
	return why;
}

/* ---- how it is reached ---- */

static bool is_pci(const char *part, size_t length)
{
	/* 0000:05:00.0, with a longer domain on some hosts */
	return length >= 12 && part[length - 2] == '.' && part[length - 5] == ':' &&
	       part[length - 8] == ':' && isxdigit((unsigned char)part[0]);
}

bool device_bus_address(const char *folder, char *text, size_t size)
{
	char path[ATTR_PATH];
	char real[PATH_MAX];
	bool found = false;

	if (!text_format(path, sizeof path, "%s/device", folder) ||
		!realpath(path, real))
		return false;
	for (const char *part = real; *part;) {
		size_t length = strcspn(part, "/");

		if (is_pci(part, length)) {
			found = true;
			(void)text_format(text, size, "%.*s", (int)length, part);
		}
		part += length + (part[length] == '/');
	}
	return found;
}

bool device_path_part(const char *path, const char *prefix, char *part, size_t size)
{
	const char *at = path;
	size_t length = strlen(prefix);

	while ((at = strstr(at, prefix))) {
		at++; /* the prefix begins with a slash */
		if (isdigit((unsigned char)at[length - 1]))
			return text_format(
				part, size, "%.*s", (int)strcspn(at, "/"), at);
	}
	return false;
}

/* iSCSI and FC: the remote end, which tells the paths to one LUN apart. */
static bool remote_end(
	struct device *device, const char *sys, const char *real, char text[WORD])
{
	char part[WORD], folder[ATTR_PATH], value[WORD] = "";

	if (device_path_part(real, "/session", part, sizeof part)) {
		(void)text_format(folder, sizeof folder,
			"%s/class/iscsi_connection/connection%s:0", sys, part + 7);
		if (ask(device, folder, "persistent_address", value, sizeof value) !=
			WHY_NONE)
			(void)text_copy(value, sizeof value, part);
		return text_format(text, WORD, "iscsi %s", value);
	}
	if (device_path_part(real, "/rport-", part, sizeof part)) {
		(void)text_format(folder, sizeof folder, "%s/class/fc_remote_ports/%s",
			sys, part);
		if (ask(device, folder, "port_name", value, sizeof value) != WHY_NONE)
			(void)text_copy(value, sizeof value, part);
		return text_format(text, WORD, "fc %s", value);
	}
	return false;
}

/* One word, or two with the remote end: "nvme tcp", "iscsi 10.0.0.5", "sata". */
static void transport(
	struct device *device, const char *sys, const char *folder, char text[WORD])
{
	static const struct {
		const char *part, *word;
	} rows[] = {
		{"/ata", "sata"},
		{"/usb", "usb"},
		{"/end_device-", "sas"},
		{"/vmbus", "vmbus"},
		{"/virtio", "virtio"},
		{"/xen", "xen"},
		{"/mmc", "mmc"},
	};
	char path[ATTR_PATH], real[PATH_MAX], part[WORD];

	text[0] = 0;
	if (!text_format(path, sizeof path, "%s/device", folder) ||
		!realpath(path, real) || remote_end(device, sys, real, text))
		return;
	if (ask(device, path, "transport", part, sizeof part) == WHY_NONE) {
		(void)text_format(text, WORD, "nvme %s", part);
		return;
	}
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		if (device_path_part(real, rows[i].part, part, sizeof part)) {
			(void)text_copy(text, WORD, rows[i].word);
			return;
		}
}

/* ---- identity, label, detail ---- */

static bool own_id(struct device *device, const char *folder, char *id, size_t size)
{
	static const char *const names[] = {"dm/uuid", "md/uuid", "wwid", "device/wwid",
		"serial", "device/serial", "device/cid", "loop/backing_file", NULL};

	for (size_t i = 0; names[i]; i++)
		if (ask(device, folder, names[i], id, size) == WHY_NONE && id[0])
			return true;
	return false;
}

/* Without an own identity: where it is plugged in. "0:0:1" of "7:0:0:1" stays,
 * since host numbers are given in the order of discovery. */
static void place_id(const char *folder, const char *name, char *id, size_t size)
{
	char bus[WORD], address[WORD] = "";
	const char *lun;

	if (!device_bus_address(folder, bus, sizeof bus)) {
		(void)text_copy(id, size, name);
		return;
	}
	(void)attr_link(folder, "device", address, sizeof address);
	lun = strchr(address, ':');
	if (lun && strchr(lun + 1, ':') && !strchr(lun, '.'))
		(void)text_format(id, size, "pci-%s-%s", bus, lun + 1);
	else
		(void)text_format(id, size, "pci-%s", bus);
}

static void describe(struct device *device, const char *folder, const char *link)
{
	struct subject *subject = &device->subject;
	static const char *const names[] = {"device/vendor", "device/model", NULL};
	char words[2][WORD] = {"", ""};
	char driver[WORD] = "";

	for (size_t i = 0; names[i]; i++)
		if (ask(device, folder, names[i], words[i], sizeof words[i]) !=
				WHY_NONE ||
			!strncmp(words[i], "0x", 2)) /* a number: no name */
			words[i][0] = 0;
	(void)attr_link(folder, "device/driver", driver, sizeof driver);
	(void)text_format(subject->detail, sizeof subject->detail, "%s%s%s%s%s%s%s",
		words[0], words[0][0] ? " " : "", words[1], words[1][0] ? " " : "",
		link, link[0] ? " " : "", driver); /* cut at its room */
	if (subject->detail[0] && !driver[0])
		subject->detail[strlen(subject->detail) - 1] = 0;
}

void device_disk_inspect(struct device *device, const char *sys, const char *folder)
{
	struct subject *subject = &device->subject;
	char link[WORD], base[sizeof subject->id - WORD];

	(void)text_clean(subject->name, sizeof subject->name, device->key);
	device->class = DEVICE_VIRTUAL;
	if (!folder)
		return;
	device->multipath_head = is_multipath_head(folder, device->key);
	device->class = classify(device, folder);
	if (device->class == DEVICE_STACKED)
		subject->flags |= SUBJECT_STACKED;
	if (!attr_exists(folder, "device"))
		subject->flags |= SUBJECT_VIRTUAL;
	transport(device, sys, folder, link);
	if (!own_id(device, folder, base, sizeof base))
		place_id(folder, subject->name, subject->id, sizeof subject->id);
	else if (!strncmp(link, "iscsi ", 6) || !strncmp(link, "fc ", 3))
		(void)text_format(subject->id, sizeof subject->id, "%s@%s", base, link);
	else
		(void)text_copy(subject->id, sizeof subject->id, base);
	describe(device, folder, link);
}

bool device_disk_in_use(const char *folder)
{
	uint64_t sectors;

	return attr_read_u64(folder, "size", &sectors) == WHY_NONE && sectors > 0;
}
