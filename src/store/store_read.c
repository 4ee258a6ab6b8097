/* Reading a session file. It may come from anywhere: texts are cleaned and cut,
 * numbers are brought into range, ticks go through the decoder. */
#include "config.h"

#include "base/alloc.h"
#include "base/scan.h"
#include "base/text.h"
#include "store/store_private.h"

#include <stdlib.h>
#include <string.h>

/* Session times beyond 36 years are nonsense and would overflow when subtracted. */
#define TIME_LIMIT (INT64_C(1) << 60)

nsec store_take_time(sqlite3_stmt *row, int column)
{
	nsec time = sqlite3_column_int64(row, column);

	return time > TIME_LIMIT ? TIME_LIMIT : time < -TIME_LIMIT ? -TIME_LIMIT : time;
}

void store_take_text(sqlite3_stmt *row, int column, char *text, size_t size)
{
	const char *found = (const char *)sqlite3_column_text(row, column);

	(void)text_clean(text, size, found ? found : ""); /* a cut one will do */
}

bool store_meta(struct store *store, const char *key, char *value, size_t size)
{
	sqlite3_stmt *row = store_statement(store, SQL_META, NULL);
	bool found;
	int rc;

	if (!row)
		return false;
	(void)sqlite3_bind_text(row, 1, key, -1, SQLITE_STATIC); /* else no row */
	rc = sqlite3_step(row);
	found = rc == SQLITE_ROW;
	if (found)
		store_take_text(row, 0, value, size);
	else if (rc != SQLITE_DONE)
		(void)store_damaged(store); /* there is none all the same */
	(void)sqlite3_reset(row);           /* repeats the error of the step */
	return found;
}

bool store_ended_well(struct store *store, const struct session *session)
{
	char number[16];
	const char *at = number;
	uint64_t run;

	return session->run_count &&
	       store_meta(store, "ended", number, sizeof number) &&
	       scan_u64(&at, &run) &&
	       run == session->runs[session->run_count - 1].number;
}

static void take_run(void *session, sqlite3_stmt *row)
{
	struct run run = {
		.number = (uint32_t)sqlite3_column_int64(row, 0),
		.from = store_take_time(row, 1),
		.wall = sqlite3_column_int64(row, 2),
	};

	if (run.wall < 0 || run.wall > INT64_MAX / 2)
		run.wall = 0;
	store_take_text(row, 3, run.boot_id, sizeof run.boot_id);
	store_take_text(row, 4, run.kernel, sizeof run.kernel);
	store_take_text(row, 5, run.host, sizeof run.host);
	store_take_text(row, 6, run.version, sizeof run.version);
	session_run(session, &run);
}

static void take_window(void *session, sqlite3_stmt *row)
{
	struct session *into = session;
	bool open = sqlite3_column_type(row, 4) == SQLITE_NULL;
	struct window window = {
		.id = (uint32_t)sqlite3_column_int64(row, 0),
		.role = ROLE_OTHER,
		.from = store_take_time(row, 3),
		.to = open ? WINDOW_OPEN : store_take_time(row, 4),
		.backwards = sqlite3_column_int(row, 6) == WINDOW_BACKWARDS,
		.planned = sqlite3_column_int(row, 6) == WINDOW_PLANNED,
		.unseen = sqlite3_column_int(row, 6) == WINDOW_UNSEEN,
		.exit_status = sqlite3_column_int(row, 7),
	};
	char role[16];

	store_take_text(row, 1, role, sizeof role);
	(void)role_find(role, &window.role); /* an unknown one stays OTHER */
	store_take_text(row, 2, window.name, sizeof window.name);
	store_take_text(row, 5, window.author, sizeof window.author);
	store_take_text(row, 8, window.command, sizeof window.command);
	if (window.id && into->windows.count < WINDOW_MAX)
		(void)session_window(into, &window); /* no ticks yet: true */
}

