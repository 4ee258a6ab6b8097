/*
 * Requests in flight per disk, from the queue sampler (sampler.h), and how many
 * the device takes at once. "In flight" is what the driver holds: it leaves out
 * what an I/O scheduler keeps back, and with accounting off (queue/iostats 0) the
 * kernel says 0 whatever is going on.
 *
 * The limit is the smaller of device/queue_depth (SCSI, may be changed at any
 * time, also by the kernel) and the hardware tags of all queues; queue/nr_requests
 * is a limit of the scheduler, not of the device, and is not used.
 *
 * The state of each disk is put beside (diskstate.h): the kernel takes requests back
 * from a device that it blocks, so that nothing is in flight just when everything
 * waits.
 */
#include "config.h"

#include "base/alloc.h"
#include "base/text.h"
#include "source/attr.h"
#include "source/diskstate.h"
#include "source/guard.h"
#include "source/host.h"
#include "source/sampler.h"
#include "source/table.h"
#include "source/watch.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#define LOOK_EVERY (10 * NSEC_PER_SEC)

enum {
	LIMITS = 64, /* disks per tick whose queue depth is read again */
	LOOKS = 16   /* and whose paths are looked for */
};

struct disk {
	struct watch watch;
	struct diskstate standing;
	uint64_t tags;       /* of all hardware queues; 0: unknown */
	uint64_t least_tags; /* of the smallest of them */
	uint64_t last_depth; /* 0: unknown */
	bool sampled, taken; /* by the sampler; its state */
};

struct state {
	struct watch_table disks;
	struct subject host;
	struct sampler *sampler;
	struct diskstates standings;
	char *sys;
	size_t limit_next, look_next; /* round robin */
};

static struct disk *disk_at(const struct state *state, size_t index)
{
	return (struct disk *)(void *)watch_at(&state->disks, index);
}

/* The sum and the least of mq/N/nr_tags; 0 if the driver has no hardware queues. */
static void hardware_tags(struct disk *disk, const char *folder)
{
	char path[ATTR_PATH], name[ATTR_PATH];
	const struct dirent *entry;
	uint64_t tags;
	DIR *dir;

	disk->tags = disk->least_tags = 0;
	if (!text_format(path, sizeof path, "%s/mq", folder))
		return;
	dir = opendir(path);
	if (!dir)
		return;
	while ((entry = readdir(dir)))
		if (entry->d_name[0] != '.' &&
			text_format(name, sizeof name, "%s/nr_tags", entry->d_name) &&
			guard_u64(path, name, &tags) == WHY_NONE) {
			disk->tags += tags;
			if (!disk->least_tags || tags < disk->least_tags)
				disk->least_tags = tags;
		}
	(void)closedir(dir); /* only read */
}

/* The file is not kept open: with thousands of disks descriptors are scarce. */
static void read_depth(struct disk *disk, const char *folder)
{
	uint64_t depth = 0;

	/* a driver that does not answer has not changed it */
	if (guard_u64(folder, "device/queue_depth", &depth) != WHY_LATE)
		disk->last_depth = depth;
}

static void take(struct watch *watch, const struct devices *devices)
{
	struct disk *disk = (struct disk *)(void *)watch;
	char folder[ATTR_PATH];

	if (!devices_folder(devices, watch->device, folder, sizeof folder))
		folder[0] = 0; /* then every file is missing */
	hardware_tags(disk, folder);
	disk->last_depth = 0;
	read_depth(disk, folder);
	disk->sampled = disk->taken = false;
}

static void drop(struct watch *watch)
{
	struct disk *disk = (struct disk *)(void *)watch;

	if (disk->taken)
		diskstate_drop(&disk->standing);
	disk->sampled = disk->taken = false;
}

static bool folder_of(
	const struct state *state, const struct disk *disk, char *folder, size_t size)
{
	return devices_folder(state->disks.devices, disk->watch.device, folder, size);
}

