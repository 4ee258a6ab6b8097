/*
 * /proc/fs/cifs/Stats and DebugData: what the SMB client counts per share, and what
 * is in effect on the connection to its server. The parsers, for their source, tests
 * and the fuzzer.
 */
#ifndef WEIR_SOURCE_SMB_H
#define WEIR_SOURCE_SMB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	SMB_NAME = 128
};

enum smb_count {
	SMB_ALL,
	SMB_READS,
	SMB_WRITES,
	SMB_READ_BYTES,
	SMB_WRITE_BYTES,
	SMB_FAILED,
	SMB_COUNTS,
};

struct smb_stats {
	char name[SMB_NAME]; /* "\\server\share", cleaned */
	bool disconnected;
	uint32_t have; /* bit of each enum smb_count that this kernel tells */
	uint64_t counts[SMB_COUNTS];
};

/* The next share in the text of Stats, which it changes; false at the end. */
bool smb_stats_next(char **at, struct smb_stats *stats);

/* What holds for a share. */
struct smb_link {
	char name[SMB_NAME];
	unsigned dialect; /* 0x311; 0: not told */
	bool is_signed, encrypted;
	bool have_on_wire;
	uint64_t on_wire; /* requests without an answer, of the server */
};

/* As above for DebugData. WALK is zero before the first: what stands above shares. */
struct smb_walk {
	struct smb_link server, session;
};
bool smb_link_next(char **at, struct smb_walk *walk, struct smb_link *link);

/* "3.1.1, signed, not encrypted". */
void smb_link_text(const struct smb_link *link, char *text, size_t size);

/* Where NAME is mounted, out of the text of mountinfo, which it changes. False: it
 * is not in this namespace. */
bool smb_mount_point(char *mountinfo, const char *name, char *point, size_t size);

#endif
