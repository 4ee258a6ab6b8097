/*
 * NFS mounts of this process's namespace, from /proc/self/mountstats: there is no
 * block device under them, so this is their queue. Nothing below a mount point is
 * ever touched: a server that does not answer would hold weir too. The file itself
 * takes locks of the kernel, so it is read on a thread of its own.
 *
 * In flight is sends minus receives of the connections: while a server hangs, the
 * procedures count nothing, and this stays true. That nothing is answered any more is
 * seen where ticks are read (core/session_queue.h). Where several mounts share their
 * connections, these are a row of their own, and the mounts have no such figures: which
 * of them waits the kernel does not tell.
 */
#include "config.h"

#include "base/alloc.h"
#include "base/scan.h"
#include "base/text.h"
#include "source/mount_address.h"
#include "source/mount_calls.h"
#include "source/mount_group.h"
#include "source/mount_lost.h"
#include "source/mountstats.h"
#include "source/table.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
	FILE_LIMIT = 8 << 20,
	LINKS_MAX = 16, /* the kernel makes no more */
};

/* What is remembered of one mount, or of connections that several share. */
struct known {
	char id[SUBJECT_ID], name[SUBJECT_NAME];
	bool seen; /* in this reading */
	struct mount_calls calls;
	struct mount_lost lost;
};

struct state {
	char *proc;
	struct buffer text;
	struct nfs_mount *mounts; /* of this reading; those behind keep their memory */
	size_t mount_count, mount_room, mount_made;
	size_t *firsts; /* of each: the first one with the same connections */
	size_t first_room;
	struct known *list;
	size_t count, room;
	struct mount_addresses addresses;
};

static const struct {
	unsigned count, rtt, execute;
} group_raws[NFS_GROUPS] = {
	[NFS_READ] = {RAW_MOUNT_READ_OPS, RAW_MOUNT_READ_RTT_MS,
		RAW_MOUNT_READ_EXECUTE_MS},
	[NFS_WRITE] = {RAW_MOUNT_WRITE_OPS, RAW_MOUNT_WRITE_RTT_MS,
		RAW_MOUNT_WRITE_EXECUTE_MS},
	[NFS_OTHER] = {RAW_MOUNT_OTHER_OPS, RAW_MOUNT_OTHER_RTT_MS,
		RAW_MOUNT_OTHER_EXECUTE_MS},
};

static void put(
	struct sink *sink, unsigned subject, unsigned raw, bool have, uint64_t value)
{
	if (have)
		sink_put(sink, subject, raw, value);
	else
		sink_none(sink, subject, raw, WHY_UNSUPPORTED);
}

static void put_operations(
	const struct nfs_mount *mount, unsigned subject, struct sink *sink)
{
	bool ops = mount->have_ops;

	for (int i = 0; i < NFS_GROUPS; i++) {
		const struct nfs_ops *group = &mount->ops[i];

		put(sink, subject, group_raws[i].count, ops, group->count);
		put(sink, subject, group_raws[i].rtt, ops, group->rtt_ms);
		put(sink, subject, group_raws[i].execute, ops, group->execute_ms);
	}
	put(sink, subject, RAW_MOUNT_READ_BYTES, mount->have_bytes, mount->read_bytes);
	put(sink, subject, RAW_MOUNT_WRITE_BYTES, mount->have_bytes,
		mount->write_bytes);
	put(sink, subject, RAW_MOUNT_RETRANS, ops, mount->retransmissions);
	put(sink, subject, RAW_MOUNT_TIMEOUTS, ops, mount->timeouts);
	put(sink, subject, RAW_MOUNT_ERRORS, mount->have_errors, mount->errors);
}

/* LOST is null where others have the same connections. */
static void put_traffic(const struct nfs_mount *mount, struct mount_lost *lost,
	nsec now, unsigned subject, struct sink *sink)
{
	bool traffic = mount->have_traffic && lost;
	bool counted = traffic && mount->sends >= mount->receives;

	put(sink, subject, RAW_MOUNT_CONNECTS, traffic, mount->connects);
	put(sink, subject, RAW_MOUNT_CONNECTIONS, traffic, mount->link_count);
	put(sink, subject, RAW_MOUNT_ANSWERS, traffic, mount->receives);
	put(sink, subject, RAW_MOUNT_INFLIGHT, counted,
		counted ? mount_lost_inflight(lost, mount, now) : 0);
}

/* ---- connections ---- */

