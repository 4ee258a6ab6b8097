/*
 * The servers of the SMB client, from one reading to the next: each is one connection
 * and its channels, with the commands it answered as rows. They are told apart by the
 * id of their connection, where the kernel has one, else by host and place; never by
 * their place alone, since a new one comes first in the list. For the source of shares.
 */
#ifndef WEIR_SOURCE_SMB_SERVERS_H
#define WEIR_SOURCE_SMB_SERVERS_H

#include "source/mount_calls.h"
#include "source/smb.h"

enum {
	SMB_SERVER_NAME = 56
};

struct smb_server {
	char name[SMB_SERVER_NAME]; /* the host; "host/2" for the next one of it */
	char host[64];
	uint64_t id;    /* 0: not told, and then */
	unsigned place; /* among those of its host, from the end of the list */
	unsigned ordinal;
	bool seen;
	struct mount_calls calls;
	uint64_t answers;
	bool known; /* ANSWERS are, in this reading */
};

/* Zeroed before the first reading. */
struct smb_servers {
	struct smb_server *list;
	size_t count, room;
	size_t *places; /* by number in DebugData, from 1: the place in the list */
	size_t place_room;
	struct nfs_mount work; /* a server's commands in the form of calls */
};

void smb_servers_fini(struct smb_servers *servers);

/* Those of DEBUG, each reading first; others are forgotten. */
void smb_servers_meet(struct smb_servers *servers, const struct smb_debug *debug);

/* The one of that number in DEBUG. */
struct smb_server *smb_servers_at(const struct smb_servers *servers, unsigned number);

/* What STATS, the text of that file, says of their commands. */
void smb_servers_commands(struct smb_servers *servers, const struct smb_debug *debug,
	const char *stats, struct sink *sink);

#endif
