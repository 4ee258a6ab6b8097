/*
 * A tar.gz being written, file by file, with a list of SHA-256 hashes as its last one.
 * The format is POSIX ustar; zlib packs, nettle hashes: only archive.c knows them.
 */
#ifndef WEIR_APP_ARCHIVE_H
#define WEIR_APP_ARCHIVE_H

#include "base/fault.h"
#include "base/nsec.h"

#include <stdbool.h>

struct archive;

/* Writes to FD, which stays the caller's. All files are in FOLDER and have the time
 * WALL. Both are borrowed until the end. */
struct archive *archive_new(int fd, const char *folder, nsec wall, struct fault *fault);

/* The file at PATH, as NAME in the folder: at most 99 bytes together, less than 8 GiB.
 */
bool archive_add(struct archive *archive, const char *name, const char *path,
	struct fault *fault);

/* The list of hashes and the end. Frees the archive in any case. */
bool archive_end(struct archive *archive, struct fault *fault);
void archive_drop(struct archive *archive); /* after a failure; null is fine */

#endif
