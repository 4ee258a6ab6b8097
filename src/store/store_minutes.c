/* Minutes are made from the ticks of the file itself, while it is recorded and later
 * alike: a recorder that resumes makes those that an older one did not. What was not
 * committed is made again from the ticks. */
#include "config.h"

#include "base/alloc.h"
#include "core/minutes.h"
#include "store/store_sum.h"

#include <stdlib.h>
#include <string.h>

enum {
	MOST_STALLS = 1000
};

struct follower {
	struct minutes *minutes;
	struct tick_decoder decoder;
	nsec at;           /* the last tick that was read */
	nsec followed;     /* up to here there are minutes */
	nsec resumed;      /* up to here there were when it began */
	bool closed;       /* what was open then was looked at */
	uint32_t *numbers; /* of the tracks of its session */
	size_t numbered, number_room;
	uint32_t next;            /* number of a track that has none */
	struct subject *subjects; /* as they were written */
	size_t subject_room;
	size_t gaps; /* written */
	struct buffer data;
	struct fault *fault; /* of the call under way */
	bool good;
};

void store_unfollow(struct store *store)
{
	struct follower *follower = store->follower;

	if (!follower)
		return;
	minutes_free(follower->minutes);
	tick_decoder_fini(&follower->decoder);
	free(follower->numbers);
	free(follower->subjects);
	buffer_fini(&follower->data);
	free(follower);
	store->follower = NULL;
}

/* ---- beginning ---- */

bool store_take_track(
	sqlite3_stmt *row, uint32_t *number, struct subject *subject, unsigned *metric)
{
	char kind[16], id[64];
	int found;

	*subject = (struct subject){.flags = (unsigned)sqlite3_column_int(row, 6)};
	*number = (uint32_t)sqlite3_column_int64(row, 0);
	store_take_text(row, 1, kind, sizeof kind);
	store_take_text(row, 2, subject->name, sizeof subject->name);
	store_take_text(row, 3, subject->id, sizeof subject->id);
	store_take_text(row, 4, subject->label, sizeof subject->label);
	store_take_text(row, 5, subject->detail, sizeof subject->detail);
	store_take_text(row, 7, id, sizeof id);
	found = metric_find(id);
	*metric = found < 0 ? 0 : (unsigned)found;
	return found >= 0 && kind_find(kind, &subject->kind) &&
	       metric_at(*metric)->kind == subject->kind;
}

static void keep_subjects(struct follower *follower)
{
	const struct session *session = minutes_session(follower->minutes);

	xgrow(&follower->subjects, &follower->subject_room, session->subject_count,
		sizeof *follower->subjects);
}

/* A track of a metric that this version does not know keeps its number to itself. */
static void know_track(void *context, sqlite3_stmt *row)
{
	struct follower *follower = context;
	const struct session *session = minutes_session(follower->minutes);
	struct subject subject;
	uint32_t number;
	unsigned metric;
	bool known = store_take_track(row, &number, &subject, &metric);

	follower->next = number + 1;
	if (!known)
		return;
	minutes_known(follower->minutes, &subject, metric);
	if (session->track_count == follower->numbered)
		return; /* twice: only a foreign hand does that */
	xgrow(&follower->numbers, &follower->number_room, session->track_count,
		sizeof *follower->numbers);
	follower->numbers[follower->numbered++] = number;
	keep_subjects(follower);
	follower->subjects[session->subject_count - 1] = subject;
}

static bool begin(struct store *store, struct fault *fault)
{
	struct follower *follower = xalloc(sizeof *follower);
	nsec start = INT64_MIN;

	store->follower = follower;
	follower->minutes = minutes_new();
	follower->followed = INT64_MIN;
	if (store_number(store, SQL_FOLLOWED, 0, &follower->followed)) {
		minutes_after(follower->minutes, follower->followed);
		start = follower->followed;
		(void)store_number(store, SQL_LAST_FULL, start, &start); /* or START */
	}
	follower->resumed = follower->followed;
	follower->at = start == INT64_MIN ? start : start - 1;
	return store_rows(store, SQL_TRACKS, know_track, follower, fault);
}

/* ---- writing ---- */