/* Takes up the states of new disks, and looks for paths that came or went: of all
 * when devices came or went, else of some in turn. */
static void restate(struct state *state, bool all)
{
	size_t count = state->disks.count;
	size_t left = all || count < LOOKS ? count : LOOKS;
	char folder[ATTR_PATH];

	for (size_t i = 0; i < count; i++) {
		struct disk *disk = disk_at(state, i);

		if (disk->taken || !disk->watch.device)
			continue;
		if (!folder_of(state, disk, folder, sizeof folder))
			folder[0] = 0;
		diskstate_take(
			&state->standings, &disk->standing, disk->watch.device, folder);
		disk->taken = true;
	}
	for (; left; left--) {
		struct disk *disk = disk_at(state, state->look_next++ % count);

		if (disk->watch.device && folder_of(state, disk, folder, sizeof folder))
			diskstate_look(&state->standings, &disk->standing, folder);
	}
}

/* Gives the sampler the files of new disks, and takes those of old ones away. */
static void resample(struct state *state)
{
	for (size_t i = 0; i < state->disks.count; i++) {
		struct disk *disk = disk_at(state, i);
		char folder[ATTR_PATH];
		struct attr inflight;

		if (disk->sampled)
			continue;
		sampler_remove(state->sampler, i);
		if (!disk->watch.device ||
			!folder_of(state, disk, folder, sizeof folder))
			continue;
		attr_open(&inflight, folder, "inflight");
		if (inflight.fd >= 0) {
			sampler_add(state->sampler, i, inflight.fd);
			disk->sampled = true;
		}
	}
}

/* The smaller one that is known; 0: neither is. */
static uint64_t smaller(uint64_t depth, uint64_t tags)
{
	return !depth || (tags && tags < depth) ? tags : depth;
}

/* Steps that no sample has reached say nothing: they cost nothing, and begin at 0. */
static void put_spread(
	const struct disk *disk, const struct sampled *sampled, struct sink *sink)
{
	for (unsigned step = 0; step < sampled->steps; step++)
		if (sampled->at[step])
			sink_put(sink, disk->watch.handle, raw_inflight_at(step),
				sampled->at[step]);
}

static void put_queue(struct state *state, size_t index, struct sink *sink)
{
	static const unsigned raws[] = {RAW_DISK_INFLIGHT, RAW_DISK_INFLIGHT_SUM,
		RAW_DISK_SAMPLES, RAW_DISK_INFLIGHT_MAX};
	const struct disk *disk = disk_at(state, index);
	enum why why = WHY_UNSUPPORTED;
	struct sampled sampled;

	if (atomic_load(&disk->watch.device->unaccounted))
		why = WHY_OFF;
	else if (disk->sampled && sampler_take(state->sampler, index, &sampled))
		why = WHY_NONE;
	if (why == WHY_NONE) {
		const uint64_t values[] = {
			sampled.last, sampled.sum, sampled.count, sampled.max};

		for (size_t i = 0; i < sizeof raws / sizeof *raws; i++)
			sink_put(sink, disk->watch.handle, raws[i], values[i]);
		put_spread(disk, &sampled, sink);
		if (smaller(disk->last_depth, disk->tags))
			sink_put(sink, disk->watch.handle, RAW_DISK_FULL, sampled.full);
	} else {
		for (size_t i = 0; i < sizeof raws / sizeof *raws; i++)
			sink_none(sink, disk->watch.handle, raws[i], why);
	}
}

static void put_limit(const struct state *state, size_t index, struct sink *sink)
{
	const struct disk *disk = disk_at(state, index);
	uint64_t limit = smaller(disk->last_depth, disk->tags);

	sampler_limit(state->sampler, index, limit);
	if (limit) {
		sink_put(sink, disk->watch.handle, RAW_DISK_LIMIT, limit);
		sink_put(sink, disk->watch.handle, RAW_DISK_LIMIT_LEAST,
			smaller(disk->last_depth, disk->least_tags));
	} else {
		sink_none(sink, disk->watch.handle, RAW_DISK_LIMIT, WHY_UNSUPPORTED);
	}
}

