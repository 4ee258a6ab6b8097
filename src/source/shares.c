/*
 * SMB mounts, from /proc/fs/cifs: counts per share, and whether they are signed and
 * encrypted as in effect, which the options of a mount do not say. All shares of the
 * host, whatever the namespace; the kernel keeps no response time in these files.
 * The files take locks of the client, so they are read on a thread of its own.
 */
#include "config.h"

#include "base/alloc.h"
#include "base/scan.h"
#include "base/text.h"
#include "source/smb.h"
#include "source/table.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum {
	FILE_LIMIT = 4 << 20
};

struct share {
	struct subject subject;
	bool disconnected, seen;
};

struct state {
	char *proc;
	struct buffer stats, debug, mounts;
	struct share *list;
	size_t count, room;
	struct smb_link *links; /* of this reading */
	size_t link_count, link_room;
};

static const unsigned unsupported[] = {RAW_MOUNT_READ_RTT_MS, RAW_MOUNT_READ_EXECUTE_MS,
	RAW_MOUNT_WRITE_RTT_MS, RAW_MOUNT_WRITE_EXECUTE_MS};

static void put(const struct smb_stats *stats, struct sink *sink, unsigned subject,
	unsigned raw, enum smb_count count)
{
	if (stats->have >> count & 1)
		sink_put(sink, subject, raw, stats->counts[count]);
	else
		sink_none(sink, subject, raw, WHY_UNSUPPORTED);
}

static void put_counts(
	const struct smb_stats *stats, struct sink *sink, unsigned subject)
{
	uint64_t moved = stats->counts[SMB_READS] + stats->counts[SMB_WRITES];

	put(stats, sink, subject, RAW_MOUNT_READ_OPS, SMB_READS);
	put(stats, sink, subject, RAW_MOUNT_WRITE_OPS, SMB_WRITES);
	put(stats, sink, subject, RAW_MOUNT_READ_BYTES, SMB_READ_BYTES);
	put(stats, sink, subject, RAW_MOUNT_WRITE_BYTES, SMB_WRITE_BYTES);
	put(stats, sink, subject, RAW_MOUNT_ERRORS, SMB_FAILED);
	if ((stats->have >> SMB_ALL & 1) && stats->counts[SMB_ALL] >= moved)
		sink_put(sink, subject, RAW_MOUNT_OTHER_OPS,
			stats->counts[SMB_ALL] - moved);
	for (size_t i = 0; i < sizeof unsupported / sizeof *unsupported; i++)
		sink_none(sink, subject, unsupported[i], WHY_UNSUPPORTED);
}

static void put_link(const struct smb_link *link, struct sink *sink, unsigned subject)
{
	sink_put(sink, subject, RAW_MOUNT_SIGNED, link->is_signed);
	sink_put(sink, subject, RAW_MOUNT_ENCRYPTED, link->encrypted);
	if (link->have_on_wire)
		sink_put(sink, subject, RAW_MOUNT_INFLIGHT, link->on_wire);
}

static void read_links(struct state *state)
{
	struct smb_walk walk = {.server = {.dialect = 0}};
	struct smb_link link;
	char *at;

	state->link_count = 0;
	if (!scan_file(
		    state->proc, "/fs/cifs/DebugData", &state->debug, FILE_LIMIT, NULL))
		return;
	at = buffer_string(&state->debug);
	while (smb_link_next(&at, &walk, &link)) {
		xgrow(&state->links, &state->link_room, state->link_count + 1,
			sizeof *state->links);
		state->links[state->link_count++] = link;
	}
}

static const struct smb_link *link_of(const struct state *state, const char *name)
{
	for (size_t i = 0; i < state->link_count; i++)
		if (!strcmp(state->links[i].name, name))
			return &state->links[i];
	return NULL;
}

static void name_subject(struct state *state, struct subject *subject, const char *name)
{
	*subject = (struct subject){.kind = KIND_MOUNT};
	/* long ones are cut: the id tells them apart */
	(void)text_copy(subject->name, sizeof subject->name, name);
	(void)text_copy(subject->id, sizeof subject->id, name);
	if (scan_file(state->proc, "/self/mountinfo", &state->mounts, FILE_LIMIT, NULL))
		(void)smb_mount_point(buffer_string(&state->mounts), name,
			subject->label, sizeof subject->label);
}

/* Null where this share was there already: another person's, counted apart. */
static struct share *share_of(struct state *state, const struct smb_stats *stats)
{
	struct subject subject;

	for (size_t i = 0; i < state->count; i++)
		if (!strcmp(state->list[i].subject.id, stats->name))
			return state->list[i].seen ? NULL : &state->list[i];
	name_subject(state, &subject, stats->name);
	xgrow(&state->list, &state->room, state->count + 1, sizeof *state->list);
	state->list[state->count] = (struct share){.subject = subject};
	return &state->list[state->count++];
}

static void tell(struct share *share, const struct smb_stats *stats, const char *detail,
	struct sink *sink)
{
	const char *name =
		share->subject.label[0] ? share->subject.label : share->subject.name;

	if (share->disconnected != stats->disconnected)
		sink_event(sink, "%s: %s", name,
			stats->disconnected ? "disconnected" : "connected again");
	share->disconnected = stats->disconnected;
	if (!detail[0] || !strcmp(share->subject.detail, detail))
		return;
	if (share->subject.detail[0])
		sink_event(sink, "%s: now %s", name, detail);
	(void)text_copy(share->subject.detail, sizeof share->subject.detail, detail);
}

static void read_share(
	struct state *state, const struct smb_stats *stats, struct sink *sink)
{
	struct share *share = share_of(state, stats);
	const struct smb_link *link = link_of(state, stats->name);
	char detail[sizeof share->subject.detail] = "";
	unsigned subject;

	if (!share)
		return;
	share->seen = true;
	if (link)
		smb_link_text(link, detail, sizeof detail);
	tell(share, stats, detail, sink);
	subject = sink_subject(sink, &share->subject);
	put_counts(stats, sink, subject);
	if (link)
		put_link(link, sink, subject);
}

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

static bool shares_read(void *memory, struct sink *sink, nsec now, struct fault *fault)
{
	struct state *state = memory;
	struct fault missing = {0};
	struct smb_stats stats;
	char *at;

	(void)now;
	if (!scan_file(state->proc, "/fs/cifs/Stats", &state->stats, FILE_LIMIT,
		    &missing)) {
		if (missing.code == ENOENT) /* no SMB client, which is no trouble */
			return true;
		*fault = missing;
		return false;
	}
	read_links(state);
	at = buffer_string(&state->stats);
	while (smb_stats_next(&at, &stats))
		read_share(state, &stats, sink);
	forget(state);
	return true;
}

static void shares_close(void *memory)
{
	struct state *state = memory;

	if (!state)
		return;
	buffer_fini(&state->stats);
	buffer_fini(&state->debug);
	buffer_fini(&state->mounts);
	free(state->list);
	free(state->links);
	free(state->proc);
	free(state);
}

static bool shares_open(
	void **memory, const struct source_env *env, struct fault *fault)
{
	struct state *state;

	(void)fault;
	state = xalloc(sizeof *state);
	state->proc = xstrdup(env->proc);
	*memory = state;
	return true;
}

const struct source source_shares = {
	.name = "shares",
	.about = "/proc/fs/cifs: operations, bytes, signing and encryption of SMB "
		 "mounts",
	.may_block = true,
	.open = shares_open,
	.read = shares_read,
	.close = shares_close,
};