static bool put_track(struct store *store, uint32_t number,
	const struct subject *subject, unsigned metric)
{
	struct follower *follower = store->follower;
	sqlite3_stmt *set = store_statement(store, SQL_TRACK_SET, follower->fault);

	if (!set)
		return false;
	store_bind_number(set, 1, number);
	store_bind_text(set, 2, kind_word(subject->kind));
	store_bind_text(set, 3, subject->name);
	store_bind_text(set, 4, subject->id);
	store_bind_text(set, 5, subject->label);
	store_bind_text(set, 6, subject->detail);
	store_bind_number(set, 7, subject->flags);
	store_bind_text(set, 8, metric_at(metric)->id);
	return store_step(store, set, follower->fault);
}

/* Tracks that are new, and those of a subject that is called otherwise by now. */
static bool put_tracks(struct store *store)
{
	struct follower *follower = store->follower;
	const struct session *session = minutes_session(follower->minutes);
	bool good = true;

	keep_subjects(follower);
	xgrow(&follower->numbers, &follower->number_room, session->track_count,
		sizeof *follower->numbers);
	for (size_t i = 0; good && i < session->track_count; i++) {
		const struct track *track = &session->tracks[i];
		const struct subject *now = &session->subjects[track->subject];
		bool fresh = i >= follower->numbered;

		if (fresh)
			follower->numbers[follower->numbered++] = follower->next++;
		if (fresh || memcmp(now, &follower->subjects[track->subject],
				     sizeof *now) != 0)
			good = put_track(
				store, follower->numbers[i], now, track->metric);
	}
	if (session->subject_count)
		memcpy(follower->subjects, session->subjects,
			session->subject_count * sizeof *follower->subjects);
	return good;
}

static bool put_gap(struct store *store, const struct gap *gap)
{
	static const char *const words[] = {
		[GAP_NONE] = "",
		[GAP_RUN] = "run",
		[GAP_MISSED] = "missed",
		[GAP_SUSPEND] = "suspend",
	};
	struct follower *follower = store->follower;
	sqlite3_stmt *set = store_statement(store, SQL_GAP_SET, follower->fault);

	if (!set)
		return false;
	store_bind_number(set, 1, gap->from);
	store_bind_number(set, 2, gap->to);
	store_bind_text(set, 3, words[gap->kind]);
	return store_step(store, set, follower->fault);
}

/* What is open in the file when a follower begins ends there, until the ticks behind
 * tell that it goes on. */
static bool close_stalls(struct store *store)
{
	struct follower *follower = store->follower;
	sqlite3_stmt *set;

	if (follower->closed || follower->resumed == INT64_MIN)
		return true;
	follower->closed = true;
	set = store_statement(store, SQL_STALL_CLOSE, follower->fault);
	if (!set)
		return false;
	store_bind_number(set, 1, follower->resumed);
	return store_step(store, set, follower->fault);
}

/* A stall that was there before this follower seems to begin with its first tick: it is
 * the one in the file. */
static bool prolong_stall(
	struct store *store, const struct stall *stall, uint32_t track, bool *done)
{
	struct follower *follower = store->follower;
	sqlite3_stmt *set = store_statement(store, SQL_STALL_ON, follower->fault);

	if (!set)
		return false;
	if (stall->to != WINDOW_OPEN) /* else it stays null */
		store_bind_number(set, 1, stall->to);
	(void)sqlite3_bind_double(set, 2, stall->depth); /* the place is there */
	store_bind_number(set, 3, track);
	store_bind_number(set, 4, follower->resumed);
	if (!store_step(store, set, follower->fault))
		return false;
	*done = sqlite3_changes(store->db) > 0;
	return true;
}

static bool put_stall(struct store *store, const struct stall *stall)
{
	struct follower *follower = store->follower;
	const struct session *session = minutes_session(follower->minutes);
	size_t track = 0; /* any of its subject */
	sqlite3_stmt *set;
	bool done = false;

	while (track < follower->numbered &&
		session->tracks[track].subject != stall->subject)
		track++;
	if (track == follower->numbered)
		return true;
	if (stall->from <= follower->resumed &&
		(!prolong_stall(store, stall, follower->numbers[track], &done) || done))
		return done;
	set = store_statement(store, SQL_STALL_SET, follower->fault);
	if (!set)
		return false;
	store_bind_number(set, 1, stall->from);
	store_bind_number(set, 2, follower->numbers[track]);
	if (stall->to != WINDOW_OPEN) /* else it stays null */
		store_bind_number(set, 3, stall->to);
	store_bind_text(set, 4, stall_word(stall->kind));
	(void)sqlite3_bind_double(set, 5, stall->depth); /* the place is there */
	store_bind_number(set, 6, stall->hold);
	store_bind_number(set, 7, stall->held);
	(void)sqlite3_bind_double(set, 8, stall->limit); /* null where unknown */
	return store_step(store, set, follower->fault);
}

