/*
 * Where sessions of this person, of the system, and for root of everybody can be: one
 * folder of files with the folders of the sockets that belong to it.
 */
#ifndef WEIR_APP_HOMES_H
#define WEIR_APP_HOMES_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

enum {
	HOME_SOCKETS = 2
};

struct home {
	char folder[PATH_MAX];
	/* A login has a folder for sockets, cron and `su` have another: a recorder of
	 * the same person may be in either. Empty: there is none. */
	char sockets[HOME_SOCKETS][PATH_MAX];
	uid_t owner;
	/* It shares its sockets with the one before it: a recorder that answers is of
	 * this folder only if the file is. */
	bool second;
};

/* The caller's own first, then the system's, then, for root, other people's. None is on
 * a network file system. Somebody who chose a folder (XDG_STATE_HOME) has that one
 * only. *LIST is owned by the caller. */
size_t homes_list(struct home **list);

#endif
