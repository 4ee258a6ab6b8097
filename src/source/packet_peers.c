/* Readings of storage peers; see the header. */
#include "config.h"

#include "source/packet_peers.h"

#include "base/text.h"

/* Between two events about a row. */
static const nsec calm = 60 * NSEC_PER_SEC;

/* Where a class of a peer was never seen in a direction that the interface has, a 0
 * is a fact; a direction that it never had is left out. */
static bool has_direction(const struct peer_row *row, unsigned direction)
{
	return direction != PACKET_UNKNOWN || row->segments[PACKET_UNKNOWN];
}

static void put_classes(const struct peer_row *row, unsigned handle, struct sink *sink)
{
	for (unsigned i = 0; i < packet_class_count; i++)
		for (unsigned d = 0; d < PACKET_DIRECTIONS; d++)
			if (peer_counts(&row->end, i) && has_direction(row, d))
				sink_put(sink, handle, raw_peer_packet(i, d),
					row->count[i][d]);
}

/* From the first answer of a kind on. */
static void put_responses(
	const struct peer_row *row, unsigned handle, struct sink *sink)
{
	for (unsigned kind = 0; kind < RESPONSE_KINDS; kind++) {
		const struct response *response = &row->response[kind];

		if (!response->count)
			continue;
		sink_put(sink, handle, raw_response_count(kind), response->count);
		sink_put(sink, handle, raw_response_us(kind), response->sum_us);
		for (unsigned i = 0; i < RESPONSE_EDGES; i++)
			sink_put(sink, handle, raw_response_slower(kind, i),
				response->slower[i]);
	}
}

static void dialect_text(uint16_t dialect, char *to, size_t size)
{
	unsigned major = dialect >> 8, minor = dialect >> 4 & 15, patch = dialect & 15;

	/* MS-SMB2 2.2.4: 0x0202 is 2.0.2, 0x0311 is 3.1.1 */
	if (major == 2 && !minor)
		(void)text_format(to, size, "SMB 2.0.%u", patch);
	else if (patch)
		(void)text_format(to, size, "SMB %u.%u.%u", major, minor, patch);
	else
		(void)text_format(to, size, "SMB %u.%u", major, minor);
}

static const char *digest_word(uint8_t digest)
{
	static const char *const words[] = {
		[PEER_DIGEST_UNKNOWN] = "?",
		[PEER_DIGEST_OFF] = "off",
		[PEER_DIGEST_ON] = "on",
	};

	return words[digest];
}

/* How the peer speaks, as far as it was seen. */
static void describe(const struct peer_row *row, char *to, size_t size)
{
	*to = 0;
	if (row->dialect)
		dialect_text(row->dialect, to, size);
	else if (row->header_digest || row->data_digest)
		(void)text_format(to, size, "iSCSI, header digest %s, data digest %s",
			digest_word(row->header_digest), digest_word(row->data_digest));
}

static void tell(const struct peer_row *row, const struct subject *subject, nsec at,
	struct peer_told *told, struct sink *sink)
{
	const struct peer_told now = {row->tenant, row->dialect, row->header_digest,
		row->data_digest, at + calm};
	char how[64];

	if (now.tenant == told->tenant && now.dialect == told->dialect &&
		now.header_digest == told->header_digest &&
		now.data_digest == told->data_digest)
		return;
	describe(row, how, sizeof how);
	if (!*how || at < told->next)
		return; /* it is said when there is something to say, and time */
	*told = now;
	sink_event(sink, "%s: %s", subject->name, how);
}

static void name_row(
	const struct peer_row *row, const char *interface, struct subject *subject)
{
	char end[PEER_TEXT], how[64];

	peer_text(&row->end, end);
	describe(row, how, sizeof how);
	subject->kind = KIND_PEER;
	/* the longest address with its port and interface has 62 characters */
	(void)text_format(subject->name, sizeof subject->name, "%s@%s", end, interface);
	(void)text_format(subject->detail, sizeof subject->detail,
		"as the capture on %s sees it%s%s", interface, *how ? ": " : "", how);
}

static bool is_used(const struct peer_row *row)
{
	return row->end.version || row->segments[PACKET_RX] ||
	       row->segments[PACKET_TX] || row->segments[PACKET_UNKNOWN];
}

static void put_row(
	const struct peer_row *row, const struct subject *subject, struct sink *sink)
{
	unsigned handle = sink_subject(sink, subject);

	sink_put(sink, handle, RAW_PEER_SEGMENTS,
		row->segments[PACKET_RX] + row->segments[PACKET_TX] +
			row->segments[PACKET_UNKNOWN]);
	put_classes(row, handle, sink);
	put_responses(row, handle, sink);
}

void packet_peers_put(struct peer_table *peers, const char *interface, nsec now,
	struct peer_telling *telling, struct sink *sink)
{
	for (unsigned i = 0; i < PEER_ROWS; i++) {
		const struct peer_row *row =
			i == PEER_OTHERS ? peer_others_heard(peers) : &peers->row[i];
		struct subject subject = {.kind = KIND_PEER};

		if (!is_used(row))
			continue;
		name_row(row, interface, &subject);
		put_row(row, &subject, sink);
		tell(row, &subject, now, &telling->row[i], sink);
	}
}
