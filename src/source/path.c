/* How disks are reached; see the header. */
#include "config.h"

#include "source/path.h"

#include "base/text.h"
#include "core/fact.h"
#include "source/attr.h"
#include "source/config.h"
#include "source/transport.h"

#include <arpa/inet.h>
#include <ifaddrs.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	WORD = 96
};

/* What is found out about one disk. */
struct path {
	const char *sys, *folder;
	char real[PATH_MAX];            /* of its device */
	char text[FACT_VALUE];          /* "LUN 1 > iSCSI iscsi_tcp > ..." */
	char packets[SUBJECT_NAME * 2]; /* interface, or "no: " and why; "": local */
};

static void add(struct path *path, const char *step)
{
	size_t used = strlen(path->text);

	if (*step) /* a cut path is still its beginning */
		(void)text_format(path->text + used, sizeof path->text - used, "%s%s",
			used ? " > " : "", step);
}

static const char *address_text(const struct sockaddr *address, char *to, size_t size)
{
	if (address && address->sa_family == AF_INET)
		return inet_ntop(AF_INET,
			&((const struct sockaddr_in *)(const void *)address)->sin_addr,
			to, (socklen_t)size);
	if (address && address->sa_family == AF_INET6)
		return inet_ntop(AF_INET6,
			&((const struct sockaddr_in6 *)(const void *)address)
				 ->sin6_addr,
			to, (socklen_t)size);
	return NULL;
}

bool path_interface(const char *address, char *name, size_t size)
{
	struct ifaddrs *list;
	bool found = false;

	if (getifaddrs(&list))
		return false;
	for (const struct ifaddrs *one = list; one && !found; one = one->ifa_next) {
		char text[INET6_ADDRSTRLEN];

		if (!address_text(one->ifa_addr, text, sizeof text) ||
			strcmp(text, address) != 0)
			continue;
		found = true;
		(void)text_clean(name, size, one->ifa_name);
	}
	freeifaddrs(list);
	return found;
}

/* The card that a local address belongs to, or why its packets cannot be seen. */
static void set_packets(struct path *path, const char *address)
{
	char name[SUBJECT_NAME];

	if (!*address)
		(void)text_copy(path->packets, sizeof path->packets,
			"no: the local address is not known");
	else if (path_interface(address, name, sizeof name))
		(void)text_copy(path->packets, sizeof path->packets, name);
	else
		(void)text_format(path->packets, sizeof path->packets,
			"no: no interface has %.60s", address); /* fits */
}

/* ---- iSCSI ---- */

/* Speaks TCP through the host's own network stack. */
static bool is_software(const char *driver)
{
	return !strcmp(driver, "iscsi_tcp");
}

static void local_address(const struct path *path, const char *session,
	const char *host, char *to, size_t size)
{
	char folder[ATTR_PATH];

	to[0] = 0;
	if (text_format(folder, sizeof folder,
		    "%s/class/iscsi_connection/connection%s:0", path->sys,
		    session + strlen("session")) &&
		attr_read_text(folder, "local_ipaddr", to, size) == WHY_NONE && *to)
		return;
	if (!text_format(
		    folder, sizeof folder, "%s/class/iscsi_host/%s", path->sys, host) ||
		attr_read_text(folder, "ipaddress", to, size) != WHY_NONE)
		to[0] = 0;
}

static void find_iscsi_card(struct path *path, const char *session, const char *host)
{
	char folder[ATTR_PATH], driver[32] = "", card[SUBJECT_NAME], address[64];

	if (text_format(
		    folder, sizeof folder, "%s/class/scsi_host/%s", path->sys, host))
		(void)attr_read_text(
			folder, "proc_name", driver, sizeof driver); /* or "" */
	if (!is_software(driver)) {
		(void)text_format(path->packets, sizeof path->packets,
			"no: %s speaks TCP itself, use the switch port or a mirror",
			*driver ? driver : "the card"); /* fits */
		return;
	}
	if (text_format(
		    folder, sizeof folder, "%s/class/iscsi_host/%s", path->sys, host) &&
		attr_read_text(folder, "netdev", card, sizeof card) == WHY_NONE &&
		text_format(folder, sizeof folder, "%s/class/net", path->sys) &&
		*card && attr_exists(folder, card)) {
		(void)text_copy(path->packets, sizeof path->packets, card);
		return;
	}
	local_address(path, session, host, address, sizeof address);
	set_packets(path, address);
}

