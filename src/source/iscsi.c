/*
 * iSCSI sessions of the kernel's initiator, by software or by a card: target, portal,
 * whether the session is up, what its disks do. Which digests and lengths were
 * negotiated is told by config_transport.c.
 */
#include "config.h"

#include "base/alloc.h"
#include "base/text.h"
#include "source/table.h"
#include "source/transport.h"

#include <stdlib.h>
#include <string.h>

enum {
	WORD = 96
};

/* What tells targets apart stands behind the last colon: "iqn.2001-04.example:disk1".
 */
static const char *tail(const char *target)
{
	const char *colon = strrchr(target, ':');

	return colon && colon[1] ? colon + 1 : target;
}

/* The portal as it was configured, which stays when the target redirects logins. */
static bool portal_of(const char *sys, const char *session, char *text, size_t size)
{
	char folder[ATTR_PATH], address[48], port[8];
	bool six;

	if (!text_format(folder, sizeof folder,
		    "%s/class/iscsi_connection/connection%s:0", sys,
		    session + strlen("session")) ||
		attr_read_text(folder, "persistent_address", address, sizeof address) !=
			WHY_NONE ||
		attr_read_text(folder, "persistent_port", port, sizeof port) !=
			WHY_NONE)
		return false;
	six = strchr(address, ':') != NULL;
	return text_format(
		text, size, "%s%s%s:%s", six ? "[" : "", address, six ? "]" : "", port);
}

static bool describe(struct subject *subject, const char *sys, const char *name)
{
	char folder[ATTR_PATH], target[256], portal[64], iface[32] = "";
	char host[WORD] = "", path[ATTR_PATH], driver[32] = "";

	if (!transport_folder(&transport_iscsi, sys, name, folder, sizeof folder) ||
		attr_read_text(folder, "targetname", target, sizeof target) != WHY_NONE)
		return false;
	if (!portal_of(sys, name, portal, sizeof portal))
		(void)text_copy(portal, sizeof portal, name);
	if (attr_read_text(folder, "ifacename", iface, sizeof iface) != WHY_NONE ||
		!strcmp(iface, "default"))
		iface[0] = 0;
	if (transport_host(folder, host, sizeof host) &&
		text_format(path, sizeof path, "%s/class/scsi_host/%s", sys, host))
		(void)attr_read_text(
			path, "proc_name", driver, sizeof driver); /* or "" */
	/* all cut at their room: the identity is mostly the target's end */
	(void)text_format(subject->name, sizeof subject->name, "%s%s%s %.24s", portal,
		*iface ? "%" : "", iface, tail(target));
	(void)text_format(subject->id, sizeof subject->id, "iscsi %s%s%s %s", portal,
		*iface ? "%" : "", iface, target);
	(void)text_format(subject->detail, sizeof subject->detail,
		"iSCSI %s%s%s, %s, %s", driver, *driver ? ", " : "", name, host,
		target);
	return true;
}

const struct transport_class transport_iscsi = {
	.folder = "class/iscsi_session",
	.prefix = "session",
	.state = "state",
	.up = "LOGGED_IN",
	.what = "session",
	.hold = HOLD_SESSION,
	.has_disks = true,
	.timeouts = {"recovery_tmo"},
	.describe = describe,
};

static void iscsi_look(void *memory, struct sink *sink, nsec now)
{
	transports_look(memory, sink, now);
}

static bool iscsi_read(void *memory, struct sink *sink, nsec now, struct fault *fault)
{
	(void)now;
	(void)fault; /* what cannot be read says so itself */
	transports_read(memory, sink);
	transports_nothing(memory, sink,
		"no iSCSI session is there: the module scsi_transport_iscsi is not "
		"loaded");
	return true;
}

static void iscsi_close(void *memory)
{
	if (memory)
		transports_fini(memory);
	free(memory);
}

static bool iscsi_open(void **memory, const struct source_env *env, struct fault *fault)
{
	struct transports *transports = xalloc(sizeof *transports);

	(void)fault; /* the first session may come later */
	transports_init(transports, &transport_iscsi, env->sys);
	*memory = transports;
	return true;
}

const struct source source_iscsi = {
	.name = "iscsi",
	.about = "/sys/class/iscsi_session: state, disks and throughput of sessions",
	.none = "no iSCSI session is logged in",
	.may_block = true,
	.open = iscsi_open,
	.look = iscsi_look,
	.read = iscsi_read,
	.close = iscsi_close,
};
