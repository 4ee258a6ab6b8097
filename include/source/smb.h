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

/* Times of one server's commands, in Stats where the kernel keeps them. */
enum {
	SMB_COMMANDS = 19
};
struct smb_commands {
	uint64_t hertz; /* ticks per second; 0: not told */
	uint64_t counts[SMB_COMMANDS], ticks[SMB_COMMANDS];
};

/* The next block of commands in Stats, in the order of the servers of DebugData, with
 * their channels among them. Does not change the text. */
bool smb_commands_next(const char **at, struct smb_commands *commands);
const char *smb_command(unsigned command); /* "READ" */

/* ---- DebugData ---- */

enum smb_figure {
	SMB_CREDITS,
	SMB_INSTANCE, /* grows with each connect */
	SMB_ON_WIRE,  /* requests without an answer */
	SMB_WAITING,  /* requests that wait for a credit */
	SMB_FIGURES,
};

/* A connection to a server; number 1 is the first, others are channels. */
struct smb_channel {
	char host[64];
	uint64_t id;             /* of the connection; 0: not told */
	unsigned server, number; /* of servers: from 1, in the order of the file */
	unsigned dialect;        /* 0x311; 0: not told */
	bool is_signed;
	bool told; /* the kernel says whether it is */
	uint32_t have;
	uint64_t figures[SMB_FIGURES];
};

/* What holds for a share in one session: where each user has a session of its own, a
 * share has several, one behind the other. */
struct smb_link {
	char name[SMB_NAME];
	unsigned server, channels, dialect;
	bool is_signed, encrypted;
	bool told; /* whether it is; kernels before 4.18 do not say */
	bool signed_differs, encrypted_differs; /* between its sessions; of the first */
	uint32_t have;
	uint64_t figures[SMB_FIGURES]; /* sums over the channels of its server */
};

/* Zeroed before the first; keeps its memory. */
struct smb_debug {
	unsigned servers;
	struct smb_channel *channels;
	size_t channel_count, channel_room;
	struct smb_link *links;
	size_t link_count, link_room;
	bool open; /* lines still belong to the last share */
};

/* All of the text, which it changes. */
void smb_debug_parse(struct smb_debug *debug, char *text);
void smb_debug_fini(struct smb_debug *debug);
const struct smb_link *smb_debug_link(const struct smb_debug *debug, const char *name);
/* Whether a link before this one is of the same share and server. */
bool smb_debug_is_repeated(const struct smb_debug *debug, const struct smb_link *link);
/* The next one of the same share on another server; null behind the last. */
const struct smb_link *smb_debug_more(
	const struct smb_debug *debug, const struct smb_link *link);
/* Whether other shares are on the same server, with the same connections. */
bool smb_debug_is_shared(const struct smb_debug *debug, unsigned server);

void smb_dialect_text(unsigned dialect, char *text, size_t size); /* "3.1.1" */
/* "SMB 3.1.1, signed, not encrypted". */
void smb_link_text(const struct smb_link *link, char *text, size_t size);

/* ---- for both files ---- */

/* The number behind KEY. */
bool smb_number(const char *line, const char *key, uint64_t *value);
/* "12) REST": REST, or null. */
const char *smb_numbered(const char *line);
/* A share's name, from AT up to END, cleaned; false for anything else and for the
 * server's own IPC$. */
bool smb_name(const char *at, const char *end, char *name, size_t size);

/* Where NAME is mounted, out of the text of mountinfo, which it changes. False: it
 * is not in this namespace. */
bool smb_mount_point(char *mountinfo, const char *name, char *point, size_t size);

#endif