static enum note_kind note_kind(const char *word)
{
	if (!strcmp(word, "attachment"))
		return NOTE_ATTACHMENT;
	if (!strcmp(word, "event"))
		return NOTE_EVENT;
	return strcmp(word, "alert") ? NOTE_TEXT : NOTE_ALERT;
}

static void take_note(void *session, sqlite3_stmt *row)
{
	struct note note = {.id = (uint32_t)sqlite3_column_int64(row, 0),
		.at = store_take_time(row, 2)};
	const char *body = (const char *)sqlite3_column_text(row, 5);
	char kind[16];

	store_take_text(row, 1, kind, sizeof kind);
	note.kind = note_kind(kind);
	store_take_text(row, 3, note.author, sizeof note.author);
	store_take_text(row, 4, note.text, sizeof note.text);
	if (body) {
		size_t size = strlen(body) + 1;

		note.body = xalloc(size);
		(void)text_clean_lines(note.body, size, body); /* never longer */
	}
	session_note(session, &note);
	free(note.body);
}

static enum why why_of(const char *word)
{
	for (unsigned why = 0; why < WHY_COUNT; why++)
		if (!strcmp(why_word(why), word))
			return why;
	return WHY_UNSUPPORTED; /* of a newer version: at least no value */
}

static void take_fact(void *session, sqlite3_stmt *row)
{
	char kind[16], name[SUBJECT_NAME], id[SUBJECT_ID], key[FACT_KEY];
	char value[FACT_VALUE], why[24];
	struct fact fact = {.at = store_take_time(row, 1),
		.name = name,
		.id = id,
		.key = key,
		.value = value};

	store_take_text(row, 2, kind, sizeof kind);
	store_take_text(row, 3, name, sizeof name);
	store_take_text(row, 4, id, sizeof id);
	store_take_text(row, 5, key, sizeof key);
	store_take_text(row, 6, value, sizeof value);
	store_take_text(row, 7, why, sizeof why);
	fact.why = why_of(why);
	if (fact.why != WHY_NONE)
		fact.value = "";
	if (kind_find(kind, &fact.kind))
		(void)session_fact(session, &fact); /* the same again: written twice */
}

bool store_has(struct store *store, enum statement which)
{
	sqlite3_stmt *row = store_statement(store, which, NULL);
	bool has = row && sqlite3_step(row) == SQLITE_ROW;

	if (row)
		(void)sqlite3_reset(row); /* repeats the error of the step */
	return has;
}

/* A file that is only read may be of a version that had none. */
static bool load_facts(
	struct store *store, struct session *session, struct fault *fault)
{
	return !store_has(store, SQL_HAS_FACTS) ||
	       store_rows(store, SQL_FACTS, take_fact, session, fault);
}

bool store_load(struct store *store, struct session *session, struct fault *fault)
{
	(void)store_meta(
		store, "name", session->name, sizeof session->name); /* or "" */
	return store_rows(store, SQL_RUNS, take_run, session, fault) &&
	       store_rows(store, SQL_WINDOWS, take_window, session, fault) &&
	       store_rows(store, SQL_NOTES, take_note, session, fault) &&
	       load_facts(store, session, fault);
}

/* The number that a statement with at most one parameter gives; false for null. */
bool store_number(struct store *store, enum statement which, nsec limit, nsec *number)
{
	sqlite3_stmt *row = store_statement(store, which, NULL);
	bool found;
	int rc;

	if (!row)
		return false;
	if (sqlite3_bind_parameter_count(row))
		(void)sqlite3_bind_int64(row, 1, limit); /* the place is there */
	rc = sqlite3_step(row);
	found = rc == SQLITE_ROW && sqlite3_column_type(row, 0) != SQLITE_NULL;
	if (found)
		*number = sqlite3_column_int64(row, 0);
	else if (rc != SQLITE_ROW && rc != SQLITE_DONE)
		(void)store_damaged(store); /* there is none all the same */
	(void)sqlite3_reset(row);           /* repeats the error of the step */
	return found;
}
