/* Small kernel attributes; see the header. */
#include "config.h"

#include "source/attr.h"

#include "base/scan.h"
#include "base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

/* What is left of the descriptors for everybody else: viewers, the session's file, the
 * files that are opened for each reading. */
enum {
	RESERVE = 256,
	ENOUGH = 1 << 17 /* descriptors, for the largest host */
};

static atomic_int highest = INT_MAX; /* attributes stay below it */

/* What a failed open or read of an attribute means. Drivers answer EINVAL or
 * EOPNOTSUPP where they have no such figure (field: speed of a link that is down). */
static enum why reason(int error)
{
	switch (error) {
	case EACCES:
	case EPERM:
	case EMFILE:
	case ENFILE:
		return WHY_DENIED;
	case ENODEV:
	case ENXIO:
		return WHY_ABSENT;
	default:
		return WHY_UNSUPPORTED;
	}
}

void attr_open(struct attr *attr, const char *folder, const char *name)
{
	char path[ATTR_PATH];

	attr->fd = -1;
	attr->why = WHY_UNSUPPORTED;
	if (!folder[0] || !text_format(path, sizeof path, "%s/%s", folder, name))
		return;
	attr->fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	attr->why = attr->fd < 0 ? reason(errno) : WHY_NONE;
	if (attr->fd >= atomic_load(&highest)) {
		attr_close(attr);
		attr->why = WHY_DENIED;
	}
}

void attr_close(struct attr *attr)
{
	if (attr->fd >= 0)
		(void)close(attr->fd); /* nothing was written */
	attr->fd = -1;
}

enum why attr_text(const struct attr *attr, char *text, size_t size)
{
	ssize_t got;

	text[0] = 0;
	if (attr->fd < 0)
		return attr->why;
	do
		got = pread(attr->fd, text, size - 1, 0);
	while (got < 0 && errno == EINTR);
	if (got < 0)
		return reason(errno);
	text[got] = 0;
	return WHY_NONE;
}

enum why attr_u64(const struct attr *attr, uint64_t *value)
{
	char text[64];
	const char *at = text;
	enum why why = attr_text(attr, text, sizeof text);

	if (why != WHY_NONE)
		return why;
	return scan_u64(&at, value) && scan_end(at) ? WHY_NONE : WHY_UNSUPPORTED;
}

enum why attr_read_u64(const char *folder, const char *name, uint64_t *value)
{
	struct attr attr;
	enum why why;

	attr_open(&attr, folder, name);
	why = attr_u64(&attr, value);
	attr_close(&attr);
	return why;
}

static void trim(char *text)
{
	size_t lead = strspn(text, " \t");
	size_t length;

	text[strcspn(text, "\n")] = 0;
	memmove(text, text + lead, strlen(text + lead) + 1);
	length = strlen(text);
	while (length && strchr(" \t", text[length - 1]))
		text[--length] = 0;
}

enum why attr_read_text(const char *folder, const char *name, char *text, size_t size)
{
	char raw[512];
	struct attr attr;
	enum why why;

	attr_open(&attr, folder, name);
	why = attr_text(&attr, raw, sizeof raw);
	attr_close(&attr);
	if (why == WHY_NONE)
		trim(raw);
	(void)text_clean(text, size, raw); /* a cut name is still its beginning */
	return why;
}

bool attr_exists(const char *folder, const char *name)
{
	char path[ATTR_PATH];

	return text_format(path, sizeof path, "%s/%s", folder, name) &&
	       faccessat(AT_FDCWD, path, F_OK, AT_SYMLINK_NOFOLLOW) == 0;
}

bool attr_link(const char *folder, const char *name, char *text, size_t size)
{
	char path[ATTR_PATH];
	char target[PATH_MAX];
	const char *base;
	ssize_t length;

	if (!text_format(path, sizeof path, "%s/%s", folder, name))
		return false;
	length = readlink(path, target, sizeof target - 1);
	if (length <= 0)
		return false;
	target[length] = 0;
	base = strrchr(target, '/');
	(void)text_clean(text, size, base ? base + 1 : target);
	return true;
}

void attr_raise_limit(void)
{
	struct rlimit limit, more = {ENOUGH, ENOUGH};

	if (getrlimit(RLIMIT_NOFILE, &limit))
		return;
	/* without it, large hosts say "denied"; most may not go beyond the hard one */
	if (limit.rlim_max < ENOUGH && !setrlimit(RLIMIT_NOFILE, &more))
		limit = more;
	more = (struct rlimit){limit.rlim_max, limit.rlim_max};
	if (limit.rlim_cur < limit.rlim_max && !setrlimit(RLIMIT_NOFILE, &more))
		limit = more;
	if (limit.rlim_cur > 2 * RESERVE && limit.rlim_cur < INT_MAX)
		atomic_store(&highest, (int)limit.rlim_cur - RESERVE);
}
