/* Where disks are mounted: from the list of mounts alone, nothing below a mount point
 * is touched. */
#ifndef WEIR_SOURCE_MOUNTED_H
#define WEIR_SOURCE_MOUNTED_H

#include "base/buffer.h"

#include <stdbool.h>
#include <stddef.h>

enum {
	MOUNTED_DISK = 64,
	MOUNTED_POINT = 200
};

/* A disk, mounted whole or by one of its partitions. */
struct mounted_row {
	char disk[MOUNTED_DISK]; /* folder in /sys/block */
	char point[MOUNTED_POINT];
};

struct mounted {
	struct mounted_row *rows;
	size_t count, room;
	struct buffer text;
};

void mounted_fini(struct mounted *mounted);
void mounted_read(struct mounted *mounted, const char *proc, const char *sys);

/* "/var/mail, /srv": all places of DISK, or "". Returns how many there are. */
size_t mounted_at(
	const struct mounted *mounted, const char *disk, char *to, size_t size);

#endif