/* Gaps and stalls up to the end of a minute. Those of ticks that were read only to
 * begin with stand in the file already. */
static bool put_facts(struct store *store, nsec from)
{
	struct follower *follower = store->follower;
	const struct session *session = minutes_session(follower->minutes);
	bool good = close_stalls(store);

	for (; good && follower->gaps < session->gap_count; follower->gaps++)
		if (session->gaps[follower->gaps].to > from)
			good = put_gap(store, &session->gaps[follower->gaps]);
	for (size_t i = session->stall_count; good && i--;) {
		const struct stall *stall = &session->stalls[i];

		if (stall->to > from)
			good = put_stall(store, stall);
	}
	return good;
}

static bool put_minute(struct store *store, const struct minute *minute)
{
	struct follower *follower = store->follower;
	sqlite3_stmt *set = store_statement(store, SQL_MINUTE_SET, follower->fault);
	struct minute_row row;

	if (!set)
		return false;
	buffer_clear(&follower->data);
	row = minute_row(minute, follower->numbers, &follower->data);
	store_bind_number(set, 1, row.number);
	store_bind_number(set, 2, row.from);
	store_bind_number(set, 3, row.to);
	store_bind_number(set, 4, row.interval);
	store_bind_number(set, 5, row.seen);
	store_bind_number(set, 6, row.swallowed);
	if (sqlite3_bind_blob64(set, 7, row.data, row.size, SQLITE_STATIC) != SQLITE_OK)
		return store_failed(store, "write", follower->fault);
	return store_step(store, set, follower->fault);
}

static void take_tick(struct store *store, nsec at, const uint8_t *data, size_t size)
{
	struct follower *follower = store->follower;
	const struct minute *minute;
	bool have;

	follower->at = at;
	/* a damaged one costs those up to the next full one, as everywhere */
	if (!tick_decode(&follower->decoder, data, size, &have, NULL) || !have)
		return;
	minute = minutes_put(follower->minutes, &follower->decoder);
	if (!minute)
		return;
	follower->good = put_tracks(store) && put_minute(store, minute) &&
			 put_facts(store, minute->from);
	follower->followed = minute->to;
}

static bool read_ticks(struct store *store, unsigned most, bool *more)
{
	struct follower *follower = store->follower;
	sqlite3_stmt *row = store_statement(store, SQL_TICKS_BEHIND, follower->fault);
	unsigned count = 0;
	int rc;

	if (!row)
		return false;
	follower->good = true;
	store_bind_number(
		row, 1, follower->at == INT64_MIN ? INT64_MIN : follower->at + 1);
	store_bind_number(row, 2, most);
	while (follower->good && (rc = sqlite3_step(row)) == SQLITE_ROW) {
		take_tick(store, sqlite3_column_int64(row, 0),
			sqlite3_column_blob(row, 1),
			(size_t)sqlite3_column_bytes(row, 1));
		count++;
	}
	if (follower->good && rc != SQLITE_DONE)
		follower->good = store_failed(store, "read", follower->fault);
	(void)sqlite3_reset(row); /* repeats the error of the step */
	*more = count == most;
	return follower->good;
}

/* Whether a minute may be over since the last tick that was read. */
static bool is_due(const struct store *store)
{
	const struct follower *follower = store->follower;

	return !follower || follower->at < 0 || !store->last ||
	       store->last / MINUTE > follower->at / MINUTE;
}

bool store_follow(struct store *store, unsigned most, bool *more, struct fault *fault)
{
	bool good;

	*more = false;
	if (!is_due(store))
		return true;
	if (!store->follower && !begin(store, fault)) {
		store_unfollow(store);
		return false;
	}
	if (!store_begin(store, fault)) {
		store_unfollow(store);
		return false;
	}
	store->follower->fault = fault;
	good = read_ticks(store, most, more);
	good = store_end(store, good ? fault : NULL) && good;
	/* begins again at what is in the file; also where its memory would grow */
	if (!good ||
		minutes_session(store->follower->minutes)->stall_count > MOST_STALLS)
		store_unfollow(store);
	return good;
}
