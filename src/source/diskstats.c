/*
 * /proc/diskstats, once per tick (kernel: admin-guide/iostats). The file is read
 * a page at a time by the kernel, and holds partitions and devices nobody asked
 * for: a line is recognised by its name and place, and only the lines of shown
 * disks are scanned further. Newer kernels have more columns: behind the eleven
 * that all have, discards and flushes are counted where they are there. A line
 * that cannot be understood fails alone.
 *
 * A disk whose queue/iostats is 0 stands at its old counters for ever: that is
 * WHY_OFF, never a queue of 0. The attribute is only read for disks that did
 * not move since the last tick, and for at most CHECKS of them per tick. Drivers
 * without request queues (device mapper, zram) may count whatever it says, and it
 * is 0 for them by default on some kernels: theirs counts as soon as it was seen to.
 */
#include "config.h"

#include "source/diskstats.h"

#include "base/alloc.h"
#include "base/scan.h"
#include "base/text.h"
#include "source/guard.h"
#include "source/watch.h"

#include <stdlib.h>
#include <string.h>

#define LOOK_EVERY (10 * NSEC_PER_SEC)

enum {
	FILE_LIMIT = 16 << 20,
	CHECKS = 64,
	PROOF = 2 /* ticks with movement: what was under way when it was switched off
		     ends */
};

enum {
	DISCARDS = 0, /* columns behind the eleven: since 4.18, and since 5.5 */
	FLUSHES = 4
};

struct disk {
	struct watch watch;
	uint64_t last[DISKSTATS_COLUMNS];
	bool listed; /* has a line in this tick */
	bool sound;  /* and it was understood */
	bool off; /* queue/iostats is 0, and nothing shows that it counts all the same
		   */
	unsigned moves; /* ticks in which it moved while that was 0 */
	bool seen;      /* last is one of its own */
	bool was_active;
	bool has_others;
	uint64_t others; /* discards and flushes completed */
	uint64_t now[DISKSTATS_COLUMNS];
};

/* What the last reading found at one place of the file. */
struct line {
	char name[SUBJECT_NAME];
	long row; /* -1: of no interest */
};

struct state {
	struct watch_table disks;
	char *proc;
	struct buffer text;
	struct line *lines;
	size_t line_count, line_room;
	unsigned generation; /* of the rows in lines */
	bool moved;          /* other names than last time */
	size_t check_next;   /* round robin over the rows */
};

static const struct {
	unsigned column, raw;
} columns[] = {
	{0, RAW_DISK_READ_OPS},
	{2, RAW_DISK_READ_SECTORS},
	{3, RAW_DISK_READ_MS},
	{4, RAW_DISK_WRITE_OPS},
	{6, RAW_DISK_WRITE_SECTORS},
	{7, RAW_DISK_WRITE_MS},
	{8, RAW_DISK_PENDING},
	{9, RAW_DISK_BUSY_MS},
	{10, RAW_DISK_WEIGHTED_MS},
};

bool diskstats_name(const char **at, char *name, size_t size)
{
	uint64_t major, minor;
	const char *p = *at;

	if (!scan_u64(&p, &major) || !scan_u64(&p, &minor) ||
		!scan_word(&p, name, size))
		return false;
	*at = p;
	return true;
}

bool diskstats_columns(const char **at, uint64_t values[DISKSTATS_COLUMNS])
{
	for (size_t i = 0; i < DISKSTATS_COLUMNS; i++)
		if (!scan_u64(at, &values[i]))
			return false;
	return true;
}

bool diskstats_others(const char *at, uint64_t *others)
{
	uint64_t value;
	size_t i = 0;

	for (*others = 0; i <= FLUSHES && scan_u64(&at, &value); i++)
		if (i == DISCARDS || i == FLUSHES)
			*others += value;
	return i > DISCARDS;
}

static struct disk *disk_at(const struct state *state, size_t index)
{
	return (struct disk *)(void *)watch_at(&state->disks, index);
}

/* ---- reading the file ---- */

/* The row of the disk NAME in line NUMBER of the file, or -1. */
static long row_of(struct state *state, size_t number, const char *name)
{
	struct line *line;

	xgrow(&state->lines, &state->line_room, number + 1, sizeof *state->lines);
	line = &state->lines[number];
	if (number < state->line_count && !strcmp(line->name, name))
		return line->row;
	state->moved = true;
	if (number >= state->line_count)
		state->line_count = number + 1;
	(void)text_copy(line->name, sizeof line->name, name); /* was made to fit */
	line->row = devices_find(state->disks.devices, name);
	return line->row;
}

static void take_line(struct state *state, size_t number, const char *text)
{
	char name[SUBJECT_NAME];
	struct disk *disk;
	long row;

	if (!diskstats_name(&text, name, sizeof name))
		return;
	row = row_of(state, number, name);
	if (row < 0 || (size_t)row >= state->disks.count)
		return; /* shown from the next tick on */
	disk = disk_at(state, (size_t)row);
	disk->listed = true;
	disk->sound = diskstats_columns(&text, disk->now);
	disk->has_others = disk->sound && diskstats_others(text, &disk->others);
	if (disk->now[0] < disk->last[0] || disk->now[4] < disk->last[4])
		state->moved = true; /* operations went backwards: is it another one? */
}

static void take_lines(struct state *state)
{
	char *at = buffer_string(&state->text), *text;
	bool known = state->line_count > 0;
	bool is_old = state->generation != state->disks.generation;
	size_t number = 0;

	for (size_t i = 0; i < state->line_count && is_old; i++)
		state->lines[i].row =
			devices_find(state->disks.devices, state->lines[i].name);
	state->generation = state->disks.generation;
	for (size_t i = 0; i < state->disks.count; i++)
		disk_at(state, i)->listed = false;
	while ((text = scan_line(&at)))
		take_line(state, number++, text);
	state->moved = known && (state->moved || number != state->line_count);
	state->line_count = number;
}

