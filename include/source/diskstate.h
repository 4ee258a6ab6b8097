/*
 * Whether a disk serves, and who holds it back if not: its own state in the words of
 * the SCSI and NVMe layers, the session or port behind it, and for a multipath device
 * the states of its paths. All of it without a privilege.
 */
#ifndef WEIR_SOURCE_DISKSTATE_H
#define WEIR_SOURCE_DISKSTATE_H

#include "source/guard.h"
#include "source/remote.h"
#include "source/watch.h"

/* One disk that others are paths of, or that is shown. */
struct diskstate_leg {
	char name[SUBJECT_NAME]; /* of its folder */
	struct attr state;
	int remote;      /* among the remotes, or -1 */
	unsigned number; /* whose turn it is, where there are too many */
	/* what was last read */
	bool read;
	enum why why;
	enum backlog_state is;
	enum backlog_hold hold;
};

struct diskstate {
	struct diskstates *all;
	struct diskstate_leg own;
	struct attr suspended; /* device mapper only */
	bool multipath, nvme_head, is_suspended;
	struct diskstate_leg *paths;
	size_t path_count, path_room;
	size_t usable; /* when it was last put */
	bool counted;
};

/* One file that is read for this tick: the state of LEG, or without one whether the map
 * of STATE is suspended. */
struct diskstate_due {
	struct diskstate *state;
	struct diskstate_leg *leg;
};

/* What a source shares between its disks. Zeroed, with SYS set, before the first. */
struct diskstates {
	const char *sys; /* root of sysfs */
	struct remotes remotes;
	unsigned legs;        /* met in this tick so far */
	unsigned numbers;     /* given to legs so far */
	unsigned tick, every; /* each leg is read in one of EVERY ticks */
	struct diskstate_due *due;
	struct guard_read *reads; /* of each */
	size_t due_count, due_room, read_room;
};

void diskstates_fini(struct diskstates *all);
void diskstates_begin(struct diskstates *all); /* at the start of each tick */
/* DEVICE is put in this tick; then all of them are read at once, so that one that does
 * not answer is late alone (guard.h). */
void diskstate_ask(struct diskstate *state, const struct device *device);
void diskstates_read(struct diskstates *all);

/* Takes up DEVICE, whose folder in sysfs is FOLDER, or "" for one without. */
void diskstate_take(struct diskstates *all, struct diskstate *state,
	const struct device *device, const char *folder);
void diskstate_drop(struct diskstate *state);

/* Paths may have come or gone. */
void diskstate_look(
	struct diskstates *all, struct diskstate *state, const char *folder);

/* Readings and events of the disk of ROW. */
void diskstate_put(struct diskstates *all, struct diskstate *state,
	const struct watch *row, struct sink *sink);

#endif
