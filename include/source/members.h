/*
 * What all disks below one device did together: those of an iSCSI session or of a
 * remote port. A sum over a changing set is no counter of the kernel, so that what each
 * disk did since the last reading is added up here; that of a disk between its last
 * reading and its end is in no sum.
 */
#ifndef WEIR_SOURCE_MEMBERS_H
#define WEIR_SOURCE_MEMBERS_H

#include "source/attr.h"
#include "source/diskstats.h"

struct member {
	char name[SUBJECT_NAME]; /* folder in /sys/block */
	struct attr stat;
	uint64_t last[DISKSTATS_COLUMNS];
	bool read, seen;
	bool off; /* its queue/iostats is 0: it stands at its counters for ever */
};

struct members {
	struct member *list;
	size_t count, room;
	uint64_t sums[DISKSTATS_COLUMNS];
	uint64_t pending; /* of all, at the last reading */
	enum why why;     /* one of them is not counted, or may not be read: no sum */
	size_t check_next;
};

void members_fini(struct members *members);

/* Looks which disks there are below the SCSI device FOLDER (a full path). */
void members_look(struct members *members, const char *sys, const char *folder);

/* Whether they are counted: of some in turn, by a file that a driver may hold. */
void members_check(struct members *members, const char *sys);
/* False: one of them is gone, it is time to look. */
bool members_read(struct members *members);

void members_put(const struct members *members, struct sink *sink, unsigned subject);

#endif
