/*
 * A file system that fails when told to: `brittle MOUNTPOINT FOLDER MODE-FILE` shows
 * FOLDER at MOUNTPOINT through /dev/fuse (its protocol is in linux/fuse.h). The first
 * word in MODE-FILE says how it is just now: ok, direct (the same, and what is opened
 * now will be asked for at each read), hang (no request is answered), stuck FILE (those
 * to open or read what is called so never are), eio, full, or readonly. It ends when it
 * is unmounted, or with the process that started it.
 */
#include "config.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/fuse.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <time.h>
#include <unistd.h>

enum {
	NODES = 256,
	WRITE_MOST = 128 * 1024,
	ROOM = WRITE_MOST + 4096
};

static int fuse;
static const char *mode_file;
static char nodes[NODES][PATH_MAX]; /* by number, from FUSE_ROOT_ID on; "": free */
static char bytes[ROOM];            /* of the request, then of the answer */
static char answer[ROOM];
static size_t answered;

/* ---- how it is ---- */

static bool is_mode(const char *word)
{
	char text[16] = "";
	FILE *file = fopen(mode_file, "re");

	if (file) {
		(void)!fscanf(file, "%15s", text);
		(void)fclose(file); /* only read */
	}
	return !strcmp(text, word);
}

static void wait_while_hanging(void)
{
	const struct timespec pause = {.tv_nsec = 20000000};

	while (is_mode("hang") && getppid() != 1)
		(void)nanosleep(&pause, NULL);
}

/* Whether REQUEST is about a file that is stuck. */
static bool is_stuck(const struct fuse_in_header *in)
{
	char name[80] = "";
	const char *base;
	FILE *file;

	if ((in->opcode != FUSE_OPEN && in->opcode != FUSE_READ) ||
		in->nodeid >= NODES || !is_mode("stuck"))
		return false;
	file = fopen(mode_file, "re");
	if (file) {
		(void)!fscanf(file, "%*s %79s", name);
		(void)fclose(file); /* only read */
	}
	base = strrchr(nodes[in->nodeid], '/');
	return base && !strcmp(base + 1, name);
}

/* The error of an operation that changes the disk, or reads it. */
static int trouble(bool writes)
{
	if (is_mode("eio"))
		return -EIO;
	if (writes && is_mode("full"))
		return -ENOSPC;
	return writes && is_mode("readonly") ? -EROFS : 0;
}

/* ---- names ---- */

static bool child(char *path, uint64_t parent, const char *name)
{
	return snprintf(path, PATH_MAX, "%s/%s", nodes[parent], name) < PATH_MAX;
}

static uint64_t node_of(const char *path)
{
	uint64_t empty = 0;

	for (uint64_t i = FUSE_ROOT_ID; i < NODES; i++) {
		if (!strcmp(nodes[i], path))
			return i;
		if (!empty && !nodes[i][0])
			empty = i;
	}
	if (empty)
		(void)snprintf(nodes[empty], PATH_MAX, "%s", path);
	return empty;
}

static void take_attributes(struct fuse_attr *to, const struct stat *from)
{
	*to = (struct fuse_attr){.ino = from->st_ino,
		.size = (uint64_t)from->st_size,
		.blocks = (uint64_t)from->st_blocks,
		.mtime = (uint64_t)from->st_mtim.tv_sec,
		.mtimensec = (uint32_t)from->st_mtim.tv_nsec,
		.mode = from->st_mode,
		.nlink = (uint32_t)from->st_nlink,
		.uid = from->st_uid,
		.gid = from->st_gid,
		.blksize = 4096};
}

static void *room(size_t size)
{
	void *place = answer + answered;

	memset(place, 0, size);
	answered += size;
	return place;
}

static int give_entry(const char *path)
{
	struct fuse_entry_out *out = room(sizeof *out);
	struct stat status;

	if (lstat(path, &status) < 0)
		return -errno;
	out->nodeid = node_of(path);
	take_attributes(&out->attr, &status);
	return out->nodeid ? 0 : -ENFILE;
}

static int give_attributes(const struct stat *status)
{
	struct fuse_attr_out *out = room(sizeof *out);

	take_attributes(&out->attr, status);
	return 0;
}

/* ---- requests: the header, what came with it, and an error as a negative number ----
 */

typedef int request(const struct fuse_in_header *in, void *with);

static int begin(const struct fuse_in_header *in, void *with)
{
	const struct fuse_init_in *init = with;
	struct fuse_init_out *out = room(sizeof *out);

	(void)in;
	out->major = FUSE_KERNEL_VERSION;
	out->minor = init->minor < FUSE_KERNEL_MINOR_VERSION
			     ? init->minor
			     : FUSE_KERNEL_MINOR_VERSION;
	out->max_write = WRITE_MOST;
	out->max_readahead = init->max_readahead;
	out->flags = init->flags & (FUSE_BIG_WRITES | FUSE_MAX_PAGES);
	out->max_pages = WRITE_MOST / 4096;
	return 0;
}

