/*
 * The address of the server behind an NFS mount, from the list of mounts (mountstats
 * has it not). The kernel shares connections by address: by it one server that was
 * mounted under two names is known to be one. For the source of mounts.
 */
#ifndef WEIR_SOURCE_MOUNT_ADDRESS_H
#define WEIR_SOURCE_MOUNT_ADDRESS_H

#include "base/buffer.h"
#include "source/mountstats.h"

/* What was found, so that the list is read for a new mount only. Zeroed at first. */
struct mount_addresses {
	struct mount_address *list;
	size_t count, room;
	struct buffer text;
};

/* Sets MOUNT's address, or "" where there is none. */
void mount_address_find(
	struct mount_addresses *addresses, const char *proc, struct nfs_mount *mount);
/* Those that were not asked for since the last call are forgotten. */
void mount_addresses_forget(struct mount_addresses *addresses);
void mount_addresses_fini(struct mount_addresses *addresses);

#endif
