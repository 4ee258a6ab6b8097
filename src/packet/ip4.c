/* IPv4 (RFC 791): header, options, lengths, fragments. */
#include "config.h"

#include "packet/engine_parts.h"
#include "packet/ip.h"
#include "packet/sum.h"

enum {
	HEADER_MIN = 20,
	MORE_FRAGMENTS = 0x2000,
	DONT_FRAGMENT = 0x4000,
	OFFSET_MASK = 0x1fff,
	OPTION_END = 0,
	OPTION_NOP = 1,
	OPTION_LOOSE_ROUTE = 131,
	OPTION_STRICT_ROUTE = 137,
	TTL_LOW = 5,
	FRAGMENT_END = 8, /* bytes up to where the fragment field ends */
};

struct ip4 {
	const uint8_t *header; /* the fixed part */
	struct view packet;    /* without trailers */
	uint32_t size;         /* of the header with options */
	bool whole;            /* the length field agrees with the bytes on the wire */
	bool damaged;          /* checksum bad */
	bool readable;         /* to the end of the header */
};

/* Some systems leave this sum to the card: then it is 0 in what they send. */
static bool left_to_card(const struct decode *decode, const uint8_t *header)
{
	return decode->rules == RULES_WEIR && decode->direction != PACKET_RX &&
	       load_be16(header + 10) == 0;
}

/* Routers rewrite the headers that ICMP errors quote, so those say nothing
 * about this path. */
static void header_sum(struct decode *decode, struct ip4 *ip)
{
	const uint8_t *bytes = view_bytes(&ip->packet, 0, ip->size);
	bool quiet = decode->quoted && decode->rules == RULES_WEIR;
	enum answer answer = SUM_UNJUDGED;

	if (bytes && sum_fold(sum_bytes(bytes, ip->size)) == 0xffff)
		answer = SUM_GOOD;
	else if (bytes)
		answer = left_to_card(decode, bytes) ? SUM_OFFLOADED : SUM_BAD;
	ip->damaged = answer == SUM_BAD;
	if (!quiet)
		see_sum(decode, SEEN_IP4_SUM_BAD, answer);
	if (!ip->damaged)
		return;
	mark(decode, COLUMN_ip_ck_bad);
	if (decode->ip4s == 1)
		mark(decode, COLUMN_ip_ck_bad_outer);
}

static void bogus(struct decode *decode, enum seen seen)
{
	see(decode, seen);
	mark(decode, COLUMN_ip_bogus);
}

/* A source route that is not used up yet names the real target last. Its pointer
 * counts from 1, past three bytes. */
static void follow_route(const uint8_t *option, uint8_t size, uint8_t *target)
{
	if (size >= 7 && option[2] >= 4 && option[2] % 4 == 0 && option[2] <= size)
		memcpy(target, option + size - 4, 4);
}

/* Bytes that an option has at least, by its type: with fewer it cannot be read. */
static const uint8_t option_least[256] = {
	[7] = 3,   /* record route */
	[11] = 4,  /* MTU probe */
	[12] = 4,  /* MTU reply */
	[25] = 8,  /* quick start */
	[68] = 4,  /* timestamps */
	[82] = 12, /* traceroute */
	[130] = 3, /* security */
	[OPTION_LOOSE_ROUTE] = 3,
	[133] = 3, /* extended security */
	[134] = 6, /* CIPSO */
	[136] = 4, /* stream */
	[OPTION_STRICT_ROUTE] = 3,
	[148] = 4, /* router alert */
};

/* One option at AT; returns where the next one is, or the size of the header where
 * there is none. False in IP->readable: nothing behind it can be read. */
static uint32_t option(
	struct decode *decode, struct ip4 *ip, uint32_t at, uint8_t *target)
{
	uint8_t type, size;

	if (!view_u8(&ip->packet, at, &type) || type == OPTION_END)
		return ip->size;
	if (type == OPTION_NOP)
		return at + 1;
	if (!view_u8(&ip->packet, at + 1, &size))
		return ip->size;
	if (size < 2 || at + size > ip->size) {
		see(decode, SEEN_IP4_OPT);
		return ip->size;
	}
	if (size < option_least[type]) {
		ended(decode, VIEW_PAST, SEEN_IP4_OPT);
		ip->readable = decode->rules == RULES_WEIR;
		return ip->readable ? at + size : ip->size;
	}
	const uint8_t *bytes = view_bytes(&ip->packet, at, size);
	if (bytes && (type == OPTION_LOOSE_ROUTE || type == OPTION_STRICT_ROUTE))
		follow_route(bytes, size, target);
	return at + size;
}

