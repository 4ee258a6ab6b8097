/*
 * NFS mounts of this process's namespace, from /proc/self/mountstats: there is no
 * block device under them, so this is their queue. Nothing below a mount point is
 * ever touched: a server that does not answer would hold weir too. The file itself
 * takes locks of the kernel, so it is read on a thread of its own.
 *
 * In flight is sends minus receives of the connections: while a server hangs, the
 * procedures count nothing, and this stays true. A request that had to be sent
 * again stays in it; the event that a server does not answer therefore looks at
 * what is more than the least ever seen.
 */
#include "config.h"

#include "base/alloc.h"
#include "base/scan.h"
#include "source/mountstats.h"
#include "source/table.h"

#include <stdlib.h>
#include <string.h>

enum {
	FILE_LIMIT = 8 << 20
};

/* Without any answer for so long it is worth a line. */
#define PATIENCE (5 * NSEC_PER_SEC)

/* How one mount's server answered so far. */
struct patience {
	char id[SUBJECT_ID], name[SUBJECT_NAME];
	uint64_t receives, least;
	nsec since; /* of the last answer, or of nothing waiting */
	bool told;
	bool seen; /* in this reading */
};

struct state {
	char *proc;
	struct buffer text;
	struct patience *list;
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

static void put_mount(const struct nfs_mount *mount, struct sink *sink)
{
	unsigned subject = sink_subject(sink, &mount->subject);
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
	put(sink, subject, RAW_MOUNT_CONNECTIONS, traffic, mount->connections);
	put(sink, subject, RAW_MOUNT_INFLIGHT,
		traffic && mount->sends >= mount->receives,
		mount->sends - mount->receives);
}

/* ---- servers that do not answer ---- */

/* Null where this mount was there already in this reading: one lies over another. */
static struct patience *patience_of(struct state *state, const struct subject *subject)
{
	struct patience *new;

	for (size_t i = 0; i < state->count; i++)
		if (!strcmp(state->list[i].id, subject->id) &&
			!strcmp(state->list[i].name, subject->name))
			return state->list[i].seen ? NULL : &state->list[i];
	xgrow(&state->list, &state->room, state->count + 1, sizeof *state->list);
	new = &state->list[state->count++];
	*new = (struct patience){.least = UINT64_MAX};
	memcpy(new->id, subject->id, sizeof new->id);
	memcpy(new->name, subject->name, sizeof new->name);
	return new;
}

static long long seconds(nsec span)
{
	return (long long)(span / NSEC_PER_SEC);
}

static void watch(struct patience *patience, const struct nfs_mount *mount,
	struct sink *sink, nsec now)
{
	uint64_t inflight = mount->sends - mount->receives;
	const char *point = mount->subject.label;

	if (inflight < patience->least)
		patience->least = inflight;
	if (mount->receives != patience->receives || inflight <= patience->least) {
		if (patience->told)
			sink_event(sink, "%s: the server answers again after %lld s",
				point, seconds(now - patience->since));
		patience->told = false;
		patience->since = now;
	}
	patience->receives = mount->receives;
	if (patience->told || now - patience->since < PATIENCE)
		return;
	patience->told = true;
	sink_event(sink, "%s: no answer for %lld s, %llu requests in flight", point,
		seconds(now - patience->since), (unsigned long long)inflight);
}

/* Those that are unmounted. */
static void forget(struct state *state)
{
	size_t kept = 0;

	for (size_t i = 0; i < state->count; i++)
		if (state->list[i].seen) {
			state->list[i].seen = false;
			state->list[kept++] = state->list[i];
		}
	state->count = kept;
}

static bool mounts_read(void *memory, struct sink *sink, nsec now, struct fault *fault)
{
	struct state *state = memory;
	struct nfs_mount mount;
	char *at;

	if (!scan_file(
		    state->proc, "/self/mountstats", &state->text, FILE_LIMIT, fault))
		return false;
	at = buffer_string(&state->text);
	while (mountstats_next(&at, &mount)) {
		struct patience *patience = patience_of(state, &mount.subject);

		if (!patience)
			continue;
		patience->seen = true;
		put_mount(&mount, sink);
		if (mount.have_traffic && mount.sends >= mount.receives)
			watch(patience, &mount, sink, now);
	}
	forget(state);
	return true;
}

static void mounts_close(void *memory)
{
	struct state *state = memory;

	if (!state)
		return;
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
	.may_block = true,
	.open = mounts_open,
	.read = mounts_read,
	.close = mounts_close,
};
