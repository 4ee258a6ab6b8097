/* Every statement on the rows of a session, and running them. Values are always
 * bound, never written into the SQL. */
#include "config.h"

#include "base/text.h"
#include "store/store_private.h"

#include <errno.h>

static const char *const texts[SQL_STATEMENTS] = {
	[SQL_META_SET] = "INSERT OR REPLACE INTO meta(key,value) VALUES(?1,?2)",
	[SQL_META] = "SELECT value FROM meta WHERE key=?1",
	/* Again after a failure: the same tick at the same time. */
	[SQL_TICK_SET] = "INSERT OR REPLACE INTO ticks(at,whole,data) VALUES(?1,?2,?3)",
	[SQL_RUN_SET] =
		"INSERT OR REPLACE INTO runs(number,began,wall,boot_id,kernel,host,"
		"version) VALUES(?1,?2,?3,?4,?5,?6,?7)",
	[SQL_WINDOWS_CLEAR] = "DELETE FROM windows",
	[SQL_WINDOW_SET] =
		"INSERT INTO windows(id,role,name,began,ended,author,backwards,"
		"exit_status,command) VALUES(?1,?2,?3,?4,?5,?6,?7,?8,?9)",
	[SQL_NOTE_SET] = "INSERT OR REPLACE INTO notes(id,kind,at,author,text,body)"
			 " VALUES(?1,?2,?3,?4,?5,?6)",
	[SQL_NOTE_REMOVE] = "DELETE FROM notes WHERE id=?1",
	[SQL_FACT_SET] = "INSERT INTO facts(at,kind,device,id,key,value,why)"
			 " VALUES(?1,?2,?3,?4,?5,?6,?7)",
	[SQL_HAS_FACTS] = "SELECT 1 FROM sqlite_schema WHERE name='facts'",
	[SQL_FACTS] = "SELECT number,at,kind,device,id,key,value,why FROM facts"
		      " WHERE number>=?1 AND number<=?2 ORDER BY number",
	[SQL_EVIDENCE_SET] =
		"INSERT INTO evidence(at,wall,interface,link,direction,finding,place,"
		"classes,length,data) VALUES(?1,?2,?3,?4,?5,?6,?7,?8,?9,?10)",
	[SQL_HAS_EVIDENCE] = "SELECT 1 FROM sqlite_schema WHERE name='evidence'",
	[SQL_EVIDENCE_TIMES] = "SELECT number,wall FROM evidence"
			       " WHERE number>=?1 AND number<=?2 ORDER BY number",
	[SQL_EVIDENCE] = "SELECT wall,interface,link,direction,finding,place,classes,"
			 "length,data FROM evidence WHERE number=?1",
	[SQL_RUNS] = "SELECT number,began,wall,boot_id,kernel,host,version FROM runs"
		     " WHERE number>=?1 AND number<=?2 ORDER BY number",
	[SQL_WINDOWS] = "SELECT id,role,name,began,ended,author,backwards,exit_status,"
			"command FROM windows WHERE id>=?1 AND id<=?2 ORDER BY id",
	[SQL_NOTES] = "SELECT id,kind,at,author,text,body FROM notes"
		      " WHERE id>=?1 AND id<=?2 ORDER BY id",
	[SQL_LAST_FULL] = "SELECT max(at) FROM ticks WHERE whole AND at<=?1",
	[SQL_NEXT_FULL] = "SELECT min(at) FROM ticks WHERE whole AND at>?1",
	[SQL_LAST_FULL_SEEN] = "SELECT at FROM ticks NOT INDEXED"
			       " WHERE whole AND at<=?1 ORDER BY at DESC LIMIT 1",
	[SQL_TICK_TIMES] =
		"SELECT at,whole FROM ticks WHERE at>=?1 AND at<=?2 ORDER BY at",
	[SQL_TICKS] = "SELECT at,whole,data FROM ticks WHERE at>=?1 AND at<=?2"
		      " ORDER BY at",
	[SQL_FIRST] = "SELECT min(at) FROM ticks",
	[SQL_LAST] = "SELECT max(at) FROM ticks",
	[SQL_COUNT] = "SELECT count(*) FROM ticks",
	[SQL_HAS_MINUTES] = "SELECT 1 FROM sqlite_schema WHERE name='minutes'",
	[SQL_FOLLOWED] = "SELECT ended FROM minutes ORDER BY number DESC LIMIT 1",
	[SQL_MINUTE_ENDS] = "SELECT number,ended FROM minutes"
			    " WHERE number>=?1 AND number<=?2 ORDER BY number",
	[SQL_MINUTES_FROM] = "SELECT began FROM minutes ORDER BY number LIMIT 1",
	[SQL_TICKS_BEHIND] = "SELECT at,data FROM ticks WHERE at>=?1 ORDER BY at"
			     " LIMIT ?2",
	[SQL_TRACK_SET] =
		"INSERT OR REPLACE INTO tracks(number,kind,device,id,label,detail,"
		"flags,metric) VALUES(?1,?2,?3,?4,?5,?6,?7,?8)",
	[SQL_MINUTE_SET] =
		"INSERT OR REPLACE INTO minutes(number,began,ended,interval,seen,"
		"swallowed,data) VALUES(?1,?2,?3,?4,?5,?6,?7)",
	[SQL_GAP_SET] = "INSERT OR REPLACE INTO gaps(began,ended,kind)"
			" VALUES(?1,?2,?3)",
	[SQL_STALL_SET] = "INSERT OR REPLACE INTO stalls(began,track,ended,kind,depth,"
			  "hold,held,gives_up) VALUES(?1,?2,?3,?4,?5,?6,?7,?8)",
	[SQL_STALL_CLOSE] =
		"UPDATE stalls SET ended=?1 WHERE ended IS NULL AND began<=?1",
	[SQL_STALL_ON] = "UPDATE stalls SET ended=?1,depth=max(depth,?2)"
			 " WHERE track=?3 AND began<=?4"
			 " AND (ended IS NULL OR ended>=?4)",
	[SQL_TRACKS] = "SELECT number,kind,device,id,label,detail,flags,metric"
		       " FROM tracks WHERE number>=?1 AND number<=?2 ORDER BY number",
	[SQL_MINUTES] =
		"SELECT number,began,ended,interval,seen,swallowed,data FROM minutes"
		" WHERE number>=?1 AND number<=?2 ORDER BY number",
	[SQL_GAPS] = "SELECT began,ended,kind FROM gaps"
		     " WHERE began>=?1 AND began<=?2 ORDER BY began",
	[SQL_STALLS] =
		"SELECT began,track,ended,kind,depth,hold,held,gives_up FROM stalls"
		" WHERE began>=?1 AND began<=?2 ORDER BY began",
	[SQL_THIN] = "DELETE FROM ticks WHERE at IN (SELECT at FROM ticks"
		     " WHERE at>=?1 AND at<?2 ORDER BY at LIMIT ?3)",
	[SQL_SEEN] = "SELECT coalesce(sum(seen),0),min(began),max(ended) FROM minutes"
		     " WHERE began>=?1 AND ended<=?2 AND number>=?3 AND number<=?4",
	[SQL_BETWEEN] = "SELECT count(*) FROM ticks WHERE at>?1 AND at<=?2",
};

