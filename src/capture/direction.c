/* Sent or received: the judgement of own.h. Pure. */
#include "config.h"

#include "capture/own.h"

#include <string.h>

enum {
	LINK_ETHERNET = 1,
	LINK_RAW = 12,
	LINK_SLL = 113,
	LINK_IPV4 = 228,
	LINK_IPV6 = 229,
	LINK_SLL2 = 276,
	TYPE_OUTGOING = 4, /* of the cooked headers, as of the kernel */
};

static bool holds(const uint8_t *list, unsigned count, size_t size, const uint8_t *item)
{
	for (unsigned i = 0; i < count; i++)
		if (!memcmp(list + i * size, item, size))
			return true;
	return false;
}

void own_add_mac(struct own *own, const uint8_t *mac)
{
	static const uint8_t none[OWN_MAC];

	if (memcmp(mac, none, OWN_MAC) != 0 && own->mac_count < OWN_ADDRESSES &&
		!holds(own->mac[0], own->mac_count, OWN_MAC, mac))
		memcpy(own->mac[own->mac_count++], mac, OWN_MAC);
}

void own_add_ip(struct own *own, const uint8_t *ip)
{
	if (own->ip_count < OWN_ADDRESSES &&
		!holds(own->ip[0], own->ip_count, OWN_IP, ip))
		memcpy(own->ip[own->ip_count++], ip, OWN_IP);
}

static enum packet_direction by_ends(bool from_us, bool to_us)
{
	if (from_us)
		return PACKET_TX;
	return to_us ? PACKET_RX : PACKET_UNKNOWN;
}

static enum packet_direction ethernet(
	const struct own *own, const uint8_t *data, uint32_t captured)
{
	bool to_group;

	if (captured < 2 * OWN_MAC || !own->mac_count)
		return PACKET_UNKNOWN;
	to_group = (data[0] & 1) && !own->bridge_port;
	return by_ends(holds(own->mac[0], own->mac_count, OWN_MAC, data + OWN_MAC),
		to_group || holds(own->mac[0], own->mac_count, OWN_MAC, data));
}

static enum packet_direction ip4(
	const struct own *own, const uint8_t *data, uint32_t captured)
{
	uint8_t from[OWN_IP] = {[10] = 0xff, [11] = 0xff};
	uint8_t to[OWN_IP] = {[10] = 0xff, [11] = 0xff};

	if (captured < 20)
		return PACKET_UNKNOWN;
	memcpy(from + 12, data + 12, 4);
	memcpy(to + 12, data + 16, 4);
	return by_ends(holds(own->ip[0], own->ip_count, OWN_IP, from),
		holds(own->ip[0], own->ip_count, OWN_IP, to));
}

static enum packet_direction ip6(
	const struct own *own, const uint8_t *data, uint32_t captured)
{
	if (captured < 40)
		return PACKET_UNKNOWN;
	return by_ends(holds(own->ip[0], own->ip_count, OWN_IP, data + 8),
		holds(own->ip[0], own->ip_count, OWN_IP, data + 24));
}

static enum packet_direction raw(
	const struct own *own, const uint8_t *data, uint32_t captured)
{
	if (!captured)
		return PACKET_UNKNOWN;
	return data[0] >> 4 == 6 ? ip6(own, data, captured) : ip4(own, data, captured);
}

/* AT is where the low byte of the packet type stands. */
static enum packet_direction cooked(const uint8_t *data, uint32_t captured, uint32_t at)
{
	if (captured <= at)
		return PACKET_UNKNOWN;
	return data[at] == TYPE_OUTGOING ? PACKET_TX : PACKET_RX;
}

enum packet_direction own_direction(
	const struct own *own, int linktype, const uint8_t *data, uint32_t captured)
{
	if (linktype == LINK_ETHERNET)
		return ethernet(own, data, captured);
	if (linktype == LINK_SLL)
		return cooked(data, captured, 1);
	if (linktype == LINK_SLL2)
		return cooked(data, captured, 10);
	if (linktype == LINK_RAW || linktype == LINK_IPV4 || linktype == LINK_IPV6)
		return raw(own, data, captured);
	return PACKET_UNKNOWN;
}
