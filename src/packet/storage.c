/* Which connections carry storage protocols, and the pool of their streams. */
#include "config.h"

#include "packet/storage.h"

#include "base/alloc.h"
#include "packet/engine_parts.h"
#include "packet/stream.h"

#include <stdlib.h>

enum {
	CALLS_PER_STREAM = 32
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

struct storage *storage_new(unsigned room)
{
	struct storage *storage = xalloc(sizeof *storage);

	crc32c_init(&storage->crc);
	storage->calls = calls_new((size_t)room * CALLS_PER_STREAM);
	storage->streams = xarray(room, sizeof *storage->streams);
	storage->room = room;
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

	for (unsigned i = 0; i < storage->room && stream->flow; i++) {
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

/* Segments that cannot be put in order are read on their own by the plain rules:
 * those with a bad checksum, and those that the capture cut. */
static bool read_alone(const struct tcp_segment *segment, const struct view *payload)
{
	return segment->plain && (segment->sum == SUM_BAD || !view_whole(payload));
}

void call_answered(struct decode *decode, struct call *call, enum response_kind kind)
{
	if (decode->peer && !call->answered)
		peer_answered(decode->peer, kind, decode->frame->time - call->time);
	call->answered = true;
}

void storage_segment(struct decode *decode, struct flow *flow, unsigned side,
	const struct tcp_segment *segment, uint32_t found)
{
	struct view payload = view_from(&segment->view, segment->size);
	struct storage *storage = decode->engine->storage;
	struct step step = {.decode = decode, .storage = storage, .segment = segment};
	bool again = found & (TCP_RETRANSMISSION | TCP_SPURIOUS) && segment->plain;

	if (payload.captured == 0 || again || found & TCP_KEEP_ALIVE)
		return;
	step.stream = stream_of(storage, flow);
	if (!step.stream)
		step.stream = recognise(&step, flow, side, &payload);
	if (!step.stream)
		return;
	step.stream->used = ++storage->clock;
	step.half = &step.stream->half[side];
	step.fast = found & TCP_FAST && segment->plain;
	step.from_server = from_server(step.stream, side);
	if (read_alone(segment, &payload))
		stream_alone(&step, &payload);
	else
		stream_add(&step, &payload);
}
