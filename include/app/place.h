/*
 * Where sessions live: names, folders, sockets, and who may use them.
 */
#ifndef WEIR_APP_PLACE_H
#define WEIR_APP_PLACE_H

#include "base/fault.h"
#include "core/window.h"

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

struct place {
	char name[WINDOW_NAME];
	char folder[PATH_MAX];
	char file[PATH_MAX]; /* FOLDER/NAME.weir */
	char socket[108];    /* of its recorder, running or not */
	bool running;        /* a recorder answers there */
	bool exists;         /* the file is there */
};

/* SESSION as the person gave it: a name, or a path (with '/' or ending in ".weir");
 * null: the only running one, else the newest. Fault if there is none. */
bool place_find(const char *session, struct place *place, struct fault *fault);

/* For a new session: creates the folder (0700), checks its owner, refuses links and
 * network file systems (or moves a default folder to /var/tmp/weir-UID, *MOVED). */
bool place_new(const char *name, struct place *place, bool *moved, struct fault *fault);

/* All readable sessions, newest first; owned by the caller. */
size_t place_list(struct place **places, struct fault *fault);

/* [A-Za-z0-9][A-Za-z0-9._-]{0,63}, not ending in ".weir". */
bool place_name_valid(const char *name);

/* A name for a session that nobody named: by date and time. */
void place_fresh_name(char *name, size_t size);

/* A recorder listens on that socket. */
bool place_answers(const char *socket);

/* "SUDO_USER or the login name", clean. */
void place_author(char *author, size_t size);

#endif
