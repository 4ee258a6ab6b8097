/* IPv6 (RFC 8200): header, extension headers, lengths, fragments. */
#include "config.h"

#include "packet/engine_parts.h"
#include "packet/ip.h"
#include "packet/sum.h"

enum {
	HEADER = 40,
	HOP_BY_HOP = 0,
	ROUTING = 43,
	FRAGMENT = 44,
	AUTHENTICATION = 51,
	NO_NEXT = 59,
	DESTINATION = 60,
	OPTION_PAD1 = 0,
	OPTION_JUMBO = 0xc2,
	ROUTING_SOURCE = 0,
	ROUTING_SEGMENTS = 4,
};

struct ip6 {
	struct view rest;       /* what is not read yet */
	struct network network; /* protocol: the next header */
	bool whole;             /* the length field agrees with the bytes */
	bool fragment;          /* a piece, and where it lies: */
	struct ip_piece piece;
};

/* The final address of a routing header that is not used up (RFC 8200 4.4, RFC
 * 8754): the last of the list, or the first where the list is turned round. */
static void follow_route(struct ip6 *ip, const uint8_t *header, uint32_t size)
{
	uint8_t type = header[2], left = header[3];

	if (left == 0 || size < 24)
		return;
	if (type == ROUTING_SOURCE)
		memcpy(ip->network.target, header + size - 16, 16);
	else if (type == ROUTING_SEGMENTS)
		memcpy(ip->network.target, header + 8, 16);
}

/* One extension header; false where the way ends. */
static bool extension(struct decode *decode, struct ip6 *ip)
{
	uint8_t type = ip->network.protocol;
	const uint8_t *start = view_bytes(&ip->rest, 0, 8);
	uint32_t size = 8;

	if (start && type == AUTHENTICATION)
		size = (start[1] + 2u) * 4;
	else if (start && type != FRAGMENT)
		size = (start[1] + 1u) * 8;
	const uint8_t *header = view_bytes(&ip->rest, 0, size);
	if (!header) {
		ended(decode, view_end(&ip->rest, 0, size), SEEN_IP6_EXTHDR);
		return false;
	}
	if (type == ROUTING)
		follow_route(ip, header, size);
	if (type == FRAGMENT) {
		ip->fragment = true;
		ip->piece.id = load_be32(header + 4);
		ip->piece.offset = load_be16(header + 2) & 0xfff8;
		ip->piece.more = header[3] & 1;
	}
	ip->network.protocol = header[0];
	ip->rest = view_from(&ip->rest, size);
	return true;
}

static bool is_extension(uint8_t type)
{
	return type == HOP_BY_HOP || type == ROUTING || type == FRAGMENT ||
	       type == AUTHENTICATION || type == DESTINATION;
}

/* The length in a jumbo option (RFC 2675), which then stands for the 0 in the
 * header; 0 where there is none. */
static uint32_t jumbo(const struct view *packet)
{
	const uint8_t *start = view_bytes(packet, HEADER, 8);
	uint32_t end = start ? HEADER + (start[1] + 1u) * 8 : 0;
	uint8_t type, size;

	for (uint32_t at = HEADER + 2; at < end && view_u8(packet, at, &type);) {
		const uint8_t *length = view_bytes(packet, at + 2, 4);
		if (type == OPTION_JUMBO && length)
			return load_be32(length);
		if (type != OPTION_PAD1 && !view_u8(packet, at + 1, &size))
			return 0;
		at += type == OPTION_PAD1 ? 1u : size + 2u;
	}
	return 0;
}

static void lengths(
	struct decode *decode, struct ip6 *ip, const uint8_t *header, struct view view)
{
	uint32_t length = load_be16(header + 4);
	uint32_t room = view.length - HEADER;

	if (length == 0 && header[6] == HOP_BY_HOP)
		length = jumbo(&view);
	ip->whole = length <= room;
	ip->rest = view_from(&view, HEADER);
	if (length == 0 && header[6] != NO_NEXT) {
		see(decode, SEEN_IP6_PLEN0);
		if (header[6] == HOP_BY_HOP)
			mark(decode, COLUMN_malformed_l2l4);
		else
			mark(decode, COLUMN_ip6_plen_bad);
		if (decode->rules == RULES_WIRESHARK)
			ip->rest = view_first(&ip->rest, 0);
		return;
	}
	if (!ip->whole && !decode->quoted) {
		see(decode, SEEN_IP6_PLEN_GT);
		mark(decode, COLUMN_ip6_plen_bad);
	}
	ip->rest = view_first(&ip->rest, length);
}

static void fragment(struct decode *decode, struct ip6 *ip)
{
	bool join = ip->whole && view_whole(&ip->rest);

	if (decode->quoted && decode->rules == RULES_WEIR)
		join = false;
	if (ip->piece.offset == 0 && !ip->piece.more) {
		transport_decode(decode, &ip->network, ip->rest);
	} else if (join) {
		ip_reassemble(decode, &ip->network, &ip->piece, ip->rest);
	} else if (ip->piece.offset == 0) {
		ip->network.fragment = true;
		transport_decode(decode, &ip->network, ip->rest);
	}
}

static void headers(struct decode *decode, struct ip6 *ip)
{
	while (!ip->fragment && is_extension(ip->network.protocol))
		if (!extension(decode, ip))
			return;
	ip->network.pseudo =
		sum_bytes(ip->network.source, 16) + sum_bytes(ip->network.target, 16);
	if (!ip->fragment) {
		transport_decode(decode, &ip->network, ip->rest);
		return;
	}
	if (ip->piece.offset || ip->piece.more) {
		see(decode, SEEN_IP6_FRAG);
		mark(decode, COLUMN_ip6_fragments);
	}
	fragment(decode, ip);
}

/* Extension headers behind a fragment header, or in a packet put together. */
void ip6_extensions(
	struct decode *decode, const struct network *network, struct view view)
{
	struct ip6 ip = {.rest = view, .network = *network, .whole = true};

	headers(decode, &ip);
}

void ip6_decode(struct decode *decode, struct view view)
{
	const uint8_t *header = view_bytes(&view, 0, HEADER);
	struct ip6 ip = {.network = {.version = 6}};
	uint8_t first;

	if (++decode->depth > DEPTH_MAX)
		return;
	if (view_u8(&view, 0, &first) && first >> 4 != 6) {
		see(decode, SEEN_IP6_VERSION);
		mark(decode, COLUMN_ip6_plen_bad);
		mark(decode, COLUMN_malformed_l2l4);
		return;
	}
	if (!header) {
		ended(decode, view_end(&view, 0, HEADER), SEEN_IP6_EXTHDR);
		return;
	}
	decode->ip6s++;
	ip.network.protocol = header[6];
	memcpy(ip.network.source, header + 8, 16);
	memcpy(ip.network.target, header + 24, 16);
	lengths(decode, &ip, header, view);
	headers(decode, &ip);
}
