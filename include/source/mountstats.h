/*
 * /proc/self/mountstats: what the NFS client counts per mount. The parser, for its
 * source, tests and the fuzzer.
 */
#ifndef WEIR_SOURCE_MOUNTSTATS_H
#define WEIR_SOURCE_MOUNTSTATS_H

#include "core/tick.h"

#include <stdbool.h>
#include <stdint.h>

/* Procedures by what a person asks of them. */
enum nfs_group {
	NFS_READ,
	NFS_WRITE,
	NFS_OTHER,
	NFS_GROUPS,
};

struct nfs_ops {
	uint64_t count, rtt_ms, execute_ms;
};

struct nfs_mount {
	struct subject subject; /* name: the export; label and id: the mount point */
	bool have_bytes, have_ops, have_errors, have_traffic;
	uint64_t read_bytes, write_bytes; /* from and to the server */
	struct nfs_ops ops[NFS_GROUPS];
	uint64_t retransmissions, timeouts, errors;
	/* of all connections, one xprt: line each */
	unsigned connections;
	uint64_t sends, receives, connects;
};

/* The next NFS mount in *AT, which moves behind it; false at the end. Changes the
 * text. Lines of unknown form are left out, the figures they would have are not
 * there. */
bool mountstats_next(char **at, struct nfs_mount *mount);

/* The kernel writes blanks and backslashes of names as \ooo in such files. */
void mountstats_unescape(char *text);

#endif