/* What the system said of the log or, if that was well, of the file. */
static int errno_of_files(sqlite3 *db)
{
	sqlite3_file *log = NULL;
	int code = 0;

	if (sqlite3_file_control(db, "main", SQLITE_FCNTL_JOURNAL_POINTER, &log) ==
			SQLITE_OK &&
		log && log->pMethods)
		(void)log->pMethods->xFileControl(
			log, SQLITE_FCNTL_LAST_ERRNO, &code); /* else 0 */
	if (!code)
		(void)sqlite3_file_control(
			db, "main", SQLITE_FCNTL_LAST_ERRNO, &code); /* else 0 */
	return code ? code : EIO;
}

/* Errors of SQLite as errno, where a caller may want to tell them apart. */
static int errno_of(sqlite3 *db)
{
	switch (sqlite3_errcode(db)) {
	case SQLITE_FULL:
		return ENOSPC;
	case SQLITE_BUSY:
	case SQLITE_LOCKED:
		return EBUSY;
	case SQLITE_READONLY:
		return EROFS;
	case SQLITE_IOERR:
		return errno_of_files(db);
	case SQLITE_CORRUPT: /* so it calls a read that failed, too */
		return EUCLEAN;
	case SQLITE_PERM:
		return EACCES;
	default:
		return sqlite3_system_errno(db);
	}
}

