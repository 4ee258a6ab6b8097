/* UDP (RFC 768, RFC 8200 8.1): lengths and checksum. */
#include "config.h"

#include "packet/datagram.h"
#include "packet/rpc.h"
#include "packet/sum.h"

enum {
	HEADER = 8,
	PROTOCOL = 17,
};

static uint64_t pseudo(const struct network *network, uint32_t length)
{
	return network->pseudo + sum_number(PROTOCOL) + sum_number(length);
}

/* The sum covers LENGTH bytes of what may be a longer IP payload. */
static enum answer judge(struct decode *decode, const struct network *network,
	const struct view *view, uint32_t length)
{
	const uint8_t *bytes = view_bytes(view, 0, length);

	if (network->fragment || !bytes || length > view->length)
		return SUM_UNJUDGED;
	if (sum_fold(pseudo(network, length) + sum_bytes(bytes, length)) == 0xffff)
		return SUM_GOOD;
	if (sum_field(bytes + 6) == sum_fold(pseudo(network, length))) {
		if (decode->ip4s + decode->ip6s == 1 && !network->rebuilt)
			mark(decode, COLUMN_udp_ck_partial);
		if (decode->rules == RULES_WEIR)
			return SUM_OFFLOADED;
	}
	return network->damaged && decode->rules == RULES_WEIR ? SUM_UNJUDGED : SUM_BAD;
}

/* 0 says that there is no checksum: allowed in IPv4 only. */
static void absent(struct decode *decode, const struct network *network)
{
	see_sum(decode, SEEN_UDP_SUM_BAD, SUM_UNJUDGED);
	if (network->version != 6 || decode->quoted)
		return;
	see(decode, SEEN_UDP_CKSUM0_V6);
	mark(decode, COLUMN_udp_ck_zero_illegal);
}

/* False where no host takes what is in it. */
static bool check_sum(struct decode *decode, const struct network *network,
	const struct view *view, uint32_t length)
{
	const uint8_t *field = view_bytes(view, 6, 2);
	bool plain = decode->rules == RULES_WIRESHARK;

	if (decode->quoted && !plain)
		return false; /* of another packet, and rarely whole */
	if (field && load_be16(field) == 0) {
		absent(decode, network);
		return plain || !network->untrue;
	}
	enum answer answer = judge(decode, network, view, length);
	see_sum(decode, SEEN_UDP_SUM_BAD, answer);
	if (answer != SUM_BAD)
		return plain || !network->untrue;
	mark(decode, COLUMN_udp_ck_bad);
	if (decode->udps == 1)
		mark(decode, COLUMN_udp_ck_bad_outer);
	return plain;
}

/* A header that ends behind its length field: that length cannot be right. */
static void stump(struct decode *decode, const struct view *view)
{
	ended(decode, view_end(view, 0, HEADER), SEEN_UDP_SHORT);
	if (view_bytes(view, 4, 2) && view->length < HEADER && !decode->quoted)
		mark(decode, COLUMN_udp_len_bad);
}

static void too_long(
	struct decode *decode, const uint8_t *header, const struct view *view)
{
	struct view payload = view_from(view, HEADER);

	see(decode, SEEN_UDP_LEN_GT);
	mark(decode, COLUMN_udp_len_bad);
	if (!datagram_ends_early(header, &payload))
		mark(decode, COLUMN_malformed_l2l4);
}

void udp_decode(struct decode *decode, const struct network *network, struct view view)
{
	const uint8_t *header = view_bytes(&view, 0, HEADER);

	decode->udps++;
	mark(decode, COLUMN_udp_pkts);
	if (!header) {
		if (!network->fragment)
			stump(decode, &view);
		return;
	}
	headers_end(decode, &view, HEADER);
	uint32_t length = load_be16(header + 4);
	if (length == 0 && network->version == 6)
		length = view.length;
	if (length < HEADER) {
		see(decode, SEEN_UDP_LEN_LT8);
		mark(decode, COLUMN_udp_len_bad);
		mark(decode, COLUMN_malformed_l2l4);
		return;
	}
	if (length > view.length && !network->fragment && !decode->quoted)
		too_long(decode, header, &view);
	bool taken = check_sum(decode, network, &view, length);
	if (network->fragment || decode->quoted)
		return;
	peer_decode(decode, network, header);
	if (taken) {
		struct view datagram = view_first(&view, length);
		struct view payload = view_from(&datagram, HEADER);
		rpc_datagram(decode, network, header, &payload);
	}
}
