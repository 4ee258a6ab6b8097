/* Saying what peers did; see the header. Every item is one line or none. */
#include "config.h"

#include "packet/wire_peer.h"

#include "base/text.h"

#include <inttypes.h>
#include <string.h>

enum {
	LINES_SLOWER = (RESPONSE_EDGES + PEER_SLOWER - 1) / PEER_SLOWER,
	LINES_KIND = 1 + LINES_SLOWER,
	LINES_RESPONSE = RESPONSE_KINDS * LINES_KIND,
	ITEM_HEAD = 0,
	ITEM_SEGMENTS,
	ITEM_RESPONSE,
	ITEM_CLASS = ITEM_RESPONSE + LINES_RESPONSE,
};

/* One row as it is and as the reader knows it. */
struct pair {
	unsigned number;
	const struct peer_row *now, *sent;
	bool everything;
};

static unsigned row_items(void)
{
	return ITEM_CLASS + packet_class_count;
}

unsigned wire_peer_items(void)
{
	return PEER_ROWS * row_items();
}

static bool is_news(
	const struct pair *pair, const void *now, const void *sent, size_t size)
{
	const uint8_t *bytes = now;

	if (memcmp(now, sent, size) != 0)
		return true;
	/* a 0 that was never anything else needs no words */
	return pair->everything && (bytes[0] || memcmp(bytes, bytes + 1, size - 1));
}

/* The length of the line, 0 for none; one that does not fit is none. */
static size_t say_head(const struct pair *pair, char *to, size_t size)
{
	static const char *const digests[] = {"unknown", "off", "on"};
	const struct peer_row *now = pair->now, *sent = pair->sent;
	char end[PEER_TEXT];

	if (!pair->everything && now->tenant == sent->tenant &&
		now->dialect == sent->dialect &&
		now->header_digest == sent->header_digest &&
		now->data_digest == sent->data_digest)
		return 0;
	peer_text(&now->end, end);
	return text_format(to, size,
		       "peer %u %" PRIu32 " %s dialect=%u header=%s data=%s\n",
		       pair->number, now->tenant, end, now->dialect,
		       digests[now->header_digest], digests[now->data_digest])
		       ? strlen(to)
		       : 0;
}

static size_t say_row(const struct pair *pair, const char *words, const uint64_t *now,
	const uint64_t *sent, char *to)
{
	if (!is_news(pair, now, sent, PACKET_DIRECTIONS * sizeof *now) ||
		!text_format(to, WIRE_LINE, "%s %" PRIu64 " %" PRIu64 " %" PRIu64 "\n",
			words, now[PACKET_RX], now[PACKET_TX], now[PACKET_UNKNOWN]))
		return 0;
	return strlen(to);
}

static size_t say_slower(
	const struct pair *pair, unsigned kind, unsigned from, char *to)
{
	const uint64_t *now = pair->now->response[kind].slower + from;
	const uint64_t *sent = pair->sent->response[kind].slower + from;
	unsigned count = RESPONSE_EDGES - from;
	size_t used;

	count = count < PEER_SLOWER ? count : PEER_SLOWER;
	if (!is_news(pair, now, sent, count * sizeof *now) ||
		!text_format(to, WIRE_LINE, "peer-slower %u %s %u", pair->number,
			packet_response_words[kind], from))
		return 0;
	for (unsigned i = 0; i < count; i++) {
		used = strlen(to);
		/* five numbers of 20 digits fit behind the words */
		(void)text_format(to + used, WIRE_LINE - used, " %" PRIu64 "%s", now[i],
			i + 1 == count ? "\n" : "");
	}
	return strlen(to);
}

static size_t say_response(const struct pair *pair, unsigned item, char *to)
{
	unsigned kind = item / LINES_KIND, line = item % LINES_KIND;
	const struct response *now = &pair->now->response[kind];
	const struct response *sent = &pair->sent->response[kind];

	if (line)
		return say_slower(pair, kind, (line - 1) * PEER_SLOWER, to);
	if (!is_news(pair, &now->count, &sent->count, 2 * sizeof now->count) ||
		!text_format(to, WIRE_LINE,
			"peer-times %u %s %" PRIu64 " %" PRIu64 "\n", pair->number,
			packet_response_words[kind], now->count, now->sum_us))
		return 0;
	return strlen(to);
}

static size_t say_item(const struct pair *pair, unsigned item, char *to)
{
	char words[64];

	if (item == ITEM_HEAD)
		return say_head(pair, to, WIRE_LINE);
	if (item == ITEM_SEGMENTS) {
		(void)text_format(
			words, sizeof words, "peer-segments %u", pair->number);
		return say_row(
			pair, words, pair->now->segments, pair->sent->segments, to);
	}
	if (item < ITEM_CLASS)
		return say_response(pair, item - ITEM_RESPONSE, to);
	item -= ITEM_CLASS;
	(void)text_format(words, sizeof words, "peer-class %u %s", pair->number,
		packet_classes[item].id); /* ids are short, a test sees to it */
	return say_row(
		pair, words, pair->now->count[item], pair->sent->count[item], to);
}

/* Rows that are nobody's are not spoken of; that of the others once it has counted. */
static bool is_silent(const struct peer_table *table, unsigned row)
{
	const struct peer_row *one = &table->row[row];

	return !one->end.version && !one->segments[PACKET_RX] &&
	       !one->segments[PACKET_TX] && !one->segments[PACKET_UNKNOWN];
}

size_t wire_peer_chunk(
	const struct wire_peers *speech, unsigned *from, char *to, size_t size)
{
	static const struct peer_row nothing;
	size_t used = 0;

	while (*from < wire_peer_items() && size - used >= WIRE_LINE) {
		unsigned number = *from / row_items(), item = *from % row_items();
		struct pair pair = {number, &speech->now->row[number],
			&speech->sent->row[number], speech->everything};

		if (!item && is_silent(speech->now, number)) {
			*from += row_items();
			continue;
		}
		if (item && pair.sent->tenant != pair.now->tenant)
			pair.sent = &nothing;
		used += say_item(&pair, item, to + used);
		++*from;
	}
	return used;
}

static void sent_item(struct peer_row *sent, const struct peer_row *now, unsigned item)
{
	if (item == ITEM_HEAD) {
		if (sent->tenant != now->tenant)
			memset(sent, 0, sizeof *sent);
		sent->end = now->end;
		sent->tenant = now->tenant;
		sent->dialect = now->dialect;
		sent->header_digest = now->header_digest;
		sent->data_digest = now->data_digest;
	} else if (item == ITEM_SEGMENTS) {
		memcpy(sent->segments, now->segments, sizeof sent->segments);
	} else if (item < ITEM_CLASS) {
		unsigned kind = (item - ITEM_RESPONSE) / LINES_KIND;

		/* whole once its last line is out; until then it is said again */
		if ((item - ITEM_RESPONSE) % LINES_KIND == LINES_KIND - 1)
			sent->response[kind] = now->response[kind];
	} else {
		memcpy(sent->count[item - ITEM_CLASS], now->count[item - ITEM_CLASS],
			sizeof *sent->count);
	}
}

void wire_peer_sent(struct peer_table *sent, const struct peer_table *now,
	unsigned from, unsigned to)
{
	for (unsigned i = from; i < to; i++)
		if (!is_silent(now, i / row_items()))
			sent_item(&sent->row[i / row_items()],
				&now->row[i / row_items()], i % row_items());
}
