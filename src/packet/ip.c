/* What IPv4 and IPv6 share; see the header. */
#include "config.h"

#include "packet/ip.h"

#include "packet/engine_parts.h"

enum {
	PROTOCOL_ICMP = 1,
	PROTOCOL_IP4 = 4,
	PROTOCOL_TCP = 6,
	PROTOCOL_UDP = 17,
	PROTOCOL_IP6 = 41,
	PROTOCOL_GRE = 47,
	PROTOCOL_AH = 51,
	PROTOCOL_ICMP6 = 58,
	EXTENSION_HOP = 0,
	EXTENSION_ROUTE = 43,
	EXTENSION_FRAGMENT = 44,
	EXTENSION_DESTINATION = 60,
};

static void ip4_inside(
	struct decode *decode, const struct network *network, struct view view)
{
	if (!network->fragment)
		ip4_decode(decode, view);
}

static void ip6_inside(
	struct decode *decode, const struct network *network, struct view view)
{
	if (!network->fragment)
		ip6_decode(decode, view);
}

/* Authentication header (RFC 4302) in front of another protocol. */
static void ah_decode(
	struct decode *decode, const struct network *network, struct view view)
{
	const uint8_t *header = view_bytes(&view, 0, 12);
	struct network inner = *network;

	if (!header)
		return;
	inner.protocol = header[0];
	transport_decode(decode, &inner, view_from(&view, (header[1] + 2u) * 4));
}

static void extension_inside(
	struct decode *decode, const struct network *network, struct view view)
{
	if (network->version == 6)
		ip6_extensions(decode, network, view);
}

static const struct {
	uint8_t protocol;
	transport_function *take;
} transports[] = {
	{PROTOCOL_TCP, tcp_decode},
	{PROTOCOL_UDP, udp_decode},
	{PROTOCOL_ICMP, icmp_decode},
	{PROTOCOL_ICMP6, icmp6_decode},
	{PROTOCOL_IP4, ip4_inside},
	{PROTOCOL_IP6, ip6_inside},
	{PROTOCOL_GRE, gre_decode},
	{PROTOCOL_AH, ah_decode},
	{EXTENSION_HOP, extension_inside},
	{EXTENSION_ROUTE, extension_inside},
	{EXTENSION_FRAGMENT, extension_inside},
	{EXTENSION_DESTINATION, extension_inside},
};

void transport_decode(
	struct decode *decode, const struct network *network, struct view view)
{
	if (++decode->depth > DEPTH_MAX)
		return;
	for (size_t i = 0; i < sizeof transports / sizeof *transports; i++)
		if (transports[i].protocol == network->protocol) {
			transports[i].take(decode, network, view);
			return;
		}
}

static void see_pieces(
	struct decode *decode, const struct fragment_answer *answer, uint8_t version)
{
	if (answer->fresh_overlap)
		see(decode,
			version == 4 ? SEEN_IP4_FRAG_OVERLAP : SEEN_IP6_FRAG_OVERLAP);
	if (answer->fresh_conflict)
		see(decode,
			version == 4 ? SEEN_IP4_FRAG_CONFLICT : SEEN_IP6_FRAG_CONFLICT);
	if (answer->too_long)
		see(decode,
			version == 4 ? SEEN_IP4_FRAG_TOO_LONG : SEEN_IP6_FRAG_TOO_LONG);
	if (answer->complete && answer->overlap)
		mark(decode, COLUMN_ip_frag_overlap);
}

/* VLAN tells packets with equal ids apart only where addresses are private:
 * elsewhere one packet may be seen on two VLANs (RFC 1918). */
static bool is_private(const uint8_t *address)
{
	return address[0] == 10 || (address[0] == 172 && (address[1] & 0xf0) == 16) ||
	       (address[0] == 192 && address[1] == 168);
}

void ip_reassemble(struct decode *decode, struct network *network,
	const struct ip_piece *piece, struct view data)
{
	struct fragment_piece add = {
		.offset = piece->offset,
		.more = piece->more,
		.time = decode->frame->time,
		.data = data,
	};
	struct fragment_answer answer;

	memset(&add.key, 0, sizeof add.key);
	memcpy(add.key.source, network->source, sizeof add.key.source);
	memcpy(add.key.target, network->target, sizeof add.key.target);
	add.key.id = piece->id;
	add.key.version = network->version;
	if (network->version == 4) {
		add.key.protocol = network->protocol;
		if (is_private(network->source) || is_private(network->target))
			add.key.vlan = decode->vlan;
	}
	add.most = decode->rules == RULES_WEIR ? 65535 : 2 * 65535;
	fragments_add(decode->engine->fragments, &add, &answer);
	see_pieces(decode, &answer, network->version);
	network->rebuilt = answer.complete;
	if (answer.complete)
		transport_decode(decode, network, answer.whole);
}
