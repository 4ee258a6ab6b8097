/*
 * The engine: takes a frame through the layers and adds what was seen to the
 * tally. Everything it will ever need is allocated in engine_new().
 */
#include "config.h"

#include "packet/engine.h"

#include "base/alloc.h"
#include "packet/decode.h"
#include "packet/engine_parts.h"
#include "packet/evidence.h"

#include <stdlib.h>

enum {
	FLOWS = 65536,
};

/* How much is kept of everything else, for so many connections. */
static const struct scale {
	size_t flows;
	unsigned fragments, streams, addresses;
} scales[] = {
	{1024, 256, 512, 4096},
	{0, 2, 2, 8}, /* for tests: everything is forgotten soon */
};

static const struct scale *scale_for(size_t flows)
{
	const struct scale *scale = scales;

	while (flows < scale->flows)
		scale++;
	return scale;
}

struct engine *engine_new(const struct engine_options *options)
{
	if (!link_known(options->linktype))
		return NULL;
	struct engine *engine = xalloc(sizeof *engine);
	size_t flows = options->flows ? options->flows : FLOWS;
	const struct scale *scale = scale_for(flows);
	engine->rules = options->rules;
	engine->linktype = options->linktype;
	engine->flows = flows_new(flows);
	engine->fragments = fragments_new(scale->fragments);
	engine->arp = arp_new(scale->addresses);
	engine->storage = storage_new(scale->streams);
	engine->peers = xalloc(sizeof *engine->peers);
	engine->evidence = options->evidence;
	engine->hosts = options->hosts;
	engine->host_count = options->host_count;
	return engine;
}

void engine_free(struct engine *engine)
{
	if (!engine)
		return;
	flows_free(engine->flows);
	fragments_free(engine->fragments);
	arp_free(engine->arp);
	storage_free(engine->storage);
	free(engine->peers);
	free(engine);
}

/* Lengths of the record itself. What was captured can be judged in any case. */
static void record_check(struct decode *decode)
{
	const struct packet_frame *frame = decode->frame;
	struct tally *tally = &decode->engine->tally;

	if (frame->captured > frame->length) {
		see(decode, SEEN_REC_CAPLEN);
		mark(decode, COLUMN_malformed_l2l4);
	}
	if (frame->captured >= frame->length)
		return;
	tally->cut++;
	if (!frame->cut)
		see(decode, SEEN_REC_SNAPPED);
}

/* The same for the storage peer: what its port can show. */
static void peer_add(struct peer_row *peer, const struct decode *decode, unsigned row)
{
	if (peer && peer_counts(&peer->end, row))
		peer->count[row][decode->direction] +=
			row == SEEN_TCP_RETRANS ? decode->resent : 1;
}

static void tally_add(struct tally *tally, const struct decode *decode)
{
	enum packet_direction direction = decode->direction;
	struct peer_row *peer = decode->peer;

	if (peer)
		peer->segments[direction] += decode->segments;

	tally->frames[direction]++;
	tally->bytes[direction] += decode->frame->length;
	tally->segments[direction] += decode->segments;
	for (unsigned word = 0; word < SEEN_WORDS; word++)
		for (uint64_t bits = decode->seen[word]; bits; bits &= bits - 1) {
			unsigned row = word * 64 + (unsigned)__builtin_ctzll(bits);
			tally->count[row][direction] +=
				row == SEEN_TCP_RETRANS ? decode->resent : 1;
			peer_add(peer, decode, row);
		}
}

static void give_up_fragments(struct engine *engine, const struct packet_frame *frame)
{
	unsigned missing[2];

	if (engine->rules == RULES_WIRESHARK)
		return;
	fragments_expire(engine->fragments, frame->time, missing);
	engine->tally.count[SEEN_IP4_FRAG_MISSING][frame->direction] += missing[0];
	engine->tally.count[SEEN_IP6_FRAG_MISSING][frame->direction] += missing[1];
}

uint64_t engine_frame(struct engine *engine, const struct packet_frame *frame)
{
	struct decode decode = {
		.engine = engine,
		.frame = frame,
		.direction = frame->direction,
		.rules = engine->rules,
		.segments = 1,
		.resent = 1,
	};
	uint32_t length =
		frame->length > frame->captured ? frame->length : frame->captured;

	give_up_fragments(engine, frame);
	record_check(&decode);
	link_decode(&decode, engine->linktype,
		view_of(frame->data, frame->captured, length));
	tally_add(&engine->tally, &decode);
	if (engine->evidence)
		evidence_frame(engine->evidence, &decode);
	return decode.columns;
}

void engine_count(struct engine *engine, unsigned row)
{
	engine->tally.count[row][PACKET_UNKNOWN]++;
}

const struct tally *engine_tally(const struct engine *engine)
{
	return &engine->tally;
}

const struct peer_table *engine_peers(const struct engine *engine)
{
	return engine->peers;
}
