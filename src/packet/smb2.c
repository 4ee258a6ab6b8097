/*
 * SMB 2 and 3 over TCP (MS-SMB2): a length, then one or more messages in a chain.
 */
#include "config.h"

#include "packet/stream.h"

enum {
	PREFIX = 4,
	HEADER = 64,
	FLAG_RESPONSE = 0x01,
	FLAG_SIGNED = 0x08,
	MAGIC = 0x424d53, /* "SMB", behind the first byte */
	PLAIN = 0xfe,
	ENCRYPTED = 0xfd,
	COMPRESSED = 0xfc,

	STEP_PREFIX = 0, /* the length, and the first four bytes of the message */
	STEP_HEADER,     /* one header of the chain is in the head */
	STEP_REST,
};

static bool is_message(const uint8_t *bytes)
{
	uint32_t magic = load_le32(bytes);

	return magic >> 8 == MAGIC && (magic & 0xff) >= COMPRESSED &&
	       (magic & 0xff) <= PLAIN;
}

static bool begins(const struct step *step, const struct view *view)
{
	const uint8_t *start = view_bytes(view, 0, PREFIX + 4);

	(void)step; /* both sides look alike */
	return start && start[0] == 0 && is_message(start + PREFIX);
}

/* NT status codes that report progress, not failure. */
static bool is_trouble(uint32_t status)
{
	static const uint32_t harmless[] = {
		0x00000103, /* pending */
		0x0000010c, /* notify enum dir */
		0x80000005, /* buffer overflow: more data than asked for */
		0x80000006, /* no more files */
		0xc0000016, /* more processing required */
	};

	for (size_t i = 0; i < sizeof harmless / sizeof *harmless; i++)
		if (status == harmless[i])
			return false;
	return status != 0;
}

static void header(struct half *half, const uint8_t *bytes)
{
	uint32_t status = load_le32(bytes + 8);
	uint32_t flags = load_le32(bytes + 16);

	if (flags & FLAG_SIGNED) {
		half_see(half, SEEN_SMB2_SIGNED);
		half_mark(half, COLUMN_smb2_signed);
	}
	if (!(flags & FLAG_RESPONSE))
		return;
	if (is_trouble(status))
		half_see(half, SEEN_SMB2_STATUS);
	if (status)
		half_mark(half, COLUMN_smb2_error);
}

static bool prefix(struct step *step)
{
	struct half *half = step->half;
	uint32_t length = load_be32(half->head) & 0x00ffffff;

	if (half->head[0] != 0 || length < 4) { /* keep-alive and the like */
		half->step = STEP_REST;
		half->skip = length < 4 ? 0 : length - 4;
		return length >= 4;
	}
	half->left = length;
	if (is_message(half->head + PREFIX))
		half_mark(half, COLUMN_smb2);
	if (half->head[PREFIX] != PLAIN || !is_message(half->head + PREFIX) ||
		length < HEADER) {
		if (half->head[PREFIX] == ENCRYPTED && is_message(half->head + PREFIX))
			half_see(half, SEEN_SMB2_ENCRYPTED);
		half->step = STEP_REST;
		half->skip = length - 4;
		return true;
	}
	half->step = STEP_HEADER;
	half->need = PREFIX + HEADER;
	return true;
}

/* The next header of the chain takes the place of this one. */
static bool chain(struct step *step)
{
	struct half *half = step->half;
	uint32_t next = load_le32(half->head + PREFIX + 20);

	if (is_message(half->head + PREFIX))
		header(half, half->head + PREFIX);
	if (next < HEADER || next > half->left || half->left - next < HEADER) {
		half->step = STEP_REST;
		half->skip = half->left - HEADER;
		return true;
	}
	half->left -= next;
	half->skip = next - HEADER;
	half->step = STEP_HEADER + 2;
	return true;
}

static bool advance(struct step *step)
{
	struct half *half = step->half;

	switch (half->step) {
	case STEP_PREFIX:
		return prefix(step);
	case STEP_HEADER:
		return chain(step);
	case STEP_REST:
		half_end(step);
		return true;
	default: /* the body was passed over: read the next header */
		half->have = PREFIX;
		half->need = PREFIX + HEADER;
		half->step = STEP_HEADER;
		return true;
	}
}

static void cut(struct step *step)
{
	if (step->half->step != STEP_PREFIX)
		half_end(step);
}

const struct protocol protocol_smb2 = {
	.cut = cut, .head = PREFIX + 4, .begins = begins, .advance = advance};