static void add_class(
	struct path *path, const struct transport_class *class, const char *name)
{
	struct subject subject = {.kind = KIND_TRANSPORT};

	add(path, class->describe(&subject, path->sys, name) ? subject.name : name);
}

static bool take_iscsi(struct path *path)
{
	char session[48], host[48] = "";

	if (!device_path_part(path->real, "/session", session, sizeof session))
		return false;
	(void)device_path_part(path->real, "/host", host, sizeof host); /* or "" */
	add(path, "iSCSI");
	add_class(path, &transport_iscsi, session);
	find_iscsi_card(path, session, host);
	return true;
}

static bool take_fc(struct path *path)
{
	char port[48];

	if (!device_path_part(path->real, "/rport-", port, sizeof port))
		return false;
	add(path, "FC");
	add_class(path, &transport_fc_port, port);
	(void)text_copy(path->packets, sizeof path->packets,
		"no: Fibre Channel, use the switch port");
	return true;
}

/* ---- NVMe over fabrics, local disks ---- */

/* "traddr=10.0.0.5,trsvcid=4420,src_addr=10.0.0.1": the value of KEY, or "". */
static void part_of(const char *list, const char *key, char *to, size_t size)
{
	size_t length = strlen(key);

	to[0] = 0;
	for (const char *at = list; *at; at += strcspn(at, ","), at += *at == ',')
		if (!strncmp(at, key, length) && at[length] == '=')
			(void)text_format(to, size, "%.*s",
				(int)strcspn(at + length + 1, ","), at + length + 1);
}

static bool take_nvme(struct path *path)
{
	char way[32], list[256], far[96], port[16], near[96], step[WORD * 3];

	if (attr_read_text(path->folder, "device/transport", way, sizeof way) !=
		WHY_NONE)
		return false;
	(void)text_format(step, sizeof step, "NVMe/%s", way); /* fits */
	add(path, step);
	if (!strcmp(way, "pcie") || attr_read_text(path->folder, "device/address", list,
					    sizeof list) != WHY_NONE)
		return true;
	part_of(list, "traddr", far, sizeof far);
	part_of(list, "trsvcid", port, sizeof port);
	(void)text_format(
		step, sizeof step, "%s%s%s", far, *port ? ":" : "", port); /* fits */
	add(path, step);
	part_of(list, "host_iface", near, sizeof near);
	if (strcmp(way, "tcp") != 0) {
		(void)text_format(path->packets, sizeof path->packets,
			"no: %s, use the switch port", way); /* fits */
	} else if (*near) {
		(void)text_copy(path->packets, sizeof path->packets, near);
	} else {
		part_of(list, "src_addr", near, sizeof near);
		if (!*near)
			part_of(list, "host_traddr", near, sizeof near);
		set_packets(path, near);
	}
	return true;
}

static void take_local(struct path *path, const struct device *device)
{
	char address[WORD];

	/* vendor, model, transport, driver: as in the detail of the row */
	add(path, device->subject.detail);
	if (device_bus_address(path->folder, address, sizeof address))
		add(path, address);
}

/* "LUN 1" of 7:0:3:1. */
static void take_lun(struct path *path)
{
	char address[WORD], step[WORD + 8];
	const char *lun;

	if (!attr_link(path->folder, "device", address, sizeof address))
		return;
	lun = strrchr(address, ':');
	if (!lun || strchr(address, '.'))
		return;
	(void)text_format(step, sizeof step, "LUN %s", lun + 1); /* fits */
	add(path, step);
}

/* ---- what is built on others ---- */

struct list {
	const char *folder;
	char text[FACT_VALUE];
};

/* The disk that a slave is, or that it is a partition of. */
static void add_below(void *context, const char *name)
{
	struct list *list = context;
	char path[ATTR_PATH], real[PATH_MAX];
	size_t used = strlen(list->text);
	const char *disk = name;

	if (text_format(path, sizeof path, "%s/slaves/%s", list->folder, name) &&
		realpath(path, real) && attr_exists(real, "partition")) {
		char *slash = strrchr(real, '/');

		*slash = 0;
		disk = strrchr(real, '/') ? strrchr(real, '/') + 1 : name;
	}
	(void)text_format(list->text + used, sizeof list->text - used, "%s%s",
		used ? " " : "", disk); /* a cut list is still its beginning */
}

