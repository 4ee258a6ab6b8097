/* Writing into a session file: ticks without a sync, everything that a person was
 * promised with one (doc/schema.md). */
#include "config.h"

#include "base/text.h"
#include "store/store_private.h"

/* Binds in order; the texts live until the statement has run. */
void store_bind_text(sqlite3_stmt *statement, int at, const char *text)
{
	/* Fails only for want of memory, and then so does the step. */
	(void)sqlite3_bind_text(statement, at, text, -1, SQLITE_STATIC);
}

void store_bind_number(sqlite3_stmt *statement, int at, sqlite3_int64 number)
{
	(void)sqlite3_bind_int64(statement, at, number); /* the place is there */
}

/* A transaction that is on the disk when it returns: the log is synced with it, and
 * with the log every tick before. The setting cannot change inside one. */
static bool begin_synced(struct store *store, struct fault *fault)
{
	if (store->batch)
		return fault_set(fault, "cannot write %s: a batch of ticks is open",
			store->path);
	return store_execute(store, "PRAGMA synchronous=FULL", fault) &&
	       store_execute(store, "BEGIN IMMEDIATE", fault);
}

static bool end_synced(struct store *store, bool done, struct fault *fault)
{
	if (done)
		done = store_execute(store, "COMMIT", fault);
	if (!done && !sqlite3_get_autocommit(store->db))
		(void)store_execute(store, "ROLLBACK", NULL); /* FAULT says it all */
	return store_execute(store, "PRAGMA synchronous=NORMAL", done ? fault : NULL) &&
	       done;
}

bool store_meta_set(
	struct store *store, const char *key, const char *value, struct fault *fault)
{
	sqlite3_stmt *statement = store_statement(store, SQL_META_SET, fault);
	bool done;

	if (!statement)
		return false;
	store_bind_text(statement, 1, key);
	store_bind_text(statement, 2, value);
	if (!begin_synced(store, fault))
		return false;
	done = store_step(store, statement, fault);
	return end_synced(store, done, fault);
}

bool store_begin(struct store *store, struct fault *fault)
{
	if (!store_execute(store, "BEGIN IMMEDIATE", fault))
		return false;
	store->batch = true;
	return true;
}

bool store_end(struct store *store, struct fault *fault)
{
	bool done = store_execute(store, "COMMIT", fault);

	store->batch = false;
	if (!done && !sqlite3_get_autocommit(store->db))
		(void)store_execute(store, "ROLLBACK", NULL); /* FAULT says it all */
	return done;
}

bool store_tick(struct store *store, nsec at, bool full, const uint8_t *data,
	size_t size, struct fault *fault)
{
	sqlite3_stmt *statement = store_statement(store, SQL_TICK_SET, fault);

	if (!statement)
		return false;
	store_bind_number(statement, 1, at);
	store_bind_number(statement, 2, full);
	if (sqlite3_bind_blob64(statement, 3, data, size, SQLITE_STATIC) != SQLITE_OK)
		return store_failed(store, "write", fault);
	store->last = at;
	return store_step(store, statement, fault);
}

bool store_run(struct store *store, const struct run *run, struct fault *fault)
{
	sqlite3_stmt *statement = store_statement(store, SQL_RUN_SET, fault);
	bool done;

	if (!statement)
		return false;
	store_bind_number(statement, 1, run->number);
	store_bind_number(statement, 2, run->from);
	store_bind_number(statement, 3, run->wall);
	store_bind_text(statement, 4, run->boot_id);
	store_bind_text(statement, 5, run->kernel);
	store_bind_text(statement, 6, run->host);
	store_bind_text(statement, 7, run->version);
	if (!begin_synced(store, fault))
		return false;
	done = store_step(store, statement, fault);
	return end_synced(store, done, fault);
}

static bool put_window(
	struct store *store, const struct window *window, struct fault *fault)
{
	sqlite3_stmt *statement = store_statement(store, SQL_WINDOW_SET, fault);

