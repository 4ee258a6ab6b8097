/* How disks are set up: the request queue, the SCSI device, what a stacked disk is
 * made of. Plain attributes of sysfs. */
#include "config.h"

#include "base/alloc.h"
#include "base/text.h"
#include "core/fact.h"
#include "source/attr.h"
#include "source/config.h"
#include "source/devices.h"
#include "source/mounted.h"
#include "source/path.h"
#include "source/table.h"

#include <stdlib.h>
#include <string.h>

struct state {
	struct devices *devices;
	char *sys, *proc;
	struct mounted mounted;
	unsigned generation; /* of the devices, when they were looked at */
	struct config_beat beat;
};

static const struct config_row rows[] = {
	{.key = "scheduler", .path = "queue/scheduler", .choice = true},
	{.key = "nr_requests", .path = "queue/nr_requests"},
	{.key = "read_ahead_kb", .path = "queue/read_ahead_kb"},
	{.key = "max_sectors_kb", .path = "queue/max_sectors_kb"},
	{.key = "nomerges", .path = "queue/nomerges"},
	{.key = "rq_affinity", .path = "queue/rq_affinity"},
	{.key = "rotational", .path = "queue/rotational"},
	{.key = "write_cache", .path = "queue/write_cache"},
	{.key = "wbt_lat_usec", .path = "queue/wbt_lat_usec"},
	{.key = "iostats", .path = "queue/iostats"},
	{.key = "sectors", .path = "size"},
	{.key = "ro", .path = "ro", .optional = true},
	{.key = "queue_depth", .path = "device/queue_depth", .optional = true},
	{.key = "queue_type", .path = "device/queue_type", .optional = true},
	{.key = "state", .path = "device/state", .optional = true},
	{.key = "timeout", .path = "device/timeout", .optional = true},
	{.key = "vendor", .path = "device/vendor", .optional = true},
	{.key = "model", .path = "device/model", .optional = true},
	{.key = "rev", .path = "device/rev", .optional = true},
	{.key = "firmware_rev", .path = "device/firmware_rev", .optional = true},
	{.key = "dm.name", .path = "dm/name", .optional = true},
	{.key = "dm.uuid", .path = "dm/uuid", .optional = true},
	{.key = "dm.suspended", .path = "dm/suspended", .optional = true},
	{.key = "iopolicy", .path = "device/iopolicy", .optional = true},
	{.key = "md.level", .path = "md/level", .optional = true},
	{.key = "md.state", .path = "md/array_state", .optional = true},
};

static const struct config_row adapter_rows[] = {
	{.key = "adapter.driver", .path = "proc_name", .optional = true},
	{.key = "adapter.can_queue", .path = "can_queue"},
	{.key = "adapter.cmd_per_lun", .path = "cmd_per_lun"},
	{.key = "adapter.sg_tablesize", .path = "sg_tablesize", .optional = true},
};

/* What the adapter of a SCSI disk bears for all its disks together. */
static void put_adapter(const struct state *state, const struct subject *subject,
	const char *folder, struct sink *sink)
{
	char path[ATTR_PATH], address[64];

	/* its device is HOST:CHANNEL:TARGET:LUN */
	if (!attr_link(folder, "device", address, sizeof address) ||
		address[strspn(address, "0123456789")] != ':' ||
		!text_format(path, sizeof path, "%s/class/scsi_host/host%.*s",
			state->sys, (int)strcspn(address, ":"), address))
		return;
	config_attrs(sink, subject, path, adapter_rows,
		sizeof adapter_rows / sizeof *adapter_rows);
}

/* Of NVMe it is an attribute (iopolicy, above). That of a map of device mapper stands
 * in its table, which only root may read, by a request that also could change it: weir
 * does not make it. */
static void put_policy(
	const struct subject *subject, const char *folder, struct sink *sink)
{
	char uuid[FACT_VALUE];

	if (config_text(folder, "dm/uuid", uuid, sizeof uuid) == WHY_NONE &&
		!strncmp(uuid, "mpath-", 6))
		sink_fact(sink, subject, "dm.policy", NULL, WHY_DENIED);
}

static void read_one(
	const struct state *state, const struct device *device, struct sink *sink)
{
	const struct subject *subject = &device->subject;
	char folder[ATTR_PATH], points[FACT_VALUE];

	if (!devices_folder(state->devices, device, folder, sizeof folder))
		return;
	config_attrs(sink, subject, folder, rows, sizeof rows / sizeof *rows);
	config_entries(sink, subject, "slaves", folder, "slaves");
	path_facts(sink, device, state->sys, folder);
	if (mounted_at(&state->mounted, device->dir, points, sizeof points))
		sink_fact(sink, subject, "mounted", points, WHY_NONE);
	put_adapter(state, subject, folder, sink);
	put_policy(subject, folder, sink);
}

static bool config_disk_read(
	void *memory, struct sink *sink, nsec now, struct fault *fault)
{
	struct state *state = memory;

	(void)fault; /* what cannot be read says so itself */
	if (state->generation != devices_generation(state->devices))
		state->beat.started = false; /* others came or went */
	if (!config_is_due(&state->beat, sink, now))
		return true;
	devices_refresh(state->devices, now, NSEC_PER_SEC);
	state->generation = devices_generation(state->devices);
	mounted_read(&state->mounted, state->proc, state->sys);
	for (size_t i = 0; i < devices_count(state->devices); i++) {
		const struct device *device = devices_at(state->devices, i);

		if (device)
			read_one(state, device, sink);
	}
	sink_facts_whole(sink, KIND_DISK);
	return true;
}

static void config_disk_close(void *memory)
{
	struct state *state = memory;

	if (!state)
		return;
	devices_close(state->devices);
	mounted_fini(&state->mounted);
	free(state->sys);
	free(state->proc);
	free(state);
}

static bool config_disk_open(
	void **memory, const struct source_env *env, struct fault *fault)
{
	struct devices *devices = devices_open(env, KIND_DISK, fault);
	struct state *state;

	*memory = NULL;
	if (!devices)
		return false;
	state = xalloc(sizeof *state);
	state->devices = devices;
	state->sys = xstrdup(env->sys);
	state->proc = xstrdup(env->proc);
	*memory = state;
	return true;
}

const struct source source_config_disk = {
	.name = "config-disk",
	.about = "how disks are set up: scheduler, queue, device, stack",
	.may_block = true,
	.open = config_disk_open,
	.read = config_disk_read,
	.close = config_disk_close,
};
