/*
 * SMB mounts, from /proc/fs/cifs: counts per share, and whether they are signed and
 * encrypted as in effect, which the options of a mount do not say. All shares of the
 * host, whatever the namespace. Times and answers are kept for each server, not for
 * each share; of several servers with several connections the file does not say whose
 * they are. The files take locks of the client, so they are read on a thread of their
 * own.
 */
#include "config.h"

#include "base/alloc.h"
#include "base/scan.h"
#include "base/text.h"
#include "source/mount_calls.h"
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

/* What a server's commands did, as rows. */
struct server {
	struct mount_calls calls;
	uint64_t answers;
	bool known; /* in this reading */
};

struct state {
	char *proc;
	struct buffer stats, debug, mounts;
	struct share *list;
	size_t count, room;
	struct smb_debug now;   /* DebugData of this reading */
	struct nfs_mount work;  /* a server's commands in the form of calls */
	struct server *servers; /* by their number in DebugData */
	size_t server_room, server_count;
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

static void put_figure(const struct smb_link *link, enum smb_figure figure,
	struct sink *sink, unsigned subject, unsigned raw)
{
	if (link->have >> figure & 1)
		sink_put(sink, subject, raw, link->figures[figure]);
	else
		sink_none(sink, subject, raw, WHY_UNSUPPORTED);
}

static void put_link(const struct state *state, const struct smb_link *link,
	struct sink *sink, unsigned subject)
{
	const struct server *server = &state->servers[link->server - 1];

	sink_put(sink, subject, RAW_MOUNT_SIGNED, link->is_signed);
	sink_put(sink, subject, RAW_MOUNT_ENCRYPTED, link->encrypted);
	sink_put(sink, subject, RAW_MOUNT_CONNECTIONS, link->channels);
	put_figure(link, SMB_INSTANCE, sink, subject, RAW_MOUNT_CONNECTS);
	put_figure(link, SMB_ON_WIRE, sink, subject, RAW_MOUNT_INFLIGHT);
	if (server->known)
		sink_put(sink, subject, RAW_MOUNT_ANSWERS, server->answers);
	else
		sink_none(sink, subject, RAW_MOUNT_ANSWERS, WHY_UNSUPPORTED);
}

static void read_debug(struct state *state)
{
	smb_debug_parse(&state->now, (char[]){""});
	if (scan_file(
		    state->proc, "/fs/cifs/DebugData", &state->debug, FILE_LIMIT, NULL))
		smb_debug_parse(&state->now, buffer_string(&state->debug));
	for (size_t i = state->now.servers; i < state->server_count; i++)
		mount_calls_fini(&state->servers[i].calls);
	xgrow(&state->servers, &state->server_room, state->now.servers,
		sizeof *state->servers);
	for (; state->server_count < state->now.servers; state->server_count++)
		state->servers[state->server_count] = (struct server){.known = false};
	state->server_count = state->now.servers;
	for (size_t i = 0; i < state->server_count; i++) {
		state->servers[i].known = false;
		state->servers[i].answers = 0;
	}
}

/* ---- commands of servers ---- */

static void add_commands(struct nfs_mount *work, const struct smb_commands *commands)
{
	for (unsigned i = 0; i < SMB_COMMANDS; i++) {
		struct nfs_call *call = &work->calls[i];

		call->values[NFS_COUNT] += commands->counts[i];
		call->values[NFS_RTT_MS] += commands->ticks[i] * 1000 / commands->hertz;
	}
}

static void begin_commands(struct nfs_mount *work)
{
	xgrow(&work->calls, &work->call_room, SMB_COMMANDS, sizeof *work->calls);
	work->call_count = SMB_COMMANDS;
	work->lacks = ~(1U << NFS_COUNT | 1U << NFS_RTT_MS);
	for (unsigned i = 0; i < SMB_COMMANDS; i++) {
		work->calls[i] = (struct nfs_call){.columns = NFS_COLUMNS};
		(void)text_copy(work->calls[i].name, sizeof work->calls[i].name,
			smb_command(i)); /* all fit */
	}
}

static void end_commands(struct state *state, size_t number, struct sink *sink)
{
	struct server *server = &state->servers[number];
	struct nfs_mount *work = &state->work;

	for (size_t i = 0; i < state->now.channel_count; i++)
		if (state->now.channels[i].server == number + 1) {
			(void)text_copy(work->subject.label, sizeof work->subject.label,
				state->now.channels[i].host); /* it is shorter */
			break;
		}
	for (unsigned i = 0; i < SMB_COMMANDS; i++)
		server->answers += work->calls[i].values[NFS_COUNT];
	server->known = true;
	mount_calls_put(&server->calls, work, sink);
}

static size_t count_blocks(const char *text)
{
	struct smb_commands commands;
	size_t count = 0;

	while (smb_commands_next(&text, &commands))
		count += commands.hertz != 0;
	return count;
}

/* Which server a block belongs to is known where there is one server, or where each
 * has one connection: then both files have the same order. */
static void read_commands(struct state *state, struct sink *sink)
{
	const char *text = buffer_string(&state->stats);
	size_t blocks = count_blocks(text), servers = state->now.servers, number = 0;
	bool each = state->now.channel_count == servers && blocks == servers;
	struct smb_commands commands;

	if (!blocks || !servers || (servers > 1 && !each))
		return;
	begin_commands(&state->work);
	while (smb_commands_next(&text, &commands)) {
		if (!commands.hertz)
			continue;
		add_commands(&state->work, &commands);
		if (!each)
			continue;
		end_commands(state, number++, sink);
		begin_commands(&state->work);
	}
	if (!each)
		end_commands(state, 0, sink);
}

/* ---- connections ---- */

static void put_channels(const struct state *state, struct sink *sink)
{
	for (size_t i = 0; i < state->now.channel_count; i++) {
		const struct smb_channel *channel = &state->now.channels[i];
		struct subject name = {.kind = KIND_CONNECTION};
		struct smb_link link = {.have = channel->have};
		unsigned subject;

		memcpy(link.figures, channel->figures, sizeof link.figures);
		/* cut, a host is still its beginning */
		(void)text_copy(name.name, sizeof name.name - 8, channel->host);
		(void)text_format(name.name + strlen(name.name), 8, " #%u",
			channel->number); /* at most 99 */
		(void)text_copy(name.id, sizeof name.id, name.name);
		(void)text_copy(name.detail, sizeof name.detail, "SMB");
		subject = sink_subject(sink, &name);
		put_figure(&link, SMB_CREDITS, sink, subject, RAW_CONNECTION_CREDITS);
		put_figure(&link, SMB_ON_WIRE, sink, subject, RAW_CONNECTION_INFLIGHT);
		put_figure(&link, SMB_INSTANCE, sink, subject, RAW_CONNECTION_CONNECTS);
	}
}

/* ---- shares ---- */

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
	const struct smb_link *link = smb_debug_link(&state->now, stats->name);
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
		put_link(state, link, sink, subject);
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
	read_debug(state);
	put_channels(state, sink);
	read_commands(state, sink);
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
	for (size_t i = 0; i < state->server_count; i++)
		mount_calls_fini(&state->servers[i].calls);
	free(state->servers);
	smb_debug_fini(&state->now);
	mountstats_fini(&state->work);
	free(state->list);
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
	.none = "no SMB mount is there: none is mounted, or the client is not loaded",
	.may_block = true,
	.open = shares_open,
	.read = shares_read,
	.close = shares_close,
};
