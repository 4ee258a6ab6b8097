/* ARP: lengths, and addresses that move; see the header. */
#include "config.h"

#include "packet/arp.h"

#include "base/alloc.h"
#include "packet/engine_parts.h"

#include <stdlib.h>

enum {
	WAYS = 4,
	HARDWARE = 6,
	ARP_FIXED = 8,
	ARP_IPV4 = 28, /* whole size for Ethernet and IPv4 */
	ARP_REQUEST = 1,
	ARP_REPLY = 2,
};

struct claim {
	uint32_t address; /* 0: free */
	uint8_t hardware[HARDWARE];
};

struct arp_table {
	size_t sets; /* a power of two */
	struct claim *claims;
};

struct arp_table *arp_new(size_t room)
{
	struct arp_table *table = xalloc(sizeof *table);

	for (table->sets = 1; table->sets * WAYS < room;)
		table->sets *= 2;
	table->claims = xarray(table->sets, WAYS * sizeof *table->claims);
	return table;
}

void arp_free(struct arp_table *table)
{
	if (table)
		free(table->claims);
	free(table);
}

bool arp_claim(struct arp_table *table, uint32_t address, const uint8_t *hardware,
	bool keep_first)
{
	/* the upper bits of the product depend on all of the address */
	size_t set = (address * UINT32_C(2654435761) * (uint64_t)table->sets) >> 32;
	struct claim *claims = table->claims + set * WAYS;

	for (int i = 0; i < WAYS; i++) {
		if (claims[i].address != address)
			continue;
		bool moved = memcmp(claims[i].hardware, hardware, HARDWARE) != 0;
		if (!keep_first)
			memcpy(claims[i].hardware, hardware, HARDWARE);
		return moved;
	}
	memmove(claims + 1, claims, (WAYS - 1) * sizeof *claims);
	claims[0].address = address;
	memcpy(claims[0].hardware, hardware, HARDWARE);
	return false;
}

/* Claims worth remembering: a single host address from a single card. A group address
 * is nobody's: clusters that share one answer so. */
static bool claim(
	struct decode *decode, const uint8_t *hardware, const uint8_t *address)
{
	static const uint8_t nobody[HARDWARE];
	uint32_t number = load_be32(address);

	if (number == 0 || !memcmp(hardware, nobody, HARDWARE) || hardware[0] & 1)
		return false;
	return arp_claim(decode->engine->arp, number, hardware,
		decode->rules == RULES_WIRESHARK);
}

static void claims_check(struct decode *decode, const uint8_t *packet)
{
	uint16_t operation = load_be16(packet + 6);
	bool moved = false;

	if (operation != ARP_REQUEST && operation != ARP_REPLY)
		return;
	moved = claim(decode, packet + 8, packet + 14);
	if (operation == ARP_REPLY && load_be32(packet + 14) != load_be32(packet + 24))
		moved = claim(decode, packet + 18, packet + 24) || moved;
	if (moved) {
		see(decode, SEEN_ARP_DUP_IP);
		mark(decode, COLUMN_arp_dup_ip);
	}
}

void arp_decode(struct decode *decode, struct view view)
{
	static const uint8_t ethernet_ipv4[6] = {0, 1, 8, 0, HARDWARE, 4};
	const uint8_t *fixed = view_bytes(&view, 0, ARP_FIXED);

	if (!fixed) {
		ended(decode, view_end(&view, 0, ARP_FIXED), SEEN_ARP_SHORT);
		return;
	}
	uint32_t size = ARP_FIXED + 2u * fixed[4] + 2u * fixed[5];
	const uint8_t *packet = view_bytes(&view, 0, size);
	if (!packet)
		ended(decode, view_end(&view, 0, size), SEEN_ARP_SHORT);
	else if (size == ARP_IPV4 &&
		 !memcmp(fixed, ethernet_ipv4, sizeof ethernet_ipv4))
		claims_check(decode, packet);
}
