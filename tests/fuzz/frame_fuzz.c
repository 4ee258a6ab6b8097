/*
 * libFuzzer: frames of every link type through the engine, under both rule sets, with
 * tables so small that everything is forgotten and replaced all the time.
 * Input: rules, link type, then frames: captured (2 bytes), bytes beyond that on the
 * wire (2), milliseconds since the last (1), the bytes. tests/packets/generate --seed
 * writes it.
 */
#include "config.h"

#include "packet/engine.h"
#include "packet/evidence.h"
#include "packet/view.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum {
	TALLEST = 276, /* does not fit the byte */
	HEAD = 5
};

static int linktype(uint8_t byte)
{
	return byte == UINT8_MAX ? TALLEST : byte;
}

/* What is kept is read to its last byte: one that is not there is seen. */
static void put(void *context, const struct evidence_entry *entry)
{
	unsigned *sum = context;

	if (entry->captured > EVIDENCE_ROOM || entry->direction >= PACKET_DIRECTIONS)
		abort();
	for (uint32_t i = 0; i < entry->captured; i++)
		*sum += entry->data[i];
}

/* Each frame lies in memory of exactly its size: a read past it is seen. */
static void one(struct engine *engine, const struct packet_frame *frame)
{
	uint8_t *copy = malloc(frame->captured ? frame->captured : 1);
	struct packet_frame exact = *frame;

	if (!copy)
		abort();
	for (uint32_t i = 0; i < frame->captured; i++)
		copy[i] = frame->data[i];
	exact.data = copy;
	(void)engine_frame(engine, &exact);
	free(copy);
}

/* Every frame is counted once, whatever is in it. */
static void check(const struct engine *engine, uint64_t frames)
{
	const struct tally *tally = engine_tally(engine);
	uint64_t counted = 0;

	for (int i = 0; i < PACKET_DIRECTIONS; i++)
		counted += tally->frames[i];
	if (counted != frames)
		abort();
}

static void run(struct engine *engine, const uint8_t *data, size_t size)
{
	nsec now = NSEC_PER_SEC;
	uint64_t frames = 0;

	while (size >= HEAD) {
		size_t wanted = load_be16(data), rest = size - HEAD;
		size_t captured = wanted < rest ? wanted : rest;
		struct packet_frame frame = {.data = data + HEAD,
			.captured = (uint32_t)captured,
			.length = (uint32_t)(wanted + load_be16(data + 2)),
			.time = now += data[4] * NSEC_PER_MSEC,
			.direction =
				(enum packet_direction)(frames % PACKET_DIRECTIONS),
			.cut = data[4] & 1};
		one(engine, &frame);
		frames++;
		data += HEAD + captured;
		size -= HEAD + captured;
	}
	check(engine, frames);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size < 2)
		return 0;
	static unsigned sum;
	/* two in a tenth of a second: quotas run out and begin anew */
	struct evidence *evidence = evidence_new(&(struct evidence_options){
		.quota = 2, .period = NSEC_PER_SEC / 10, .put = put, .context = &sum});
	static const struct packet_host hosts[] = {
		{{192, 0, 2, 1}, 4}, {{0x20, 0x01, 0x0d, 0xb8, [15] = 1}, 6}};
	struct engine_options options = {
		.rules = data[0] & 1 ? RULES_WIRESHARK : RULES_WEIR,
		.linktype = linktype(data[1]),
		.flows = 8,
		.hosts = hosts,
		.host_count = data[0] & 4 ? 2 : 0,
		.evidence = evidence};
	struct engine *engine = engine_new(&options);
	if (engine)
		run(engine, data + 2, size - 2);
	engine_free(engine);
	evidence_free(evidence);
	return 0;
}
