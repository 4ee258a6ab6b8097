/*
 * SMB mounts, from /proc/fs/cifs: counts per share, and whether they are signed and
 * encrypted as in effect, which the options of a mount do not say. All shares of the
 * host, whatever the namespace. Times, answers and what is in flight are kept for each
 * server, not for each share: where a server has several shares, its connections are a
 * row of their own, and the shares have no such figures. Of several servers with
 * several connections the file does not say whose commands they are. The files take
 * locks of the client, so they are read on a thread of their own.
 */
#include "config.h"

#include "base/alloc.h"
#include "base/scan.h"
#include "base/text.h"
#include "source/smb_servers.h"
#include "source/table.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum {
	FILE_LIMIT = 4 << 20
};

/* What is known of a share. Each user may have a session of its own for it, which the
 * kernel counts apart: what is put is their sum. */
struct share {
	struct subject subject;
	struct smb_stats sum; /* of this reading */
	unsigned blocks, before;
	bool disconnected, seen;
};

struct state {
	char *proc;
	struct buffer stats, debug, mounts;
	struct share *list;
	size_t count, room;
	struct smb_debug now; /* DebugData of this reading */
	struct smb_servers servers;
};

static const unsigned unsupported[] = {RAW_MOUNT_READ_RTT_MS, RAW_MOUNT_READ_EXECUTE_MS,
	RAW_MOUNT_WRITE_RTT_MS, RAW_MOUNT_WRITE_EXECUTE_MS};

/* With a session that came or went the sum is another one. */
static void put(const struct share *share, struct sink *sink, unsigned subject,
	unsigned raw, enum smb_count count)
{
	const struct smb_stats *stats = &share->sum;

	if (share->before && share->before != share->blocks)
		sink_none(sink, subject, raw, WHY_RESET);
	else if (stats->have >> count & 1)
		sink_put(sink, subject, raw, stats->counts[count]);
	else
		sink_none(sink, subject, raw, WHY_UNSUPPORTED);
}

