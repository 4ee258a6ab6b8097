/* The table of TCP connections; see the header. */
#include "config.h"

#include "packet/flow.h"

#include "base/alloc.h"
#include "packet/decode.h"

#include <stdlib.h>

enum {
	WAYS = 8
};

/* Tags and ages of a set lie together, so that a look costs one cache line. */
struct flow_set {
	uint32_t tag[WAYS]; /* 0: free */
	uint32_t used[WAYS];
};

struct flow_table {
	size_t sets; /* a power of two */
	uint32_t clock;
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

/* A free place, or the one whose connection was silent longest. */
static unsigned place(const struct flow_table *table, const struct flow_set *set)
{
	unsigned oldest = 0;

	for (unsigned way = 0; way < WAYS; way++) {
		if (!set->tag[way])
			return way;
		if (table->clock - set->used[way] > table->clock - set->used[oldest])
			oldest = way;
	}
	return oldest;
}

static struct flow *find_or_make(struct flow_table *table, const struct flow_key *key)
{
	uint64_t hash = hash_of(key);
	size_t at = hash & (table->sets - 1);
	struct flow_set *set = &table->index[at];
	struct flow *flows = &table->flows[at * WAYS];
	uint32_t tag = (uint32_t)(hash >> 32) | 1;

	table->clock++;
	for (unsigned way = 0; way < WAYS; way++)
		if (set->tag[way] == tag &&
			!memcmp(&flows[way].key, key, sizeof *key)) {
			set->used[way] = table->clock;
			return &flows[way];
		}
	unsigned way = place(table, set);
	set->tag[way] = tag;
	set->used[way] = table->clock;
	flows[way].key = *key;
	flow_reset(&flows[way]);
	return &flows[way];
}

struct flow *flows_get(struct flow_table *table, const struct network *network,
	const uint8_t *ports, uint16_t vlan, unsigned *side)
{
	uint16_t from = load_be16(ports), to = load_be16(ports + 2);
	int order = memcmp(network->source, network->target, sizeof network->source);
	unsigned sender = order > 0 || (order == 0 && from > to);
	struct flow_key key = {.vlan = vlan, .version = network->version};

	memcpy(key.address[sender], network->source, 16);
	memcpy(key.address[!sender], network->target, 16);
	key.port[sender] = from;
	key.port[!sender] = to;
	*side = sender;
	return find_or_make(table, &key);
}
