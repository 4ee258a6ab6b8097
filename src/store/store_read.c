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

	if (!row)
		return false;
	(void)sqlite3_bind_text(row, 1, key, -1, SQLITE_STATIC); /* else no row */
	found = sqlite3_step(row) == SQLITE_ROW;
	if (found)
		store_take_text(row, 0, value, size);
	(void)sqlite3_reset(row); /* repeats the error of the step */
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

/* Gives every row of a statement to TAKE. */
bool store_rows(struct store *store, enum statement which,
	void (*take)(void *context, sqlite3_stmt *row), void *context,
	struct fault *fault)
{
	sqlite3_stmt *row = store_statement(store, which, fault);
	bool good = true;
	int rc;

	if (!row)
		return store_damaged(store);
	while ((rc = sqlite3_step(row)) == SQLITE_ROW)
		take(context, row);
	if (rc != SQLITE_DONE && !store_damaged(store))
		good = store_failed(store, "read", fault);
	(void)sqlite3_reset(row); /* repeats the error of the step */
	return good;
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
		.backwards = sqlite3_column_int(row, 6),
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
	struct fact fact = {.at = store_take_time(row, 0),
		.name = name,
		.id = id,
		.key = key,
		.value = value};

	store_take_text(row, 1, kind, sizeof kind);
	store_take_text(row, 2, name, sizeof name);
	store_take_text(row, 3, id, sizeof id);
	store_take_text(row, 4, key, sizeof key);
	store_take_text(row, 5, value, sizeof value);
	store_take_text(row, 6, why, sizeof why);
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

/* From *AT on, which moves behind each tick that was read, until EACH has enough or the
 * database gives no more. */
static int read_stretch(
	struct store *store, nsec *at, nsec to, store_each *each, void *context)
{
	sqlite3_stmt *row = store_statement(store, SQL_TICKS, NULL);
	int rc;

	if (!row)
		return SQLITE_ERROR; /* its error is the connection's last one */
	(void)sqlite3_bind_int64(row, 1, *at); /* the places are there */
	(void)sqlite3_bind_int64(row, 2, to);
	while ((rc = sqlite3_step(row)) == SQLITE_ROW) {
		const uint8_t *data = sqlite3_column_blob(row, 2);
		size_t size = (size_t)sqlite3_column_bytes(row, 2);

		*at = sqlite3_column_int64(row, 0);
		if (!each(context, *at, sqlite3_column_int(row, 1), data, size))
			break;
		*at += *at < INT64_MAX;
	}
	return rc;
}

/* Behind a place that cannot be read it goes on at the next full tick. */
bool store_ticks(struct store *store, nsec from, nsec to, store_each *each,
	void *context, struct fault *fault)
{
	nsec at = from;
	bool more = true;
	bool good = true;

	(void)store_number(store, SQL_LAST_FULL, from, &at); /* else FROM itself */
	while (more) {
		nsec begun = at;
		int rc = read_stretch(store, &at, to, each, context);

		more = rc != SQLITE_DONE && rc != SQLITE_ROW;
		if (more && !store_damaged(store)) {
			good = store_failed(store, "read", fault);
			more = false;
		}
		if (store->statements[SQL_TICKS]) /* repeats the error of the step */
			(void)sqlite3_reset(store->statements[SQL_TICKS]);
		/* a damaged index may name the same place again, or an earlier one */
		at = at > begun ? at : begun;
		more = more && store_number(store, SQL_NEXT_FULL, at, &at) &&
		       at > begun && at <= to;
	}
	return good;
}

struct replay {
	struct session *session;
	struct tick_decoder decoder;
	nsec from;
	uint64_t damaged;
	nsec damaged_at;
};

/* A damaged tick costs those up to the next full one, not the session: what is
 * missing there shows as a gap. */
static bool replay_tick(
	void *context, nsec at, bool full, const uint8_t *data, size_t size)
{
	struct replay *replay = context;
	bool have;

	(void)full; /* the decoder sees it in the bytes */
	if (!tick_decode(&replay->decoder, data, size, &have, NULL)) {
		replay->damaged++;
		replay->damaged_at = at;
	} else if (have && replay->decoder.tick.at >= replay->from) {
		session_put(replay->session, &replay->decoder);
	}
	return true;
}

bool store_replay(struct store *store, nsec from, nsec to, struct session *session,
	struct fault *fault)
{
	struct replay replay = {.session = session, .from = from};
	struct note note = {.kind = NOTE_EVENT};
	bool done = store_ticks(store, from, to, replay_tick, &replay, fault);

	tick_decoder_fini(&replay.decoder);
	if (replay.damaged) {
		note.at = replay.damaged_at;
		(void)text_format(note.text, sizeof note.text,
			"%llu damaged ticks in the session file were left out",
			(unsigned long long)replay.damaged);
		session_note(session, &note);
	}
	if (store->broken) {
		note.at = session->ticks ? session->last.at : from;
		(void)text_format(note.text, sizeof note.text,
			"the session file is damaged: %u places could not be read",
			store->broken);
		session_note(session, &note);
	}
	return done;
}

bool store_span(struct store *store, nsec *first, nsec *last)
{
	nsec oldest;
	/* the index of full ticks may be sound where the table is not */
	bool found = (store_number(store, SQL_FIRST, 0, first) ||
			     store_number(store, SQL_NEXT_FULL, INT64_MIN, first)) &&
		     (store_number(store, SQL_LAST, 0, last) ||
			     store_number(store, SQL_LAST_FULL, INT64_MAX, last));

	/* ticks are thinned, minutes stay */
	if (found && store_has(store, SQL_HAS_MINUTES) &&
		store_number(store, SQL_MINUTES_FROM, 0, &oldest) && oldest < *first)
		*first = oldest;
	return found;
}

uint64_t store_tick_count(struct store *store)
{
	nsec count = 0;

	(void)store_number(store, SQL_COUNT, 0, &count); /* 0 where it cannot be read */
	return (uint64_t)count;
}