static void put_counts(const struct share *share, struct sink *sink, unsigned subject)
{
	const struct smb_stats *stats = &share->sum;
	uint64_t moved = stats->counts[SMB_READS] + stats->counts[SMB_WRITES];

	put(share, sink, subject, RAW_MOUNT_READ_OPS, SMB_READS);
	put(share, sink, subject, RAW_MOUNT_WRITE_OPS, SMB_WRITES);
	put(share, sink, subject, RAW_MOUNT_READ_BYTES, SMB_READ_BYTES);
	put(share, sink, subject, RAW_MOUNT_WRITE_BYTES, SMB_WRITE_BYTES);
	put(share, sink, subject, RAW_MOUNT_ERRORS, SMB_FAILED);
	if (share->before && share->before != share->blocks)
		sink_none(sink, subject, RAW_MOUNT_OTHER_OPS, WHY_RESET);
	else if ((stats->have >> SMB_ALL & 1) && stats->counts[SMB_ALL] >= moved)
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

/* Of all servers that LINK and those of the same share behind it are on. */
struct traffic {
	unsigned servers, channels;
	bool shared;  /* others use one of them too */
	bool answers; /* are known of each */
	uint64_t answered;
	uint32_t have; /* of each */
	uint64_t figures[SMB_FIGURES];
};

static struct traffic traffic_of(const struct state *state, const struct smb_link *link)
{
	struct traffic traffic = {.answers = true, .have = ~0U};

	for (; link; link = smb_debug_more(&state->now, link)) {
		const struct smb_server *server =
			smb_servers_at(&state->servers, link->server);

		traffic.servers++;
		traffic.channels += link->channels;
		traffic.shared |= smb_debug_is_shared(&state->now, link->server);
		traffic.answers &= server->known;
		traffic.answered += server->answers;
		traffic.have &= link->have;
		for (int i = 0; i < SMB_FIGURES; i++)
			traffic.figures[i] += link->figures[i];
	}
	return traffic;
}

static void put_traffic(
	const struct traffic *traffic, struct sink *sink, unsigned subject)
{
	struct smb_link sum = {.have = traffic->have};

	memcpy(sum.figures, traffic->figures, sizeof sum.figures);
	put_figure(&sum, SMB_ON_WIRE, sink, subject, RAW_MOUNT_INFLIGHT);
	put_figure(&sum, SMB_INSTANCE, sink, subject, RAW_MOUNT_CONNECTS);
	sink_put(sink, subject, RAW_MOUNT_CONNECTIONS, traffic->channels);
	if (traffic->answers)
		sink_put(sink, subject, RAW_MOUNT_ANSWERS, traffic->answered);
	else
		sink_none(sink, subject, RAW_MOUNT_ANSWERS, WHY_UNSUPPORTED);
}

/* That of several sessions some are protected is no yes and no no, and neither is that
 * the kernel does not say. */
static void put_state(
	struct sink *sink, unsigned subject, unsigned raw, const bool is[2])
{
	if (is[1])
		sink_none(sink, subject, raw, WHY_UNSUPPORTED);
	else
		sink_put(sink, subject, raw, is[0]);
}

static void put_link(const struct state *state, const struct smb_link *link,
	struct sink *sink, unsigned subject)
{
	static const unsigned of_all[] = {RAW_MOUNT_CONNECTIONS, RAW_MOUNT_CONNECTS,
		RAW_MOUNT_INFLIGHT, RAW_MOUNT_ANSWERS};
	struct traffic traffic = traffic_of(state, link);

	put_state(sink, subject, RAW_MOUNT_SIGNED,
		(bool[]){link->is_signed, link->signed_differs || !link->told});
	put_state(sink, subject, RAW_MOUNT_ENCRYPTED,
		(bool[]){link->encrypted, link->encrypted_differs || !link->told});
	if (!traffic.shared) {
		put_traffic(&traffic, sink, subject);
		return;
	}
	for (size_t i = 0; i < sizeof of_all / sizeof *of_all; i++)
		sink_none(sink, subject, of_all[i], WHY_UNSUPPORTED);
}

static void read_debug(struct state *state)
{
	smb_debug_parse(&state->now, (char[]){""});
	if (scan_file(
		    state->proc, "/fs/cifs/DebugData", &state->debug, FILE_LIMIT, NULL))
		smb_debug_parse(&state->now, buffer_string(&state->debug));
	smb_servers_meet(&state->servers, &state->now);
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
		(void)text_format(name.name, sizeof name.name, "%s #%u",
			smb_servers_at(&state->servers, channel->server)->name,
			channel->number); /* at most 99 */
		(void)text_copy(name.id, sizeof name.id, name.name);
		(void)text_copy(name.detail, sizeof name.detail, "SMB");
		subject = sink_subject(sink, &name);
		put_figure(&link, SMB_CREDITS, sink, subject, RAW_CONNECTION_CREDITS);
		put_figure(&link, SMB_ON_WIRE, sink, subject, RAW_CONNECTION_INFLIGHT);
		put_figure(&link, SMB_INSTANCE, sink, subject, RAW_CONNECTION_CONNECTS);
	}
}

/* "connections shared by \\filer\a, \\filer\b": as many as there is room for. Where
 * each user has a session, each of those has all shares again. */
static void tell_shares(
	const struct smb_debug *debug, unsigned server, struct subject *subject)
{
	size_t size = sizeof subject->detail;
	const char *between = "";

	(void)text_copy(subject->detail, size, "connections shared by"); /* fits */
	for (size_t i = 0; i < debug->link_count; i++) {
		const struct smb_link *link = &debug->links[i];
		size_t used = strlen(subject->detail);

		if (link->server != server || smb_debug_is_repeated(debug, link))
			continue;
		(void)text_format(subject->detail + used, size - used, "%s %s", between,
			link->name);
		between = ",";
	}
}

