/*
 * NFS mounts of this process's namespace, from /proc/self/mountstats: there is no
 * block device under them, so this is their queue. Nothing below a mount point is
 * ever touched: a server that does not answer would hold weir too. The file itself
 * takes locks of the kernel, so it is read on a thread of its own.
 *
 * In flight is sends minus receives of the connections: while a server hangs, the
 * procedures count nothing, and this stays true. That nothing is answered any more is
 * seen where ticks are read (core/session_queue.h).
 */
#include "config.h"

#include "base/alloc.h"
#include "base/scan.h"
#include "base/text.h"
#include "source/mount_calls.h"
#include "source/mount_lost.h"
#include "source/mountstats.h"
#include "source/table.h"

#include <stdlib.h>
#include <string.h>

enum {
	FILE_LIMIT = 8 << 20,
	LINKS_MAX = 16, /* the kernel makes no more */
};

/* What is remembered of one mount. */
struct known {
	char id[SUBJECT_ID], name[SUBJECT_NAME];
	bool seen; /* in this reading */
	struct mount_calls calls;
	struct mount_lost lost;
};

struct state {
	char *proc;
	struct buffer text;
	struct nfs_mount mount; /* the one at hand */
	struct known *list;
	size_t count, room;
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

static void put_mount(
	const struct nfs_mount *mount, struct known *known, nsec now, struct sink *sink)
{
	unsigned subject = sink_subject(sink, &mount->subject);
	bool counted = mount->have_traffic && mount->sends >= mount->receives;
	bool ops = mount->have_ops, traffic = mount->have_traffic;

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
	put(sink, subject, RAW_MOUNT_CONNECTS, traffic, mount->connects);
	put(sink, subject, RAW_MOUNT_CONNECTIONS, traffic, mount->link_count);
	put(sink, subject, RAW_MOUNT_ANSWERS, traffic, mount->receives);
	put(sink, subject, RAW_MOUNT_INFLIGHT, counted,
		counted ? mount_lost_inflight(&known->lost, mount, now) : 0);
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

static unsigned link_subject(
	const struct nfs_mount *mount, size_t number, struct sink *sink)
{
	struct subject subject;
	char mark[8];

	(void)text_format(mark, sizeof mark, "#%zu", number); /* of LINKS_MAX */
	subject = mountstats_part(&mount->subject, KIND_CONNECTION, mark);
	/* a long export is cut */
	(void)text_format(subject.detail, sizeof subject.detail, "%s to %s",
		mount->links[number - 1].transport, mount->subject.name);
	return sink_subject(sink, &subject);
}

/* Of a connection alone nobody knows what it lost, but where it is the only one. */
static void put_links(
	const struct nfs_mount *mount, const struct known *known, struct sink *sink)
{
	for (size_t i = 0; i < mount->link_count && i < LINKS_MAX; i++) {
		const struct nfs_link *link = &mount->links[i];
		uint64_t sends = link->values[LINK_SENDS];
		uint64_t receives = link->values[LINK_RECEIVES];
		unsigned subject = link_subject(mount, i + 1, sink);

		for (size_t k = 0; k < sizeof link_raws / sizeof *link_raws; k++)
			put(sink, subject, link_raws[k].raw,
				link->have >> link_raws[k].value & 1,
				link->values[link_raws[k].value]);
		put(sink, subject, RAW_CONNECTION_INFLIGHT, sends >= receives,
			mount->link_count == 1 ? known->lost.inflight
					       : sends - receives);
	}
}

/* ---- the source ---- */

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

/* A mount that nobody uses is one row. */
static void read_mount(struct state *state, nsec now, struct sink *sink)
{
	const struct nfs_mount *mount = &state->mount;
	struct known *known = known_of(state, &mount->subject);

	if (!known)
		return;
	known->seen = true;
	put_mount(mount, known, now, sink);
	mount_calls_put(&known->calls, mount, sink);
	if (known->calls.active || known->lost.inflight)
		put_links(mount, known, sink);
}

static bool mounts_read(void *memory, struct sink *sink, nsec now, struct fault *fault)
{
	struct state *state = memory;
	char *at;

	if (!scan_file(
		    state->proc, "/self/mountstats", &state->text, FILE_LIMIT, fault))
		return false;
	at = buffer_string(&state->text);
	while (mountstats_next(&at, &state->mount))
		read_mount(state, now, sink);
	forget(state);
	return true;
}

static void mounts_close(void *memory)
{
	struct state *state = memory;

	if (!state)
		return;
	forget(state);
	forget(state); /* the first one takes the marks */
	mountstats_fini(&state->mount);
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
