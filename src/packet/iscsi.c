/*
 * iSCSI (RFC 7143): PDUs, their digests, and the answers that mean trouble.
 */
#include "config.h"

#include "packet/iscsi.h"

enum {
	DIGEST = 4,
	DATA_MAX = 256 * 1024,
	TO_INITIATOR = 0x20, /* opcode bit */
	STATUS_IN_DATA = 0x01,
	COMMAND_READS = 0x40,
	COMMAND_WRITES = 0x20,

	OP_NOP_OUT = 0x00,
	OP_COMMAND = 0x01,
	OP_TASK_OUT = 0x02,
	OP_LOGIN = 0x03,
	OP_DATA_OUT = 0x05,
	OP_NOP_IN = 0x20,
	OP_RESPONSE = 0x21,
	OP_TASK_IN = 0x22,
	OP_LOGIN_IN = 0x23,
	OP_DATA_IN = 0x25,
	OP_LOGOUT_IN = 0x26,
	OP_R2T = 0x31,
	OP_ASYNC = 0x32,
	OP_REJECT = 0x3f,
};

/* Steps of one PDU. */
enum {
	STEP_HEADER,
	STEP_EXTRA, /* additional header segments */
	STEP_HEADER_DIGEST,
	STEP_DATA,
	STEP_DATA_DIGEST,
};

static uint8_t opcode(const uint8_t *head)
{
	return head[0] & 0x3f;
}

static uint32_t data_length(const uint8_t *head)
{
	return load_be32(head + 4) & 0x00ffffff;
}

static bool status_known(uint8_t status)
{
	static const uint8_t known[] = {
		0x00, 0x02, 0x04, 0x08, 0x10, 0x14, 0x18, 0x22, 0x28, 0x30, 0x40};

	return memchr(known, status, sizeof known) != NULL;
}

static bool sane_login(const uint8_t *head)
{
	uint8_t flags = head[1];

	return (flags & 0xc0) != 0xc0 && (flags & 0x0c) != 0x08 &&
	       (flags & 0x03) != 0x02;
}

static bool sane_command(const uint8_t *head)
{
	bool moves = head[1] & 0x60;

	return !(head[1] & 0x18) && !head[2] && !head[3] &&
	       (moves || load_be32(head + 20) == 0);
}

/* Reserved bits and values of each PDU; what is not named here has no more to
 * check than its opcode. */
static bool sane_fields(const uint8_t *head)
{
	switch (opcode(head)) {
	case OP_NOP_OUT:
	case OP_NOP_IN:
		return head[1] == 0x80;
	case OP_LOGIN:
		return (head[0] & 0xc0) == 0x40 && sane_login(head);
	case OP_LOGIN_IN:
		return sane_login(head);
	case OP_COMMAND:
		return sane_command(head);
	case OP_RESPONSE:
		return (head[1] & 0x80) && status_known(head[3]);
	case OP_DATA_OUT:
		return !(head[1] & 0x7f);
	case OP_DATA_IN:
		return !(head[1] & 0x38);
	case OP_R2T:
		return load_be32(head + 44) != 0;
	case OP_REJECT:
		return load_be32(head + 16) == UINT32_MAX && head[2] >= 2 &&
		       head[2] <= 12;
	default:
		return true;
	}
}

static bool sane(const uint8_t *head, bool from_server)
{
	static const uint8_t known[] = {0x00, 0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x10,
		0x20, 0x21, 0x22, 0x23, 0x24, 0x25, 0x26, 0x31, 0x32, 0x3f};
	bool to_initiator = opcode(head) & TO_INITIATOR;

	return memchr(known, opcode(head), sizeof known) && !(head[0] & 0x80) &&
	       to_initiator == from_server && data_length(head) <= DATA_MAX &&
	       sane_fields(head);
}

static bool begins(const struct step *step, const struct view *view)
{
	const uint8_t *head = view_bytes(view, 0, BHS);

	return head && sane(head, step->from_server);
}