/* ---- is the kernel counting? ---- */

static bool stands_still(const struct disk *disk)
{
	return !memcmp(disk->now, disk->last, sizeof disk->now);
}

/* The file is not kept open: with thousands of disks descriptors are scarce. */
static void check_accounting(struct disk *disk, const struct devices *devices)
{
	char folder[ATTR_PATH];
	uint64_t iostats = 1;
	bool zero;

	/* a queue that is being changed does not answer, and is as it was */
	if (devices_folder(devices, disk->watch.device, folder, sizeof folder) &&
		guard_u64(folder, "queue/iostats", &iostats) == WHY_LATE)
		return;
	zero = !iostats;
	if (!zero)
		disk->moves = 0;
	else if (disk->seen && !stands_still(disk) && !attr_exists(folder, "mq"))
		disk->moves++;
	disk->off = zero && disk->moves < PROOF;
	atomic_store(&disk->watch.device->unaccounted, disk->off);
}

static void take(struct watch *watch, const struct devices *devices)
{
	struct disk *disk = (struct disk *)(void *)watch;

	memset(disk->last, 0, sizeof disk->last);
	disk->seen = disk->was_active = false;
	disk->moves = 0;
	check_accounting(disk, devices);
}

/* Disks that just stopped moving at once, the others in turn. */
static void check_still(struct state *state)
{
	size_t left = state->disks.count < CHECKS ? state->disks.count : CHECKS;

	for (size_t i = 0; i < state->disks.count; i++) {
		struct disk *disk = disk_at(state, i);

		if (disk->watch.device && disk->listed && disk->was_active &&
			stands_still(disk))
			check_accounting(disk, state->disks.devices);
		else if (disk->watch.device && disk->off && !stands_still(disk))
			check_accounting(disk, state->disks.devices);
	}
	for (; left; left--) {
		struct disk *disk =
			disk_at(state, state->check_next++ % state->disks.count);

		if (disk->watch.device && disk->listed && !disk->was_active &&
			stands_still(disk))
			check_accounting(disk, state->disks.devices);
	}
}

/* ---- delivering ---- */

static void deliver(struct disk *disk, struct sink *sink)
{
	enum why why = WHY_NONE;

	/* An NVMe multipath head that never counted: older kernels count on the
	 * paths only, and its zeros mean nothing. */
	if (!disk->sound ||
		(disk->watch.device->multipath_head && !disk->now[0] && !disk->now[4]))
		why = WHY_UNSUPPORTED;
	else if (disk->off)
		why = WHY_OFF;
	for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
		if (why != WHY_NONE)
			sink_none(sink, disk->watch.handle, columns[i].raw, why);
		else
			sink_put(sink, disk->watch.handle, columns[i].raw,
				disk->now[columns[i].column]);
	if (why == WHY_NONE && disk->has_others)
		sink_put(sink, disk->watch.handle, RAW_DISK_OTHER_OPS, disk->others);
	else if (why != WHY_NONE)
		sink_none(sink, disk->watch.handle, RAW_DISK_OTHER_OPS, why);
}

static void finish(struct disk *disk)
{
	disk->was_active = !stands_still(disk) || disk->now[8];
	atomic_store(&disk->watch.device->active, disk->was_active);
	memcpy(disk->last, disk->now, sizeof disk->last);
	disk->seen = true;
}

/* Other names in the file than last time: what is there now? */
static void diskstats_look(void *memory, struct sink *sink, nsec now)
{
	struct state *state = memory;

	devices_refresh(state->disks.devices, now, state->moved ? 0 : LOOK_EVERY);
	watch_update(&state->disks, sink);
	state->moved = false;
}

static bool diskstats_read(
	void *memory, struct sink *sink, nsec now, struct fault *fault)
{
	struct state *state = memory;

	if (!scan_file(state->proc, "/diskstats", &state->text, FILE_LIMIT, fault))
		return false;
	take_lines(state);
	check_still(state);
	if (state->moved)
		diskstats_look(state, sink, now);
	for (size_t i = 0; i < state->disks.count; i++) {
		struct disk *disk = disk_at(state, i);

		if (!watch_ready(&disk->watch) || !disk->listed)
			continue;
		deliver(disk, sink);
		finish(disk);
	}
	return true;
}

static void diskstats_close(void *memory)
{
	struct state *state = memory;

	if (!state)
		return;
	watch_fini(&state->disks);
	buffer_fini(&state->text);
	free(state->lines);
	free(state->proc);
	free(state);
}

static bool diskstats_open(
	void **memory, const struct source_env *env, struct fault *fault)
{
	struct state *state = xalloc(sizeof *state);

	*memory = NULL;
	state->disks = (struct watch_table){
		.devices = devices_open(env, KIND_DISK, fault),
		.row_size = sizeof(struct disk),
		.announces = true,
		.take = take,
	};
	attr_raise_limit();
	state->proc = xstrdup(env->proc);
	if (!state->disks.devices || !scan_file(state->proc, "/diskstats", &state->text,
					     FILE_LIMIT, fault)) {
		diskstats_close(state);
		return false;
	}
	*memory = state;
	return true;
}

const struct source source_diskstats = {
	.name = "diskstats",
	.may_block = true, /* attributes of a disk that is new, or was renamed */
	.about = "/proc/diskstats: operations, bytes, waiting time, queue of disks",
	.none = "no disk is shown",
	.open = diskstats_open,
	.look = diskstats_look,
	.read = diskstats_read,
	.close = diskstats_close,
};
