/* Whether disks serve; see the header. */
#include "config.h"

#include "source/diskstate.h"

#include "base/alloc.h"
#include "base/text.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	PATHS_MAX = 256, /* of one device */
	READS = 1024     /* of states per tick */
};

void diskstates_fini(struct diskstates *all)
{
	remotes_fini(&all->remotes);
	free(all->due);
	free(all->reads);
}

void diskstates_begin(struct diskstates *all)
{
	remotes_read(&all->remotes);
	all->tick++;
	all->every = all->legs / READS + 1;
	all->legs = 0;
	all->due_count = 0;
}

/* ---- one device ---- */

/* The words of the SCSI and of the NVMe layer for a device that serves nobody. */
static const struct word {
	const char *word;
	enum backlog_state state;
	enum backlog_hold hold;
} words[] = {
	{"blocked\n", BACKLOG_BLOCKED, HOLD_DEVICE},
	{"created-blocked\n", BACKLOG_BLOCKED, HOLD_DEVICE},
	{"offline\n", BACKLOG_OFFLINE, HOLD_DEVICE},
	{"transport-offline\n", BACKLOG_OFFLINE, HOLD_DEVICE},
	{"connecting\n", BACKLOG_BLOCKED, HOLD_CONTROLLER},
	{"resetting\n", BACKLOG_BLOCKED, HOLD_CONTROLLER},
	{"deleting\n", BACKLOG_OFFLINE, HOLD_CONTROLLER},
	{"dead\n", BACKLOG_OFFLINE, HOLD_CONTROLLER},
};

/* How it stands with a disk, and who says so. */
struct standing {
	enum backlog_state state;
	enum backlog_hold hold;
	enum why why; /* why the state is not known */
	bool any;     /* there is something that has a state */
};

static void open_leg(
	struct diskstates *all, struct diskstate_leg *leg, const char *folder)
{
	attr_open(&leg->state, folder, "device/state");
	leg->number = all->numbers++;
	leg->read = false;
	leg->remote = folder[0] ? remotes_meet(&all->remotes, all->sys, folder) : -1;
}

static void close_leg(struct diskstates *all, struct diskstate_leg *leg)
{
	attr_close(&leg->state);
	remotes_leave(&all->remotes, leg->remote);
	leg->remote = -1;
}

static bool is_turn(const struct diskstates *all, unsigned number)
{
	return all->every < 2 || (all->tick + number) % all->every == 0;
}

/* Whether the state is read in this tick. Where there are thousands, those that are
 * known to serve, and behind a session or port that does, wait for their turn. */
static bool is_due(const struct diskstates *all, const struct diskstate_leg *leg)
{
	const struct remote *remote =
		leg->remote < 0 ? NULL : &all->remotes.list[leg->remote];

	return is_turn(all, leg->number) || !leg->read || leg->why != WHY_NONE ||
	       leg->is != BACKLOG_RUNNING ||
	       (remote && remote->told && remote->is != BACKLOG_RUNNING);
}

static void take_leg(struct diskstate_leg *leg, enum why why, const char *text)
{
	leg->read = true;
	leg->is = BACKLOG_RUNNING;
	leg->hold = (enum backlog_hold)0;
	leg->why = why;
	for (size_t i = 0; leg->why == WHY_NONE && i < sizeof words / sizeof *words;
		i++)
		if (!strcmp(text, words[i].word)) {
			leg->is = words[i].state;
			leg->hold = words[i].hold;
		}
}

static void add_due(struct diskstate *state, struct diskstate_leg *leg,
	const struct attr *attr, const char *what)
{
	struct diskstates *all = state->all;

	xgrow(&all->due, &all->due_room, all->due_count + 1, sizeof *all->due);
	xgrow(&all->reads, &all->read_room, all->due_count + 1, sizeof *all->reads);
	all->due[all->due_count] = (struct diskstate_due){state, leg};
	all->reads[all->due_count++] =
		(struct guard_read){.fd = attr->fd, .what = what, .why = attr->why};
}

static void ask_leg(struct diskstate *state, struct diskstate_leg *leg)
{
	state->all->legs += leg->state.fd >= 0;
	if (is_due(state->all, leg))
		add_due(state, leg, &leg->state, leg->name);
}

