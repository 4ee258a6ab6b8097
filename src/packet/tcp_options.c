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
	KIND_MULTIPATH = 30,
	KIND_EXPERIMENT = 253, /* and 254 (RFC 6994) */
	EXPERIMENT_ACK_RATE = 0x00ac,
	SACK_LEAST = 10,
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
	[19] = 18, /* MD5 signature */
	[21] = 6,  /* SNACK */
	[22] = 2,  /* record boundary */
	[23] = 2,  /* corruption experienced */
	[27] = 8,  /* quick-start */
	[28] = 4,  /* user timeout */
	[78] = 16, /* a vendor's transparency */
};

/* And those that have a least one. */
static const uint8_t least[256] = {
	[29] = 4, /* authentication (RFC 5925) */
	[76] = 3, /* a vendor's probe */
	[KIND_EXPERIMENT] = 4,
	[KIND_EXPERIMENT + 1] = 4,
};

static bool is_bad(uint8_t kind, uint8_t size, const uint8_t *option)
{
	if ((fixed[kind] && size != fixed[kind]) || size < least[kind])
		return true;
	if (kind >= KIND_EXPERIMENT && kind < UINT8_MAX)
		return load_be16(option + 2) == EXPERIMENT_ACK_RATE && size > 5;
	if (kind == KIND_SACK)
		return size % 8 != 2 || size == 2;
	if (kind == 172 || kind == 174) /* accurate ECN counters */
		return size % 3 != 2 || size > 11;
	return kind == KIND_SCALE && option[2] > SCALE_MAX;
}

/* Bytes that an option of multipath TCP has at least, by its subtype (RFC 8684). */
static uint8_t multipath_least(const uint8_t *option)
{
	uint8_t flags = option[3], need = 4;

	switch (option[2] >> 4) {
	case 2: /* data sequence */
		if (flags & 1)
			need = (uint8_t)(need + (flags & 2 ? 8 : 4));
		if (flags & 4)
			need = (uint8_t)(need + (flags & 8 ? 8 : 4) + 6);
		return need;
	case 6: /* fail */
	case 7: /* fast close */
		return 12;
	default:
		return 0;
	}
}

/* The option ends before what must be in it: nothing behind it can be read. */
static bool is_hollow(uint8_t kind, uint8_t size, const uint8_t *option, uint8_t flags)
{
	if (kind == KIND_SACK)
		return size < SACK_LEAST && flags & TCP_ACK;
	if (kind == KIND_MULTIPATH)
		return size < 4 || size < multipath_least(option);
	return false;
}

static void take(struct tcp_segment *segment, uint8_t kind, const uint8_t *option)
{
	if (kind == KIND_MSS)
		segment->mss = load_be16(option + 2);
	if (kind == KIND_SCALE)
		segment->scale =
			(int8_t)(option[2] > SCALE_MAX ? SCALE_MAX : option[2]);
	if (kind == KIND_MULTIPATH && option[1] > 2)
		segment->multipath |= (uint16_t)(1u << (option[2] >> 4));
}

static void bad(struct decode *decode)
{
	see(decode, SEEN_TCP_OPT);
	mark(decode, COLUMN_tcp_option_bad);
}

/* COUNT bytes at AT are not there. */
static void runs_off(
	struct decode *decode, struct tcp_segment *segment, uint32_t at, uint32_t count)
{
	segment->cut_short = true;
	if (view_end(&segment->view, at, count) == VIEW_PAST && !decode->quoted)
		mark(decode, COLUMN_malformed_l2l4);
}

/* True where the options end here for a reader of the plain rules. */
static bool hollow(struct decode *decode, struct tcp_segment *segment, uint8_t kind,
	const uint8_t *option)
{
	if (!is_hollow(kind, option[1], option, segment->flags))
		return false;
	see(decode, SEEN_TCP_OPT);
	mark(decode, COLUMN_malformed_l2l4);
	segment->cut_short = segment->plain;
	return segment->plain;
}

/* One option at AT; returns where the next one is, or SIZE at the end. */
static uint32_t one(struct decode *decode, struct tcp_segment *segment, uint32_t at)
{
	uint8_t kind, size;

	if (!view_u8(&segment->view, at, &kind)) {
		runs_off(decode, segment, at, 1);
		return segment->size;
	}
	if (kind == KIND_END || kind == KIND_NOP)
		return kind == KIND_NOP ? at + 1 : segment->size;
	if (at + 1 >= segment->size) {
		bad(decode);
		return segment->size;
	}
	if (!view_u8(&segment->view, at + 1, &size)) {
		runs_off(decode, segment, at + 1, 1);
		return segment->size;
	}
	if (size < 2 || at + size > segment->size) {
		bad(decode);
		return segment->size;
	}
	const uint8_t *option = view_bytes(&segment->view, at, size);
	if (!option)
		runs_off(decode, segment, at, size);
	else if (kind == KIND_SACK && size == 2)
		see(decode, SEEN_TCP_OPT);
	else if (is_bad(kind, size, option))
		bad(decode);
	if (option && hollow(decode, segment, kind, option))
		return segment->size;
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