static const struct {
	unsigned raw;
	enum nfs_link_value value;
} link_raws[] = {
	{RAW_CONNECTION_SENDS, LINK_SENDS},
	{RAW_CONNECTION_ANSWERS, LINK_RECEIVES},
	{RAW_CONNECTION_LATE, LINK_LATE},
	{RAW_CONNECTION_CONNECTS, LINK_CONNECTS},
	{RAW_CONNECTION_DEPTH, LINK_DEPTH},
	{RAW_CONNECTION_BACKLOG, LINK_BACKLOG},
	{RAW_CONNECTION_WAITING, LINK_SENDING},
	{RAW_CONNECTION_SLOTS, LINK_SLOTS},
};

/* OWNER: the mount, or the row of the connections. */
static unsigned link_subject(const struct nfs_mount *mount, const struct subject *owner,
	size_t number, struct sink *sink)
{
	struct subject subject;
	char mark[8];

	(void)text_format(mark, sizeof mark, "#%zu", number); /* of LINKS_MAX */
	subject = mountstats_part(owner, KIND_CONNECTION, mark);
	/* a long export is cut */
	(void)text_format(subject.detail, sizeof subject.detail, "%s to %s",
		mount->links[number - 1].transport, owner->name);
	return sink_subject(sink, &subject);
}

/* Of a connection alone nobody knows what it lost, but where it is the only one. */
static void put_links(const struct nfs_mount *mount, const struct subject *owner,
	const struct mount_lost *lost, struct sink *sink)
{
	for (size_t i = 0; i < mount->link_count && i < LINKS_MAX; i++) {
		const struct nfs_link *link = &mount->links[i];
		uint64_t sends = link->values[LINK_SENDS];
		uint64_t receives = link->values[LINK_RECEIVES];
		unsigned subject = link_subject(mount, owner, i + 1, sink);

		for (size_t k = 0; k < sizeof link_raws / sizeof *link_raws; k++)
			put(sink, subject, link_raws[k].raw,
				link->have >> link_raws[k].value & 1,
				link->values[link_raws[k].value]);
		put(sink, subject, RAW_CONNECTION_INFLIGHT, sends >= receives,
			mount->link_count == 1 ? lost->inflight : sends - receives);
	}
}

/* ---- one mount ---- */

/* Null where this mount was there already in this reading: one lies over another. */
static struct known *known_of(struct state *state, const struct subject *subject)
{
	struct known *new;

	for (size_t i = 0; i < state->count; i++)
		if (!strcmp(state->list[i].id, subject->id) &&
			!strcmp(state->list[i].name, subject->name))
			return state->list[i].seen ? NULL : &state->list[i];
	xgrow(&state->list, &state->room, state->count + 1, sizeof *state->list);
	new = &state->list[state->count++];
	*new = (struct known){.seen = false};
	memcpy(new->id, subject->id, sizeof new->id);
	memcpy(new->name, subject->name, sizeof new->name);
	return new;
}

/* Those that are unmounted. */
static void forget(struct state *state)
{
	size_t kept = 0;

	for (size_t i = 0; i < state->count; i++) {
		if (!state->list[i].seen) {
			mount_calls_fini(&state->list[i].calls);
			continue;
		}
		state->list[i].seen = false;
		state->list[kept++] = state->list[i];
	}
	state->count = kept;
}

static bool is_shared(const struct state *state, size_t at)
{
	if (state->firsts[at] != at)
		return true;
	for (size_t i = at + 1; i < state->mount_count; i++)
		if (state->firsts[i] == at)
			return true;
	return false;
}

/* A mount that nobody uses is one row. */
static void put_mount(struct state *state, size_t at, nsec now, struct sink *sink)
{
	const struct nfs_mount *mount = &state->mounts[at];
	struct known *known = known_of(state, &mount->subject);
	struct mount_lost *lost = is_shared(state, at) ? NULL : &known->lost;
	unsigned subject = sink_subject(sink, &mount->subject);

	known->seen = true;
	if (!lost)
		known->lost = (struct mount_lost){.at = 0};
	put_operations(mount, subject, sink);
	put_traffic(mount, lost, now, subject, sink);
	mount_calls_put(&known->calls, mount, sink);
	if (lost && (known->calls.active || lost->inflight))
		put_links(mount, &mount->subject, lost, sink);
}

/* ---- connections that several mounts share ---- */

/* "shared by /srv/a, /srv/b": as many as there is room for. */
static void tell_members(
	const struct state *state, size_t first, struct subject *subject)
{
	size_t size = sizeof subject->detail;

	(void)text_copy(subject->detail, size, "connections shared by"); /* fits */
	for (size_t i = first; i < state->mount_count; i++) {
		size_t used = strlen(subject->detail);

		if (state->firsts[i] == first)
			(void)text_format(subject->detail + used, size - used, "%s %s",
				i == first ? "" : ",", state->mounts[i].subject.label);
	}
}

