/* The table of TCP connections; see the header. */
#include "config.h"

#include "packet/flow.h"

#include "base/alloc.h"
#include "packet/decode.h"

#include <stdlib.h>

enum {
	WAYS = 8,
	LINE = 64, /* bytes of a cache line */
};

/* One cache line: a look into a set costs one way to memory, the connection
 * itself another. Slots are given out in order, so that few connections lie close
 * together however large the table is. */
struct flow_set {
	uint32_t tag[WAYS]; /* 0: free */
	uint32_t slot[WAYS];
};

struct flow_table {
	size_t sets; /* a power of two */
	uint32_t clock;
	uint32_t slots; /* given out so far */
	struct flow_set *index;
	struct flow *flows;
};

struct flow_table *flows_new(size_t room)
{
	struct flow_table *table = xalloc(sizeof *table);

	for (table->sets = 1; table->sets * WAYS < room;)
		table->sets *= 2;
	table->index = xarray(table->sets, sizeof *table->index);
	table->flows = xarray(table->sets * WAYS, sizeof *table->flows);
	return table;
}

void flows_free(struct flow_table *table)
{
	if (!table)
		return;
	free(table->index);
	free(table->flows);
	free(table);
}

static void side_reset(struct flow_side *side)
{
	memset(side, 0, sizeof *side);
	side->window = UINT32_MAX;
	side->scale = SCALE_UNKNOWN;
}

void flow_reset(struct flow *flow)
{
	flow->stream = 0;
	flow->syn_time = flow->rtt = 0;
	side_reset(&flow->side[0]);
	side_reset(&flow->side[1]);
	memset(flow->recent, 0, sizeof flow->recent);
}

static uint64_t mix(uint64_t hash, const uint8_t *bytes)
{
	uint64_t word;
	memcpy(&word, bytes, sizeof word);
	hash = (hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
	return hash ^ hash >> 32;
}

static uint64_t hash_of(const struct flow_key *key)
{
	uint64_t ports = (uint64_t)key->port[0] << 16 | key->port[1];
	uint64_t rest = ports << 32 | (uint64_t)key->vlan << 16 | key->version;
	uint64_t hash = mix(rest, key->address[0]);

	hash = mix(hash, key->address[1]);
	if (key->version == 6) {
		hash = mix(hash, key->address[0] + 8);
		hash = mix(hash, key->address[1] + 8);
	}
	return mix(hash, (const uint8_t *)&rest);
}

/* A free way, or the one whose connection was silent longest. */
static unsigned choose(const struct flow_table *table, const struct flow_set *set)
{
	unsigned oldest = 0;
	uint32_t age, most = 0;

	for (unsigned way = 0; way < WAYS; way++) {
		if (!set->tag[way])
			return way;
		age = table->clock - table->flows[set->slot[way]].used;
		if (age > most)
			oldest = way;
		most = age > most ? age : most;
	}
	return oldest;
}

struct flow_place flows_place(const struct flow_table *table,
	const struct network *network, const uint8_t *ports, uint16_t vlan)
{
	uint16_t from = load_be16(ports), to = load_be16(ports + 2);
	int order = memcmp(network->source, network->target, sizeof network->source);
	unsigned sender = order > 0 || (order == 0 && from > to);
	struct flow_place place = {
		.key = {.vlan = vlan, .version = network->version}, .side = sender};

	memcpy(place.key.address[sender], network->source, 16);
	memcpy(place.key.address[!sender], network->target, 16);
	place.key.port[sender] = from;
	place.key.port[!sender] = to;
	place.hash = hash_of(&place.key);
	__builtin_prefetch(&table->index[place.hash & (table->sets - 1)]);
	return place;
}

static struct flow *make(
	struct flow_table *table, struct flow_set *set, const struct flow_place *place)
{
	unsigned way = choose(table, set);

	if (!set->tag[way])
		set->slot[way] = table->slots++;
	set->tag[way] = (uint32_t)(place->hash >> 32) | 1;
	struct flow *flow = &table->flows[set->slot[way]];
	flow->key = place->key;
	flow_reset(flow);
	return flow;
}

/* All lines of the connection are fetched at once. */
static void fetch(const struct flow *flow)
{
	const char *start = (const char *)flow;

	for (size_t at = 0; at < sizeof *flow; at += LINE)
		__builtin_prefetch(start + at, 1);
}

struct flow *flows_get(struct flow_table *table, const struct flow_place *place)
{
	struct flow_set *set = &table->index[place->hash & (table->sets - 1)];
	uint32_t tag = (uint32_t)(place->hash >> 32) | 1;
	struct flow *flow = NULL;

	for (unsigned way = 0; way < WAYS && !flow; way++) {
		if (set->tag[way] != tag)
			continue;
		flow = &table->flows[set->slot[way]];
		fetch(flow);
		if (memcmp(&flow->key, &place->key, sizeof flow->key) != 0)
			flow = NULL;
	}
	if (!flow)
		flow = make(table, set, place);
	flow->used = ++table->clock;
	return flow;
}
