/* Which connections carry storage protocols, and the pool of their streams. */
#include "config.h"

#include "packet/storage.h"

#include "base/alloc.h"
#include "packet/engine_parts.h"
#include "packet/stream.h"

#include <stdlib.h>

enum {
	STREAMS = 512
};

/* Where a protocol lives; port 0: anywhere, if its messages say so. */
static const struct {
	uint16_t port;
	const struct protocol *protocol;
} services[] = {
	{3260, &protocol_iscsi},
	{860, &protocol_iscsi},
	{445, &protocol_smb2},
	{139, &protocol_smb2},
	{0, &protocol_rpc},
};

struct storage *storage_new(void)
{
	struct storage *storage = xalloc(sizeof *storage);

	crc32c_init(&storage->crc);
	storage->calls = calls_new();
	storage->streams = xarray(STREAMS, sizeof *storage->streams);
	return storage;
}

void storage_free(struct storage *storage)
{
	if (!storage)
		return;
	calls_free(storage->calls);
	free(storage->streams);
	free(storage);
}

static struct stream *make(
	struct storage *storage, struct flow *flow, const struct protocol *protocol)
{
	struct stream *stream = &storage->streams[0];

	for (int i = 0; i < STREAMS && stream->flow; i++) {
		struct stream *other = &storage->streams[i];
		if (!other->flow ||
			storage->clock - other->used > storage->clock - stream->used)
			stream = other;
	}
	memset(stream, 0, sizeof *stream);
	stream->flow = flow;
	stream->protocol = protocol;
	stream->owner = ++storage->owners;
	flow->stream = (uint16_t)(stream - storage->streams + 1);
	return stream;
}

/* The stream of the connection, if it still has it. */
static struct stream *stream_of(struct storage *storage, const struct flow *flow)
{
	if (!flow->stream)
		return NULL;
	struct stream *stream = &storage->streams[flow->stream - 1];
	return stream->flow == flow ? stream : NULL;
}

static bool is_server(const struct flow *flow, unsigned side, uint16_t port)
{
	return flow->key.port[side] == port;
}

static struct stream *recognise(
	struct step *step, struct flow *flow, unsigned side, const struct view *payload)
{
	for (size_t i = 0; i < sizeof services / sizeof *services; i++) {
		uint16_t port = services[i].port;
		bool from = is_server(flow, side, port),
		     to = is_server(flow, !side, port);
		if (port && !from && !to)
			continue;
		step->from_server = from;
		if (services[i].protocol->begins(step, payload))
			return make(step->storage, flow, services[i].protocol);
	}
	return NULL;
}

static bool from_server(const struct stream *stream, unsigned side)
{
	for (size_t i = 0; i < sizeof services / sizeof *services; i++)
		if (services[i].protocol == stream->protocol &&
			is_server(stream->flow, side, services[i].port))
			return true;
	return false;
}

static void begin(struct half *half, const struct protocol *protocol)
{
	half->have = half->skip = half->step = 0;
	half->need = protocol->head;
	half->holed = false;
	half->columns = 0;
	memset(half->seen, 0, sizeof half->seen);
}

void half_see(struct half *half, enum seen seen)
{
	half->seen[seen / 64] |= UINT64_C(1) << (seen % 64);
}

void half_mark(struct half *half, enum column column)
{
	half->columns |= UINT64_C(1) << column;
}

void half_end(struct step *step)
{
	struct half *half = step->half;

	for (unsigned i = 0; i < SEEN_WORDS; i++)
		step->decode->seen[i] |= half->seen[i];
	step->decode->columns |= half->columns;
	begin(half, step->stream->protocol);
}

/* Bytes in order: first into the head, then past the body. */
static void feed(struct step *step, const uint8_t *data, uint32_t size)
{
	struct half *half = step->half;

	half->next += size;
	while (half->synced) {
		if (half->have < half->need) {
			uint32_t want = half->need - half->have;
			uint32_t take = want < size ? want : size;
			memcpy(half->head + half->have, data, take);
			half->have += take;
			data += take;
			size -= take;
		} else if (half->skip > 0) {
			uint32_t take = half->skip < size ? half->skip : size;
			if (step->stream->protocol->digests &&
				step->stream->data_digest != DIGEST_OFF)
				half->crc = crc32c_add(
					&step->storage->crc, half->crc, data, take);
			half->skip -= take;
			data += take;
			size -= take;
		}
		if (half->have < half->need || half->skip > 0)
			return;
		step->last = size == 0;
		if (!step->stream->protocol->advance(step))
			half->synced = false;
		if (size == 0 && half->have == 0)
			return;
	}
}

/* A hole inside a body leaves the end of the message known. */
static bool jump(struct half *half, uint32_t hole)
{
	if (half->have < half->need || half->skip < hole)
		return false;
	half->skip -= hole;
	half->next += hole;
	half->holed = true;
	return true;
}

/* Brings the half to where PAYLOAD begins; false where nothing of it is new. */
static bool align(struct step *step, struct view *payload)
{
	struct half *half = step->half;
	int32_t ahead = (int32_t)(step->segment->sequence - half->next);

	if (half->synced && ahead < 0) {
		if ((uint32_t)-ahead >= payload->length)
			return false;
		*payload = view_from(payload, (uint32_t)-ahead);
		return true;
	}
	if (half->synced && (ahead == 0 || jump(half, (uint32_t)ahead)))
		return true;
	half->synced = step->stream->protocol->begins(step, payload);
	half->next = step->segment->sequence;
	begin(half, step->stream->protocol);
	return half->synced;
}

void storage_segment(struct decode *decode, struct flow *flow, unsigned side,
	const struct tcp_segment *segment, uint32_t found)
{
	struct view payload = view_from(&segment->view, segment->size);
	struct storage *storage = decode->engine->storage;
	struct step step = {.decode = decode, .storage = storage, .segment = segment};

	if (payload.captured == 0 || segment->sum == SUM_BAD ||
		found & (TCP_RETRANSMISSION | TCP_SPURIOUS | TCP_KEEP_ALIVE))
		return;
	step.stream = stream_of(storage, flow);
	if (!step.stream)
		step.stream = recognise(&step, flow, side, &payload);
	if (!step.stream)
		return;
	step.stream->used = ++storage->clock;
	step.half = &step.stream->half[side];
	step.from_server = from_server(step.stream, side);
	if (align(&step, &payload))
		feed(&step, payload.data, payload.captured);
	if (!view_whole(&payload)) /* the rest was not captured */
		(void)jump(step.half, payload.length - payload.captured);
}