static bool is_login(const uint8_t *head)
{
	return opcode(head) == OP_LOGIN || opcode(head) == OP_LOGIN_IN;
}

/* The first byte behind the padded data. */
static uint32_t padded(const uint8_t *head)
{
	return (data_length(head) + 3) & ~3u;
}

static void to_data(struct half *half)
{
	half->step = STEP_DATA;
	half->skip = padded(half->head);
	half->crc = (uint32_t)CRC32C_START;
}

/* Behind the header comes its digest, if there is one. Where that is not known
 * yet, the digest itself tells, unless the segment ends here. */
static void behind_header(struct step *step)
{
	struct half *half = step->half;
	enum digest digest = step->stream->header_digest;
	bool ends = digest == DIGEST_UNKNOWN && step->last && padded(half->head) == 0;

	if (is_login(half->head) || digest == DIGEST_OFF || ends) {
		to_data(half);
		if (is_login(half->head))
			iscsi_login_keep(step);
		return;
	}
	half->step = STEP_HEADER_DIGEST;
	half->need = half->have + DIGEST;
}

/* The last four bytes of the head, where they were not a digest after all, are
 * the first of what follows. */
static uint32_t digest_of(const struct half *half)
{
	return load_le32(half->head + half->have - DIGEST);
}

static void judge(struct half *half, bool good, enum seen bad, enum column column)
{
	if (good) {
		half_see(half, (enum seen)(bad + 1));
	} else {
		half_see(half, bad);
		half_mark(half, column);
	}
}

static enum response_kind kind_of(const uint8_t *head)
{
	if (head[1] & COMMAND_READS)
		return RESPONSE_READ;
	return head[1] & COMMAND_WRITES ? RESPONSE_WRITE : RESPONSE_OTHER;
}

static void command(struct step *step)
{
	struct call call = {.owner = step->stream->owner,
		.id = load_be32(step->half->head + 16),
		.kind = kind_of(step->half->head),
		.time = step->segment->time};
	struct call *old = calls_add(step->storage->calls, &call);

	if (old)
		*old = call;
}

/* The end of a command: its status, and whether the command was seen. */
static void status(struct step *step)
{
	static const struct {
		uint8_t status;
		enum seen seen;
	} troubles[] = {
		{0x02, SEEN_ISCSI_CHECK_CONDITION},
		{0x08, SEEN_ISCSI_BUSY},
		{0x18, SEEN_ISCSI_RESERVATION},
		{0x28, SEEN_ISCSI_TASK_SET_FULL},
	};
	struct half *half = step->half;

	for (size_t i = 0; i < sizeof troubles / sizeof *troubles; i++)
		if (half->head[3] == troubles[i].status)
			half_see(half, troubles[i].seen);
	if (half->head[3] == troubles[0].status)
		half_mark(half, COLUMN_scsi_check_condition);
	struct call *call = calls_find(
		step->storage->calls, step->stream->owner, load_be32(half->head + 16));
	if (!call)
		return;
	half_mark(half, COLUMN_iscsi_resp_time);
	call_answered(step->decode, call, (enum response_kind)call->kind);
}

static void events(struct step *step)
{
	struct half *half = step->half;
	uint8_t op = opcode(half->head);

	half_mark(half, COLUMN_iscsi);
	iscsi_tell_digests(step, op == OP_LOGIN_IN);
	if (op == OP_COMMAND)
		command(step);
	if (op == OP_RESPONSE || (op == OP_DATA_IN && half->head[1] & STATUS_IN_DATA))
		status(step);
	if (op == OP_REJECT) {
		half_see(half, SEEN_ISCSI_REJECT);
		half_mark(half, COLUMN_iscsi_reject);
	}
	if (op == OP_ASYNC)
		half_see(half, SEEN_ISCSI_ASYNC);
	if (op == OP_LOGOUT_IN)
		half_see(half, SEEN_ISCSI_LOGOUT);
	if (op == OP_TASK_OUT || op == OP_TASK_IN)
		half_see(half, SEEN_ISCSI_TMF);
}

static void end(struct step *step)
{
	events(step);
	half_end(step);
}

