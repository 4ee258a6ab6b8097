/*
 * The rows of one mount's operation kinds: those that do something first get a row of
 * their own, READ and WRITE always; the others are one row together, which never goes
 * back. For the source of mounts and its tests.
 */
#ifndef WEIR_SOURCE_MOUNT_CALLS_H
#define WEIR_SOURCE_MOUNT_CALLS_H

#include "source/mountstats.h"
#include "source/source.h"

enum {
	CALL_ROWS = 8,
	CALL_RAWS = 9
};

/* Zeroed before the first reading. */
struct mount_calls {
	uint64_t *first; /* by place in the file: what had been counted at first */
	bool *shown;
	size_t count;
	size_t places[CALL_ROWS]; /* rows: places in the file */
	unsigned handles[CALL_ROWS + 1];
	size_t rows;
	bool active;               /* has done anything since the first reading */
	uint64_t moved[CALL_RAWS]; /* what kinds with a row had counted before */
};

void mount_calls_put(
	struct mount_calls *calls, const struct nfs_mount *mount, struct sink *sink);
void mount_calls_fini(struct mount_calls *calls);

#endif