/* Groups of one server differ in nothing that stays but their order. */
static struct known *group_known(
	struct state *state, size_t first, struct subject *subject)
{
	struct known *known = NULL;

	for (unsigned number = 1; !known; number++) {
		*subject = mount_group_subject(&state->mounts[first], number);
		known = known_of(state, subject);
	}
	return known;
}

static void put_group(struct state *state, size_t first, nsec now, struct sink *sink)
{
	struct nfs_mount sum = mount_group_sum(
		state->mounts, state->firsts, state->mount_count, first);
	struct subject subject;
	struct known *known = group_known(state, first, &subject);

	known->seen = true;
	tell_members(state, first, &subject);
	put_traffic(&sum, &known->lost, now, sink_subject(sink, &subject), sink);
	put_links(&sum, &subject, &known->lost, sink);
}

/* ---- the source ---- */

/* One mount that lies over another of the same name is told once. */
static bool is_told(const struct state *state, const struct subject *subject)
{
	for (size_t i = 0; i < state->mount_count; i++)
		if (!strcmp(state->mounts[i].subject.id, subject->id) &&
			!strcmp(state->mounts[i].subject.name, subject->name))
			return true;
	return false;
}

static bool next_mount(struct state *state, char **at)
{
	size_t place = state->mount_count;

	xgrow(&state->mounts, &state->mount_room, place + 1, sizeof *state->mounts);
	xgrow(&state->firsts, &state->first_room, place + 1, sizeof *state->firsts);
	if (place == state->mount_made)
		state->mounts[state->mount_made++] = (struct nfs_mount){.calls = NULL};
	if (!mountstats_next(at, &state->mounts[place]))
		return false;
	if (is_told(state, &state->mounts[place].subject))
		return true;
	mount_address_find(&state->addresses, state->proc, &state->mounts[place]);
	state->firsts[place] = mount_group_first(state->mounts, place);
	state->mount_count++;
	return true;
}

/* The client makes a folder as it is loaded. */
static void say_nothing(const struct state *state, struct sink *sink)
{
	char path[PATH_MAX];

	if (text_format(path, sizeof path, "%s/fs/nfsfs", state->proc) &&
		access(path, F_OK) < 0 && errno == ENOENT)
		sink_nothing(sink, WHY_ABSENT,
			"no NFS mount is there: the client (module nfs) is not "
			"loaded");
}

static bool mounts_read(void *memory, struct sink *sink, nsec now, struct fault *fault)
{
	struct state *state = memory;
	char *at;

	if (!scan_file(
		    state->proc, "/self/mountstats", &state->text, FILE_LIMIT, fault))
		return false;
	at = buffer_string(&state->text);
	state->mount_count = 0;
	while (next_mount(state, &at))
		;
	for (size_t i = 0; i < state->mount_count; i++) {
		put_mount(state, i, now, sink);
		if (state->firsts[i] == i && is_shared(state, i))
			put_group(state, i, now, sink);
	}
	forget(state);
	mount_addresses_forget(&state->addresses);
	if (!state->mount_count)
		say_nothing(state, sink);
	return true;
}

static void mounts_close(void *memory)
{
	struct state *state = memory;

	if (!state)
		return;
	forget(state);
	forget(state); /* the first one takes the marks */
	for (size_t i = 0; i < state->mount_made; i++)
		mountstats_fini(&state->mounts[i]);
	mount_addresses_fini(&state->addresses);
	free(state->mounts);
	free(state->firsts);
	buffer_fini(&state->text);
	free(state->list);
	free(state->proc);
	free(state);
}

static bool mounts_open(
	void **memory, const struct source_env *env, struct fault *fault)
{
	struct state *state = xalloc(sizeof *state);

	*memory = NULL;
	state->proc = xstrdup(env->proc);
	if (!scan_file(
		    state->proc, "/self/mountstats", &state->text, FILE_LIMIT, fault)) {
		mounts_close(state);
		return false;
	}
	*memory = state;
	return true;
}

const struct source source_mounts = {
	.name = "mounts",
	.about = "/proc/self/mountstats: operations and requests in flight of NFS "
		 "mounts",
	.none = "no NFS mount is in this mount namespace",
	.may_block = true,
	.open = mounts_open,
	.read = mounts_read,
	.close = mounts_close,
};
