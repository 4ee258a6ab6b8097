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
	COMMAND_NEGOTIATE = 0,
	COMMAND_READ = 8,
	COMMAND_WRITE = 9,
	COMMAND_LOCK = 10,
	COMMAND_CANCEL = 12,
	COMMAND_NOTIFY = 15,
	COMMAND_QUERY = 17, /* the last but one; behind it the break of an oplock */
	STATUS_PENDING = 0x103,
	DIALECT_END = 6,           /* of the body of the answer to a negotiation */
	DIALECT_UNDECIDED = 0x2ff, /* a second negotiation follows */
	MAGIC = 0x424d53,          /* "SMB", behind the first byte */
	PLAIN = 0xfe,
	ENCRYPTED = 0xfd,
	COMPRESSED = 0xfc,

	STEP_PREFIX = 0, /* the length, and the first four bytes of the message */
	STEP_HEADER,     /* one header of the chain is in the head */
	STEP_REST,
	STEP_NEXT,    /* the body was passed over: another header comes */
	STEP_DIALECT, /* the answer to a negotiation is in the head */
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

/* What answers late by design says nothing about the server: a change is waited for,
 * a lock may be, and a break or a cancel is no request. */
static bool is_timed(uint16_t command)
{
	return command <= COMMAND_QUERY && command != COMMAND_LOCK &&
	       command != COMMAND_CANCEL && command != COMMAND_NOTIFY;
}

static enum response_kind kind_of(uint16_t command)
{
	if (command == COMMAND_READ)
		return RESPONSE_READ;
	return command == COMMAND_WRITE ? RESPONSE_WRITE : RESPONSE_OTHER;
}

/* The calls of a connection, by the low half of the message id: the high half moves
 * after four billion messages. */
static void time_it(struct step *step, const uint8_t *bytes, uint32_t status)
{
	uint16_t command = load_le16(bytes + 12);
	bool response = load_le32(bytes + 16) & FLAG_RESPONSE;
	struct call new = {.owner = step->stream->owner,
		.id = load_le32(bytes + 24),
		.kind = command,
		.time = step->segment->time};
	struct call *call;

	if (!is_timed(command) || (response && status == STATUS_PENDING))
		return;
	call = response ? calls_find(step->storage->calls, new.owner, new.id)
			: calls_add(step->storage->calls, &new);
	if (call && !response)
		*call = new;
	else if (call && call->kind == command)
		call_answered(step->decode, call, kind_of(command));
}

static void header(struct step *step, const uint8_t *bytes)
{
	struct half *half = step->half;
	uint32_t status = load_le32(bytes + 8);
	uint32_t flags = load_le32(bytes + 16);

	time_it(step, bytes, status);

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

/* The answer to a negotiation, which is never chained. */
static bool tells_dialect(const struct step *step)
{
	const uint8_t *bytes = step->half->head + PREFIX;

	return load_le16(bytes + 12) == COMMAND_NEGOTIATE &&
	       load_le32(bytes + 16) & FLAG_RESPONSE && load_le32(bytes + 8) == 0 &&
	       step->half->left >= HEADER + DIALECT_END && !step->segment->plain &&
	       view_whole(&step->segment->view);
}

static void dialect(struct step *step)
{
	struct half *half = step->half;
	struct peer_row *peer = step->decode->peer;
	uint16_t dialect = load_le16(half->head + PREFIX + HEADER + 4);

	if (peer && peer->end.version && dialect != DIALECT_UNDECIDED)
		peer->dialect = dialect;
	half->step = STEP_REST;
	half->skip = half->left - HEADER - DIALECT_END;
}

/* The next header of the chain takes the place of this one. */
static bool chain(struct step *step)
{
	struct half *half = step->half;
	uint32_t next = load_le32(half->head + PREFIX + 20);

	if (is_message(half->head + PREFIX))
		header(step, half->head + PREFIX);
	if (tells_dialect(step)) {
		half->step = STEP_DIALECT;
		half->need += DIALECT_END;
		return true;
	}
	if (next < HEADER || next > half->left || half->left - next < HEADER) {
		half->step = STEP_REST;
		half->skip = half->left - HEADER;
		return true;
	}
	half->left -= next;
	half->skip = next - HEADER;
	half->step = STEP_NEXT;
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
	case STEP_DIALECT:
		dialect(step);
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
