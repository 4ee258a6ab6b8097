/* What a report needs of a session file: minutes for long windows, ticks for short
 * ones, and not a tick of the weeks between (core/session.h). */
#include "config.h"

#include "base/alloc.h"
#include "core/backlog.h"
#include "core/minute.h"
#include "store/store_private.h"
#include "store/store_sum.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void add_range(struct ranges *ranges, nsec from, nsec to)
{
	size_t at = ranges->count;

	xgrow(&ranges->list, &ranges->room, ++ranges->count, sizeof *ranges->list);
	for (; at && ranges->list[at - 1].from > from; at--)
		ranges->list[at] = ranges->list[at - 1];
	ranges->list[at] = (struct range){from, to};
}

/* Those that overlap become one. */
static void join(struct ranges *ranges)
{
	size_t used = 0;

	for (size_t i = 0; i < ranges->count; i++) {
		struct range *last = used ? &ranges->list[used - 1] : NULL;

		if (last && ranges->list[i].from <= last->to)
			last->to = ranges->list[i].to > last->to ? ranges->list[i].to
								 : last->to;
		else
			ranges->list[used++] = ranges->list[i];
	}
	ranges->count = used;
}

/* ---- tracks ---- */

static void name_track(struct sum *sum, uint32_t number, size_t track)
{
	enum {
		MOST = 1 << 20
	};
	struct minute_tracks *tracks = &sum->tracks;

	if (number >= MOST)
		return;
	xgrow(&tracks->list, &tracks->room, (size_t)number + 1, sizeof *tracks->list);
	for (; tracks->count <= number; tracks->count++)
		tracks->list[tracks->count] = UINT32_MAX;
	tracks->list[number] = (uint32_t)track;
}

static void take_track(void *context, sqlite3_stmt *row)
{
	struct sum *sum = context;
	struct subject subject;
	uint32_t number;
	unsigned metric;

	if (store_take_track(row, &number, &subject, &metric))
		name_track(sum, number, session_adopt(sum->session, &subject, metric));
}

/* ---- minutes that are there ---- */

/* Rows that wait until there are enough to be read together. */
struct pile {
	struct sum *sum;
	struct minute_row rows[MINUTES_TOGETHER];
	size_t places[MINUTES_TOGETHER]; /* of their bytes in DATA */
	size_t count;
	struct buffer data;
};

static void give_pile(struct pile *pile)
{
	/* of a damaged file they may all be empty: then there are no bytes to point to
	 */
	static const uint8_t nothing[1];
	const uint8_t *data = pile->data.data ? pile->data.data : nothing;
	struct sum *sum = pile->sum;

	for (size_t i = 0; i < pile->count; i++)
		pile->rows[i].data = data + pile->places[i];
	sum->damaged |=
		!session_minutes(sum->session, pile->rows, pile->count, &sum->tracks);
	pile->count = 0;
	buffer_clear(&pile->data);
}

static void take_minute(void *context, sqlite3_stmt *row)
{
	struct pile *pile = context;
	size_t size = (size_t)sqlite3_column_bytes(row, 6);

	pile->places[pile->count] = pile->data.size;
	buffer_add(&pile->data, sqlite3_column_blob(row, 6), size);
	pile->rows[pile->count++] =
		(struct minute_row){.number = sqlite3_column_int64(row, 0),
			.from = store_take_time(row, 1),
			.to = store_take_time(row, 2),
			.interval = store_take_time(row, 3),
			.seen = (uint32_t)sqlite3_column_int64(row, 4),
			.swallowed = (uint32_t)sqlite3_column_int64(row, 5),
			.size = size};
	if (pile->count == MINUTES_TOGETHER)
		give_pile(pile);
}

static bool read_minutes(
	struct sum *sum, const struct range *range, struct fault *fault)
{
	struct pile pile = {.sum = sum};
	const struct store_walk walk = {.which = SQL_MINUTES,
		.from = range->from / MINUTE - 1,
		.to = range->to / MINUTE + 1,
		.take = take_minute,
		.context = &pile};

