/* Storage peers in what `weir read` prints; see app/read_print.h. */
#include "config.h"

#include "app/read_print.h"

#include <inttypes.h>
#include <stdio.h>

static uint64_t total(const uint64_t counts[PACKET_DIRECTIONS])
{
	return counts[PACKET_RX] + counts[PACKET_TX] + counts[PACKET_UNKNOWN];
}

static bool is_used(const struct peer_row *row)
{
	return total(row->segments) > 0;
}

/* A row to print: what is wrong, or to be compared; judged sums have their line. */
static bool is_finding(const struct peer_row *row, unsigned class)
{
	return total(row->count[class]) > 0 &&
	       (packet_classes[class].sense == CLASS_BAD ||
		       packet_classes[class].sense == CLASS_NOTE);
}

static void class_line(const struct peer_row *row, unsigned class)
{
	const uint64_t *count = row->count[class];
	uint64_t all = total(row->segments);

	(void)printf("    %-23s %12" PRIu64 " %12.1f  %s", packet_classes[class].id,
		total(count), (double)total(count) * 1e6 / (double)all,
		packet_classes[class].title);
	if (count[PACKET_RX] || count[PACKET_TX])
		(void)printf(" (rx %" PRIu64 ", tx %" PRIu64 ")", count[PACKET_RX],
			count[PACKET_TX]);
	(void)putchar('\n'); /* output errors are found at the end, by fflush */
}

static void bound(const struct response *response, double share, const char *word)
{
	uint64_t us;

	if (response_bound(response, share, &us))
		(void)printf(", %s <= %.3g ms", word, (double)us / 1e3);
	else
		(void)printf(", %s > %.3g ms", word,
			(double)RESPONSE_EDGE_US(RESPONSE_EDGES - 1) / 1e3);
}

static void response_line(const struct response *response, const char *word)
{
	if (!response->count)
		return;
	(void)printf("    %-5s %" PRIu64 " answers, mean %.3g ms", word,
		response->count,
		(double)response->sum_us / 1e3 / (double)response->count);
	bound(response, 0.5, "half");
	bound(response, 0.95, "95 %");
	bound(response, 0.99, "99 %");
	(void)putchar('\n');
}

static void sums_line(const struct peer_row *row)
{
	int bad = packet_class_find("tcp.cksum");
	const uint64_t(*count)[PACKET_DIRECTIONS] = &row->count[bad];
	uint64_t judged = total(count[0]) + total(count[1]);

	(void)printf("    checksums judged %" PRIu64 " of %" PRIu64 "\n", judged,
		judged + total(count[2]) + total(count[3]));
}

static void how_line(const struct peer_row *row)
{
	static const char *const digests[] = {"?", "off", "on"};

	if (row->dialect)
		(void)printf("    SMB dialect 0x%04x\n", row->dialect);
	if (row->header_digest || row->data_digest)
		(void)printf("    header digest %s, data digest %s\n",
			digests[row->header_digest], digests[row->data_digest]);
}

static void text_peer(const struct peer_row *row)
{
	char end[PEER_TEXT];

	peer_text(&row->end, end);
	(void)printf("  peer %s, %" PRIu64 " segments\n", end, total(row->segments));
	how_line(row);
	sums_line(row);
	for (unsigned i = 0; i < packet_class_count; i++)
		if (is_finding(row, i))
			class_line(row, i);
	for (unsigned i = 0; i < RESPONSE_KINDS; i++)
		response_line(&row->response[i], packet_response_words[i]);
}

void read_peers_text(const struct peer_table *peers)
{
	for (unsigned i = 0; peers && i < PEER_ROWS; i++)
		if (is_used(&peers->row[i]))
			text_peer(&peers->row[i]);
}

static void json_directions(const char *name, const uint64_t counts[PACKET_DIRECTIONS])
{
	(void)printf("\"%s\":{\"rx\":%" PRIu64 ",\"tx\":%" PRIu64
		     ",\"unknown\":%" PRIu64 "}",
		name, counts[PACKET_RX], counts[PACKET_TX], counts[PACKET_UNKNOWN]);
}

static void json_response(const struct response *response, const char *word)
{
	(void)printf("\"%s\":{\"count\":%" PRIu64 ",\"sum_us\":%" PRIu64
		     ",\"slower_us\":{",
		word, response->count, response->sum_us);
	for (unsigned i = 0; i < RESPONSE_EDGES; i++)
		(void)printf("%s\"%" PRIu64 "\":%" PRIu64, i ? "," : "",
			RESPONSE_EDGE_US(i), response->slower[i]);
	(void)fputs("}}", stdout);
}

static void json_peer(const struct peer_row *row)
{
	static const char *const digests[] = {"null", "\"off\"", "\"on\""};
	const char *separator = "";
	char end[PEER_TEXT];

	peer_text(&row->end, end);
	(void)printf("{\"peer\":\"%s\",", end);
	json_directions("segments", row->segments);
	(void)printf(",\"smb_dialect\":%u,\"header_digest\":%s,\"data_digest\":%s,"
		     "\"classes\":{",
		row->dialect, digests[row->header_digest], digests[row->data_digest]);
	for (unsigned i = 0; i < packet_class_count; i++) {
		if (!total(row->count[i]))
			continue;
		(void)fputs(separator, stdout);
		json_directions(packet_classes[i].id, row->count[i]);
		separator = ",";
	}
	(void)fputs("},\"response\":{", stdout);
	for (unsigned i = 0; i < RESPONSE_KINDS; i++) {
		(void)fputs(i ? "," : "", stdout);
		json_response(&row->response[i], packet_response_words[i]);
	}
	(void)fputs("}}", stdout);
}

void read_peers_json(const struct peer_table *peers)
{
	const char *separator = "";

	(void)fputs(",\"peers\":[", stdout);
	for (unsigned i = 0; peers && i < PEER_ROWS; i++) {
		if (!is_used(&peers->row[i]))
			continue;
		(void)fputs(separator, stdout);
		json_peer(&peers->row[i]);
		separator = ",";
	}
	(void)putchar(']');
}