static int look_up(const struct fuse_in_header *in, void *with)
{
	char path[PATH_MAX];

	return child(path, in->nodeid, with) ? give_entry(path) : -ENAMETOOLONG;
}

static int get_attributes(const struct fuse_in_header *in, void *with)
{
	const struct fuse_getattr_in *get = with;
	struct stat status;

	if (get->getattr_flags & FUSE_GETATTR_FH
			? fstat((int)get->fh, &status) < 0
			: lstat(nodes[in->nodeid], &status) < 0)
		return -errno;
	return give_attributes(&status);
}

static int set_attributes(const struct fuse_in_header *in, void *with)
{
	const struct fuse_setattr_in *set = with;
	const char *path = nodes[in->nodeid];
	int error = trouble(true);
	struct stat status;

	if (!error && set->valid & FATTR_SIZE && truncate(path, (off_t)set->size) < 0)
		error = -errno;
	if (!error && set->valid & FATTR_MODE && chmod(path, set->mode & 07777) < 0)
		error = -errno;
	if (!error && set->valid & (FATTR_UID | FATTR_GID) &&
		chown(path, set->valid & FATTR_UID ? set->uid : (uid_t)-1,
			set->valid & FATTR_GID ? set->gid : (gid_t)-1) < 0)
		error = -errno;
	if (!error && lstat(path, &status) < 0)
		error = -errno;
	return error ? error : give_attributes(&status);
}

static int make_folder(const struct fuse_in_header *in, void *with)
{
	const struct fuse_mkdir_in *make = with;
	char path[PATH_MAX];
	int error = trouble(true);

	if (!error && !child(path, in->nodeid, (const char *)(make + 1)))
		error = -ENAMETOOLONG;
	if (!error && mkdir(path, make->mode & 07777) < 0)
		error = -errno;
	return error ? error : give_entry(path);
}

static int create_file(const struct fuse_in_header *in, void *with)
{
	const struct fuse_create_in *make = with;
	struct fuse_open_out *out;
	char path[PATH_MAX];
	int error = trouble(true);
	int fd = -1;

	if (!error && !child(path, in->nodeid, (const char *)(make + 1)))
		error = -ENAMETOOLONG;
	if (!error) {
		fd = open(path, O_RDWR | O_CREAT | (int)(make->flags & O_EXCL),
			make->mode & 07777);
		error = fd < 0 ? -errno : give_entry(path);
	}
	out = room(sizeof *out);
	out->fh = (uint64_t)fd;
	return error;
}

static int open_file(const struct fuse_in_header *in, void *with)
{
	const struct fuse_open_in *how = with;
	struct fuse_open_out *out = room(sizeof *out);
	bool writes = (how->flags & O_ACCMODE) != O_RDONLY;
	int error = trouble(writes && !is_mode("full"));
	int fd = error ? -1 : open(nodes[in->nodeid], writes ? O_RDWR : O_RDONLY);

	out->fh = (uint64_t)fd;
	if (is_mode("direct"))
		out->open_flags = FOPEN_DIRECT_IO;
	return error ? error : fd < 0 ? -errno : 0;
}

static int close_file(const struct fuse_in_header *in, void *with)
{
	const struct fuse_release_in *release = with;

	(void)in;
	(void)close((int)release->fh);
	return 0;
}

static int read_file(const struct fuse_in_header *in, void *with)
{
	const struct fuse_read_in *what = with;
	int error = trouble(false);
	ssize_t got = error ? 0
			    : pread((int)what->fh, answer + answered, what->size,
				      (off_t)what->offset);

	(void)in;
	if (!error && got < 0)
		return -errno;
	answered += (size_t)got;
	return error;
}

static int write_file(const struct fuse_in_header *in, void *with)
{
	const struct fuse_write_in *what = with;
	struct fuse_write_out *out = room(sizeof *out);
	int error = trouble(true);
	ssize_t put = error ? 0
			    : pwrite((int)what->fh, what + 1, what->size,
				      (off_t)what->offset);

	(void)in;
	if (!error && put < 0)
		return -errno;
	out->size = (uint32_t)put;
	return error;
}

static int sync_file(const struct fuse_in_header *in, void *with)
{
	const struct fuse_fsync_in *what = with;
	int error = trouble(!is_mode("full"));

	(void)in;
	return error ? error : fdatasync((int)what->fh) < 0 ? -errno : 0;
}

static int remove_file(const struct fuse_in_header *in, void *with)
{
	char path[PATH_MAX];
	int error = trouble(!is_mode("full"));

	if (!error && !child(path, in->nodeid, with))
		error = -ENAMETOOLONG;
	if (!error && unlink(path) < 0)
		error = -errno;
	if (!error)
		nodes[node_of(path)][0] = 0;
	return error;
}

