/* Packets that are kept in a session file: as the helper wrote them, unparsed. */
#include "config.h"

#include "base/alloc.h"
#include "store/store_private.h"

#include <stdlib.h>
#include <string.h>

enum {
	ROWS_MAX = 20000,
	BYTES_MAX = 64 * 1024 * 1024, /* of packets; whole ones are long */
	AT_ONCE = 64,                 /* rows that go, where there are too many bytes */
};

/* What goes first: the oldest of what came later than an hour after an edge of a
 * window, so that the days after a change do not push out what was found before it. */
static const char the_rest[] =
	"DELETE FROM evidence WHERE number IN(SELECT number FROM evidence AS e"
	" WHERE NOT EXISTS(SELECT 1 FROM windows"
	" WHERE e.at BETWEEN began AND began+3600000000000"
	" OR e.at BETWEEN ended AND ended+3600000000000)"
	" ORDER BY number LIMIT %d)";
static const char the_oldest[] =
	"DELETE FROM evidence WHERE number IN"
	"(SELECT number FROM evidence ORDER BY number LIMIT %d)";

static bool put(struct store *store, nsec at, const struct evidence_packet *packet,
	struct fault *fault)
{
	sqlite3_stmt *statement = store_statement(store, SQL_EVIDENCE_SET, fault);
	const struct evidence_entry *entry = &packet->entry;
	char classes[1024];

	if (!statement)
		return false;
	evidence_classes(entry->seen, classes, sizeof classes);
	store_bind_number(statement, 1, at);
	store_bind_number(statement, 2, entry->time);
	store_bind_text(statement, 3, packet->interface);
	store_bind_number(statement, 4, packet->linktype);
	store_bind_text(statement, 5,
		packet_direction_word((enum packet_direction)entry->direction));
	store_bind_number(statement, 6, entry->finding);
	store_bind_number(statement, 7, entry->place);
	store_bind_text(statement, 8, classes);
	store_bind_number(statement, 9, entry->length);
	if (sqlite3_bind_blob64(statement, 10, entry->data, entry->captured,
		    SQLITE_STATIC) != SQLITE_OK)
		return store_failed(store, "write", fault);
	return store_step(store, statement, fault);
}

/* How much there is. */
static bool count(struct store *store, struct fault *fault)
{
	return schema_number(store, "SELECT count(*) FROM evidence",
		       &store->evidence_rows, fault) &&
	       schema_number(store, "SELECT ifnull(sum(length(data)),0) FROM evidence",
		       &store->evidence_bytes, fault);
}

static bool is_too_much(const struct store *store)
{
	return store->evidence_rows > ROWS_MAX || store->evidence_bytes > BYTES_MAX;
}

static bool throw_out(
	struct store *store, const char *which, int rows, struct fault *fault)
{
	char sql[400];

	(void)sqlite3_snprintf(sizeof sql, sql, which, rows); /* our own number */
	return store_execute(store, sql, fault);
}

static bool trim(struct store *store, struct fault *fault)
{
	bool done = true;

	while (done && is_too_much(store)) {
		sqlite3_int64 more = store->evidence_rows - ROWS_MAX;
		int rows = more > 0 ? (int)more : AT_ONCE;

		done = throw_out(store, the_rest, rows, fault);
		if (done && !sqlite3_changes(store->db))
			done = throw_out(store, the_oldest, rows, fault);
		done = done && count(store, fault);
	}
	return done;
}

static bool put_all(struct store *store, nsec at, const struct evidence_batch *batch,
	struct fault *fault)
{
	bool done = store->evidence_rows || count(store, fault);

	for (size_t i = 0; done && i < batch->count; i++) {
		struct evidence_packet packet = evidence_batch_at(batch, i);

		done = put(store, at, &packet, fault);
		store->evidence_rows++;
		store->evidence_bytes += packet.entry.captured;
	}
	return done && trim(store, fault);
}

bool store_evidence(struct store *store, nsec at, const struct evidence_batch *batch,
	struct fault *fault)
{
	bool own = !store->batch;
	bool done = !own || store_begin(store, fault);

