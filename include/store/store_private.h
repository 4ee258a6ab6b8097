/* The inside of a store: the files of src/store alone know SQLite. */
#ifndef WEIR_STORE_STORE_PRIVATE_H
#define WEIR_STORE_STORE_PRIVATE_H

#include "store/store.h"

#include <limits.h>
#include <sqlite3.h>

#define STORE_APPLICATION 0x77656972 /* "weir", in the header of the file */

/* The statements of statements.c. */
enum statement {
	SQL_META_SET,
	SQL_META,
	SQL_TICK_SET,
	SQL_RUN_SET,
	SQL_WINDOWS_CLEAR,
	SQL_WINDOW_SET,
	SQL_NOTE_SET,
	SQL_NOTE_REMOVE,
	SQL_FACT_SET,
	SQL_HAS_FACTS,
	SQL_FACTS,
	SQL_EVIDENCE_SET,
	SQL_HAS_EVIDENCE,
	SQL_EVIDENCE,
	SQL_RUNS,
	SQL_WINDOWS,
	SQL_NOTES,
	SQL_LAST_FULL,
	SQL_NEXT_FULL,
	SQL_TICKS,
	SQL_FIRST,
	SQL_LAST,
	SQL_COUNT,
	SQL_HAS_MINUTES,
	SQL_FOLLOWED,
	SQL_MINUTES_FROM,
	SQL_TICKS_BEHIND,
	SQL_TRACK_SET,
	SQL_MINUTE_SET,
	SQL_GAP_SET,
	SQL_STALL_SET,
	SQL_STALL_CLOSE,
	SQL_STALL_ON,
	SQL_TRACKS,
	SQL_MINUTES,
	SQL_GAPS,
	SQL_STALLS,
	SQL_THIN,
	SQL_SEEN,
	SQL_BETWEEN,
	SQL_STATEMENTS,
};

struct store {
	sqlite3 *db;
	sqlite3_stmt *statements[SQL_STATEMENTS]; /* prepared when first used */
	enum store_mode mode;
	bool batch;      /* between store_begin and store_end */
	unsigned broken; /* places that could not be read */
	int upgraded;    /* the format that it had before; 0: it was up to date */
	nsec last;       /* session time of the last tick written; 0: none was */
	struct follower *follower; /* store_minutes.c; null until it is needed */
	sqlite3_int64 evidence_rows, evidence_bytes; /* no rows: not counted */
	char path[PATH_MAX];
};

/* Fills FAULT from the last error of the store's connection. False. */
bool store_failed(struct store *store, const char *doing, struct fault *fault);

/* Runs fixed SQL without parameters and without rows. */
bool store_execute(struct store *store, const char *sql, struct fault *fault);

/* The prepared statement, reset and without bindings; null with FAULT filled. */
sqlite3_stmt *store_statement(
	struct store *store, enum statement which, struct fault *fault);

/* Runs STATEMENT, which gives no rows, to its end. */
bool store_step(struct store *store, sqlite3_stmt *statement, struct fault *fault);

/* Notes damage where the file is only read. False: the last error is none of that kind.
 */
bool store_damaged(struct store *store);

/* schema.c: the first number of a fixed query; false where the file is no database
 * or cannot be read. */
bool schema_number(struct store *store, const char *sql, sqlite3_int64 *number,
	struct fault *fault);

/* Whether the file is a session that this version reads. */
bool schema_check(struct store *store, struct fault *fault);

/* Brings a new or older file up to date, all steps in one transaction. */
bool schema_upgrade(struct store *store, struct fault *fault);

/* *FORMAT is that of the file if it is older than this program's, else 0. */
bool schema_is_old(struct store *store, int *format, struct fault *fault);

/* The texts live until the statement has run. */
void store_bind_text(sqlite3_stmt *statement, int at, const char *text);
void store_bind_number(sqlite3_stmt *statement, int at, sqlite3_int64 number);

/* store_read.c: a time and a text of a row, brought into range. */
nsec store_take_time(sqlite3_stmt *row, int column);
void store_take_text(sqlite3_stmt *row, int column, char *text, size_t size);
/* The number that a statement with at most one parameter gives; false for null. */
bool store_number(struct store *store, enum statement which, nsec limit, nsec *number);
/* Gives every row of a statement to TAKE. */
bool store_rows(struct store *store, enum statement which,
	void (*take)(void *context, sqlite3_stmt *row), void *context,
	struct fault *fault);
bool store_has(struct store *store, enum statement which); /* SQL_HAS_... */

/* store_minutes.c: ends the following of ticks. */
void store_unfollow(struct store *store);

/* store_open.c: a connection that can only read, whatever state the file is in. */
bool store_open_reader(struct store *store, struct fault *fault);
bool store_open_writer(struct store *store, struct fault *fault);
void store_disconnect(struct store *store);
/* The name of a new file must be on disk as well as its content. */
bool store_sync_folder(const char *path, struct fault *fault);

/* store_upgrade.c: brings an older file up to date on a copy, which takes its place;
 * the file itself stays beside it as NAME.weir.vFORMAT. */
bool store_upgrade(struct store *store, struct fault *fault);

#endif
