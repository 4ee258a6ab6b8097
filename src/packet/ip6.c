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
	OPTION_LABEL = 7,
	OPTION_HOME = 0xc9,
	ROUTING_SOURCE = 0,
	ROUTING_HOME = 2,
	ROUTING_COMPRESSED = 3,
	ROUTING_SEGMENTS = 4,
	ADDRESS = 16,
	LABEL_NONE = 4, /* bytes: no room for a security label (RFC 5570) */
};

struct ip6 {
	struct view rest;       /* what is not read yet */
	struct network network; /* protocol: the next header */
	bool whole;             /* the length field agrees with the bytes */
	bool fragment;          /* a piece, and where it lies: */
	struct ip_piece piece;
};

/* Bytes that an option has at most, by its type; 0: any. */
static const uint8_t option_most[256] = {
	[4] = 1,   /* tunnel encapsulation limit */
	[5] = 2,   /* router alert */
	[15] = 10, /* performance and diagnosis */
	[38] = 6,  /* quick start */
	[48] = 4,  /* path MTU */
	[65] = 4,
	[OPTION_JUMBO] = 4,
	[OPTION_HOME] = ADDRESS,
	[238] = 3, /* line identification */
};

static void bad(struct decode *decode)
{
	ended(decode, VIEW_PAST, SEEN_IP6_EXTHDR);
}

/* One option at AT of HEADER; false where nothing behind it can be read. */
static bool option(
	struct decode *decode, struct ip6 *ip, const struct view *header, uint32_t at)
{
	const uint8_t *head = view_bytes(header, at, 2);
	const uint8_t *data = view_bytes(header, at + 2, ADDRESS);

	if (!head) {
		bad(decode);
		return decode->rules == RULES_WEIR;
	}
	if (((option_most[head[0]] && head[1] > option_most[head[0]]) ||
		    (head[0] == OPTION_JUMBO && head[1] < option_most[head[0]])) &&
		view_end(&ip->rest, at, head[1] + 2u) != VIEW_CUT)
		bad(decode);
	if (head[0] == OPTION_HOME && head[1] == ADDRESS && data)
		memcpy(ip->network.source, data, ADDRESS); /* RFC 6275 6.1.7 */
	if (head[0] != OPTION_LABEL || head[1] > LABEL_NONE)
		return true;
	bad(decode);
	return decode->rules == RULES_WEIR;
}

/* The options of a hop-by-hop or destination header. */
static bool options(struct decode *decode, struct ip6 *ip, const struct view *header)
{
	uint8_t type, size = 0;

	for (uint32_t at = 2; view_u8(header, at, &type);) {
		if (type == OPTION_PAD1) {
			at++;
			continue;
		}
		if (!option(decode, ip, header, at))
			return false;
		if (!view_u8(header, at + 1, &size))
			return true;
		at += size + 2u;
	}
	return true;
}

/* What a routing header must hold, by its type. */
static bool route_fits(const uint8_t *header, uint32_t size)
{
	uint32_t list = size - 8, last, pad;

	switch (header[2]) {
	case ROUTING_HOME:
		return list >= ADDRESS;
	case ROUTING_COMPRESSED: /* RFC 6554 */
		last = ADDRESS - (header[4] & 0x0fu);
		pad = header[5] >> 4;
		return list == 0 || list >= last + pad;
	case ROUTING_SEGMENTS: /* RFC 8754 */
		return list >= (header[4] + 1u) * ADDRESS;
	default:
		return true;
	}
}

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

/* What an extension header of SIZE bytes holds; false where the way ends. */
static bool inside(
	struct decode *decode, struct ip6 *ip, const uint8_t *header, uint32_t size)
{
	uint8_t type = ip->network.protocol;
	struct view view = {header, size, size};

	if (type == HOP_BY_HOP || type == DESTINATION)
		return options(decode, ip, &view);
	if (type != ROUTING)
		return true;
	if (!route_fits(header, size)) {
		bad(decode);
		return decode->rules == RULES_WEIR;
	}
	follow_route(ip, header, size);
	return true;
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
	if (!inside(decode, ip, header, size))
		return false;
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

	if (join && ip->rest.length == 0 && ip->piece.more)
		bad(decode);
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
	struct ip6 ip = {.network = {.version = 6,
				 .damaged = decode->damaged,
				 .untrue = decode->untrue}};
	uint8_t first;

	if (++decode->depth > DEPTH_MAX)
		return;
	if (decode->quoted && !header)
		return; /* quotes may be short */
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
	host_direction(decode, &ip.network);
	lengths(decode, &ip, header, view);
	headers(decode, &ip);
}