struct heads {
	struct list list;
	unsigned subsystem, disk;
};

static void add_nvme_path(void *context, const char *name)
{
	struct heads *heads = context;
	unsigned subsystem, controller, disk;
	char rest;

	if (sscanf(name, "nvme%uc%un%u%c", &subsystem, &controller, &disk, &rest) !=
			3 ||
		subsystem != heads->subsystem || disk != heads->disk)
		return;
	add_below(&heads->list, name);
}

static void list_below(
	const struct path *path, const struct device *device, struct list *list)
{
	struct heads heads = {.list = {.folder = path->folder}};
	char folder[ATTR_PATH];

	if (device->multipath_head &&
		sscanf(device->key, "nvme%un%u", &heads.subsystem, &heads.disk) == 2 &&
		text_format(folder, sizeof folder, "%s/block", path->sys)) {
		config_each(folder, "nvme", add_nvme_path, &heads);
		*list = heads.list;
	} else if (text_format(folder, sizeof folder, "%s/slaves", path->folder)) {
		config_each(folder, "", add_below, list);
	}
}

/* The multipath device that this one is a path of: it holds it, or, with NVMe, is
 * called like it without the controller. */
static void take_holder(void *context, const char *name)
{
	struct list *list = context;
	char folder[ATTR_PATH], uuid[16];

	if (text_format(folder, sizeof folder, "%s/holders/%s", list->folder, name) &&
		attr_read_text(folder, "dm/uuid", uuid, sizeof uuid) == WHY_NONE &&
		!strncmp(uuid, "mpath-", 6))
		(void)text_copy(list->text, sizeof list->text, name); /* short */
}

static void put_holder(
	struct sink *sink, const struct device *device, const char *folder)
{
	struct list list = {.folder = folder};
	unsigned subsystem, controller, disk;
	char path[ATTR_PATH], rest;

	if (sscanf(device->key, "nvme%uc%un%u%c", &subsystem, &controller, &disk,
		    &rest) == 3)
		(void)text_format(
			list.text, sizeof list.text, "nvme%un%u", subsystem, disk);
	else if (text_format(path, sizeof path, "%s/holders", folder))
		config_each(path, "dm-", take_holder, &list);
	if (list.text[0])
		sink_fact(sink, &device->subject, "path_of", list.text, WHY_NONE);
}

/* "multipath", "LVM", "CRYPT", "raid1". */
static void add_kind(struct path *path, const struct device *device)
{
	char word[WORD];

	if (device->multipath_head) {
		add(path, "NVMe multipath");
	} else if (attr_read_text(path->folder, "dm/uuid", word, sizeof word) ==
		   WHY_NONE) {
		word[strcspn(word, "-")] = 0;
		add(path, !strcmp(word, "mpath") ? "multipath" : word);
	} else if (attr_read_text(path->folder, "md/level", word, sizeof word) ==
		   WHY_NONE) {
		add(path, word);
	}
}

void path_facts(struct sink *sink, const struct device *device, const char *sys,
	const char *folder)
{
	struct path path = {.sys = sys, .folder = folder};
	struct list below = {.folder = folder};
	char device_folder[ATTR_PATH];

	list_below(&path, device, &below);
	if (below.text[0]) {
		add_kind(&path, device);
		add(&path, below.text);
		sink_fact(sink, &device->subject, "below", below.text, WHY_NONE);
	} else if (text_format(
			   device_folder, sizeof device_folder, "%s/device", folder) &&
		   realpath(device_folder, path.real)) {
		put_holder(sink, device, folder);
		take_lun(&path);
		if (!take_iscsi(&path) && !take_fc(&path) && !take_nvme(&path))
			take_local(&path, device);
	}
	if (path.text[0])
		sink_fact(sink, &device->subject, "path", path.text, WHY_NONE);
	if (path.packets[0])
		sink_fact(sink, &device->subject, "packets", path.packets, WHY_NONE);
}
