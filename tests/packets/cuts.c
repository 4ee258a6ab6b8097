/*
 * Captures cut off at every length: no cut makes a finding. For each capture given (as
 * tests/packets/generate writes them), each of its frames and each length up to
 * the frame's own: the classes that are wrong are no more than those of the whole frame
 * behind the same ones before it. A frame with a bad checksum is left out: what would
 * be true of it if it were whole is not known once the cut hides the damage. cuts
 * FILE...
 */
#include "config.h"

#include "base/scan.h"
#include "packet/engine.h"
#include "packet/view.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	FILE_MAX = 1 << 20,
	FILE_HEAD = 24,
	FRAME_HEAD = 16,
	FRAMES = 64, /* of a capture that are looked at */
	CUTS = 600,  /* from here on only every STEP-th length */
	STEP = 61,
	FLOWS = 16,
};

struct capture {
	int linktype;
	unsigned count;
	struct packet_frame frame[FRAMES];
};

static bool scan(struct capture *capture, const uint8_t *data, size_t size)
{
	size_t at = FILE_HEAD;

	if (size < FILE_HEAD)
		return false;
	capture->linktype = (int)load_le32(data + 20);
	for (capture->count = 0; capture->count < FRAMES && size - at >= FRAME_HEAD;
		capture->count++) {
		struct packet_frame *frame = &capture->frame[capture->count];

		*frame = (struct packet_frame){.data = data + at + FRAME_HEAD,
			.captured = load_le32(data + at + 8),
			.length = load_le32(data + at + 12),
			.time = load_le32(data + at) * NSEC_PER_SEC +
				load_le32(data + at + 4) * NSEC_PER_USEC,
			.direction = PACKET_UNKNOWN};
		at += FRAME_HEAD + frame->captured;
	}
	return capture->count > 0;
}

/* The frames up to LAST, of which that one is captured up to CUT. */
static struct tally count(const struct capture *capture, unsigned last, uint32_t cut)
{
	const struct engine_options options = {
		.linktype = capture->linktype, .flows = FLOWS};
	struct engine *engine = engine_new(&options);
	struct tally tally;

	if (!engine)
		abort();
	for (unsigned i = 0; i <= last; i++) {
		struct packet_frame frame = capture->frame[i];
		uint8_t *copy = malloc(frame.captured + 1);

		if (!copy)
			abort();
		if (i == last && cut < frame.captured)
			frame.captured = cut;
		/* in memory of its size: a read past it is seen */
		copy = realloc(copy, frame.captured ? frame.captured : 1);
		if (!copy)
			abort();
		memcpy(copy, frame.data, frame.captured);
		frame.data = copy;
		(void)engine_frame(engine, &frame);
		free(copy);
	}
	tally = *engine_tally(engine);
	engine_free(engine);
	return tally;
}

/* How many classes the cut has made wrong. */
static unsigned compare(const char *name, unsigned frame, uint32_t cut,
	const struct tally *whole, const struct tally *part)
{
	unsigned wrong = 0;

	for (unsigned row = 0; row < packet_class_count; row++) {
		if (packet_classes[row].sense != CLASS_BAD ||
			part->count[row][PACKET_UNKNOWN] <=
				whole->count[row][PACKET_UNKNOWN])
			continue;
		(void)printf("%s: frame %u cut to %u bytes is %s\n", name, frame + 1,
			cut, packet_classes[row].id);
		wrong++;
	}
	return wrong;
}

/* Whether the frame LAST has a bad checksum; the rows of a checksum follow each other.
 */
static bool is_damaged(
	const struct capture *capture, unsigned last, const struct tally *whole)
{
	static const struct tally nothing;
	const struct tally before =
		last ? count(capture, last - 1, UINT32_MAX) : nothing;

	for (unsigned row = 0; row + 1 < packet_class_count; row++)
		if (packet_classes[row + 1].sense == CLASS_JUDGED &&
			whole->count[row][PACKET_UNKNOWN] >
				before.count[row][PACKET_UNKNOWN])
			return true;
	return false;
}

static unsigned cut_all(
	const char *name, const struct capture *capture, unsigned long *cuts)
{
	unsigned wrong = 0;

	for (unsigned i = 0; i < capture->count; i++) {
		uint32_t captured = capture->frame[i].captured;
		const struct tally whole = count(capture, i, captured);

		if (is_damaged(capture, i, &whole))
			continue;
		for (uint32_t cut = 0; cut < captured; cut += cut < CUTS ? 1 : STEP) {
			const struct tally part = count(capture, i, cut);

			wrong += compare(name, i, cut, &whole, &part);
			++*cuts;
		}
	}
	return wrong;
}

int main(int argc, char **argv)
{
	static uint8_t data[FILE_MAX];
	static struct capture capture;
	unsigned long cuts = 0;
	unsigned wrong = 0;

	for (int i = 1; i < argc; i++) {
		FILE *file = fopen(argv[i], "rb");
		size_t size = file ? fread(data, 1, sizeof data, file) : 0;

		if (file)
			(void)fclose(file); /* only read */
		if (!scan(&capture, data, size)) {
			(void)fprintf(stderr, "%s: no capture\n", argv[i]);
			return EXIT_FAILURE;
		}
		wrong += cut_all(argv[i], &capture, &cuts);
	}
	(void)printf("%d captures, %lu cuts, %u wrong\n", argc - 1, cuts, wrong);
	return wrong || !cuts ? EXIT_FAILURE : EXIT_SUCCESS;
}
