/*
 * What stands between a disk and its storage: the iSCSI session or the remote port of
 * the fabric, whether it is up, and how long the kernel holds requests back when it is
 * not. Many disks share one, so that each is read once per tick.
 */
#ifndef WEIR_SOURCE_REMOTE_H
#define WEIR_SOURCE_REMOTE_H

#include "core/backlog.h"
#include "source/attr.h"

enum {
	REMOTE_NAME = 48
};

struct remote {
	char name[REMOTE_NAME]; /* "session4", "rport-3:0-1" */
	enum backlog_hold hold;
	struct attr state;
	enum backlog_state is;
	bool told;      /* its state could be read */
	unsigned users; /* 0: the place is free */
};

struct remotes {
	struct remote *list;
	size_t count, room;
};

void remotes_fini(struct remotes *remotes);

/* The one behind the disk whose folder in sysfs is FOLDER, or -1: it has none. SYS is
 * the root of sysfs. */
int remotes_meet(struct remotes *remotes, const char *sys, const char *folder);

/* One less looks at the one that was met as NUMBER; -1: nobody did. */
void remotes_leave(struct remotes *remotes, int number);

/* Reads the state of each. */
void remotes_read(struct remotes *remotes);

/* So many seconds the kernel holds on before requests fail; OFF: for ever; or why
 * that is not known. */
enum why remote_gives_up(
	const struct remote *remote, const char *sys, uint64_t *seconds);

/* The same from the timeouts NAMES of FOLDER, null-ended: the first that is set. */
enum why remote_timeout(
	const char *folder, const char *const *names, uint64_t *seconds);

/* The state that WORD stands for, in the words of iSCSI and FC. */
enum backlog_state remote_state(enum backlog_hold hold, const char *word);

#endif
