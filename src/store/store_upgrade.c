/* Older session files: brought up to date on a copy, so that whatever goes wrong on the
 * way, and whoever still has the older weir, the file as it was is there. */
#include "config.h"

#include "base/alloc.h"
#include "base/text.h"
#include "store/store_private.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

struct paths {
	char copy[PATH_MAX + 16];
	char kept[PATH_MAX + 24];
	char log[PATH_MAX + 8];
};

static bool name_paths(
	const struct store *store, int format, struct paths *paths, struct fault *fault)
{
	struct stat st, own;

	/* they are long enough for any path */
	(void)text_format(paths->copy, sizeof paths->copy, "%s.new", store->path);
	(void)text_format(paths->log, sizeof paths->log, "%s-wal", store->path);
	(void)text_format(
		paths->kept, sizeof paths->kept, "%s.v%d", store->path, format);
	if (lstat(paths->kept, &st) == 0) {
		/* one file under both names: an exchange that was cut short */
		if (lstat(store->path, &own) < 0 || st.st_dev != own.st_dev ||
			st.st_ino != own.st_ino)
			return fault_set(fault,
				"%s has to be brought to a newer format, and %s is in "
				"the way",
				store->path, paths->kept);
		if (unlink(paths->kept) < 0)
			return fault_errno(
				fault, errno, "cannot remove %s", paths->kept);
	}
	if (unlink(paths->copy) < 0 && errno != ENOENT) /* of an attempt cut short */
		return fault_errno(fault, errno, "cannot remove %s", paths->copy);
	return true;
}

static bool upgrade_copy(const char *path, struct fault *fault)
{
	struct store copy = {.mode = STORE_WRITE};
	bool done = text_copy(copy.path, sizeof copy.path, path) ||
		    fault_errno(fault, ENAMETOOLONG, "cannot open %s", path);

	done = done && store_open_writer(&copy, fault) && schema_upgrade(&copy, fault);
	store_disconnect(&copy);
	return done;
}

/* Root that upgrades the file of a service does not take it away from it. */
static bool keep_owner(const char *path, const char *copy, struct fault *fault)
{
	struct stat st;

	if (stat(path, &st) < 0 || chown(copy, st.st_uid, st.st_gid) < 0 ||
		chmod(copy, st.st_mode & 07777) < 0)
		return fault_errno(
			fault, errno, "cannot give %s the owner of %s", copy, path);
	return true;
}

/* Both names are on disk before anything is written under the old one. */
static bool exchange(
	const struct store *store, const struct paths *paths, struct fault *fault)
{
	struct stat st;

	if (lstat(paths->log, &st) == 0)
		return fault_set(fault,
			"%s has to be brought to a newer format, and somebody is "
			"reading it: try again",
			store->path);
	if (!keep_owner(store->path, paths->copy, fault))
		return false;
	if (link(store->path, paths->kept) < 0)
		return fault_errno(fault, errno, "cannot keep %s", paths->kept);
	if (rename(paths->copy, store->path) < 0) {
		(void)fault_errno(fault, errno, "cannot rename %s", paths->copy);
		(void)unlink(paths->kept); /* the file still has its own name */
		return false;
	}
	return store_sync_folder(store->path, fault);
}

static bool upgrade(
	struct store *store, int format, struct paths *paths, struct fault *fault)
{
	bool done;

	/* what is in the log belongs into the one file that is kept */
	if (!name_paths(store, format, paths, fault) || !store_sync(store, fault))
		return false;
	done = store_copy(store, paths->copy, fault);
	(void)sqlite3_wal_checkpoint_v2(
		store->db, NULL, SQLITE_CHECKPOINT_TRUNCATE, NULL, NULL);
	store_disconnect(store);
	done = done && upgrade_copy(paths->copy, fault) &&
	       exchange(store, paths, fault);
	if (!done)
		(void)unlink(paths->copy); /* FAULT says it all */
	return done && store_open_writer(store, fault);
}

bool store_upgrade(struct store *store, struct fault *fault)
{
	struct paths *paths;
	int format;
	bool done;

	if (!schema_is_old(store, &format, fault))
		return false;
	if (!format)
		return true;
	paths = xalloc(sizeof *paths);
	done = upgrade(store, format, paths, fault);
	free(paths);
	store->upgraded = format;
	return done;
}

int store_upgraded(const struct store *store)
{
	return store->upgraded;
}
