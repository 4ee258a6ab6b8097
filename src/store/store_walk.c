/* Reading a table from end to end, past what is damaged: behind a place that cannot be
 * read the search goes on by key. Every statement that is walked has its key in column
 * 0, is ordered by it, and takes the first and the last one as parameters. */
#include "config.h"

#include "store/store_private.h"

#include <string.h>

enum {
	HOLES_MOST = 1000,   /* of one table; beyond that it is no session any more */
	SMALL_PAGES = 16384, /* 64 MiB */
	SAME_MOST = 10000    /* stalls that begin at one moment */
};

struct progress {
	sqlite3_int64 next; /* all before is read, or cannot be */
	int same;           /* rows with the last key */
};

static sqlite3_stmt *statement_from(
	struct store *store, const struct store_walk *walk, sqlite3_int64 from)
{
	sqlite3_stmt *row = store_statement(store, walk->which, NULL);

	if (!row)
		return NULL;
	store_bind_number(row, 1, from);
	store_bind_number(row, 2, walk->to);
	return row;
}

/* A damaged tree may lead to the same rows again and again. */
static bool moves_on(
	const struct store_walk *walk, struct progress *progress, sqlite3_int64 key)
{
	bool again = key < INT64_MAX && key + 1 == progress->next;

	progress->same = again ? progress->same + 1 : 0;
	return key >= progress->next ||
	       (again && walk->which == SQL_STALLS && progress->same < SAME_MOST);
}

static int read_on(
	struct store *store, const struct store_walk *walk, struct progress *progress)
{
	sqlite3_stmt *row = statement_from(store, walk, progress->next);
	int rc;

	if (!row)
		return sqlite3_errcode(store->db);
	while ((rc = sqlite3_step(row)) == SQLITE_ROW) {
		sqlite3_int64 key = sqlite3_column_int64(row, 0);

		if (!moves_on(walk, progress, key) || key == INT64_MAX)
			break;
		progress->next = key + 1;
		walk->take(walk->context, row);
	}
	return rc;
}

static bool can_read_from(
	struct store *store, const struct store_walk *walk, sqlite3_int64 from)
{
	sqlite3_stmt *row = statement_from(store, walk, from);
	int rc = row ? sqlite3_step(row) : SQLITE_ERROR;

	(void)sqlite3_reset(row); /* repeats the error of the step */
	return rc == SQLITE_ROW || rc == SQLITE_DONE;
}

/* The next key from which on there is something to be read: in steps that double, then
 * between the last two. False if there is none. */
static bool find_on(
	struct store *store, const struct store_walk *walk, struct progress *progress)
{
	/* no key of ours is negative */
	sqlite3_int64 base = progress->next < 0 ? -1 : progress->next;
	uint64_t low = 0, high = 1;

	for (;; low = high, high *= 2) {
		if (walk->to < base || high > (uint64_t)walk->to - (uint64_t)base ||
			high > INT64_MAX)
			return false;
		if (can_read_from(store, walk, base + (sqlite3_int64)high))
			break;
	}
	while (high - low > 1) {
		uint64_t middle = low + (high - low) / 2;

		if (can_read_from(store, walk, base + (sqlite3_int64)middle))
			high = middle;
		else
			low = middle;
	}
	if (walk->lost && progress->next > 0)
		walk->lost->keys += high;
	else if (walk->lost)
		walk->lost->cut = true;
	progress->next = base + (sqlite3_int64)high;
	return true;
}

/* A table that a damaged list of tables does not name is damage, too. */
static bool is_damage(struct store *store, int rc)
{
	if (store->mode == STORE_READ &&
		(rc == SQLITE_ROW || (rc == SQLITE_ERROR && store->broken))) {
		store->broken++;
		return true;
	}
	return store_damaged(store);
}

bool store_walk(struct store *store, const struct store_walk *walk, struct fault *fault)
{
	struct progress progress = {.next = walk->from};
	bool more = true, good = true;

	for (int holes = 0; more && good && holes < HOLES_MOST; holes++) {
		int rc = read_on(store, walk, &progress);

		if (rc == SQLITE_DONE)
			break;
		good = is_damage(store, rc) || store_failed(store, "read", fault);
		more = good && find_on(store, walk, &progress);
		if (good && !more && walk->lost)
			walk->lost->cut = true;
	}
	if (store->statements[walk->which]) /* repeats the error of the step */
		(void)sqlite3_reset(store->statements[walk->which]);
	return good;
}

/* Where a damaged page only seems to hold less than it did, no row is missed: the
 * accounts of its bytes tell. Of large tables all pages are looked at for that only
 * while the file is small. */
static const struct {
	const char *sql;
	bool large;
} checks[SQL_STATEMENTS] = {
	[SQL_RUNS] = {"PRAGMA quick_check(runs)", false},
	[SQL_WINDOWS] = {"PRAGMA quick_check(windows)", false},
	[SQL_NOTES] = {"PRAGMA quick_check(notes)", false},
	[SQL_FACTS] = {"PRAGMA quick_check(facts)", false},
	[SQL_EVIDENCE_TIMES] = {"PRAGMA quick_check(evidence)", false},
	[SQL_TRACKS] = {"PRAGMA quick_check(tracks)", false},
	[SQL_GAPS] = {"PRAGMA quick_check(gaps)", false},
	[SQL_STALLS] = {"PRAGMA quick_check(stalls)", false},
	[SQL_TICKS] = {"PRAGMA quick_check(ticks)", true},
	[SQL_MINUTES] = {"PRAGMA quick_check(minutes)", true},
};

static bool is_small(struct store *store)
{
	sqlite3_int64 pages;

	return schema_number(store, "PRAGMA page_count", &pages, NULL) &&
	       pages <= SMALL_PAGES;
}

void store_check(struct store *store, enum statement which)
{
	sqlite3_stmt *statement = NULL;
	const char *words;
	int rc;

	if (store->mode != STORE_READ || !checks[which].sql || store->checked[which] ||
		(checks[which].large && !is_small(store)))
		return;
	store->checked[which] = true;
	rc = sqlite3_prepare_v2(store->db, checks[which].sql, -1, &statement, NULL);
	if (rc == SQLITE_OK)
		rc = sqlite3_step(statement);
	words = rc == SQLITE_ROW ? (const char *)sqlite3_column_text(statement, 0)
				 : "ok";
	if ((rc != SQLITE_ROW && rc != SQLITE_DONE) || !words || strcmp(words, "ok"))
		store->broken++;
	(void)sqlite3_finalize(statement); /* repeats the error of the step */
}

bool store_rows(struct store *store, enum statement which,
	void (*take)(void *context, sqlite3_stmt *row), void *context,
	struct fault *fault)
{
	const struct store_walk walk = {.which = which,
		.from = INT64_MIN,
		.to = INT64_MAX,
		.take = take,
		.context = context};
	unsigned broken = store->broken;

	if (!store_walk(store, &walk, fault))
		return false;
	if (store->broken == broken)
		store_check(store, which);
	return true;
}
