/*
 * Who may come to a recorder's socket: the person whose recording it is and root do
 * everything; the members of group weir watch what root, or the service, records.
 */
#ifndef WEIR_APP_SHARE_H
#define WEIR_APP_SHARE_H

#include <stdbool.h>
#include <sys/types.h>

#define SHARE_GROUP "weir"

enum share_right {
	SHARE_NOTHING,
	SHARE_WATCH,
	SHARE_ALL,
};

struct share {
	bool with_group;
	gid_t group;
};

/* With a group only for root and for a process that runs as that group. */
struct share share_find(void);

/* Lets the group through FOLDER and to SOCKET in it. Where that fails it stays out. */
void share_open(const struct share *share, const char *folder, const char *socket);

/* What the peer of the connected socket FD may do; the kernel says who that is. */
enum share_right share_right(const struct share *share, int fd);

#endif
