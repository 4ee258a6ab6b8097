/* iSCSI sessions and FC remote ports behind disks; see the header. */
#include "config.h"

#include "source/remote.h"

#include "base/alloc.h"
#include "base/text.h"
#include "source/devices.h"
#include "source/guard.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* The first timeout that is set counts: a port whose I/O fails fast is not waited
 * for until it is removed. */
static const struct kind_row {
	const char *part; /* of the device's path */
	const char *folder, *state;
	enum backlog_hold hold;
	const char *timeouts[3];
} kinds[] = {
	{"/session", "class/iscsi_session", "state", HOLD_SESSION, {"recovery_tmo"}},
	{"/rport-", "class/fc_remote_ports", "port_state", HOLD_PORT,
		{"fast_io_fail_tmo", "dev_loss_tmo"}},
};

enum {
	AT_ONCE = 32, /* states */
	KINDS = sizeof kinds / sizeof *kinds
};

static const struct kind_row *row_of(enum backlog_hold hold)
{
	size_t i = 0;

	while (i + 1 < KINDS && kinds[i].hold != hold)
		i++;
	return &kinds[i];
}

void remotes_fini(struct remotes *remotes)
{
	for (size_t i = 0; i < remotes->count; i++)
		if (remotes->list[i].users)
			attr_close(&remotes->list[i].state);
	free(remotes->list);
	*remotes = (struct remotes){0};
}

enum backlog_state remote_state(enum backlog_hold hold, const char *word)
{
	static const struct {
		enum backlog_hold hold;
		const char *word;
		enum backlog_state state;
	} words[] = {
		{HOLD_SESSION, "FAILED", BACKLOG_BLOCKED},
		{HOLD_SESSION, "FREE", BACKLOG_OFFLINE}, /* the wait is over */
		{HOLD_PORT, "Blocked", BACKLOG_BLOCKED},
		{HOLD_PORT, "Not Present", BACKLOG_OFFLINE},
		{HOLD_PORT, "Offline", BACKLOG_OFFLINE},
		{HOLD_PORT, "Deleted", BACKLOG_OFFLINE},
	};
	size_t length = strcspn(word, "\n");

	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (words[i].hold == hold && strlen(words[i].word) == length &&
			!strncmp(words[i].word, word, length))
			return words[i].state;
	return BACKLOG_RUNNING;
}

static void open_state(struct remote *remote, const char *sys)
{
	const struct kind_row *row = row_of(remote->hold);
	char folder[ATTR_PATH];

	if (!text_format(
		    folder, sizeof folder, "%s/%s/%s", sys, row->folder, remote->name))
		folder[0] = 0; /* then the file is missing */
	attr_open(&remote->state, folder, row->state);
}

static size_t free_place(struct remotes *remotes)
{
	size_t place = 0;

	while (place < remotes->count && remotes->list[place].users)
		place++;
	if (place < remotes->count)
		return place;
	xgrow(&remotes->list, &remotes->room, remotes->count + 1,
		sizeof *remotes->list);
	return remotes->count++;
}

int remotes_meet(struct remotes *remotes, const char *sys, const char *folder)
{
	char path[ATTR_PATH], real[PATH_MAX];
	struct remote found = {.is = BACKLOG_RUNNING};
	size_t kind = 0, place;

	if (!text_format(path, sizeof path, "%s/device", folder) ||
		!realpath(path, real))
		return -1;
	while (kind < KINDS && !device_path_part(real, kinds[kind].part, found.name,
				       sizeof found.name))
		kind++;
	if (kind == KINDS)
		return -1;
	for (size_t i = 0; i < remotes->count; i++)
		if (remotes->list[i].users &&
			!strcmp(remotes->list[i].name, found.name)) {
			attr_close(&remotes->list[i].state);
			open_state(&remotes->list[i], sys); /* it may be a new one */
			remotes->list[i].users++;
			return (int)i;
		}
	found.hold = kinds[kind].hold;
	found.users = 1;
	open_state(&found, sys);
	place = free_place(remotes);
	remotes->list[place] = found;
	return (int)place;
}

void remotes_leave(struct remotes *remotes, int number)
{
	if (number >= 0 && !--remotes->list[number].users)
		attr_close(&remotes->list[number].state);
}

static void take(struct remote *remote, const struct guard_read *read)
{
	remote->told = read->why == WHY_NONE;
	remote->is =
		remote->told ? remote_state(remote->hold, read->text) : BACKLOG_RUNNING;
}

void remotes_read(struct remotes *remotes)
{
	struct guard_read reads[AT_ONCE];

	for (size_t first = 0; first < remotes->count; first += AT_ONCE) {
		size_t left = remotes->count - first;
		size_t some = left < AT_ONCE ? left : AT_ONCE;

		for (size_t i = 0; i < some; i++) {
			const struct remote *one = &remotes->list[first + i];

			reads[i] = (struct guard_read){
				.fd = one->users ? one->state.fd : -1,
				.why = WHY_ABSENT,
				.what = one->name};
		}
		guard_read(reads, some);
		for (size_t i = 0; i < some; i++)
			take(&remotes->list[first + i], &reads[i]);
	}
}

static enum why one_timeout(const char *folder, const char *name, uint64_t *seconds)
{
	char text[32];
	enum why why = guard_text(folder, name, text, sizeof text);

	if (why == WHY_NONE && (!strcmp(text, "off") || text[0] == '-'))
		return WHY_OFF;
	return why == WHY_NONE ? guard_u64(folder, name, seconds) : why;
}

enum why remote_timeout(const char *folder, const char *const *names, uint64_t *seconds)
{
	enum why why = WHY_UNSUPPORTED;

	for (size_t i = 0; names[i] && why != WHY_NONE; i++) {
		enum why next = one_timeout(folder, names[i], seconds);

		why = next == WHY_NONE || next == WHY_OFF ? next : why;
	}
	return why;
}

enum why remote_gives_up(
	const struct remote *remote, const char *sys, uint64_t *seconds)
{
	const struct kind_row *row = row_of(remote->hold);
	char folder[ATTR_PATH];

	if (!text_format(
		    folder, sizeof folder, "%s/%s/%s", sys, row->folder, remote->name))
		return WHY_UNSUPPORTED;
	return remote_timeout(folder, row->timeouts, seconds);
}