	if (!statement)
		return false;
	store_bind_number(statement, 1, window->id);
	store_bind_text(statement, 2, role_word(window->role));
	store_bind_text(statement, 3, window->name);
	store_bind_number(statement, 4, window->from);
	if (window->to != WINDOW_OPEN) /* else it stays null */
		store_bind_number(statement, 5, window->to);
	store_bind_text(statement, 6, window->author);
	store_bind_number(statement, 7,
		window->backwards ? WINDOW_BACKWARDS
		: window->planned ? WINDOW_PLANNED
		: window->unseen  ? WINDOW_UNSEEN
				  : 0);
	store_bind_number(statement, 8, window->exit_status);
	store_bind_text(statement, 9, window->command);
	return store_step(store, statement, fault);
}

bool store_windows(
	struct store *store, const struct windows *windows, struct fault *fault)
{
	sqlite3_stmt *clear = store_statement(store, SQL_WINDOWS_CLEAR, fault);
	bool done;

	if (!clear || !begin_synced(store, fault))
		return false;
	done = store_step(store, clear, fault);
	for (size_t i = 0; done && i < windows->count; i++)
		done = put_window(store, &windows->list[i], fault);
	return end_synced(store, done, fault);
}

static const char *const note_words[] = {
	[NOTE_TEXT] = "note",
	[NOTE_ATTACHMENT] = "attachment",
	[NOTE_EVENT] = "event",
	[NOTE_ALERT] = "alert",
};

static sqlite3_stmt *bind_note(
	struct store *store, const struct note *note, struct fault *fault)
{
	sqlite3_stmt *statement = store_statement(store, SQL_NOTE_SET, fault);

	if (!statement)
		return NULL;
	store_bind_number(statement, 1, note->id);
	store_bind_text(statement, 2, note_words[note->kind]);
	store_bind_number(statement, 3, note->at);
	store_bind_text(statement, 4, note->author);
	store_bind_text(statement, 5, note->text);
	if (note->body) /* else it stays null */
		store_bind_text(statement, 6, note->body);
	return statement;
}

bool store_note(struct store *store, const struct note *note, struct fault *fault)
{
	sqlite3_stmt *statement = bind_note(store, note, fault);
	bool done;

	if (!statement || !begin_synced(store, fault))
		return false;
	done = store_step(store, statement, fault);
	return end_synced(store, done, fault);
}

bool store_event(struct store *store, const struct note *note, struct fault *fault)
{
	sqlite3_stmt *statement = bind_note(store, note, fault);

	return statement && store_step(store, statement, fault);
}

bool store_remove_note(struct store *store, uint32_t id, struct fault *fault)
{
	sqlite3_stmt *statement = store_statement(store, SQL_NOTE_REMOVE, fault);
	bool done;

	if (!statement)
		return false;
	store_bind_number(statement, 1, id);
	if (!begin_synced(store, fault))
		return false;
	done = store_step(store, statement, fault);
	return end_synced(store, done, fault);
}

static bool put_fact(struct store *store, const struct fact *fact, struct fault *fault)
{
	sqlite3_stmt *statement = store_statement(store, SQL_FACT_SET, fault);

	if (!statement)
		return false;
	store_bind_number(statement, 1, fact->at);
	store_bind_text(statement, 2, kind_word(fact->kind));
	store_bind_text(statement, 3, fact->name);
	store_bind_text(statement, 4, fact->id);
	store_bind_text(statement, 5, fact->key);
	if (fact->why == WHY_NONE) /* else it stays null */
		store_bind_text(statement, 6, fact->value);
	store_bind_text(statement, 7, why_word(fact->why));
	return store_step(store, statement, fault);
}

bool store_facts(struct store *store, const struct facts *facts, struct fault *fault)
{
	bool done = store_begin(store, fault);

	if (!done)
		return false;
	for (size_t i = 0; done && i < facts->count; i++) {
		struct fact fact = facts_at_index(facts, i);

		done = put_fact(store, &fact, fault);
	}
	if (done)
		return store_end(store, fault);
	store->batch = false;
	(void)store_execute(store, "ROLLBACK", NULL); /* FAULT says it all */
	return false;
}

/* Passive: takes what no reader holds back and never waits for one. */
bool store_sync(struct store *store, struct fault *fault)
{
	int rc = sqlite3_wal_checkpoint_v2(
		store->db, NULL, SQLITE_CHECKPOINT_PASSIVE, NULL, NULL);

	if (rc == SQLITE_OK || rc == SQLITE_BUSY)
		return true;
	return store_failed(store, "sync", fault);
}
