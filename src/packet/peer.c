/* Counts per storage peer; see the header. */
#include "config.h"

#include "packet/peer.h"

#include "base/text.h"
#include "packet/engine_parts.h"

#include <arpa/inet.h>
#include <stddef.h>
#include <string.h>

enum {
	HALF_LIFE = 1 << 16, /* weight of a row at which all are halved */
	FIRST_WEIGHT = 64, /* of a row that is new: no few frames take it away again */
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

/* Where the figures of a row are. */
static const struct {
	size_t offset, count;
} figures[] = {
	{offsetof(struct peer_row, segments), PACKET_DIRECTIONS},
	{offsetof(struct peer_row, count), CLASS_MAX *PACKET_DIRECTIONS},
	{offsetof(struct peer_row, response),
		RESPONSE_KINDS * sizeof(struct response) / sizeof(uint64_t)},
};

static uint64_t *figures_of(struct peer_row *row, size_t index)
{
	return (uint64_t *)(void *)((uint8_t *)row + figures[index].offset);
}

static const uint64_t *figures_at(const struct peer_row *row, size_t index)
{
	return (const uint64_t *)(const void *)((const uint8_t *)row +
						figures[index].offset);
}

void peer_add_up(struct peer_row *to, const struct peer_row *from)
{
	for (size_t f = 0; f < sizeof figures / sizeof *figures; f++)
		for (size_t i = 0; i < figures[f].count; i++)
			figures_of(to, f)[i] += figures_at(from, f)[i];
}

/* The report that tells of a change of tenants may have come only in part. */
const struct peer_row *peer_others_heard(struct peer_table *table)
{
	struct peer_row *shown = &table->shown;

	for (size_t f = 0; f < sizeof figures / sizeof *figures; f++)
		for (size_t i = 0; i < figures[f].count; i++) {
			uint64_t all = figures_at(&table->row[PEER_OTHERS], f)[i];
			uint64_t gone = figures_at(&table->given_up, f)[i];

			if (all > gone && all - gone > figures_of(shown, f)[i])
				figures_of(shown, f)[i] = all - gone;
		}
	return shown;
}

static struct peer_row *take_row(
	struct peer_table *table, struct peer_row *row, const struct peer_end *end)
{
	if (row->end.version)
		peer_add_up(&table->row[PEER_OTHERS], row);
	memset(row, 0, sizeof *row);
	row->end = *end;
	row->weight = table->pressed > FIRST_WEIGHT ? table->pressed : FIRST_WEIGHT;
	row->tenant = ++table->tenants;
	table->pressed = 0;
	return row;
}

static unsigned lightest(const struct peer_table *table)
{
	unsigned least = 0;

	for (unsigned i = 1; i < PEERS_TOLD_APART && table->row[least].end.version; i++)
		if (!table->row[i].end.version ||
			table->row[i].weight < table->row[least].weight)
			least = i;
	return least;
}

/* A frame of somebody without a row. One row at a time is pressed, the one that did
 * least, by all of them together, until it has no weight left or has outgrown them: so
 * who does more than that row gets in, and as many equal ones as there are rows stay.
 */
static struct peer_row *press(struct peer_table *table, const struct peer_end *end)
{
	struct peer_row *row = &table->row[table->victim];

	if (!table->pressed || row->weight > table->victim_weight) {
		table->victim = lightest(table);
		row = &table->row[table->victim];
		table->victim_weight = row->weight;
		table->pressed = 0;
	}
	if (!row->weight)
		return take_row(table, row, end);
	row->weight--;
	table->pressed++;
	return &table->row[PEER_OTHERS];
}

static void age(struct peer_table *table)
{
	for (unsigned i = 0; i < PEERS_TOLD_APART; i++)
		table->row[i].weight /= 2;
	table->victim_weight /= 2;
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
		row = press(table, end);
	if (row == &table->row[PEER_OTHERS])
		return row;
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