/* They are the first bytes of the next PDU. */
static void carry_over(struct half *half, const uint8_t *bytes)
{
	memcpy(half->head, bytes, DIGEST);
	half->have = DIGEST;
}

/* They are the first bytes of the data, if there is any. */
static void pass_over(struct step *step, const uint8_t *bytes)
{
	struct half *half = step->half;

	half->have -= DIGEST;
	half->need = half->have;
	to_data(half);
	if (half->skip == 0) {
		end(step);
		carry_over(half, bytes);
		return;
	}
	half->crc = crc32c_add(&step->storage->crc, half->crc, bytes, DIGEST);
	half->skip -= DIGEST;
}

static void header_digest(struct step *step)
{
	struct half *half = step->half;
	struct stream *stream = step->stream;
	uint32_t crc = ~crc32c_add(&step->storage->crc, (uint32_t)CRC32C_START,
		half->head, half->have - DIGEST);
	bool good = crc == digest_of(half);

	if (stream->header_digest == DIGEST_UNKNOWN)
		stream->header_digest = good ? DIGEST_ON : DIGEST_OFF;
	if (stream->header_digest == DIGEST_OFF) {
		uint8_t bytes[DIGEST];
		memcpy(bytes, half->head + half->have - DIGEST, DIGEST);
		pass_over(step, bytes);
		return;
	}
	half_mark(half, COLUMN_iscsi_hdr_digest);
	judge(half, good, SEEN_ISCSI_HDR_DIGEST, COLUMN_iscsi_hdr_digest_bad);
	to_data(half);
}

/* The data was passed over; its digest is the next thing, if there is one. */
static void behind_data(struct step *step)
{
	struct half *half = step->half;
	enum digest digest = step->stream->data_digest;
	bool ends = digest == DIGEST_UNKNOWN && step->last;

	if (is_login(half->head))
		iscsi_login_read(step);
	if (is_login(half->head) || padded(half->head) == 0 || digest == DIGEST_OFF ||
		ends) {
		end(step);
		return;
	}
	half->step = STEP_DATA_DIGEST;
	half->need = half->have + DIGEST;
}

static void data_digest(struct step *step)
{
	struct half *half = step->half;
	struct stream *stream = step->stream;
	bool good = ~half->crc == digest_of(half);

	if (stream->data_digest == DIGEST_UNKNOWN && !half->holed)
		stream->data_digest = good ? DIGEST_ON : DIGEST_OFF;
	if (stream->data_digest != DIGEST_ON) {
		uint8_t bytes[DIGEST];
		memcpy(bytes, half->head + half->have - DIGEST, DIGEST);
		end(step);
		carry_over(half, bytes);
		return;
	}
	/* The other analyser takes what a reject quotes for a PDU of its own. */
	if (opcode(half->head) != OP_REJECT)
		half_mark(half, COLUMN_iscsi_data_digest);
	if (!half->holed)
		judge(half, good, SEEN_ISCSI_DATA_DIGEST, COLUMN_iscsi_data_digest_bad);
	end(step);
}

static bool advance(struct step *step)
{
	struct half *half = step->half;
	uint32_t extra;

	switch (half->step) {
	case STEP_HEADER:
		if (!sane(half->head, step->from_server))
			return false;
		extra = opcode(half->head) == OP_COMMAND ? half->head[4] * 4u : 0;
		if (extra > HEAD_MAX - BHS - DIGEST)
			return false;
		half->step = STEP_EXTRA;
		half->need += extra;
		return true;
	case STEP_EXTRA:
		behind_header(step);
		return true;
	case STEP_HEADER_DIGEST:
		header_digest(step);
		return true;
	case STEP_DATA:
		behind_data(step);
		return true;
	default:
		data_digest(step);
		return true;
	}
}

static void cut(struct step *step)
{
	if (step->half->step != STEP_HEADER)
		end(step);
}

const struct protocol protocol_iscsi = {
	.cut = cut, .head = BHS, .digests = true, .begins = begins, .advance = advance};
