/* A file system for SQLite with one file in memory; see the header. */
#include "config.h"

#include "memory_vfs.h"

#include <sqlite3.h>

#include <string.h>

static const uint8_t *content;
static size_t content_size;

static int close_file(sqlite3_file *file)
{
	(void)file;
	return SQLITE_OK;
}

/* What is not there is to be zeroed: SQLite relies on it. */
static int read_file(sqlite3_file *file, void *to, int count, sqlite3_int64 offset)
{
	size_t wanted = (size_t)count;
	size_t at = offset < 0 || (uint64_t)offset > content_size ? content_size
								  : (size_t)offset;
	size_t there = content_size - at < wanted ? content_size - at : wanted;

	(void)file;
	memcpy(to, content + at, there);
	memset((uint8_t *)to + there, 0, wanted - there);
	return there == wanted ? SQLITE_OK : SQLITE_IOERR_SHORT_READ;
}

static int write_file(
	sqlite3_file *file, const void *from, int count, sqlite3_int64 offset)
{
	(void)file, (void)from, (void)count, (void)offset;
	return SQLITE_READONLY;
}

static int truncate_file(sqlite3_file *file, sqlite3_int64 size)
{
	(void)file, (void)size;
	return SQLITE_READONLY;
}

static int with_number(sqlite3_file *file, int number)
{
	(void)file, (void)number;
	return SQLITE_OK;
}

static int file_size(sqlite3_file *file, sqlite3_int64 *size)
{
	(void)file;
	*size = (sqlite3_int64)content_size;
	return SQLITE_OK;
}

static int is_reserved(sqlite3_file *file, int *reserved)
{
	(void)file;
	*reserved = 0;
	return SQLITE_OK;
}

static int control(sqlite3_file *file, int what, void *argument)
{
	(void)file, (void)what, (void)argument;
	return SQLITE_NOTFOUND;
}

static int nothing_special(sqlite3_file *file)
{
	(void)file;
	return 0;
}

static const sqlite3_io_methods methods = {
	.iVersion = 1,
	.xClose = close_file,
	.xRead = read_file,
	.xWrite = write_file,
	.xTruncate = truncate_file,
	.xSync = with_number,
	.xFileSize = file_size,
	.xLock = with_number,
	.xUnlock = with_number,
	.xCheckReservedLock = is_reserved,
	.xFileControl = control,
	.xSectorSize = nothing_special,
	.xDeviceCharacteristics = nothing_special,
};

static int open_file(
	sqlite3_vfs *vfs, const char *name, sqlite3_file *file, int flags, int *out)
{
	(void)vfs, (void)name;
	file->pMethods = NULL;
	if (!(flags & SQLITE_OPEN_MAIN_DB))
		return SQLITE_CANTOPEN;
	file->pMethods = &methods;
	if (out)
		*out = SQLITE_OPEN_READONLY | SQLITE_OPEN_MAIN_DB;
	return SQLITE_OK;
}

static int delete_file(sqlite3_vfs *vfs, const char *name, int sync)
{
	(void)vfs, (void)name, (void)sync;
	return SQLITE_READONLY;
}

static int is_there(sqlite3_vfs *vfs, const char *name, int flags, int *answer)
{
	(void)vfs, (void)name, (void)flags;
	*answer = 0; /* no journal and no log */
	return SQLITE_OK;
}

static int full_path(sqlite3_vfs *vfs, const char *name, int size, char *to)
{
	size_t length = strlen(name);

	(void)vfs;
	if (length >= (size_t)size)
		return SQLITE_CANTOPEN;
	memcpy(to, name, length + 1);
	return SQLITE_OK;
}

bool memory_vfs_begin(void)
{
	static sqlite3_vfs vfs;
	const sqlite3_vfs *usual = sqlite3_vfs_find(NULL);

	if (!usual)
		return false;
	vfs = *usual; /* chance, clock and sleep stay */
	vfs.iVersion = 1;
	vfs.szOsFile = (int)sizeof(sqlite3_file);
	vfs.pNext = NULL;
	vfs.zName = "memory";
	vfs.xOpen = open_file;
	vfs.xDelete = delete_file;
	vfs.xAccess = is_there;
	vfs.xFullPathname = full_path;
	return sqlite3_vfs_register(&vfs, 1) == SQLITE_OK;
}

void memory_vfs_file(const uint8_t *data, size_t size)
{
	content = data;
	content_size = size;
}
