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

/* The columns of a procedure, as the kernel prints them. */
enum nfs_column {
	NFS_COUNT,
	NFS_TRANSMISSIONS,
	NFS_TIMEOUTS,
	NFS_SENT,
	NFS_RECEIVED,
	NFS_QUEUE_MS,
	NFS_RTT_MS,
	NFS_EXECUTE_MS,
	NFS_ERRORS, /* since Linux 5.3 */
	NFS_COLUMNS,
};

struct nfs_call {
	char name[24]; /* "READ" */
	unsigned columns;
	uint64_t values[NFS_COLUMNS];
};

/* What an xprt: line says, whatever the transport. */
enum nfs_link_value {
	LINK_CONNECTS,
	LINK_SENDS,
	LINK_RECEIVES,
	LINK_LATE,    /* answers that nobody waited for any more */
	LINK_DEPTH,   /* sum over the sends: how many had no answer then */
	LINK_BACKLOG, /* the same: how many waited for a slot */
	LINK_SLOTS,   /* most slots ever used */
	LINK_SENDING, /* sum over the sends: how many waited to be sent */
	LINK_VALUES,
};

struct nfs_link {
	char transport[8]; /* "tcp" */
	uint64_t port;     /* of this host; 0: any */
	uint32_t have;     /* bit of each value */
	uint64_t values[LINK_VALUES];
};

enum {
	NFS_ADDRESS = 64
};

struct nfs_mount {
	struct subject subject;    /* name: the export; label and id: the mount point */
	char address[NFS_ADDRESS]; /* of the server; not in this file: "" until set */
	char version[24];          /* "100003/4", program and version */
	bool have_bytes, have_ops, have_errors, have_traffic;
	uint64_t read_bytes, write_bytes; /* from and to the server */
	struct nfs_ops ops[NFS_GROUPS];
	uint64_t retransmissions, timeouts, errors;
	/* of all connections, one xprt: line each */
	uint64_t sends, receives, late, connects;
	bool datagrams;
	uint32_t lacks; /* bit of each column of calls that nobody counts */
	/* owned; each procedure and each connection, in the order of the file */
	struct nfs_call *calls;
	size_t call_count, call_room;
	struct nfs_link *links;
	size_t link_count, link_room;
};

/* The next NFS mount in *AT, which moves behind it; false at the end. Changes the
 * text. Lines of unknown form are left out, the figures they would have are not
 * there. MOUNT is zeroed before the first and keeps its memory. */
bool mountstats_next(char **at, struct nfs_mount *mount);
/* The subject for a part of MOUNT: its mount point with MARK behind it. */
struct subject mountstats_part(
	const struct subject *mount, enum kind kind, const char *mark);
/* How often CALL was sent beyond the first time. */
uint64_t mountstats_again(const struct nfs_call *call);
void mountstats_fini(struct nfs_mount *mount);

#endif
