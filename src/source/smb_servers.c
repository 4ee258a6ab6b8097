/* Servers of the SMB client; see the header. */
#include "config.h"

#include "source/smb_servers.h"

#include "base/alloc.h"
#include "base/text.h"

#include <stdlib.h>
#include <string.h>

void smb_servers_fini(struct smb_servers *servers)
{
	for (size_t i = 0; i < servers->count; i++)
		mount_calls_fini(&servers->list[i].calls);
	free(servers->list);
	free(servers->places);
	mountstats_fini(&servers->work);
	*servers = (struct smb_servers){.count = 0};
}

/* ---- which ---- */

static const struct smb_channel *first_channel(
	const struct smb_debug *debug, unsigned number)
{
	for (size_t i = 0; i < debug->channel_count; i++)
		if (debug->channels[i].server == number)
			return &debug->channels[i];
	return NULL;
}

/* New ones come first in the list, so that places count from its end. */
static unsigned place_of(const struct smb_debug *debug, unsigned number)
{
	const struct smb_channel *own = first_channel(debug, number);
	unsigned place = 0;

	for (unsigned i = number + 1; i <= debug->servers; i++) {
		const struct smb_channel *other = first_channel(debug, i);

		place += !strcmp(own->host, other->host);
	}
	return place;
}

static bool is_same(const struct smb_server *server, const struct smb_channel *channel,
	unsigned place)
{
	return !server->seen && !strcmp(server->host, channel->host) &&
	       server->id == channel->id && (server->id || server->place == place);
}

static bool is_taken(
	const struct smb_servers *servers, const char *host, unsigned ordinal)
{
	for (size_t i = 0; i < servers->count; i++)
		if (servers->list[i].ordinal == ordinal &&
			!strcmp(servers->list[i].host, host))
			return true;
	return false;
}

static void name_server(const struct smb_servers *servers, struct smb_server *server)
{
	unsigned ordinal = 1;

	while (is_taken(servers, server->host, ordinal))
		ordinal++;
	server->ordinal = ordinal;
	/* cut, a host is still its beginning */
	if (ordinal == 1)
		(void)text_copy(server->name, sizeof server->name, server->host);
	else
		(void)text_format(server->name, sizeof server->name, "%.*s/%u",
			(int)sizeof server->name - 12, server->host, ordinal);
}

static size_t meet(
	struct smb_servers *servers, const struct smb_channel *channel, unsigned place)
{
	struct smb_server new = {.id = channel->id, .place = place};

	for (size_t i = 0; i < servers->count; i++)
		if (is_same(&servers->list[i], channel, place)) {
			servers->list[i].seen = true;
			return i;
		}
	memcpy(new.host, channel->host, sizeof new.host);
	name_server(servers, &new);
	new.seen = true;
	xgrow(&servers->list, &servers->room, servers->count + 1,
		sizeof *servers->list);
	servers->list[servers->count] = new;
	return servers->count++;
}

/* Those that went, before new ones are given names. */
static void forget(struct smb_servers *servers, const struct smb_debug *debug)
{
	size_t kept = 0;

	for (unsigned number = debug->servers; number; number--)
		for (size_t i = 0; i < servers->count; i++)
			if (is_same(&servers->list[i], first_channel(debug, number),
				    place_of(debug, number))) {
				servers->list[i].seen = true;
				break;
			}
	for (size_t i = 0; i < servers->count; i++)
		if (servers->list[i].seen)
			servers->list[kept++] = servers->list[i];
		else
			mount_calls_fini(&servers->list[i].calls);
	servers->count = kept;
}

void smb_servers_meet(struct smb_servers *servers, const struct smb_debug *debug)
{
	for (size_t i = 0; i < servers->count; i++)
		servers->list[i].seen = false;
	forget(servers, debug);
	xgrow(&servers->places, &servers->place_room, debug->servers + 1,
		sizeof *servers->places);
	for (size_t i = 0; i < servers->count; i++) {
		servers->list[i].seen = servers->list[i].known = false;
		servers->list[i].answers = 0;
	}
	for (unsigned number = debug->servers; number; number--)
		servers->places[number] = meet(
			servers, first_channel(debug, number), place_of(debug, number));
}

struct smb_server *smb_servers_at(const struct smb_servers *servers, unsigned number)
{
	return &servers->list[servers->places[number]];
}

/* ---- what they did ---- */

static void add(struct nfs_mount *work, const struct smb_commands *commands)
{
	for (unsigned i = 0; i < SMB_COMMANDS; i++) {
		struct nfs_call *call = &work->calls[i];

		call->values[NFS_COUNT] += commands->counts[i];
		call->values[NFS_RTT_MS] += commands->ticks[i] * 1000 / commands->hertz;
	}
}

static void begin(struct nfs_mount *work)
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

static void end(struct smb_servers *servers, unsigned number, struct sink *sink)
{
	struct smb_server *server = smb_servers_at(servers, number);
	struct nfs_mount *work = &servers->work;

	(void)text_copy(work->subject.label, sizeof work->subject.label,
		server->name); /* it is shorter */
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
void smb_servers_commands(struct smb_servers *servers, const struct smb_debug *debug,
	const char *stats, struct sink *sink)
{
	size_t blocks = count_blocks(stats);
	bool each = debug->channel_count == debug->servers && blocks == debug->servers;
	struct smb_commands commands;
	unsigned number = 0;

	if (!blocks || !debug->servers || (debug->servers > 1 && !each))
		return;
	begin(&servers->work);
	while (smb_commands_next(&stats, &commands)) {
		if (!commands.hertz)
			continue;
		add(&servers->work, &commands);
		if (!each)
			continue;
		end(servers, ++number, sink);
		begin(&servers->work);
	}
	if (!each)
		end(servers, 1, sink);
}
