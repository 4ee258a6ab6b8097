/* Opening a session file in each mode, and closing it. What is promised about
 * files that are foreign, damaged, newer, read-only or left behind by a killed
 * recorder: doc/schema.md. */
#include "config.h"

#include "base/alloc.h"
#include "base/text.h"
#include "store/store_private.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
	BUSY_MS = 5000,
	VALUE_MAX = 64 << 20 /* no tick and no attachment is larger */
};

/* Nothing that a file brings along is run, and sizes are checked. */
static bool harden(struct store *store)
{
	static const struct {
		int option, on;
	} options[] = {
		{SQLITE_DBCONFIG_DEFENSIVE, 1},
		{SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0},
		{SQLITE_DBCONFIG_ENABLE_TRIGGER, 0},
		{SQLITE_DBCONFIG_ENABLE_VIEW, 0},
		{SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0},
	};

	for (size_t i = 0; i < sizeof options / sizeof *options; i++)
		(void)sqlite3_db_config(store->db, options[i].option, options[i].on,
			NULL); /* an older SQLite that lacks one does without */
	(void)sqlite3_limit(store->db, SQLITE_LIMIT_LENGTH, VALUE_MAX);
	return sqlite3_busy_timeout(store->db, BUSY_MS) == SQLITE_OK &&
	       sqlite3_exec(store->db,
		       "PRAGMA mmap_size=0; PRAGMA cell_size_check=ON;"
		       "PRAGMA temp_store=MEMORY; PRAGMA wal_autocheckpoint=0",
		       NULL, NULL, NULL) == SQLITE_OK;
}

static bool connect_as(
	struct store *store, const char *name, int flags, const char *vfs)
{
	if (sqlite3_open_v2(name, &store->db, flags | SQLITE_OPEN_NOMUTEX, vfs) !=
		SQLITE_OK)
		return false;
	/* A reader that is the last to close must not move the log into the file. */
	(void)sqlite3_db_config(store->db, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE,
		flags & SQLITE_OPEN_READONLY ? 1 : 0, NULL); /* known since 3.8 */
	return harden(store);
}

void store_disconnect(struct store *store)
{
	for (unsigned i = 0; i < SQL_STATEMENTS; i++) {
		(void)sqlite3_finalize(store->statements[i]); /* repeats old errors */
		store->statements[i] = NULL;
	}
	(void)sqlite3_close(store->db); /* nothing is left open in it */
	store->db = NULL;
}

/* Whether PATH with ENDING behind it is there and not empty. */
static bool has_beside(const struct store *store, const char *ending, bool *empty)
{
	char name[PATH_MAX + 8];
	struct stat st;

	if (!text_format(name, sizeof name, "%s%s", store->path, ending) ||
		stat(name, &st))
		return false;
	*empty = !st.st_size;
	return true;
}

/* The path as an URI that promises that nobody writes. */
static void immutable_uri(char *to, size_t size, const char *path)
{
	static const char plain[] = "/._-0123456789abcdefghijklmnopqrstuvwxyz"
				    "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
	size_t used = text_format(to, size, "file:") ? strlen(to) : 0;

	for (; *path && used + 20 < size; path++) {
		if (strchr(plain, *path)) {
			to[used++] = *path;
			continue;
		}
		(void)text_format(to + used, size - used, "%%%02X",
			(unsigned)(unsigned char)*path);
		used += 3;
	}
	(void)text_format(to + used, size - used, "?immutable=1");
}

/* A folder in which nothing can be created, and nobody has the file open (or its
 * shared index would be there). A log that was left is read with its index in our
 * own memory, without locks, which this folder does not allow either. */
static bool open_still(struct store *store)
{
	char uri[3 * PATH_MAX];
	bool empty = true;

	if (has_beside(store, "-wal", &empty) && !empty)
		return connect_as(
			       store, store->path, SQLITE_OPEN_READONLY, "unix-none") &&
		       sqlite3_exec(store->db, "PRAGMA locking_mode=EXCLUSIVE", NULL,
			       NULL, NULL) == SQLITE_OK;
	immutable_uri(uri, sizeof uri, store->path);
	return connect_as(store, uri, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, NULL);
}

