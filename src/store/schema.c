/* The tables of a session file, as steps: a file is brought up to date by running
 * those that it lacks. doc/schema.md says what the columns mean. A new step goes to
 * the end; a step that has been released is never changed. */
#include "config.h"

#include "store/store_private.h"

static const char *const steps[] = {
	/* 1 */
	"CREATE TABLE meta(key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;"
	"CREATE TABLE runs(number INTEGER PRIMARY KEY, began INTEGER NOT NULL,"
	" wall INTEGER NOT NULL, boot_id TEXT NOT NULL, kernel TEXT NOT NULL,"
	" host TEXT NOT NULL, version TEXT NOT NULL);"
	"CREATE TABLE ticks(at INTEGER PRIMARY KEY, whole INTEGER NOT NULL,"
	" data BLOB NOT NULL);"
	"CREATE INDEX ticks_whole ON ticks(at) WHERE whole;"
	"CREATE TABLE windows(id INTEGER PRIMARY KEY, role TEXT NOT NULL,"
	" name TEXT NOT NULL, began INTEGER NOT NULL, ended INTEGER,"
	" author TEXT NOT NULL, backwards INTEGER NOT NULL,"
	" exit_status INTEGER NOT NULL, command TEXT NOT NULL);"
	"CREATE TABLE notes(id INTEGER PRIMARY KEY, kind TEXT NOT NULL,"
	" at INTEGER NOT NULL, author TEXT NOT NULL, text TEXT NOT NULL, body TEXT);",
	/* 2 */
	"CREATE TABLE facts(number INTEGER PRIMARY KEY, at INTEGER NOT NULL,"
	" kind TEXT NOT NULL, device TEXT NOT NULL, id TEXT NOT NULL,"
	" key TEXT NOT NULL, value TEXT, why TEXT NOT NULL);",
	/* 3 */
	"CREATE TABLE tracks(number INTEGER PRIMARY KEY, kind TEXT NOT NULL,"
	" device TEXT NOT NULL, id TEXT NOT NULL, label TEXT NOT NULL,"
	" detail TEXT NOT NULL, flags INTEGER NOT NULL, metric TEXT NOT NULL);"
	"CREATE TABLE minutes(number INTEGER PRIMARY KEY, began INTEGER NOT NULL,"
	" ended INTEGER NOT NULL, interval INTEGER NOT NULL, seen INTEGER NOT NULL,"
	" swallowed INTEGER NOT NULL, data BLOB NOT NULL);"
	"CREATE TABLE gaps(began INTEGER PRIMARY KEY, ended INTEGER NOT NULL,"
	" kind TEXT NOT NULL);"
	"CREATE TABLE stalls(began INTEGER NOT NULL, track INTEGER NOT NULL,"
	" ended INTEGER, kind TEXT NOT NULL, depth REAL NOT NULL,"
	" hold INTEGER NOT NULL, held INTEGER NOT NULL, gives_up REAL,"
	" PRIMARY KEY(began, track)) WITHOUT ROWID;",
	/* 4 */
	"CREATE TABLE evidence(number INTEGER PRIMARY KEY, at INTEGER NOT NULL,"
	" wall INTEGER NOT NULL, interface TEXT NOT NULL, link INTEGER NOT NULL,"
	" direction TEXT NOT NULL, finding INTEGER NOT NULL, place INTEGER NOT NULL,"
	" classes TEXT NOT NULL, length INTEGER NOT NULL, data BLOB NOT NULL);",
};

enum {
	STEPS = sizeof steps / sizeof *steps
};

bool schema_number(struct store *store, const char *sql, sqlite3_int64 *number,
	struct fault *fault)
{
	sqlite3_stmt *statement = NULL;
	int rc = sqlite3_prepare_v2(store->db, sql, -1, &statement, NULL);

	if (rc == SQLITE_OK)
		rc = sqlite3_step(statement);
	if (rc == SQLITE_ROW)
		*number = sqlite3_column_int64(statement, 0);
	else
		(void)store_failed(store, "read", fault);
	(void)sqlite3_finalize(statement); /* repeats the error of the step */
	return rc == SQLITE_ROW;
}

bool schema_check(struct store *store, struct fault *fault)
{
	sqlite3_int64 application, version, tables;

	if (!schema_number(store, "PRAGMA application_id", &application, fault) ||
		!schema_number(store, "PRAGMA user_version", &version, fault) ||
		!schema_number(
			store, "SELECT count(*) FROM sqlite_schema", &tables, fault))
		return false;
	if (application != STORE_APPLICATION || version < 1 || !tables)
		return fault_set(fault, "%s is not a weir session", store->path);
	if (version > STEPS)
		return fault_set(fault,
			"%s was written by a newer weir (format %lld, this one knows "
			"up "
			"to %d)",
			store->path, (long long)version, (int)STEPS);
	return true;
}

static bool run_steps(struct store *store, int from, struct fault *fault)
{
	char version[40];

	for (int i = from; i < STEPS; i++)
		if (!store_execute(store, steps[i], fault))
			return false;
	/* A pragma takes no parameters; this number is our own. */
	(void)sqlite3_snprintf(
		sizeof version, version, "PRAGMA user_version=%d", (int)STEPS);
	return store_execute(store, version, fault);
}

bool schema_is_old(struct store *store, int *format, struct fault *fault)
{
	sqlite3_int64 version;

	*format = 0;
	if (!schema_number(store, "PRAGMA user_version", &version, fault))
		return false;
	if (version < STEPS)
		*format = (int)version;
	return true;
}

bool schema_upgrade(struct store *store, struct fault *fault)
{
	sqlite3_int64 version;

	if (!schema_number(store, "PRAGMA user_version", &version, fault))
		return false;
	if (version >= STEPS)
		return true;
	if (!store_execute(store, "PRAGMA synchronous=FULL", fault) ||
		!store_execute(store, "BEGIN IMMEDIATE", fault))
		return false;
	if (!run_steps(store, (int)version, fault) ||
		!store_execute(store, "COMMIT", fault)) {
		(void)store_execute(store, "ROLLBACK", NULL); /* FAULT says it all */
		return false;
	}
	return store_execute(store, "PRAGMA synchronous=NORMAL", fault);
}