void diskstates_read(struct diskstates *all)
{
	guard_read(all->reads, all->due_count);
	for (size_t i = 0; i < all->due_count; i++) {
		const struct guard_read *one = &all->reads[i];

		if (all->due[i].leg)
			take_leg(all->due[i].leg, one->why, one->text);
		else if (one->why != WHY_LATE)
			all->due[i].state->is_suspended =
				one->why == WHY_NONE && one->text[0] == '1';
	}
}

static struct standing stand(
	const struct diskstates *all, const struct diskstate_leg *leg)
{
	struct standing standing = {.any = leg->state.fd >= 0 || leg->remote >= 0};
	const struct remote *remote =
		leg->remote < 0 ? NULL : &all->remotes.list[leg->remote];

	standing.why = leg->why;
	standing.state = leg->is;
	standing.hold = leg->hold;
	if (!remote || !remote->told)
		return standing;
	if (remote->is == BACKLOG_RUNNING && leg->why == WHY_LATE)
		return standing; /* a session that serves says nothing of the device */
	standing.why = WHY_NONE;
	if (remote->is == BACKLOG_RUNNING)
		return standing;
	/* the session says why; the device may be given up before it is */
	standing.hold = remote->hold;
	if (standing.state < remote->is)
		standing.state = remote->is;
	return standing;
}

/* ---- paths ---- */

static bool is_path(const struct diskstate *state, const char *head, const char *name)
{
	unsigned of[2], is[3];
	char rest;

	if (!state->nvme_head)
		return name[0] != '.';
	return sscanf(name, "nvme%uc%un%u%c", &is[0], &is[1], &is[2], &rest) == 3 &&
	       sscanf(head, "nvme%un%u", &of[0], &of[1]) == 2 && of[0] == is[0] &&
	       of[1] == is[2];
}

static void meet_path(struct diskstates *all, struct diskstate *state, size_t index,
	const char *folder, const char *name)
{
	struct diskstate_leg *leg;
	char path[ATTR_PATH];

	if (index < state->path_count && !strcmp(state->paths[index].name, name) &&
		state->paths[index].state.fd >= 0)
		return;
	xgrow(&state->paths, &state->path_room, index + 1, sizeof *state->paths);
	leg = &state->paths[index];
	if (index < state->path_count)
		close_leg(all, leg);
	else
		state->path_count = index + 1;
	(void)text_copy(leg->name, sizeof leg->name, name); /* sysfs names are short */
	if (!text_format(path, sizeof path, "%s/%s", folder, name))
		path[0] = 0; /* then its state is missing */
	open_leg(all, leg, path);
}

/* The folder in which the paths of the disk at FOLDER are, and the disk's own name. */
static const char *path_folder(
	const struct diskstate *state, const char *folder, char *to, size_t size)
{
	const char *name = strrchr(folder, '/');

	if (!name)
		return NULL;
	if (!state->nvme_head)
		return text_format(to, size, "%s/slaves", folder) ? name + 1 : NULL;
	return text_format(to, size, "%.*s", (int)(name - folder), folder) ? name + 1
									   : NULL;
}

void diskstate_look(struct diskstates *all, struct diskstate *state, const char *folder)
{
	char top[ATTR_PATH];
	const char *head = path_folder(state, folder, top, sizeof top);
	const struct dirent *entry;
	size_t count = 0;
	DIR *dir;

	if ((!state->multipath && !state->nvme_head) || !head)
		return;
	dir = opendir(top);
	while (dir && count < PATHS_MAX && (entry = readdir(dir)))
		if (is_path(state, head, entry->d_name))
			meet_path(all, state, count++, top, entry->d_name);
	if (dir)
		(void)closedir(dir); /* only read */
	while (state->path_count > count)
		close_leg(all, &state->paths[--state->path_count]);
}

/* ---- one disk ---- */

void diskstate_take(struct diskstates *all, struct diskstate *state,
	const struct device *device, const char *folder)
{
	char uuid[64];

	*state = (struct diskstate){.all = all};
	(void)text_format(state->own.name, sizeof state->own.name, "%s",
		device->dir); /* same size */
	open_leg(all, &state->own, folder);
	attr_open(&state->suspended, folder, "dm/suspended");
	state->multipath =
		attr_read_text(folder, "dm/uuid", uuid, sizeof uuid) == WHY_NONE &&
		!strncmp(uuid, "mpath-", 6);
	state->nvme_head = device->multipath_head;
	diskstate_look(all, state, folder);
}

