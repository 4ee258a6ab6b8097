/* Reading the ticks of a session file, past what is damaged. */
#include "config.h"

#include "base/text.h"
#include "store/store_private.h"

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

/* The index of full ticks may be damaged where the table is not. */
static void take_full(void *context, sqlite3_stmt *row)
{
	nsec *found = context;

	if (*found == INT64_MAX && sqlite3_column_int(row, 1))
		*found = sqlite3_column_int64(row, 0);
}

static bool next_full(struct store *store, nsec *at, nsec to)
{
	unsigned broken = store->broken;
	nsec found = INT64_MAX;
	const struct store_walk walk = {.which = SQL_TICK_TIMES,
		.from = *at == INT64_MAX ? *at : *at + 1,
		.to = to,
		.take = take_full,
		.context = &found};

	if (store_number(store, SQL_NEXT_FULL, *at, at))
		return true;
	if (store->broken == broken || !store_walk(store, &walk, NULL))
		return false;
	store->broken =
		broken + 1; /* the places in the table are met by who reads it */
	*at = found;
	return found != INT64_MAX;
}

/* *AT stays where there is none. */
static void last_full(struct store *store, nsec from, nsec *at)
{
	unsigned broken = store->broken;

	if (!store_number(store, SQL_LAST_FULL, from, at) && store->broken > broken)
		(void)store_number(store, SQL_LAST_FULL_SEEN, from, at);
}

/* Behind a place that cannot be read it goes on at the next full tick. */
bool store_ticks(struct store *store, nsec from, nsec to, store_each *each,
	void *context, struct fault *fault)
{
	unsigned broken = store->broken;
	nsec at = from;
	bool more = true;
	bool good = true;

	last_full(store, from, &at); /* else FROM itself */
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
		more = more && next_full(store, &at, to) && at > begun && at <= to;
	}
	if (store->broken == broken)
		store_check(store, SQL_TICKS);
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
	} else if (have && replay->decoder.tick.at != at) {
		replay->damaged++; /* it is in the place of another */
		replay->damaged_at = at;
		replay->decoder.started = false;
	} else if (have && at >= replay->from) {
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
			"the session file is damaged: %u place%s could not be read",
			store->broken, store->broken > 1 ? "s" : "");
		session_note(session, &note);
	}
	return done;
}

static void take_at(void *context, sqlite3_stmt *row)
{
	*(nsec *)context = sqlite3_column_int64(row, 0);
}

/* Where the end of the table cannot be read: up to there, from the last full one on. */
static bool last_readable(struct store *store, nsec *last)
{
	struct store_walk walk = {.which = SQL_TICK_TIMES,
		.from = INT64_MIN,
		.to = INT64_MAX,
		.take = take_at,
		.context = last};

	*last = INT64_MIN;
	if (store_number(store, SQL_LAST_FULL, INT64_MAX, last))
		walk.from = *last;
	return store_walk(store, &walk, NULL) && *last != INT64_MIN;
}

bool store_span(struct store *store, nsec *first, nsec *last)
{
	unsigned broken = store->broken;
	nsec oldest;
	bool found;

	*first = INT64_MIN;
	found = store_number(store, SQL_FIRST, 0, first) ||
		(store->broken > broken && next_full(store, first, INT64_MAX));
	broken = store->broken;
	found = found &&
		(store_number(store, SQL_LAST, 0, last) ||
			(store->broken > broken && last_readable(store, last)));
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
