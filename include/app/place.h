/*
 * Where sessions live: names, folders, sockets, and who may use them.
 */
#ifndef WEIR_APP_PLACE_H
#define WEIR_APP_PLACE_H

#include "app/homes.h"
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
	uid_t owner;         /* whose folders these are */
};

/* SESSION as the person gave it: a name, or a path (with '/' or ending in ".weir");
 * null: the only running one, else the newest; own ones before those of others. Fault
 * if there is none, or if what belongs to somebody else is not safe to open. */
bool place_find(const char *session, struct place *place, struct fault *fault);

/* Where the caller records session NAME: creates the folder (0700), checks its owner,
 * refuses links, other people's files and network file systems (or moves a default
 * folder to /var/tmp/weir-UID, *MOVED). */
bool place_new(const char *name, struct place *place, bool *moved, struct fault *fault);

/* All sessions that can be read or are being recorded, newest first; owned by the
 * caller. Without FILES only those that are being recorded, and nothing is touched but
 * sockets. */
size_t place_list(struct place **places, bool files);

/* Session NAME of HOME, whether it is there or not. */
bool place_fill(struct place *place, const struct home *home, const char *name,
	struct fault *fault);
/* The same without a look at its file, which may be on a disk that hangs; false unless
 * its recorder answers. */
bool place_fill_running(struct place *place, const struct home *home, const char *name);

bool place_is_own(const struct place *place);
/* Clean, cut to fit. */
void place_owner_name(const struct place *place, char *name, size_t size);

/* [A-Za-z0-9][A-Za-z0-9._-]{0,63}, not ending in ".weir". */
bool place_name_valid(const char *name);

/* A name for a session that nobody named: by date and time. */
void place_fresh_name(char *name, size_t size);

/* A recorder listens on that socket. */
bool place_answers(const char *socket);

/* "SUDO_USER or the login name", clean. */
void place_author(char *author, size_t size);

#endif