static void options(struct decode *decode, struct ip4 *ip, uint8_t *target)
{
	for (uint32_t at = HEADER_MIN; at < ip->size;)
		at = option(decode, ip, at, target);
}

/* Lengths, in the order in which they make the next one readable, and as far as
 * the packet goes. Length 0 is what a large send looks like before the card cuts
 * it. */
static bool lengths(struct decode *decode, struct ip4 *ip, struct view view)
{
	const uint8_t *start = view_bytes(&view, 0, 4);

	if (!start)
		return true;
	uint32_t total = load_be16(start + 2);
	ip->size = (start[0] & 0x0fu) * 4;
	ip->whole = total <= view.length;
	ip->packet = total ? view_first(&view, total) : view;
	if (ip->size < HEADER_MIN) {
		bogus(decode, SEEN_IP4_HLEN);
		return false;
	}
	if (total && total < ip->size) {
		bogus(decode, SEEN_IP4_LEN_LT_HLEN);
		return false;
	}
	if (!ip->whole && !decode->quoted)
		bogus(decode, SEEN_IP4_LEN_GT_FRAME);
	return true;
}

static void see_ttl(struct decode *decode, const uint8_t *header)
{
	bool to_many = header[16] >= 224;

	if (header[8] < TTL_LOW && !to_many && !decode->quoted)
		see(decode, SEEN_IP4_TTL);
}

static struct network addresses(struct decode *decode, struct ip4 *ip)
{
	struct network network = {
		.version = 4,
		.protocol = ip->header[9],
		.id = load_be16(ip->header + 4),
	};

	memcpy(network.source, ip->header + 12, 4);
	memcpy(network.target, ip->header + 16, 4);
	if (ip->size > HEADER_MIN)
		options(decode, ip, network.target);
	network.pseudo = sum_bytes(network.source, 4) + sum_bytes(network.target, 4);
	return network;
}

/* A fragment that cannot join the others is shown as what it is: the first one
 * begins with a transport header. */
static void fragment(
	struct decode *decode, const struct ip4 *ip, struct network *network)
{
	uint16_t field = load_be16(ip->header + 6);
	struct ip_piece piece = {.id = network->id,
		.offset = (field & OFFSET_MASK) * 8u,
		.more = field & MORE_FRAGMENTS};
	struct view data = view_from(&ip->packet, ip->size);
	bool join = view_whole(&data) && ip->whole && !ip->damaged;

	see(decode, SEEN_IP4_FRAG);
	mark(decode, COLUMN_ip_fragments);
	if (field & DONT_FRAGMENT)
		see(decode, SEEN_IP4_FRAG_DF);
	if (decode->quoted && decode->rules == RULES_WEIR)
		join = false;
	if (join) {
		ip_reassemble(decode, network, &piece, data);
	} else if (piece.offset == 0) {
		network->fragment = true;
		transport_decode(decode, network, data);
	}
}

/* A header of which the end is not at hand. */
static void stump(struct decode *decode, const struct view *view)
{
	const uint8_t *header = view_bytes(view, 0, FRAGMENT_END);

	ended(decode, view_end(view, 0, HEADER_MIN), SEEN_IP4_HLEN);
	if (header && load_be16(header + 6) & (MORE_FRAGMENTS | OFFSET_MASK))
		mark(decode, COLUMN_ip_fragments);
}

void ip4_decode(struct decode *decode, struct view view)
{
	struct ip4 ip = {.header = view_bytes(&view, 0, HEADER_MIN), .readable = true};
	uint8_t first;

	if (++decode->depth > DEPTH_MAX)
		return;
	if (view_u8(&view, 0, &first) && first >> 4 != 4) {
		bogus(decode, SEEN_IP4_VERSION);
		if (first >> 4 == 6)
			ip6_decode(decode, view);
		return;
	}
	if (!lengths(decode, &ip, view))
		return;
	if (!ip.header) {
		stump(decode, &view);
		return;
	}
	decode->ip4s++;
	see_ttl(decode, ip.header);
	struct network network = addresses(decode, &ip);
	host_direction(decode, &network); /* what a sum means depends on it */
	header_sum(decode, &ip);
	decode->damaged |= ip.damaged && decode->direction == PACKET_RX;
	decode->untrue |= ip.damaged && decode->direction != PACKET_UNKNOWN;
	network.damaged = decode->damaged;
	network.untrue = decode->untrue;
	if (!ip.readable)
		return;
	if (load_be16(ip.header + 6) & (MORE_FRAGMENTS | OFFSET_MASK))
		fragment(decode, &ip, &network);
	else if (ip.packet.length > ip.size)
		transport_decode(decode, &network, view_from(&ip.packet, ip.size));
}
