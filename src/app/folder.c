/* Which folders weir uses, and whether they can be trusted; see the header. */
#include "config.h"

#include "app/folder.h"

#include "base/alloc.h"
#include "base/text.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

static const char system_folder[] = "/var/lib/weir";

/* In a user namespace the host's root has no number of its own: it is whoever the root
 * of the tree belongs to. Elsewhere that is 0. */
static bool is_root(uid_t owner)
{
	struct stat top;

	return owner == 0 || (stat("/", &top) == 0 && owner == top.st_uid);
}

/* A folder above: nobody but its owner may exchange what is in it, unless the sticky
 * bit keeps them from it, as in /tmp. */
static bool check_above(
	const char *path, uid_t owner, const struct stat *status, struct fault *fault)
{
	if (status->st_uid != owner && !is_root(status->st_uid))
		return fault_set(fault, "%s belongs to somebody else (uid %u)", path,
			(unsigned)status->st_uid);
	if (S_ISDIR(status->st_mode) && (status->st_mode & (S_IWGRP | S_IWOTH)) &&
		!(status->st_mode & S_ISVTX))
		return fault_set(fault, "%s can be changed by others (chmod go-w %s)",
			path, path);
	return true;
}

static bool check_last(
	const char *path, uid_t owner, const struct stat *status, struct fault *fault)
{
	if (S_ISLNK(status->st_mode))
		return fault_set(
			fault, "%s is a link; weir wants a folder there", path);
	if (!S_ISDIR(status->st_mode))
		return fault_set(fault, "%s is not a folder", path);
	if (status->st_uid != owner)
		return fault_set(fault, "%s belongs to somebody else (uid %u)", path,
			(unsigned)status->st_uid);
	if (status->st_mode & (S_IWGRP | S_IWOTH))
		return fault_set(fault, "%s can be changed by others (chmod go-w %s)",
			path, path);
	return true;
}

static bool check_step(const char *path, bool last, uid_t owner, struct fault *fault)
{
	struct stat status;

	if (lstat(path, &status) < 0)
		return fault_errno(fault, errno, "cannot look at %s", path);
	if (last)
		return check_last(path, owner, &status, fault);
	if (!check_above(path, owner, &status, fault))
		return false;
	/* a link of root or one's own leads on; what it leads to is checked too */
	if (S_ISLNK(status.st_mode) &&
		(stat(path, &status) < 0 || !check_above(path, owner, &status, fault)))
		return fault_set(fault, "the link %s leads nowhere safe", path);
	return true;
}

static bool make_step(const char *path, struct fault *fault)
{
	if (access(path, F_OK) == 0 || mkdir(path, 0700) == 0 || errno == EEXIST)
		return true;
	return fault_errno(fault, errno,
		"cannot make the folder %s (XDG_STATE_HOME and XDG_RUNTIME_DIR name "
		"other "
		"places)",
		path);
}

static bool walk(const char *path, bool make, uid_t owner, struct fault *fault)
{
	char part[PATH_MAX];
	size_t length = strlen(path);

	if (path[0] != '/' || length >= sizeof part)
		return fault_set(fault, "%s is no usable path of a folder", path);
	while (length > 1 && path[length - 1] == '/')
		length--;
	for (size_t i = 1; i <= length; i++) {
		if (i < length && (path[i] != '/' || path[i - 1] == '/'))
			continue;
		memcpy(part, path, i);
		part[i] = 0;
		if ((make && !make_step(part, fault)) ||
			!check_step(part, i == length, owner, fault))
			return false;
	}
	return true;
}

bool folder_make(const char *path, struct fault *fault)
{
	return walk(path, true, geteuid(), fault);
}

bool folder_check(const char *path, struct fault *fault)
{
	return walk(path, false, geteuid(), fault);
}

bool folder_check_of(const char *path, uid_t owner, struct fault *fault)
{
	return walk(path, false, owner, fault);
}

static bool from_home(char *path, size_t size, struct fault *fault)
{
	const char *home = getenv("HOME");
	const struct passwd *user;

	if (!home || home[0] != '/') {
		user = getpwuid(geteuid());
		home = user ? user->pw_dir : NULL;
	}
	if (!home || home[0] != '/')
		return fault_set(fault, "there is no home folder: set XDG_STATE_HOME");
	return text_format(path, size, "%s/.local/state/weir", home) ||
	       fault_set(fault, "the path of the home folder is too long");
}

bool folder_state(char *path, size_t size, bool *chosen, struct fault *fault)
{
	const char *set = getenv("XDG_STATE_HOME");

	*chosen = set && set[0] == '/';
	if (*chosen)
		return text_format(path, size, "%s/weir", set) ||
		       fault_set(fault, "XDG_STATE_HOME is too long");
	if (geteuid() == 0)
		return text_copy(path, size, system_folder);
	return from_home(path, size, fault);
}

bool folder_readable(const char *path, struct fault *fault)
{
	DIR *entries = opendir(path);

	if (entries)
		(void)closedir(entries); /* nothing was written */
	return entries || errno == ENOENT ||
	       fault_errno(fault, errno, "cannot look into %s", path);
}

void folder_moved(char *path, size_t size)
{
	(void)text_format(path, size, "/var/tmp/weir-%u", (unsigned)geteuid());
}

/* XDG_RUNTIME_DIR where it is usable. Root's own login folder is not: it goes with the
 * last login, and a recorder of the system has to be found without one. */
static const char *runtime_folder(void)
{
	const char *set = getenv("XDG_RUNTIME_DIR");
	struct stat status;

	if (!set || set[0] != '/' || (geteuid() == 0 && !strcmp(set, "/run/user/0")))
		return NULL;
	if (stat(set, &status) < 0)
		return errno == ENOENT ? set : NULL;
	return status.st_uid == geteuid() ? set : NULL;
}

bool folder_sockets(char *path, size_t size, struct fault *fault)
{
	const char *set = runtime_folder();
	bool fits;

	if (set)
		fits = text_format(path, size, "%s/weir", set);
	else if (geteuid() == 0)
		fits = text_copy(path, size, "/run/weir");
	else
		fits = text_format(path, size, "/tmp/weir-%u", (unsigned)geteuid());
	return fits || fault_set(fault, "XDG_RUNTIME_DIR is too long");
}

/* Whoever had it before may have removed it while we waited to open it. */
static bool is_still_there(const char *path, int fd)
{
	struct stat here;
	struct stat named;

	return fstat(fd, &here) == 0 && lstat(path, &named) == 0 &&
	       here.st_ino == named.st_ino && here.st_dev == named.st_dev;
}

int folder_lock(const char *path, bool *busy, struct fault *fault)
{
	*busy = false;
	for (;;) {
		int fd = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);

		if (fd < 0) {
			(void)fault_errno(
				fault, errno, "cannot open the lock %s", path);
			return -1;
		}
		if (flock(fd, LOCK_EX | LOCK_NB) < 0) {
			*busy = errno == EWOULDBLOCK;
			if (!*busy)
				(void)fault_errno(fault, errno, "cannot lock %s", path);
			(void)close(fd); /* nothing was written */
			return -1;
		}
		if (is_still_there(path, fd))
			return fd;
		(void)close(fd); /* a lock that nobody else can find */
	}
}

void folder_unlock(const char *path, int fd)
{
	if (fd < 0)
		return;
	(void)unlink(path); /* one that stays is taken the next time */
	(void)close(fd);    /* nothing was written */
}