static int state_of_all(const struct fuse_in_header *in, void *with)
{
	struct fuse_statfs_out *out = room(sizeof *out);

	(void)in;
	(void)with;
	out->st = (struct fuse_kstatfs){.bsize = 4096,
		.frsize = 4096,
		.blocks = 1 << 20,
		.bfree = 1 << 19,
		.bavail = 1 << 19,
		.namelen = 255};
	return 0;
}

/* Folders are listed in one piece: they hold a handful of names. */
static int list_folder(const struct fuse_in_header *in, void *with)
{
	const struct fuse_read_in *what = with;
	const struct dirent *entry;
	DIR *folder;

	if (what->offset)
		return 0;
	folder = opendir(nodes[in->nodeid]);
	while (folder && (entry = readdir(folder))) {
		size_t length = strlen(entry->d_name);
		size_t size = FUSE_DIRENT_ALIGN(FUSE_NAME_OFFSET + length);
		struct fuse_dirent *out;

		if (answered + size > sizeof(struct fuse_out_header) + what->size)
			break;
		out = room(size);
		out->ino = entry->d_ino;
		out->off = 1;
		out->namelen = (uint32_t)length;
		out->type = entry->d_type;
		memcpy(out->name, entry->d_name, length);
	}
	if (folder)
		(void)closedir(folder);
	return 0;
}

static int open_folder(const struct fuse_in_header *in, void *with)
{
	(void)in;
	(void)with;
	(void)room(sizeof(struct fuse_open_out));
	return 0;
}

static int nothing(const struct fuse_in_header *in, void *with)
{
	(void)in;
	(void)with;
	return 0;
}

static request *const requests[] = {
	[FUSE_INIT] = begin,
	[FUSE_LOOKUP] = look_up,
	[FUSE_GETATTR] = get_attributes,
	[FUSE_SETATTR] = set_attributes,
	[FUSE_MKDIR] = make_folder,
	[FUSE_CREATE] = create_file,
	[FUSE_OPEN] = open_file,
	[FUSE_RELEASE] = close_file,
	[FUSE_READ] = read_file,
	[FUSE_WRITE] = write_file,
	[FUSE_FSYNC] = sync_file,
	[FUSE_UNLINK] = remove_file,
	[FUSE_STATFS] = state_of_all,
	[FUSE_OPENDIR] = open_folder,
	[FUSE_READDIR] = list_folder,
	[FUSE_RELEASEDIR] = nothing,
	[FUSE_FSYNCDIR] = nothing,
	[FUSE_FLUSH] = nothing,
	[FUSE_ACCESS] = nothing,
	[FUSE_DESTROY] = nothing,
};

static void serve(void)
{
	const struct fuse_in_header *in = (const void *)bytes;
	struct fuse_out_header *out = (void *)answer;
	request *ask = in->opcode < sizeof requests / sizeof *requests
			       ? requests[in->opcode]
			       : NULL;

	if (in->opcode == FUSE_FORGET || in->opcode == FUSE_BATCH_FORGET ||
		in->opcode == FUSE_INTERRUPT)
		return; /* nobody waits for an answer */
	if (is_stuck(in))
		return; /* who asked is ended with the file system */
	if (in->opcode != FUSE_INIT)
		wait_while_hanging();
	answered = sizeof *out;
	out->unique = in->unique;
	out->error = ask && in->nodeid < NODES ? ask(in, bytes + sizeof *in) : -ENOSYS;
	if (out->error)
		answered = sizeof *out;
	out->len = (uint32_t)answered;
	(void)!write(fuse, answer, answered); /* one that was given up is gone */
}

int main(int argc, char **argv)
{
	char options[80];

	if (argc != 4)
		return 2;
	(void)umask(0);
	(void)prctl(PR_SET_PDEATHSIG, SIGKILL);
	mode_file = argv[3];
	(void)snprintf(nodes[FUSE_ROOT_ID], PATH_MAX, "%s", argv[2]);
	fuse = open("/dev/fuse", O_RDWR | O_CLOEXEC);
	(void)snprintf(options, sizeof options,
		"fd=%d,rootmode=40755,user_id=0,group_id=0,allow_other", fuse);
	if (fuse < 0 ||
		mount("brittle", argv[1], "fuse", MS_NOSUID | MS_NODEV, options)) {
		perror("brittle");
		return 77;
	}
	for (;;) {
		ssize_t got = read(fuse, bytes, sizeof bytes);

		if (got < 0 && errno == ENODEV)
			return 0; /* unmounted */
		if (got < 0 && errno != EINTR && errno != ENOENT && errno != EAGAIN)
			return 1;
		if (got > 0)
			serve();
	}
}
