/* Counts per storage peer; see the header. */
#include "config.h"

#include "packet/peer.h"

#include "base/text.h"
#include "packet/engine_parts.h"

#include <arpa/inet.h>
#include <string.h>

enum {
	HALF_LIFE = 1 << 20 /* frames of storage after which weights are halved */
};

/* In the order in which a port decides where both ends have one: clients take low
 * ports of their own, 860 among them. */
const uint16_t packet_storage_ports[STORAGE_PORTS] = {3260, 2049, 445, 4420, 860};

const char *const packet_response_words[RESPONSE_KINDS] = {
	[RESPONSE_READ] = "read",
	[RESPONSE_WRITE] = "write",
	[RESPONSE_OTHER] = "other",
};

bool peer_end_of(
	const struct network *network, const uint8_t *ports, struct peer_end *end)
{
	uint16_t from = load_be16(ports), to = load_be16(ports + 2);

	for (unsigned i = 0; i < STORAGE_PORTS; i++) {
		uint16_t port = packet_storage_ports[i];

		if (port != from && port != to)
			continue;
		memset(end, 0, sizeof *end);
		memcpy(end->address, port == to ? network->target : network->source,
			sizeof end->address);
		end->port = port;
		end->version = network->version;
		return true;
	}
	return false;
}

void peer_decode(
	struct decode *decode, const struct network *network, const uint8_t *ports)
{
	struct peer_end end;

	if (!decode->peer && !decode->quoted && peer_end_of(network, ports, &end))
		decode->peer = peer_row_of(decode->engine->peers, &end);
}

static bool is_same(const struct peer_end *a, const struct peer_end *b)
{
	return a->port == b->port && a->version == b->version &&
	       !memcmp(a->address, b->address, sizeof a->address);
}

static void add_counts(uint64_t *to, const uint64_t *from, size_t count)
{
	for (size_t i = 0; i < count; i++)
		to[i] += from[i];
}

/* What ROW had counted is from now on somebody else's. */
static void give_up(struct peer_table *table, const struct peer_row *row)
{
	struct peer_row *others = &table->row[PEER_OTHERS];

	add_counts(others->segments, row->segments, PACKET_DIRECTIONS);
	add_counts(
		others->count[0], row->count[0], sizeof row->count / sizeof(uint64_t));
	for (unsigned i = 0; i < RESPONSE_KINDS; i++) {
		others->response[i].count += row->response[i].count;
		others->response[i].sum_us += row->response[i].sum_us;
		add_counts(others->response[i].slower, row->response[i].slower,
			RESPONSE_EDGES);
	}
}

/* The newcomer takes over the weight of the one that did least: it may have done as
 * much while nobody looked. */
static struct peer_row *make(struct peer_table *table, const struct peer_end *end)
{
	struct peer_row *least = &table->row[0];
	uint64_t weight;

	for (unsigned i = 1; i < PEERS_TOLD_APART && least->end.version; i++)
		if (!table->row[i].end.version || table->row[i].weight < least->weight)
			least = &table->row[i];
	if (least->end.version)
		give_up(table, least);
	weight = least->weight;
	memset(least, 0, sizeof *least);
	least->end = *end;
	least->weight = weight;
	least->tenant = ++table->tenants;
	return least;
}

static void age(struct peer_table *table)
{
	for (unsigned i = 0; i < PEERS_TOLD_APART; i++)
		table->row[i].weight /= 2;
}

struct peer_row *peer_row_of(struct peer_table *table, const struct peer_end *end)
{
	struct peer_row *row = NULL;

	for (unsigned i = 0; i < PEERS_TOLD_APART && !row; i++) {
		unsigned at = (table->last + i) % PEERS_TOLD_APART;

		if (is_same(&table->row[at].end, end))
			row = &table->row[at];
	}
	if (!row)
		row = make(table, end);
	table->last = (unsigned)(row - table->row);
	if (++row->weight > HALF_LIFE)
		age(table);
	return row;
}

void peer_answered(struct peer_row *row, enum response_kind kind, nsec time)
{
	struct response *response = &row->response[kind];
	uint64_t us = (uint64_t)time / 1000;

	if (time < 0)
		return;
	response->count++;
	response->sum_us += us;
	for (unsigned i = 0; i < RESPONSE_EDGES && us > RESPONSE_EDGE_US(i); i++)
		response->slower[i]++;
}

bool response_bound(const struct response *response, double share, uint64_t *us)
{
	double within = (double)response->count * (1 - share);

	for (unsigned i = 0; response->count && i < RESPONSE_EDGES; i++)
		if ((double)response->slower[i] <= within) {
			*us = RESPONSE_EDGE_US(i);
			return true;
		}
	return false;
}

/* The layer of each protocol that a port may carry. */
static const struct {
	uint16_t port;
	const char *layers[2];
} services[] = {
	{3260, {"iscsi", ""}},
	{860, {"iscsi", ""}},
	{2049, {"nfs", "rpc"}},
	{445, {"smb2", ""}},
};

bool peer_counts(const struct peer_end *end, unsigned row)
{
	const char *layer = packet_classes[row].layer;

	if (!strcmp(layer, "tcp"))
		return true;
	for (size_t i = 0; i < sizeof services / sizeof *services; i++)
		if ((!end->version || services[i].port == end->port) &&
			(!strcmp(layer, services[i].layers[0]) ||
				!strcmp(layer, services[i].layers[1])))
			return true;
	return false;
}

void peer_text(const struct peer_end *end, char *to)
{
	char address[INET6_ADDRSTRLEN] = "?";
	bool six = end->version == 6;

	if (!end->version) {
		(void)text_copy(to, PEER_TEXT, "others"); /* fits */
		return;
	}
	/* neither can fail: the room is enough for both families */
	(void)inet_ntop(
		six ? AF_INET6 : AF_INET, end->address, address, sizeof address);
	(void)text_format(to, PEER_TEXT, "%s%s%s:%u", six ? "[" : "", address,
		six ? "]" : "", end->port);
}