static void refresh_limits(struct state *state)
{
	size_t count = state->disks.count < LIMITS ? state->disks.count : LIMITS;
	char folder[ATTR_PATH];

	for (; count; count--) {
		struct disk *disk =
			disk_at(state, state->limit_next++ % state->disks.count);

		if (!disk->watch.device)
			continue;
		if (folder_of(state, disk, folder, sizeof folder))
			read_depth(disk, folder);
	}
}

static void ask_states(struct state *state)
{
	diskstates_begin(&state->standings);
	for (size_t i = 0; i < state->disks.count; i++) {
		struct disk *disk = disk_at(state, i);

		if (disk->watch.device && disk->taken)
			diskstate_ask(&disk->standing, disk->watch.device);
	}
	diskstates_read(&state->standings);
}

static void put_sampler(const struct state *state, struct sink *sink)
{
	unsigned host = sink_subject(sink, &state->host);
	uint64_t late;
	nsec slot;

	sampler_state(state->sampler, &slot, &late);
	sink_put(sink, host, RAW_SAMPLER_US, (uint64_t)(slot / NSEC_PER_USEC));
	sink_put(sink, host, RAW_SAMPLER_LATE, late);
}

static void inflight_look(void *memory, struct sink *sink, nsec now)
{
	struct state *state = memory;
	unsigned generation = state->disks.generation;

	devices_refresh(state->disks.devices, now, LOOK_EVERY);
	watch_update(&state->disks, sink);
	resample(state);
	restate(state, generation != state->disks.generation);
	ask_states(state);
	refresh_limits(state);
}

static bool inflight_read(
	void *memory, struct sink *sink, nsec now, struct fault *fault)
{
	struct state *state = memory;

	(void)now;
	(void)fault; /* a missing file is a missing figure */
	for (size_t i = 0; i < state->disks.count; i++) {
		struct disk *disk = disk_at(state, i);

		if (!watch_ready(&disk->watch))
			continue;
		put_queue(state, i, sink);
		put_limit(state, i, sink);
		diskstate_put(&state->standings, &disk->standing, &disk->watch, sink);
		if (atomic_load(&disk->watch.device->active))
			sampler_wake(state->sampler, i);
	}
	put_sampler(state, sink);
	return true;
}

static void inflight_close(void *memory)
{
	struct state *state = memory;

	if (!state)
		return;
	sampler_stop(state->sampler);
	watch_fini(&state->disks);
	diskstates_fini(&state->standings);
	free(state->sys);
	free(state);
}

static nsec queue_interval(const struct selection *selection)
{
	return selection && selection->queue_interval ? selection->queue_interval
						      : SAMPLER_SHORT;
}

static bool inflight_open(
	void **memory, const struct source_env *env, struct fault *fault)
{
	struct state *state;
	struct devices *devices;

	*memory = NULL;
	if (!attr_exists(env->sys, "block"))
		return fault_set(fault, "%s/block is not there", env->sys);
	devices = devices_open(env, KIND_DISK, fault);
	if (!devices)
		return false;
	attr_raise_limit();
	state = xalloc(sizeof *state);
	state->disks = (struct watch_table){.devices = devices,
		.row_size = sizeof(struct disk),
		.take = take,
		.drop = drop};
	state->sys = xstrdup(env->sys);
	state->standings.sys = state->sys;
	host_subject(env, &state->host);
	state->sampler = sampler_start(queue_interval(env->selection), fault);
	if (!state->sampler) {
		inflight_close(state);
		return false;
	}
	*memory = state;
	return true;
}

const struct source source_inflight = {
	.name = "inflight",
	.about = "/sys/block: requests in flight per disk, sampled many times a second",
	.may_block = true,
	.open = inflight_open,
	.look = inflight_look,
	.read = inflight_read,
	.close = inflight_close,
};
