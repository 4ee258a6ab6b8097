/* Where disks are mounted; see the header. */
#include "config.h"

#include "source/mounted.h"

#include "base/alloc.h"
#include "base/scan.h"
#include "base/text.h"
#include "source/attr.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
	LIST_LIMIT = 16 << 20
};

void mounted_fini(struct mounted *mounted)
{
	free(mounted->rows);
	buffer_fini(&mounted->text);
	*mounted = (struct mounted){0};
}

/* The last folder of PATH, which is cut off there. */
static const char *last_of(char *path)
{
	char *slash = strrchr(path, '/');

	if (!slash)
		return "";
	*slash = 0;
	return slash + 1;
}

/* The disk that MAJOR:MINOR is or is a partition of: ".../block/sda/sda1", and
 * ".../nvme/nvme0/nvme0n1/nvme0n1p1", which has no folder "block". */
static bool disk_of(const char *sys, const char *number, char *disk, size_t size)
{
	char path[ATTR_PATH], target[PATH_MAX], folder[ATTR_PATH];
	ssize_t length;

	if (!text_format(path, sizeof path, "%s/dev/block/%s", sys, number) ||
		!text_format(folder, sizeof folder, "%s/block", sys))
		return false;
	length = readlink(path, target, sizeof target - 1);
	if (length <= 0)
		return false;
	target[length] = 0;
	for (int step = 0; step < 2; step++)
		if (text_copy(disk, size, last_of(target)) && disk[0] &&
			attr_exists(folder, disk))
			return true;
	return false;
}

/* "ID PARENT MAJOR:MINOR ROOT POINT ...": only what is mounted from its root on, else
 * it is a part of one that is. */
static void take_line(struct mounted *mounted, const char *sys, const char *line)
{
	char word[24], number[24], top[PATH_MAX], point[PATH_MAX], disk[MOUNTED_DISK];
	struct mounted_row *row;

	if (!scan_word(&line, word, sizeof word) ||
		!scan_word(&line, word, sizeof word) ||
		!scan_word(&line, number, sizeof number) ||
		!scan_word(&line, top, sizeof top) ||
		!scan_word(&line, point, sizeof point) || strcmp(top, "/") != 0 ||
		!strncmp(number, "0:", 2) || !disk_of(sys, number, disk, sizeof disk))
		return;
	scan_unescape(point);
	xgrow(&mounted->rows, &mounted->room, mounted->count + 1,
		sizeof *mounted->rows);
	row = &mounted->rows[mounted->count++];
	(void)text_copy(row->disk, sizeof row->disk, disk);     /* same size */
	(void)text_clean(row->point, sizeof row->point, point); /* or its beginning */
}

void mounted_read(struct mounted *mounted, const char *proc, const char *sys)
{
	char *at, *line;

	mounted->count = 0;
	if (!scan_file(proc, "/self/mountinfo", &mounted->text, LIST_LIMIT, NULL))
		return;
	at = buffer_string(&mounted->text);
	while ((line = scan_line(&at)))
		take_line(mounted, sys, line);
}

size_t mounted_at(
	const struct mounted *mounted, const char *disk, char *to, size_t size)
{
	size_t count = 0;

	to[0] = 0;
	for (size_t i = 0; i < mounted->count; i++) {
		size_t used = strlen(to);

		if (strcmp(mounted->rows[i].disk, disk) != 0)
			continue;
		count++; /* a cut list is still its beginning */
		(void)text_format(to + used, size - used, "%s%s", used ? ", " : "",
			mounted->rows[i].point);
	}
	return count;
}