void diskstate_drop(struct diskstate *state)
{
	struct diskstates *all = state->all;

	close_leg(all, &state->own);
	attr_close(&state->suspended);
	for (size_t i = 0; i < state->path_count; i++)
		close_leg(all, &state->paths[i]);
	free(state->paths);
	*state = (struct diskstate){
		.own.state.fd = -1, .own.remote = -1, .suspended.fd = -1};
}

static struct standing stand_on_paths(
	const struct diskstates *all, const struct diskstate *state, size_t *usable)
{
	struct standing standing = {.any = true};

	*usable = 0;
	for (size_t i = 0; i < state->path_count; i++) {
		struct standing one = stand(all, &state->paths[i]);

		*usable += one.state == BACKLOG_RUNNING && one.why != WHY_ABSENT;
	}
	if (!*usable) {
		standing.state = BACKLOG_BLOCKED;
		standing.hold = HOLD_PATHS;
	}
	return standing;
}

static void put_paths(struct diskstate *state, const struct watch *row, size_t usable,
	struct sink *sink)
{
	const struct subject *subject = &row->device->subject;

	sink_put(sink, row->handle, RAW_DISK_PATHS, state->path_count);
	sink_put(sink, row->handle, RAW_DISK_PATHS_USABLE, usable);
	if (state->counted && state->usable != usable)
		sink_event(sink, "%s%s%s%s: %zu of %zu paths usable", subject->name,
			*subject->label ? " (" : "", subject->label,
			*subject->label ? ")" : "", usable, state->path_count);
	state->usable = usable;
	state->counted = true;
}

/* What ends it. */
static void put_limit(const struct diskstates *all, const struct diskstate *state,
	const struct watch *row, enum backlog_hold hold, struct sink *sink)
{
	static const char *const timeouts[] = {
		"device/fast_io_fail_tmo", "device/ctrl_loss_tmo", NULL};
	enum why why = WHY_UNSUPPORTED;
	uint64_t seconds = 0;
	char folder[ATTR_PATH];

	if (hold == HOLD_CONTROLLER && text_format(folder, sizeof folder, "%s/block/%s",
					       all->sys, row->device->dir))
		why = remote_timeout(folder, timeouts, &seconds);
	else if (state->own.remote >= 0)
		why = remote_gives_up(
			&all->remotes.list[state->own.remote], all->sys, &seconds);
	if (why == WHY_NONE)
		sink_put(sink, row->handle, RAW_DISK_GIVES_UP_S, seconds);
	else if (why == WHY_OFF)
		sink_none(sink, row->handle, RAW_DISK_GIVES_UP_S, why);
}

void diskstate_ask(struct diskstate *state, const struct device *device)
{
	bool active = atomic_load(&device->active);

	if (active)
		state->own.read = false; /* it matters now */
	/* in turn as well, where there are many; but while it lasts, in every tick */
	if (state->suspended.fd >= 0 && (active || state->is_suspended ||
						is_turn(state->all, state->own.number)))
		add_due(state, NULL, &state->suspended, state->own.name);
	if (!state->multipath && !state->nvme_head)
		ask_leg(state, &state->own);
	for (size_t i = 0; i < state->path_count; i++)
		ask_leg(state, &state->paths[i]);
}

void diskstate_put(struct diskstates *all, struct diskstate *state,
	const struct watch *row, struct sink *sink)
{
	bool on_paths = state->multipath || state->nvme_head;
	bool suspended = state->is_suspended;
	struct standing standing;
	size_t usable;

	if (on_paths) {
		standing = stand_on_paths(all, state, &usable);
		put_paths(state, row, usable, sink);
	} else {
		standing = stand(all, &state->own);
	}
	standing.any |= state->suspended.fd >= 0;
	if (suspended) {
		standing.state = BACKLOG_BLOCKED;
		standing.hold = HOLD_SUSPENDED;
	}
	if (!standing.any)
		return; /* most drivers have no such file: no row of nothing */
	if (standing.why != WHY_NONE && !suspended && state->suspended.fd < 0) {
		sink_none(sink, row->handle, RAW_DISK_STATE, standing.why);
		return;
	}
	sink_put(sink, row->handle, RAW_DISK_STATE, standing.state);
	if (standing.state == BACKLOG_RUNNING)
		return;
	sink_put(sink, row->handle, RAW_DISK_HOLD, standing.hold);
	put_limit(all, state, row, standing.hold, sink);
}
