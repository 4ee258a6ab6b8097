/* Streams of storage connections, cut into messages; see the header. */
#include "config.h"

#include "packet/stream.h"

static void begin(struct half *half, const struct protocol *protocol)
{
	half->have = half->skip = half->step = 0;
	half->need = protocol->head;
	half->holed = false;
	memset(half->hole, 0, sizeof half->hole);
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

static void tell(struct decode *decode, const uint64_t *seen, uint64_t columns)
{
	for (unsigned i = 0; i < SEEN_WORDS; i++)
		decode->seen[i] |= seen[i];
	decode->columns |= columns;
}

/* The oldest pending message is given up for this one. */
static void put_off(struct half *half)
{
	struct pending *first = half->pending;

	memmove(first + 1, first, (PENDING - 1) * sizeof *first);
	memcpy(first->hole, half->hole, sizeof first->hole);
	memcpy(first->seen, half->seen, sizeof first->seen);
	first->columns = half->columns;
}

void half_end(struct step *step)
{
	struct half *half = step->half;

	if (half->holed && step->segment->plain)
		put_off(half);
	else
		tell(step->decode, half->seen, half->columns);
	begin(half, step->stream->protocol);
}

static uint32_t take(uint32_t *wanted, uint32_t size)
{
	uint32_t taken = *wanted < size ? *wanted : size;

	*wanted -= taken;
	return taken;
}

/* Up to SIZE bytes for the head, then for the body; returns how many. */
static uint32_t fill(struct step *step, const uint8_t *data, uint32_t size)
{
	struct half *half = step->half;
	uint32_t wanted = half->need - half->have;
	uint32_t taken = take(&wanted, size);

	memcpy(half->head + half->have, data, taken);
	half->have += taken;
	if (wanted > 0)
		return taken;
	uint32_t body = take(&half->skip, size - taken);
	if (step->stream->protocol->digests && step->stream->data_digest != DIGEST_OFF)
		half->crc =
			crc32c_add(&step->storage->crc, half->crc, data + taken, body);
	return taken + body;
}

static void feed(struct step *step, const uint8_t *data, uint32_t size)
{
	struct half *half = step->half;

	half->next += size;
	while (half->synced) {
		uint32_t taken = fill(step, data, size);
		data += taken;
		size -= taken;
		if (half->have < half->need || half->skip > 0)
			return;
		step->last = size == 0;
		half->synced = step->stream->protocol->advance(step);
	}
}

/* A hole inside a body leaves the end of the message known. */
static bool jump(struct half *half, uint32_t size)
{
	struct stretch hole = {half->next, half->next + size};

	if (half->have < half->need || half->skip < size)
		return false;
	half->skip -= size;
	half->next += size;
	half->holed = true;
	for (int i = 0; i < HOLES; i++)
		if (half->hole[i].from == half->hole[i].to) {
			half->hole[i] = hole;
			return true;
		}
	half->hole[HOLES - 1].to = hole.to;
	return true;
}

/* SIZE bytes from AT on cover an end of the hole. */
static void close_hole(struct stretch *hole, uint32_t at, uint32_t size)
{
	if ((int32_t)(at - hole->from) <= 0 && (int32_t)(at + size - hole->from) > 0)
		hole->from = at + size;
	if ((int32_t)(at + size - hole->to) >= 0 && (int32_t)(at - hole->to) < 0)
		hole->to = at;
	if ((int32_t)(hole->to - hole->from) < 0)
		hole->to = hole->from;
}

static bool close_holes(struct stretch *holes, uint32_t at, uint32_t size)
{
	bool open = false;

	for (int i = 0; i < HOLES; i++) {
		if (holes[i].from != holes[i].to)
			close_hole(&holes[i], at, size);
		open |= holes[i].from != holes[i].to;
	}
	return !open;
}

/* Bytes that come late: they may complete a message that was put off. */
static bool late(struct step *step, uint32_t size)
{
	bool told = false;
	uint32_t at = step->segment->sequence;
	struct half *half = step->half;

	if (half->holed && close_holes(half->hole, at, size))
		half->holed = false;
	for (int i = 0; i < PENDING; i++) {
		struct pending *pending = &half->pending[i];
		if (!pending->columns || !close_holes(pending->hole, at, size))
			continue;
		tell(step->decode, pending->seen, pending->columns);
		pending->columns = 0;
		told = true;
	}
	return told;
}

/* Where the place in the stream was lost, a message must begin here. */
static bool start(struct step *step, const struct view *payload, uint32_t sequence)
{
	struct half *half = step->half;

	begin(half, step->stream->protocol);
	half->synced = step->stream->protocol->begins(step, payload);
	half->next = sequence;
	return half->synced;
}

/* Returns whether the last message goes on behind the payload. */
static bool alone(struct step *step, const struct view *payload)
{
	step->half = &step->storage->alone;
	if (!start(step, payload, step->segment->sequence))
		return false;
	feed(step, payload->data, payload->captured);
	return step->half->synced;
}

/* Bytes from before NEXT: they fill holes, or are messages of their own where the
 * place was lost. The plain rules read fast retransmissions once more. */
static void old(struct step *step, const struct view *payload)
{
	struct half *half = step->half;
	uint32_t at = step->segment->sequence;
	bool lost = (int32_t)(at - half->lost.from) >= 0 &&
		    (int32_t)(at - half->lost.to) < 0;

	bool told = late(step, payload->length);
	if (!lost && (told || !step->fast))
		return;
	close_hole(&half->lost, at, payload->length);
	(void)alone(step, payload); /* its rest has been before: never complete */
	step->half = half;
}

/* The hole swallows the end of the message that was read. */
static void lose(struct step *step, uint32_t size)
{
	struct half *half = step->half;
	uint32_t end = half->next, all = half->next + size;

	if (half->have == half->need && half->skip > 0 && half->skip < size) {
		end += half->skip;
		(void)jump(half, half->skip); /* it is no more than that */
		step->stream->protocol->cut(step);
	}
	half->lost = (struct stretch){end, all};
}

/* Brings the half to where PAYLOAD begins; false where nothing of it is new. */
static bool align(struct step *step, struct view *payload)
{
	struct half *half = step->half;
	uint32_t sequence = step->segment->sequence;
	int32_t ahead = (int32_t)(sequence - half->next);

	if (half->synced && ahead < 0) {
		old(step, payload);
		if ((uint32_t)-ahead >= payload->length)
			return false;
		*payload = view_from(payload, (uint32_t)-ahead);
		return true;
	}
	if (half->synced && (ahead == 0 || jump(half, (uint32_t)ahead)))
		return true;
	if (half->synced)
		lose(step, (uint32_t)ahead);
	else if (ahead < 0 && late(step, payload->length))
		return false;
	return start(step, payload, sequence);
}

void stream_add(struct step *step, const struct view *payload)
{
	struct view rest = *payload;

	if (!align(step, &rest))
		return;
	feed(step, rest.data, rest.captured);
	if (!view_whole(&rest) && !jump(step->half, rest.length - rest.captured))
		step->half->synced = false;
}

void stream_alone(struct step *step, const struct view *payload)
{
	step->half->synced = false;
	if (alone(step, payload))
		step->stream->protocol->cut(step);
}
