/*
 * Folders that can be trusted: the ones that weir chooses, made if they are not
 * there, and looked at before anything is written into them.
 */
#ifndef WEIR_APP_FOLDER_H
#define WEIR_APP_FOLDER_H

#include "base/fault.h"

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* Makes PATH (absolute) and what is missing above it, 0700. A fault if PATH is a link
 * or not the caller's own, or if somebody else could exchange a part of the way. */
bool folder_make(const char *path, struct fault *fault);

/* The same checks on what is there already. */
bool folder_check(const char *path, struct fault *fault);

/* The same for a folder that has to belong to OWNER, for whom the caller looks. */
bool folder_check_of(const char *path, uid_t owner, struct fault *fault);

/* Type of the file system that PATH (absolute, without "..") lies on by MOUNTINFO, the
 * text of /proc/self/mountinfo; false if that does not say. Touches no file, so a
 * dead server cannot hold it. */
bool folder_type(const char *mountinfo, const char *path, char *type, size_t size);
bool folder_type_is_network(const char *type);

/* PATH lies on a network file system, of TYPE. */
bool folder_on_network(const char *path, char *type, size_t size);

/* Where sessions go: $XDG_STATE_HOME/weir, /var/lib/weir for root, else
 * ~/.local/state/weir. *CHOSEN: the person chose it, by XDG_STATE_HOME. */
bool folder_state(char *path, size_t size, bool *chosen, struct fault *fault);
/* A fault if it is there and cannot be looked into. */
bool folder_readable(const char *path, struct fault *fault);
/* /var/tmp/weir-UID, where sessions go if the home folder is on a network. */
void folder_moved(char *path, size_t size);
/* Where sockets are: $XDG_RUNTIME_DIR/weir, /run/weir for root, else /tmp/weir-UID. */
bool folder_sockets(char *path, size_t size, struct fault *fault);

/* Takes the lock file at PATH for as long as the process lives. Returns a
 * descriptor, or -1: *BUSY if another process has it, else a fault. */
int folder_lock(const char *path, bool *busy, struct fault *fault);
/* Removes it, and lets it go. */
void folder_unlock(const char *path, int fd);

#endif
