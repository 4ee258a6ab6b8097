/* TCP options (RFC 9293 3.1): their lengths, and the two that are needed later. */
#include "config.h"

#include "packet/tcp.h"

enum {
	HEADER = 20,
	KIND_END = 0,
	KIND_NOP = 1,
	KIND_MSS = 2,
	KIND_SCALE = 3,
	KIND_SACK = 5,
	KIND_EXPERIMENT = 253, /* and 254 (RFC 6994) */
	EXPERIMENT_ACK_RATE = 0x00ac,
	SCALE_MAX = 14,
};

/* Options whose length never changes. */
static const uint8_t fixed[256] = {
	[KIND_MSS] = 4,
	[KIND_SCALE] = 3,
	[4] = 2,   /* SACK permitted */
	[6] = 6,   /* echo */
	[7] = 6,   /* echo reply */
	[8] = 10,  /* timestamps */
	[11] = 6,  /* CC */
	[12] = 6,  /* CC.NEW */
	[13] = 6,  /* CC.ECHO */
	[18] = 3,  /* trailer checksum */
	[19] = 18, /* MD5 signature */
	[27] = 8,  /* quick-start */
	[28] = 4,  /* user timeout */
};

static bool is_bad(uint8_t kind, uint8_t size, const uint8_t *option)
{
	if (fixed[kind] && size != fixed[kind])
		return true;
	if (kind >= KIND_EXPERIMENT && kind < UINT8_MAX && size >= 4)
		return load_be16(option + 2) == EXPERIMENT_ACK_RATE && size > 5;
	if (kind == KIND_SACK)
		return size % 8 != 2 || size == 2;
	return kind == KIND_SCALE && option[2] > SCALE_MAX;
}

static void take(struct tcp_segment *segment, uint8_t kind, const uint8_t *option)
{
	if (kind == KIND_MSS)
		segment->mss = load_be16(option + 2);
	if (kind == KIND_SCALE)
		segment->scale =
			(int8_t)(option[2] > SCALE_MAX ? SCALE_MAX : option[2]);
}

static void bad(struct decode *decode)
{
	see(decode, SEEN_TCP_OPT);
	mark(decode, COLUMN_tcp_option_bad);
}

/* One option at AT; returns where the next one is, or SIZE at the end. */
static uint32_t one(struct decode *decode, struct tcp_segment *segment, uint32_t at)
{
	uint8_t kind, size;

	if (!view_u8(&segment->view, at, &kind)) {
		segment->cut_short = true;
		return segment->size;
	}
	if (kind == KIND_END || kind == KIND_NOP)
		return kind == KIND_NOP ? at + 1 : segment->size;
	if (at + 1 >= segment->size) {
		bad(decode);
		return segment->size;
	}
	if (!view_u8(&segment->view, at + 1, &size)) {
		segment->cut_short = true;
		return segment->size;
	}
	if (size < 2 || at + size > segment->size) {
		bad(decode);
		return segment->size;
	}
	const uint8_t *option = view_bytes(&segment->view, at, size);
	if (!option)
		segment->cut_short = true;
	else if (is_bad(kind, size, option))
		bad(decode);
	if (option && (!fixed[kind] || size == fixed[kind]))
		take(segment, kind, option);
	return at + size;
}

void tcp_options(struct decode *decode, struct tcp_segment *segment)
{
	segment->scale = SCALE_UNKNOWN;
	for (uint32_t at = HEADER; at < segment->size;)
		at = one(decode, segment, at);
}
