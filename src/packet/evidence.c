/* Which packets are kept; see the header. */
#include "config.h"

#include "packet/evidence.h"

#include "base/alloc.h"
#include "packet/decode.h"

#include <stdlib.h>

enum {
	RECENT_FRAMES = 2048, /* a power of two */
	RECENT_WHOLE = 128,
	FOLLOWED = 16, /* findings whose next packets are awaited */
	NO_HEADERS = 54,
};

/* One of the last frames. */
struct frame {
	struct evidence_entry entry; /* its data is at the place of its number */
	bool kept;
};

struct follow {
	uint64_t flow;
	uint32_t finding;
	int32_t place; /* of the last one */
};

struct quota {
	nsec from;
	unsigned used;
};

struct evidence {
	struct evidence_options options;
	size_t room, frames;
	uint64_t count; /* frames so far */
	uint64_t *flow; /* of each of the last ones: searched on its own */
	struct frame *frame;
	uint8_t *data;
	struct follow follow[FOLLOWED];
	unsigned next_follow, following;
	struct quota quota[CLASS_MAX];
	uint64_t wanted[EVIDENCE_WORDS];
	uint32_t findings;
};

size_t evidence_room(bool whole)
{
	return whole ? EVIDENCE_ROOM_WHOLE : EVIDENCE_ROOM;
}

/* A signature is on every packet where it is on any: no finding. */
bool evidence_wants(unsigned row)
{
	enum class_sense sense = packet_classes[row].sense;

	return (sense == CLASS_BAD || sense == CLASS_NOTE) && row != SEEN_SMB2_SIGNED &&
	       row != SEEN_SMB2_ENCRYPTED;
}

struct evidence *evidence_new(const struct evidence_options *options)
{
	struct evidence *evidence = xalloc(sizeof *evidence);

	evidence->options = *options;
	evidence->room = evidence_room(options->whole);
	evidence->frames = options->whole ? RECENT_WHOLE : RECENT_FRAMES;
	evidence->flow = xarray(evidence->frames, sizeof *evidence->flow);
	evidence->frame = xarray(evidence->frames, sizeof *evidence->frame);
	evidence->data = xarray(evidence->frames, evidence->room);
	for (unsigned i = 0; i < packet_class_count; i++)
		if (evidence_wants(i))
			evidence->wanted[i / 64] |= UINT64_C(1) << (i % 64);
	return evidence;
}

void evidence_free(struct evidence *evidence)
{
	if (!evidence)
		return;
	free(evidence->flow);
	free(evidence->frame);
	free(evidence->data);
	free(evidence);
}

/* How many bytes of the frame are kept. */
static uint32_t bytes_of(const struct evidence *evidence, const struct decode *decode)
{
	uint32_t headers = decode->headers ? decode->headers : NO_HEADERS;
	size_t most = evidence->options.whole ? evidence->room
					      : (size_t)headers + EVIDENCE_BEHIND;

	most = most < evidence->room ? most : evidence->room;
	return decode->frame->captured < most ? decode->frame->captured
					      : (uint32_t)most;
}

static struct frame *remember(struct evidence *evidence, const struct decode *decode)
{
	size_t at = evidence->count++ % evidence->frames;
	struct frame *frame = &evidence->frame[at];
	uint8_t *data = evidence->data + at * evidence->room;

	evidence->flow[at] = decode->flow;
	frame->kept = false;
	frame->entry = (struct evidence_entry){.time = decode->frame->time,
		.captured = bytes_of(evidence, decode),
		.length = decode->frame->length,
		.direction = decode->direction,
		.data = data};
	memcpy(frame->entry.seen, decode->seen, sizeof frame->entry.seen);
	memcpy(data, decode->frame->data, frame->entry.captured);
	return frame;
}

static void keep(
	struct evidence *evidence, struct frame *frame, uint32_t finding, int32_t place)
{
	if (frame->kept)
		return;
	frame->kept = true;
	frame->entry.finding = finding;
	frame->entry.place = place;
	evidence->options.put(evidence->options.context, &frame->entry);
}

/* Whether the class of the finding has something left; takes it. */
static bool spend(struct evidence *evidence, unsigned row, nsec time)
{
	struct quota *quota = &evidence->quota[row];
	nsec period = evidence->options.period;

	if (period && (time - quota->from >= period || time < quota->from))
		*quota = (struct quota){.from = time};
	if (quota->used >= evidence->options.quota)
		return false;
	quota->used++;
	return true;
}

static bool is_worth(struct evidence *evidence, const struct decode *decode)
{
	bool worth = false;

	for (unsigned word = 0; word < EVIDENCE_WORDS; word++)
		for (uint64_t bits = decode->seen[word] & evidence->wanted[word]; bits;
			bits &= bits - 1)
			worth |= spend(evidence,
				word * 64 + (unsigned)__builtin_ctzll(bits),
				decode->frame->time);
	return worth;
}

/* The last ones of the connection, the latest first. */
static void keep_before(struct evidence *evidence, uint32_t finding, uint64_t flow)
{
	uint64_t most =
		evidence->count < evidence->frames ? evidence->count : evidence->frames;
	int32_t place = 0;

	for (uint64_t back = 2; back <= most && place > -EVIDENCE_AROUND; back++) {
		size_t at = (size_t)((evidence->count - back) % evidence->frames);

		if (evidence->flow[at] == flow)
			keep(evidence, &evidence->frame[at], finding, --place);
	}
}

static void follow(struct evidence *evidence, uint32_t finding, uint64_t flow)
{
	evidence->follow[evidence->next_follow++ % FOLLOWED] =
		(struct follow){flow, finding, 0};
	evidence->following = FOLLOWED;
}

/* Whether somebody waits for a packet of this connection. */
static void keep_behind(struct evidence *evidence, struct frame *frame, uint64_t flow)
{
	unsigned left = 0;

	for (unsigned i = 0; i < FOLLOWED; i++) {
		struct follow *one = &evidence->follow[i];

		if (one->flow == flow && one->place < EVIDENCE_AROUND)
			keep(evidence, frame, one->finding, ++one->place);
		if (one->place == EVIDENCE_AROUND)
			one->flow = 0;
		left += one->flow != 0;
	}
	evidence->following = left;
}

void evidence_frame(struct evidence *evidence, const struct decode *decode)
{
	struct frame *frame = remember(evidence, decode);

	if (is_worth(evidence, decode)) {
		uint32_t finding = ++evidence->findings;

		keep(evidence, frame, finding, 0);
		if (decode->flow)
			keep_before(evidence, finding, decode->flow);
		if (evidence->following && decode->flow)
			keep_behind(evidence, frame, decode->flow);
		if (decode->flow)
			follow(evidence, finding, decode->flow);
	} else if (evidence->following && decode->flow) {
		keep_behind(evidence, frame, decode->flow);
	}
}
