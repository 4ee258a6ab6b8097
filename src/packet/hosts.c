/* Directions from named addresses: a mirror port and a capture file do not tell
 * what was sent from what was received. */
#include "config.h"

#include "packet/engine_parts.h"

#include <arpa/inet.h>

static bool scan_one(const char *text, size_t length, struct packet_host *host)
{
	char word[INET6_ADDRSTRLEN];

	if (length >= sizeof word)
		return false;
	memcpy(word, text, length);
	word[length] = 0;
	memset(host, 0, sizeof *host);
	host->version = 4;
	if (inet_pton(AF_INET, word, host->address) == 1)
		return true;
	host->version = 6;
	return inet_pton(AF_INET6, word, host->address) == 1;
}

bool packet_hosts_scan(const char *list, struct packet_host *hosts, unsigned *count)
{
	for (;;) {
		size_t length = strcspn(list, ",");

		if (*count == PACKET_HOSTS || !scan_one(list, length, &hosts[*count]))
			return false;
		++*count;
		if (!list[length])
			return true;
		list += length + 1;
	}
}

static bool is_host(
	const struct engine *engine, uint8_t version, const uint8_t *address)
{
	for (unsigned i = 0; i < engine->host_count; i++)
		if (engine->hosts[i].version == version &&
			!memcmp(engine->hosts[i].address, address, 16))
			return true;
	return false;
}

/* The outermost header decides; a packet between two of them was sent. */
void host_direction(struct decode *decode, const struct network *network)
{
	const struct engine *engine = decode->engine;

	if (!engine->host_count || decode->direction != PACKET_UNKNOWN)
		return;
	if (is_host(engine, network->version, network->source))
		decode->direction = PACKET_TX;
	else if (is_host(engine, network->version, network->target))
		decode->direction = PACKET_RX;
}