/* The connections of a server with several shares. */
static void put_shared(const struct state *state, unsigned number, struct sink *sink)
{
	const struct smb_server *server = smb_servers_at(&state->servers, number);
	struct subject subject = {.kind = KIND_MOUNT};
	const struct smb_link *link = state->now.links;
	struct traffic traffic = {.answers = server->known};

	while (link->server != number)
		link++;
	traffic.channels = link->channels;
	traffic.answered = server->answers;
	traffic.have = link->have;
	memcpy(traffic.figures, link->figures, sizeof traffic.figures);
	(void)text_format(
		subject.name, sizeof subject.name, "%s SMB", server->name); /* fits */
	(void)text_copy(subject.id, sizeof subject.id, subject.name);
	(void)text_copy(subject.label, sizeof subject.label, subject.name);
	tell_shares(&state->now, number, &subject);
	put_traffic(&traffic, sink, sink_subject(sink, &subject));
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

static struct share *share_of(struct state *state, const char *name)
{
	struct subject subject;

	for (size_t i = 0; i < state->count; i++)
		if (!strcmp(state->list[i].subject.id, name))
			return &state->list[i];
	name_subject(state, &subject, name);
	xgrow(&state->list, &state->room, state->count + 1, sizeof *state->list);
	state->list[state->count] = (struct share){.subject = subject};
	return &state->list[state->count++];
}

static void add_block(struct state *state, const struct smb_stats *stats)
{
	struct share *share = share_of(state, stats->name);

	if (!share->seen) {
		share->sum = *stats;
		share->blocks = 1;
		share->seen = true;
		return;
	}
	share->blocks++;
	share->sum.disconnected |= stats->disconnected;
	share->sum.have &= stats->have;
	for (int i = 0; i < SMB_COUNTS; i++)
		share->sum.counts[i] += stats->counts[i];
}

static void tell(struct share *share, const char *detail, struct sink *sink)
{
	bool gone = share->sum.disconnected;
	const char *name =
		share->subject.label[0] ? share->subject.label : share->subject.name;

	if (share->disconnected != gone)
		sink_event(sink, "%s: %s", name,
			gone ? "disconnected" : "connected again");
	share->disconnected = gone;
	if (!detail[0] || !strcmp(share->subject.detail, detail))
		return;
	if (share->subject.detail[0])
		sink_event(sink, "%s: now %s", name, detail);
	(void)text_copy(share->subject.detail, sizeof share->subject.detail, detail);
}

static void put_share(const struct state *state, struct share *share, struct sink *sink)
{
	const struct smb_link *link = smb_debug_link(&state->now, share->subject.id);
	char detail[sizeof share->subject.detail] = "";
	unsigned subject;

	if (link)
		smb_link_text(link, detail, sizeof detail);
	tell(share, detail, sink);
	subject = sink_subject(sink, &share->subject);
	put_counts(share, sink, subject);
	share->before = share->blocks;
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
		if (missing.code == ENOENT) { /* which is no trouble */
			sink_nothing(sink, WHY_ABSENT,
				"no SMB mount is there: the client (module cifs) is "
				"not loaded");
			return true;
		}
		*fault = missing;
		return false;
	}
	read_debug(state);
	put_channels(state, sink);
	at = buffer_string(&state->stats);
	smb_servers_commands(&state->servers, &state->now, at, sink);
	while (smb_stats_next(&at, &stats))
		add_block(state, &stats);
	forget(state);
	for (size_t i = 0; i < state->count; i++)
		put_share(state, &state->list[i], sink);
	for (unsigned i = 1; i <= state->now.servers; i++)
		if (smb_debug_is_shared(&state->now, i))
			put_shared(state, i, sink);
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
	smb_servers_fini(&state->servers);
	smb_debug_fini(&state->now);
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
	.none = "the SMB client (module cifs) is loaded and has no mount",
	.may_block = true,
	.open = shares_open,
	.read = shares_read,
	.close = shares_close,
};