	unsigned broken = sum->store->broken;
	bool good = store_walk(sum->store, &walk, fault);

	give_pile(&pile);
	buffer_fini(&pile.data);
	if (good && sum->store->broken == broken)
		store_check(sum->store, SQL_MINUTES);
	return good;
}

/* The end of the last minute that can be read. */
static void take_end(void *context, sqlite3_stmt *row)
{
	*(nsec *)context = store_take_time(row, 1);
}

static bool find_followed(struct store *store, nsec *followed)
{
	*followed = INT64_MIN;
	if (!store_has(store, SQL_HAS_MINUTES))
		return false;
	return store_number(store, SQL_FOLLOWED, 0, followed) ||
	       (store->broken &&
		       store_rows(store, SQL_MINUTE_ENDS, take_end, followed, NULL) &&
		       *followed != INT64_MIN);
}

/* ---- gaps and stalls that are known ---- */

static void take_gap(void *context, sqlite3_stmt *row)
{
	struct sum *sum = context;
	struct gap gap = {.from = store_take_time(row, 0),
		.to = store_take_time(row, 1),
		.kind = GAP_MISSED};
	char kind[16];

	store_take_text(row, 2, kind, sizeof kind);
	if (!strcmp(kind, "run"))
		gap.kind = GAP_RUN;
	else if (!strcmp(kind, "suspend"))
		gap.kind = GAP_SUSPEND;
	if (gap.to > sum->all.from && gap.from < sum->all.to)
		session_tell_gap(sum->session, &gap);
}

static void take_stall(void *context, sqlite3_stmt *row)
{
	struct sum *sum = context;
	uint64_t number = (uint64_t)sqlite3_column_int64(row, 1);
	bool open = sqlite3_column_type(row, 2) == SQLITE_NULL;
	struct stall stall = {.from = store_take_time(row, 0),
		.to = open ? WINDOW_OPEN : store_take_time(row, 2),
		.kind = STALL_SILENT,
		.depth = sqlite3_column_double(row, 4),
		.hold = sqlite3_column_int(row, 5),
		.held = store_take_time(row, 6),
		.limit = (double)NAN};
	char kind[16];

	store_take_text(row, 3, kind, sizeof kind);
	if (!strcmp(kind, stall_word(STALL_BLOCKED)))
		stall.kind = STALL_BLOCKED;
	else if (!strcmp(kind, stall_word(STALL_OFFLINE)))
		stall.kind = STALL_OFFLINE;
	if (stall.hold < 0 || stall.hold >= HOLD_COUNT)
		stall.hold = -1;
	if (sqlite3_column_type(row, 7) == SQLITE_FLOAT)
		stall.limit = sqlite3_column_double(row, 7);
	if (number >= sum->tracks.count || sum->tracks.list[number] == UINT32_MAX ||
		stall.to <= sum->all.from || stall.from >= sum->all.to ||
		!(stall.depth >= 0 && stall.depth < 1e9))
		return;
	stall.subject = sum->session->tracks[sum->tracks.list[number]].subject;
	session_tell_stall(sum->session, &stall);
}

/* ---- which windows, and what of them ---- */

/* Whether minutes tell of ticks between FROM and TO that are not there any more. */
static bool is_thinned(struct store *store, nsec from, nsec to)
{
	sqlite3_stmt *row = store_statement(store, SQL_SEEN, NULL);
	sqlite3_int64 seen = 0, found = 0;
	nsec began = from, ended = from;

	if (!row)
		return false;
	store_bind_number(row, 1, from);
	store_bind_number(row, 2, to);
	store_bind_number(row, 3, from / MINUTE - 1);
	store_bind_number(row, 4, to / MINUTE + 1);
	if (sqlite3_step(row) == SQLITE_ROW) {
		seen = sqlite3_column_int64(row, 0);
		began = sqlite3_column_int64(row, 1);
		ended = sqlite3_column_int64(row, 2);
	} else {
		(void)store_damaged(store); /* then its ticks tell */
	}
	(void)sqlite3_reset(row); /* repeats the error of the step */
	row = seen ? store_statement(store, SQL_BETWEEN, NULL) : NULL;
	if (!row)
		return false;
	store_bind_number(row, 1, began);
	store_bind_number(row, 2, ended);
	if (sqlite3_step(row) == SQLITE_ROW)
		found = sqlite3_column_int64(row, 0);
	else
		(void)store_damaged(store); /* then its minutes tell */
	(void)sqlite3_reset(row);           /* repeats the error of the step */
	return found < seen;
}

