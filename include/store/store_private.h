/* The inside of a store: the files of src/store alone know SQLite. */
#ifndef WEIR_STORE_STORE_PRIVATE_H
#define WEIR_STORE_STORE_PRIVATE_H

#include "store/store.h"
#include "store/store_statements.h"

#include <limits.h>
#include <sqlite3.h>

#define STORE_APPLICATION 0x77656972 /* "weir", in the header of the file */

/* What lay in the places that could not be read. */
struct store_lost {
	uint64_t keys; /* at most so many rows */
	bool cut; /* and those at the beginning or the end, nobody knows how many */
};

struct store {
	sqlite3 *db;
	sqlite3_stmt *statements[SQL_STATEMENTS]; /* prepared when first used */
	enum store_mode mode;
	bool batch;                   /* between store_begin and store_end */
	bool checked[SQL_STATEMENTS]; /* of the tables that they read */
	unsigned broken;              /* places that could not be read */
	struct store_lost packets;
	int upgraded; /* the format that it had before; 0: it was up to date */
	nsec last;    /* session time of the last tick written; 0: none was */
	struct follower *follower; /* store_minutes.c; null until it is needed */
	sqlite3_int64 evidence_rows, evidence_bytes; /* no rows: not counted */
	char path[PATH_MAX];
};

/* What `backwards` of a window says beside 0. */
enum {
	WINDOW_BACKWARDS = 1,
	WINDOW_PLANNED = 2,
	WINDOW_UNSEEN = 3
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
/* store_walk.c: gives every row of a table to TAKE, in the order of its keys; of a
 * damaged file that is only read those that can be read. */
struct store_walk {
	enum statement which;
	sqlite3_int64 from, to; /* keys */
	void (*take)(void *context, sqlite3_stmt *row);
	void *context;
	struct store_lost *lost; /* added to; or null */
};
bool store_walk(
	struct store *store, const struct store_walk *walk, struct fault *fault);
bool store_rows(struct store *store, enum statement which,
	void (*take)(void *context, sqlite3_stmt *row), void *context,
	struct fault *fault);
/* Looks for damage of a table that reading it does not meet. */
void store_check(struct store *store, enum statement which);
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
