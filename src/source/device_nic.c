/*
 * One look at one network interface in sysfs: its class, an identity that is
 * the same after a reboot, and one line about it.
 */
#include "config.h"

#include "source/devices.h"

#include "base/scan.h"
#include "base/text.h"
#include "source/attr.h"

#include <dirent.h>
#include <string.h>

enum {
	WORD = 80,
	TYPE_LOOPBACK = 772 /* ARPHRD_LOOPBACK */
};

/* The first interface below FOLDER's: a bond's slave, the parent of a VLAN. */
static bool lower(const char *folder, char *name, size_t size)
{
	const struct dirent *entry;
	bool found = false;
	DIR *dir = opendir(folder);

	if (!dir)
		return false;
	while (!found && (entry = readdir(dir)))
		if (!strncmp(entry->d_name, "lower_", 6)) {
			found = true;
			(void)text_clean(name, size, entry->d_name + 6);
		}
	(void)closedir(dir); /* only read */
	return found;
}

/* DEVTYPE of the uevent file: "vlan", "bond", "bridge", "wlan", or "". */
static void device_type(const char *folder, char *type, size_t size)
{
	struct attr attr;
	char text[512];
	char *at = text, *line;

	type[0] = 0;
	attr_open(&attr, folder, "uevent");
	if (attr_text(&attr, text, sizeof text) == WHY_NONE)
		while ((line = scan_line(&at)))
			if (!strncmp(line, "DEVTYPE=", 8))
				(void)text_clean(type, size, line + 8);
	attr_close(&attr);
}

static bool is_stacked_type(const char *type)
{
	static const char *const types[] = {
		"vlan", "bond", "bridge", "team", "macvlan", "ipvlan", NULL};

	for (size_t i = 0; types[i]; i++)
		if (!strcmp(type, types[i]))
			return true;
	return false;
}

/* The MAC that the card was born with: a slave of a bond wears another one. */
static void mac_of(const char *folder, char *mac, size_t size)
{
	if (attr_read_text(folder, "bonding_slave/perm_hwaddr", mac, size) != WHY_NONE)
		(void)attr_read_text(folder, "address", mac, size); /* or "" */
}

static void identify(struct subject *subject, const char *folder, bool has_device)
{
	char mac[WORD], bus[WORD] = "";

	mac_of(folder, mac, sizeof mac);
	if (has_device && !device_bus_address(folder, bus, sizeof bus))
		(void)attr_link(folder, "device", bus, sizeof bus); /* or "" */
	(void)text_format(subject->id, sizeof subject->id, "%s%s%s", mac,
		bus[0] ? "@" : "", bus); /* fits */
	if (!subject->id[0])
		(void)text_copy(subject->id, sizeof subject->id, subject->name);
}

static void describe(struct subject *subject, const char *folder, const char *type,
	const char *below)
{
	char driver[WORD] = "", bus[WORD] = "";
	const char *over = below[0] ? " over " : "";

	if (attr_link(folder, "device/driver", driver, sizeof driver))
		(void)device_bus_address(folder, bus, sizeof bus); /* or "" */
	(void)text_format(subject->detail, sizeof subject->detail, "%s%s%s%s%s%s%s",
		driver, bus[0] ? " " : "", bus, type[0] && driver[0] ? " " : "", type,
		over, below); /* cut at its room */
}

void device_nic_inspect(struct device *device, const char *sys, const char *folder)
{
	struct subject *subject = &device->subject;
	char type[WORD], below[SUBJECT_NAME] = "";
	uint64_t link_type = 0;
	bool has_device, stacked;

	(void)sys; /* all of it is below FOLDER */
	(void)text_clean(subject->name, sizeof subject->name, device->key);
	device->class = !strcmp(device->key, "lo") ? DEVICE_HIDDEN : DEVICE_VIRTUAL;
	(void)text_copy(subject->id, sizeof subject->id, subject->name);
	if (!folder) {
		subject->flags = SUBJECT_VIRTUAL;
		return;
	}
	has_device = attr_exists(folder, "device");
	device_type(folder, type, sizeof type);
	stacked = lower(folder, below, sizeof below);
	if (attr_read_u64(folder, "type", &link_type) == WHY_NONE &&
		link_type == TYPE_LOOPBACK)
		device->class = DEVICE_HIDDEN;
	else if (stacked) /* also a card whose traffic goes over another one */
		device->class = DEVICE_STACKED;
	else if (has_device)
		device->class = DEVICE_BUS;
	subject->flags = (stacked || is_stacked_type(type) ? SUBJECT_STACKED : 0u) |
			 (has_device ? 0u : SUBJECT_VIRTUAL);
	(void)attr_read_text(
		folder, "ifalias", subject->label, sizeof subject->label); /* or "" */
	identify(subject, folder, has_device);
	describe(subject, folder, type, below);
}