/* Whether the file can be read at all: the first use of a connection opens the log. */
static bool is_readable(struct store *store)
{
	return sqlite3_exec(store->db, "SELECT count(*) FROM sqlite_schema", NULL, NULL,
		       NULL) == SQLITE_OK;
}

/* A file that ends too early, or whose list of tables is damaged, is opened without
 * the check that would refuse it; still nothing of it is run, and nothing written. */
static bool open_damaged(struct store *store)
{
	if (store->mode != STORE_READ || !store->db ||
		sqlite3_errcode(store->db) != SQLITE_CORRUPT)
		return false;
	(void)sqlite3_db_config(store->db, SQLITE_DBCONFIG_DEFENSIVE, 0, NULL);
	if (sqlite3_exec(store->db, "PRAGMA writable_schema=ON", NULL, NULL, NULL) !=
			SQLITE_OK ||
		!is_readable(store))
		return false;
	store->broken++;
	return true;
}

bool store_open_reader(struct store *store, struct fault *fault)
{
	bool index;
	int code;

	if (connect_as(store, store->path, SQLITE_OPEN_READONLY, NULL) &&
		(is_readable(store) || open_damaged(store)))
		return schema_check(store, fault);
	code = store->db ? sqlite3_errcode(store->db) : SQLITE_NOMEM;
	if ((code != SQLITE_CANTOPEN && code != SQLITE_READONLY) ||
		access(store->path, R_OK) || has_beside(store, "-shm", &index))
		return store_failed(store, "open", fault);
	store_disconnect(store);
	if (!open_still(store) || !is_readable(store))
		return store_failed(store, "open", fault);
	return schema_check(store, fault);
}

/* Looks with a connection that cannot write first: a file that is not ours must not
 * even be repaired. */
bool store_open_writer(struct store *store, struct fault *fault)
{
	if (!store_open_reader(store, fault))
		return false;
	store_disconnect(store);
	if (!connect_as(store, store->path, SQLITE_OPEN_READWRITE, NULL))
		return store_failed(store, "open", fault);
	if (sqlite3_db_readonly(store->db, "main"))
		return fault_errno(fault, EROFS, "cannot write %s", store->path);
	return true;
}

bool store_sync_folder(const char *path, struct fault *fault)
{
	char folder[PATH_MAX];
	char *slash;
	int fd, done;

	(void)text_copy(folder, sizeof folder, path); /* as large as the path's own */
	slash = strrchr(folder, '/');
	if (slash)
		slash[slash == folder] = 0;
	fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		return fault_errno(fault, errno, "cannot open %s", folder);
	done = fsync(fd);
	(void)close(fd); /* only synced */
	/* Some file systems cannot sync a folder: then there is nothing to wait for. */
	if (done && errno != EINVAL)
		return fault_errno(fault, errno, "cannot sync %s", folder);
	return true;
}

static bool create_empty(const char *path, struct fault *fault)
{
	int fd = open(path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC | O_NOFOLLOW, 0600);

	if (fd < 0)
		return fault_errno(fault, errno, "cannot create %s", path);
	(void)close(fd); /* nothing was written */
	return true;
}

/* A recorder that is killed at its very start leaves a file without a byte. */
static bool is_empty(const struct store *store)
{
	struct stat st;

	return stat(store->path, &st) == 0 && S_ISREG(st.st_mode) && !st.st_size;
}

static bool create(struct store *store, struct fault *fault)
{
	if (!is_empty(store) && !create_empty(store->path, fault))
		return false;
	if (!connect_as(store, store->path, SQLITE_OPEN_READWRITE, NULL)) {
		(void)store_failed(store, "create", fault);
	} else if (sqlite3_exec(store->db, "PRAGMA application_id=0x77656972", NULL,
			   NULL, NULL) != SQLITE_OK) {
		(void)store_failed(store, "create", fault);
	} else if (store_sync_folder(store->path, fault)) {
		return true;
	}
	(void)unlink(store->path); /* it was ours and is empty */
	return false;
}