static void sort_windows(
	struct sum *sum, const uint32_t *ids, size_t count, nsec last, bool minutes)
{
	sum->all = (struct range){INT64_MAX, INT64_MIN};
	for (size_t i = 0; i < count; i++) {
		const struct window *window =
			windows_by_id(&sum->session->windows, ids[i]);
		nsec to, from;
		bool is_long;

		if (!window)
			continue;
		from = window->from;
		to = window->to < last ? window->to : last;
		is_long = to - from > SESSION_LONG ||
			  (minutes && is_thinned(sum->store, from, to));
		if (is_long)
			session_long(sum->session, window->id);
		add_range(is_long ? &sum->minutes : &sum->ticks, from, to);
		sum->all.from = from < sum->all.from ? from : sum->all.from;
		sum->all.to = to > sum->all.to ? to : sum->all.to;
	}
	join(&sum->minutes);
}

static bool take_minutes(struct sum *sum, bool stored, struct fault *fault)
{
	bool good = true;
	nsec from = sum->all.from;

	session_told(sum->session);
	if (stored)
		good = store_rows(sum->store, SQL_TRACKS, take_track, sum, fault);
	for (size_t i = 0; good && i < sum->minutes.count && stored; i++)
		good = read_minutes(sum, &sum->minutes.list[i], fault);
	good = good &&
	       (!stored || (store_rows(sum->store, SQL_GAPS, take_gap, sum, fault) &&
				   store_rows(sum->store, SQL_STALLS, take_stall, sum,
					   fault)));
	if (good && sum->followed < sum->all.to)
		good = sum_make_rest(
			sum, sum->followed > from ? sum->followed : from, fault);
	return good;
}

static bool take_ticks(struct sum *sum, nsec last, struct fault *fault)
{
	bool good = true;

	add_range(&sum->ticks, last, last);
	join(&sum->ticks);
	for (size_t i = 0; good && i < sum->ticks.count; i++) {
		session_jump(sum->session);
		good = store_replay(sum->store, sum->ticks.list[i].from,
			sum->ticks.list[i].to, sum->session, fault);
	}
	return good;
}

/* A file without minutes, and no window that needs them: its ticks tell everything. */
static bool is_plain(const struct sum *sum, bool stored)
{
	return !stored && !sum->minutes.count;
}

bool store_sum_up(struct store *store, struct session *session, const uint32_t *ids,
	size_t count, struct fault *fault)
{
	struct sum sum = {.store = store, .session = session};
	nsec first, last;
	bool stored = find_followed(store, &sum.followed);
	bool good = true;

	if (!store_span(store, &first, &last))
		return fault_set(fault, "session %s has no ticks yet", session->name);
	sort_windows(&sum, ids, count, last, stored);
	if (is_plain(&sum, stored))
		good = store_replay(store, sum.all.from, sum.all.to, session, fault);
	else
		good = take_minutes(&sum, stored, fault) &&
		       take_ticks(&sum, last, fault);
	if (good && sum.damaged)
		session_note(session,
			&(struct note){.kind = NOTE_EVENT,
				.at = last,
				.text = "damaged minutes in the session file were "
					"left out"});
	free(sum.tracks.list);
	free(sum.minutes.list);
	free(sum.ticks.list);
	return good;
}
