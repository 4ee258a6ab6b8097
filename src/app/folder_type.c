/*
 * The file system under a path, from the table of mounts: statfs would ask the
 * server, and a server that is gone would hold weir for ever.
 */
#include "config.h"

#include "app/folder.h"

#include "base/buffer.h"
#include "base/scan.h"
#include "base/text.h"

#include <string.h>

/* Prefixes end in '.'. Cluster file systems are here too: their locks and their
 * shared memory are not those of one machine. */
static const char *const network_types[] = {"nfs", "nfs4", "cifs", "smb3", "smbfs",
	"ncpfs", "afs", "coda", "ceph", "9p", "lustre", "gpfs", "beegfs", "orangefs",
	"pvfs2", "ocfs2", "gfs2", "glusterfs", "fuse.glusterfs", "fuse.sshfs",
	"fuse.ceph", "fuse.s3fs", "fuse.rclone", "fuse.davfs", "fuse.curlftpfs",
	"fuse.moosefs", "fuse.smbnetfs", NULL};

bool folder_type_is_network(const char *type)
{
	for (size_t i = 0; network_types[i]; i++)
		if (!strcmp(network_types[i], type))
			return true;
	return false;
}

static int octal(const char *at)
{
	int value = 0;

	for (int i = 0; i < 3; i++) {
		if (at[i] < '0' || at[i] > '7')
			return -1;
		value = value * 8 + (at[i] - '0');
	}
	return value;
}

/* Blanks and the like are written \040 in the table. */
static void unescape(char *text)
{
	char *to = text;

	while (*text) {
		int code = *text == '\\' ? octal(text + 1) : -1;

		*to++ = code > 0 ? (char)code : *text;
		text += code > 0 ? 4 : 1;
	}
	*to = 0;
}

static bool lies_below(const char *path, const char *mount)
{
	size_t length = strlen(mount);

	if (!strcmp(mount, "/"))
		return true;
	return !strncmp(path, mount, length) &&
	       (path[length] == '/' || path[length] == 0);
}

/* id parent major:minor root MOUNT options [fields] - TYPE source options */
static bool read_line(const char *line, char *mount, char *type, size_t size)
{
	char skipped[1024];

	for (int i = 0; i < 4; i++)
		if (!scan_word(&line, skipped, sizeof skipped))
			return false;
	if (!scan_word(&line, mount, PATH_MAX))
		return false;
	unescape(mount);
	while (scan_word(&line, skipped, sizeof skipped))
		if (!strcmp(skipped, "-"))
			return scan_word(&line, type, size);
	return false;
}

bool folder_type(const char *mountinfo, const char *path, char *type, size_t size)
{
	char mount[PATH_MAX];
	char one[64];
	char line[2 * PATH_MAX];
	size_t best = 0;
	bool found = false;

	while (*mountinfo) {
		size_t length = strcspn(mountinfo, "\n");

		if (length < sizeof line) {
			memcpy(line, mountinfo, length);
			line[length] = 0;
			/* the later of two mounts at one place lies above */
			if (read_line(line, mount, one, sizeof one) &&
				lies_below(path, mount) && strlen(mount) >= best) {
				best = strlen(mount);
				found = text_copy(type, size, one);
			}
		}
		mountinfo += length + (mountinfo[length] == '\n');
	}
	return found;
}

bool folder_on_network(const char *path, char *type, size_t size)
{
	struct buffer buffer = {0};
	bool network;

	network = scan_file("", "/proc/self/mountinfo", &buffer, 8u << 20, NULL) &&
		  folder_type(buffer_string(&buffer), path, type, size) &&
		  folder_type_is_network(type);
	buffer_fini(&buffer);
	return network;
}
