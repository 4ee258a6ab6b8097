/* Packets that are kept in a session file: as the helper wrote them, unparsed. */
#include "config.h"

#include "store/store_private.h"

#include <string.h>

enum {
	ROWS_MAX = 20000,            /* the oldest go */
	BYTES_MAX = 64 * 1024 * 1024 /* of packets; whole ones are long */
};

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

/* Rows are about as long as each other, so their number bounds the bytes. */
static bool trim(struct store *store, size_t longest, struct fault *fault)
{
	char sql[128];
	size_t rows = longest * ROWS_MAX > BYTES_MAX ? BYTES_MAX / longest : ROWS_MAX;

	(void)sqlite3_snprintf(sizeof sql, sql, /* our own number */
		"DELETE FROM evidence WHERE number<="
		"(SELECT max(number) FROM evidence)-%d",
		(int)rows);
	return store_execute(store, sql, fault);
}

bool store_evidence(struct store *store, nsec at, const struct evidence_batch *batch,
	struct fault *fault)
{
	bool own = !store->batch;
	bool done = !own || store_begin(store, fault);
	size_t longest = 1;

	for (size_t i = 0; done && i < batch->count; i++) {
		struct evidence_packet packet = evidence_batch_at(batch, i);

		longest = packet.entry.captured > longest ? packet.entry.captured
							  : longest;
		done = put(store, at, &packet, fault);
	}
	done = done && trim(store, longest, fault);
	if (own && store->batch)
		done = store_end(store, done ? fault : NULL) && done;
	return done;
}

static uint32_t direction_of(const char *word)
{
	for (uint32_t i = 0; i < PACKET_DIRECTIONS; i++)
		if (!strcmp(packet_direction_word((enum packet_direction)i), word))
			return i;
	return PACKET_UNKNOWN;
}

struct taking {
	store_evidence_take *take;
	void *context;
};

static void take_row(void *context, sqlite3_stmt *row)
{
	const struct taking *taking = context;
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
	taking->take(taking->context, &packet, classes);
}

bool store_evidence_each(struct store *store, store_evidence_take *take, void *context,
	struct fault *fault)
{
	struct taking taking = {take, context};

	/* an older file has none */
	return !store_has(store, SQL_HAS_EVIDENCE) ||
	       store_rows(store, SQL_EVIDENCE, take_row, &taking, fault);
}
