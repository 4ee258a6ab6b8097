/*
 * Windows are labels on session time: set live or afterwards, moved, renamed,
 * undone. Pure; the recorder owns the list, the store keeps it, viewers mirror it.
 */
#ifndef WEIR_CORE_WINDOW_H
#define WEIR_CORE_WINDOW_H

#include "base/fault.h"
#include "base/nsec.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	WINDOW_NAME = 65,
	AUTHOR_NAME = 64,
	WINDOW_MAX = 1000
};

enum role {
	ROLE_BEFORE,
	ROLE_CHANGE,
	ROLE_AFTER,
	ROLE_OTHER,
	ROLE_RUN
};

#define WINDOW_OPEN INT64_MAX

struct window {
	uint32_t id; /* 1, 2, ...: in the order in which they were set */
	enum role role;
	char name[WINDOW_NAME]; /* "BEFORE", "AFTER 2", or the person's own */
	nsec from, to;          /* session time; to is WINDOW_OPEN while it is open */
	char author[AUTHOR_NAME];
	bool backwards; /* set after the fact: loses no settling time */
	bool planned;   /* its end was set when it began, and not moved since */
	bool unseen;    /* nobody compared it while it ran; nor was it moved since */
	/* ROLE_RUN only */
	int exit_status;   /* of the command; -1 while it runs, 128+N by signal N */
	char command[128]; /* its words, cleaned, cut */
};

/* What one request did, so that it can be undone and told to others. */
struct window_change {
	uint32_t id;
	bool existed; /* BEFORE is what it was; otherwise it was added */
	struct window before;
};

struct windows {
	struct window *list; /* by id */
	size_t count, room;
	uint32_t last_id;
};

/* A request to set a mark. NAME "before", "change", "after" or a name; times are
 * session time. */
struct mark {
	const char *name;
	const char *author;
	nsec from; /* where the window begins: now, or earlier for --last and --at */
	nsec to;   /* WINDOW_OPEN, or where it ends */
	nsec now;
	bool close; /* close the open window of that name instead of opening one */
	bool run;
	const char *command;
};

enum {
	WINDOW_CHANGES = 8
};

void windows_fini(struct windows *windows);

/* Applies MARK. The rules: `before` while BEFORE is open is a
 * fault "BEFORE is open since ..."; `change` closes whatever is open and opens CHANGE;
 * `after` closes what is open and opens AFTER, then AFTER 2, ...; a named one stands
 * beside the others and a second one of the same name is the same name again (pooled
 * only on request); a backwards one (to given) closes nothing. Fills CHANGES (at
 * most WINDOW_CHANGES) and *COUNT. On a fault nothing has changed. */
bool windows_mark(struct windows *windows, const struct mark *mark,
	struct window_change *changes, size_t *count, struct fault *fault);

/* Ends the run window ID at NOW with EXIT_STATUS. */
bool windows_end_run(struct windows *windows, uint32_t id, nsec now, int exit_status,
	struct window_change *changes, size_t *count, struct fault *fault);

/* Moves, renames: sets window ID to WANTED's name, from and to. */
bool windows_edit(struct windows *windows, const struct window *wanted,
	struct window_change *changes, size_t *count, struct fault *fault);
bool windows_delete(struct windows *windows, uint32_t id, struct window_change *changes,
	size_t *count, struct fault *fault);

/* Somebody looks: what runs at NOW is not unseen any more. Fills IDS, room for COUNT of
 * WINDOWS, with those of which that is new, and returns how many. */
size_t windows_seen(struct windows *windows, nsec now, uint32_t *ids);

/* Takes CHANGES back, last first; what was seen stays seen. */
void windows_revert(
	struct windows *windows, const struct window_change *changes, size_t count);

/* Mirrors: puts WINDOW in place (by id), or takes it out. */
void windows_put(struct windows *windows, const struct window *window);
void windows_remove(struct windows *windows, uint32_t id);

const struct window *windows_by_id(const struct windows *windows, uint32_t id);
/* The newest of that name (case does not matter), or null. */
const struct window *windows_by_name(const struct windows *windows, const char *name);
/* The one that begins last; of two, the one that was set last. */
const struct window *windows_newest(const struct windows *windows, enum role role);
/* The newest that runs at LAST, or null. */
const struct window *windows_open(const struct windows *windows, nsec last);

/* Whether its end lies ahead of the last tick: it is open, or was set for a time that
 * is not over. */
bool window_runs(const struct window *window, nsec last);
/* Where it ends as far as anything was read: never behind the last tick. */
nsec window_until(const struct window *window, nsec last);

const char *role_word(enum role role);
bool role_find(const char *word, enum role *role);

/* [A-Za-z0-9][A-Za-z0-9._-]{0,63}, and one blank before a number ("AFTER 2"). */
bool window_name_valid(const char *name);

#endif