/* The log, its limit, and the steps that the file lacks. */
static bool prepare_writer(struct store *store, struct fault *fault)
{
	return store_execute(store,
		       "PRAGMA journal_mode=WAL; PRAGMA journal_size_limit=4194304;"
		       "PRAGMA synchronous=NORMAL",
		       fault) &&
	       schema_upgrade(store, fault) && store_sync(store, fault);
}

/* What is no file is not opened at all: a pipe that lies under the name of a session
 * would keep whoever lists them waiting for ever. */
static bool is_file(const struct store *store, struct fault *fault)
{
	struct stat st;

	if (stat(store->path, &st))
		return fault_errno(fault, errno, "cannot open %s", store->path);
	return S_ISREG(st.st_mode) ||
	       fault_set(fault, "%s is no weir session, not even a file", store->path);
}

static bool open_mode(struct store *store, struct fault *fault)
{
	if (store->mode != STORE_CREATE && !is_file(store, fault))
		return false;
	if (store->mode == STORE_READ && is_empty(store))
		return fault_set(fault,
			"%s is empty: its recorder ended before it could write (weir "
			"record uses it)",
			store->path);
	if (store->mode == STORE_READ)
		return store_open_reader(store, fault);
	if (store->mode == STORE_WRITE && !is_empty(store))
		return store_open_writer(store, fault) && store_upgrade(store, fault) &&
		       prepare_writer(store, fault);
	if (!create(store, fault))
		return false;
	if (prepare_writer(store, fault))
		return true;
	store_disconnect(store);
	(void)unlink(store->path); /* it was ours and holds nothing yet */
	return false;
}

struct store *store_open(const char *path, enum store_mode mode, struct fault *fault)
{
	struct store *store = xalloc(sizeof *store);
	bool plain = strchr(path, '/');

	store->mode = mode;
	/* SQLite gives some names without a slash a meaning of their own. */
	if (!text_format(
		    store->path, sizeof store->path, "%s%s", plain ? "" : "./", path))
		(void)fault_errno(fault, ENAMETOOLONG, "cannot open %s", path);
	else if (open_mode(store, fault))
		return store;
	store_disconnect(store);
	free(store);
	return NULL;
}

void store_close(struct store *store)
{
	if (!store)
		return;
	store_unfollow(store);
	/* Everything into the one file. If a reader is in the way, the next one to
	 * open the session does it; nothing is lost. */
	if (store->mode != STORE_READ)
		(void)sqlite3_wal_checkpoint_v2(
			store->db, NULL, SQLITE_CHECKPOINT_TRUNCATE, NULL, NULL);
	store_disconnect(store);
	free(store);
}

bool store_copy(struct store *store, const char *path, struct fault *fault)
{
	sqlite3_stmt *statement = NULL;
	bool done;
	int fd;

	if (!create_empty(path, fault))
		return false;
	done = sqlite3_prepare_v2(store->db, "VACUUM INTO ?1", -1, &statement, NULL) ==
		       SQLITE_OK &&
	       sqlite3_bind_text(statement, 1, path, -1, SQLITE_STATIC) == SQLITE_OK &&
	       sqlite3_step(statement) == SQLITE_DONE;
	if (!done)
		(void)store_failed(store, "copy", fault);
	(void)sqlite3_finalize(statement); /* repeats the error of the step */
	/* SQLite does not sync this copy. */
	fd = done ? open(path, O_RDWR | O_CLOEXEC) : -1;
	if (done && (fd < 0 || fsync(fd)))
		done = fault_errno(fault, errno, "cannot sync %s", path);
	if (fd >= 0)
		(void)close(fd); /* synced before */
	if (!done)
		(void)unlink(path); /* it was ours, and half a copy */
	return done;
}