bool store_failed(struct store *store, const char *doing, struct fault *fault)
{
	int rc = store->db ? sqlite3_errcode(store->db) : SQLITE_NOMEM;
	int code = store->db ? errno_of(store->db) : ENOMEM;

	if (rc == SQLITE_NOTADB)
		return fault_set(fault, "%s is not a weir session", store->path);
	if (rc == SQLITE_CORRUPT) {
		(void)fault_set(fault,
			store->mode == STORE_READ
				? "%s is damaged"
				: "%s is damaged: nothing more is written into it; "
				  "weir report and weir export show what can be read, "
				  "another name records on",
			store->path);
		if (fault)
			fault->code = code;
		return false;
	}
	if (rc == SQLITE_CANTOPEN && code)
		return fault_errno(fault, code, "cannot %s %s", doing, store->path);
	(void)fault_set(
		fault, "cannot %s %s: %s", doing, store->path, sqlite3_errstr(rc));
	if (fault)
		fault->code = code;
	return false;
}

bool store_damaged(struct store *store)
{
	if (store->mode != STORE_READ || sqlite3_errcode(store->db) != SQLITE_CORRUPT)
		return false;
	store->broken++;
	return true;
}

/* What of evidence lay there, as far as it was read. */
static void describe_packets(const struct store_lost *lost, char *text, size_t size)
{
	text[0] = 0;
	/* both fit */
	if (lost->keys)
		(void)text_format(text, size, " (at most %llu packets%s)",
			(unsigned long long)lost->keys,
			lost->cut ? ", and the first or last ones" : "");
	else if (lost->cut)
		(void)text_format(text, size, " (the first or last packets)");
}

bool store_damage(const struct store *store, struct fault *fault)
{
	char packets[80];

	if (!store->broken)
		return false;
	describe_packets(&store->packets, packets, sizeof packets);
	(void)fault_set(fault,
		"%s is damaged: this is what could be read, %u place%s could not%s",
		store->path, store->broken, store->broken > 1 ? "s" : "", packets);
	return true;
}

bool store_execute(struct store *store, const char *sql, struct fault *fault)
{
	if (sqlite3_exec(store->db, sql, NULL, NULL, NULL) == SQLITE_OK)
		return true;
	return store_failed(store, "write", fault);
}

sqlite3_stmt *store_statement(
	struct store *store, enum statement which, struct fault *fault)
{
	sqlite3_stmt **statement = &store->statements[which];

	if (!*statement &&
		sqlite3_prepare_v3(store->db, texts[which], -1,
			SQLITE_PREPARE_PERSISTENT, statement, NULL) != SQLITE_OK) {
		(void)store_failed(store, "use", fault);
		return NULL;
	}
	(void)sqlite3_reset(*statement); /* repeats an error that was told before */
	(void)sqlite3_clear_bindings(*statement); /* cannot fail */
	return *statement;
}

bool store_step(struct store *store, sqlite3_stmt *statement, struct fault *fault)
{
	bool done = sqlite3_step(statement) == SQLITE_DONE;

	if (!done)
		(void)store_failed(store, "write", fault);
	(void)sqlite3_reset(statement); /* repeats the error of the step */
	return done;
}