	done = done && put_all(store, at, batch, fault);
	if (own && store->batch)
		done = store_end(store, done ? fault : NULL) && done;
	if (!done)
		store->evidence_rows = 0; /* what was written is not known */
	return done;
}

uint32_t store_evidence_last(struct store *store)
{
	sqlite3_int64 last;

	if (!schema_number(
		    store, "SELECT ifnull(max(finding),0) FROM evidence", &last, NULL))
		return 0;
	return last > 0 && last < UINT32_MAX ? (uint32_t)last : 0;
}

static uint32_t direction_of(const char *word)
{
	for (uint32_t i = 0; i < PACKET_DIRECTIONS; i++)
		if (!strcmp(packet_direction_word((enum packet_direction)i), word))
			return i;
	return PACKET_UNKNOWN;
}

struct packet_time {
	sqlite3_int64 number;
	nsec time;
};

struct times {
	struct packet_time *list;
	size_t count, room;
};

static void take_time(void *context, sqlite3_stmt *row)
{
	struct times *times = context;

	xgrow(&times->list, &times->room, times->count + 1, sizeof *times->list);
	times->list[times->count++] = (struct packet_time){
		sqlite3_column_int64(row, 0), sqlite3_column_int64(row, 1)};
}

static int by_time(const void *a, const void *b)
{
	const struct packet_time *x = a, *y = b;

	if (x->time != y->time)
		return x->time < y->time ? -1 : 1;
	return x->number < y->number ? -1 : x->number > y->number;
}

static void take_row(sqlite3_stmt *row, store_evidence_take *take, void *context)
{
	struct evidence_packet packet = {.linktype = sqlite3_column_int(row, 2),
		.entry = {.time = sqlite3_column_int64(row, 0),
			.finding = (uint32_t)sqlite3_column_int64(row, 4),
			.place = sqlite3_column_int(row, 5),
			.length = (uint32_t)sqlite3_column_int64(row, 7),
			.data = sqlite3_column_blob(row, 8),
			.captured = (uint32_t)sqlite3_column_bytes(row, 8)}};
	char classes[1024], way[8];

	/* a file from elsewhere may hold anything */
	store_take_text(row, 1, packet.interface, sizeof packet.interface);
	store_take_text(row, 3, way, sizeof way);
	store_take_text(row, 6, classes, sizeof classes);
	packet.entry.direction = direction_of(way);
	take(context, &packet, classes);
}

/* The rest of a packet may lie on a page that its time is not on. */
static bool take_packet(struct store *store, const struct packet_time *which,
	store_evidence_take *take, void *context, struct fault *fault)
{
	sqlite3_stmt *row = store_statement(store, SQL_EVIDENCE, fault);
	bool good = true;
	int rc;

	if (!row)
		return false;
	store_bind_number(row, 1, which->number);
	rc = sqlite3_step(row);
	if (rc == SQLITE_ROW)
		take_row(row, take, context);
	else if (rc == SQLITE_DONE || store_damaged(store))
		store->packets.keys++;
	else
		good = store_failed(store, "read", fault);
	(void)sqlite3_reset(row); /* repeats the error of the step */
	return good;
}

/* First where in time each lies, row by row: sorted by the database, one damaged page
 * would leave nothing. */
bool store_evidence_each(struct store *store, store_evidence_take *take, void *context,
	struct fault *fault)
{
	struct times times = {.count = 0};
	const struct store_walk walk = {.which = SQL_EVIDENCE_TIMES,
		.from = INT64_MIN,
		.to = INT64_MAX,
		.take = take_time,
		.context = &times,
		.lost = &store->packets};
	unsigned broken = store->broken;
	bool good;

	if (!store_has(store, SQL_HAS_EVIDENCE))
		return true; /* an older file has none */
	if (!store_statement(store, SQL_EVIDENCE, fault))
		return store_damaged(store);
	good = store_walk(store, &walk, fault);
	if (times.count)
		qsort(times.list, times.count, sizeof *times.list, by_time);
	for (size_t i = 0; good && i < times.count; i++)
		good = take_packet(store, &times.list[i], take, context, fault);
	if (store->broken == broken)
		store_check(store, SQL_EVIDENCE_TIMES);
	free(times.list);
	return good;
}
