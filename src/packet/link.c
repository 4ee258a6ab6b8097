/*
 * Link layers: from the link type of the capture to the first network header.
 * A new link type is a row.
 */
#include "config.h"

#include "packet/engine_parts.h"

enum {
	ETHERNET_HEADER = 14,
	ETHERNET_LENGTH_MAX = 1500, /* smaller values are 802.3 lengths */
	LLC_SNAP = 8,
	FAMILY_INET = 2,
};

static void take_ethernet(struct decode *decode, struct view view)
{
	ethernet_decode(decode, view);
}

/* Where the parts of a Linux cooked header lie. */
struct cooked {
	uint32_t size, type_at, sent_at;
};

/* The packet type says where a frame came from: 0 to 2 to this host, 4 from it. Where
 * somebody named the addresses of this side, these decide. */
static void cooked_direction(struct decode *decode, uint8_t sent)
{
	if (decode->direction != PACKET_UNKNOWN || decode->engine->host_count)
		return;
	if (sent <= 2)
		decode->direction = PACKET_RX;
	else if (sent == 4)
		decode->direction = PACKET_TX;
}

static void take_cooked(
	struct decode *decode, struct view view, const struct cooked *cooked)
{
	const uint8_t *type = view_bytes(&view, cooked->type_at, 2);
	uint8_t sent;

	if (!view_bytes(&view, 0, cooked->size) || !type) {
		ended(decode, view_end(&view, 0, cooked->size), SEEN_L2_SHORT);
		return;
	}
	if (view_u8(&view, cooked->sent_at, &sent))
		cooked_direction(decode, sent);
	ethertype_decode(decode, load_be16(type), view_from(&view, cooked->size));
}

static void take_sll(struct decode *decode, struct view view)
{
	take_cooked(decode, view, &(struct cooked){16, 14, 1});
}

static void take_sll2(struct decode *decode, struct view view)
{
	take_cooked(decode, view, &(struct cooked){20, 0, 10});
}

/* Address family in the order of the host that captured, so both are tried;
 * IPv6 has another number on each BSD. */
static void take_null(struct decode *decode, struct view view)
{
	const uint8_t *header = view_bytes(&view, 0, 4);

	if (!header) {
		ended(decode, view_end(&view, 0, 4), SEEN_L2_SHORT);
		return;
	}
	uint32_t family = load_be32(header);
	if (family & 0xffff0000)
		family = load_le32(header);
	if (family == FAMILY_INET)
		ip4_decode(decode, view_from(&view, 4));
	else if (family == 10 || family == 24 || family == 28 || family == 30)
		ip6_decode(decode, view_from(&view, 4));
}

static void take_raw(struct decode *decode, struct view view)
{
	uint8_t first;

	if (!view_u8(&view, 0, &first) || view.length < 4)
		ended(decode, view_end(&view, 0, 4), SEEN_L2_SHORT);
	else if (first >> 4 == 4)
		ip4_decode(decode, view);
	else if (first >> 4 == 6)
		ip6_decode(decode, view);
}

/* DLT numbers of libpcap; the LINKTYPE of a file is listed where it differs. */
static const struct link {
	int type;
	void (*take)(struct decode *decode, struct view view);
} links[] = {
	{1, take_ethernet},
	{113, take_sll},
	{276, take_sll2},
	{0, take_null},
	{108, take_null},
	{12, take_raw},
	{14, take_raw},
	{101, take_raw},
	{228, ip4_decode},
	{229, ip6_decode},
};

static const struct link *link_find(int type)
{
	for (size_t i = 0; i < sizeof links / sizeof *links; i++)
		if (links[i].type == type)
			return &links[i];
	return NULL;
}

bool link_known(int linktype)
{
	return link_find(linktype) != NULL;
}

void link_decode(struct decode *decode, int linktype, struct view view)
{
	const struct link *link = link_find(linktype);

	if (link)
		link->take(decode, view);
}

/* 802.3: a length, then LLC; with SNAP and a zero organisation a type again. */
static void llc_decode(struct decode *decode, uint16_t length, struct view view)
{
	static const uint8_t snap[6] = {0xaa, 0xaa, 0x03, 0, 0, 0};

	if (length > view.length) {
		see(decode, SEEN_L2_LEN_PAST_END);
		mark(decode, COLUMN_malformed_l2l4);
	}
	view = view_first(&view, length);
	const uint8_t *header = view_bytes(&view, 0, LLC_SNAP);
	if (header && !memcmp(header, snap, sizeof snap))
		ethertype_decode(decode, load_be16(header + sizeof snap),
			view_from(&view, LLC_SNAP));
}

void ethernet_decode(struct decode *decode, struct view view)
{
	const uint8_t *header = view_bytes(&view, 0, ETHERNET_HEADER);

	if (!header) {
		ended(decode, view_end(&view, 0, ETHERNET_HEADER), SEEN_L2_SHORT);
		return;
	}
	uint16_t type = load_be16(header + 12);
	struct view rest = view_from(&view, ETHERNET_HEADER);
	if (type <= ETHERNET_LENGTH_MAX)
		llc_decode(decode, type, rest);
	else
		ethertype_decode(decode, type, rest);
}

static void vlan_decode(struct decode *decode, struct view view)
{
	const uint8_t *tag = view_bytes(&view, 0, 4);

	if (!tag) {
		ended(decode, view_end(&view, 0, 4), SEEN_L2_VLAN_SHORT);
		return;
	}
	decode->vlan = load_be16(tag) & 0x0fff;
	uint16_t type = load_be16(tag + 2);
	struct view rest = view_from(&view, 4);
	if (type <= ETHERNET_LENGTH_MAX)
		llc_decode(decode, type, rest);
	else
		ethertype_decode(decode, type, rest);
}

static const struct ethertype {
	uint16_t type;
	void (*take)(struct decode *decode, struct view view);
} ethertypes[] = {
	{0x0800, ip4_decode},
	{0x86dd, ip6_decode},
	{0x0806, arp_decode},
	{0x8100, vlan_decode},
	{0x88a8, vlan_decode},
	{0x9100, vlan_decode},
	{0x6558, take_ethernet},
	{0x8906, fcoe_decode},
};

void ethertype_decode(struct decode *decode, uint16_t type, struct view view)
{
	if (++decode->depth > DEPTH_MAX)
		return;
	for (size_t i = 0; i < sizeof ethertypes / sizeof *ethertypes; i++)
		if (ethertypes[i].type == type) {
			ethertypes[i].take(decode, view);
			return;
		}
}
