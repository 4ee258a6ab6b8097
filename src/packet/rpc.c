/*
 * ONC RPC (RFC 5531) and what it says about NFS: calls sent again, calls refused,
 * and the status of NFS 2 to 4. A reply does not say what it answers, so calls are
 * remembered.
 */
#include "config.h"

#include "packet/rpc.h"

#include "packet/engine_parts.h"

enum {
	MARK = 4,        /* record mark of TCP */
	REPLY_HEAD = 20, /* to the length of the verifier */
	VERIFIER_MAX = 400,
	CALL = 0,
	REPLY = 1,
	RPC_VERSION = 2,
	PROGRAM_NFS = 100003,
	RECORD_MAX = 4 << 20,

	STEP_MARK = 0,
	STEP_HEAD,
	STEP_REPLY,
	STEP_REST,
	STEP_MORE, /* the record goes on in another fragment */
};
#define LAST_FRAGMENT UINT32_C(0x80000000)
#define KIND_NFS      UINT32_C(0x80000000)
#define FORGOTTEN     (120 * NSEC_PER_SEC) /* a transaction id may be new by then */

static bool is_call(const uint8_t *message)
{
	return load_be32(message + 4) == CALL &&
	       load_be32(message + 8) == RPC_VERSION &&
	       load_be32(message + 12) < 0x60000000;
}

static bool is_reply(const uint8_t *message)
{
	return load_be32(message + 4) == REPLY && load_be32(message + 8) <= 1;
}

static void add_mark(struct rpc_found *found, enum column column)
{
	found->columns |= UINT64_C(1) << column;
}

static void add_seen(struct rpc_found *found, enum seen seen)
{
	found->seen[seen / 64] |= UINT64_C(1) << (seen % 64);
}

static void take_call(
	const struct rpc_sight *sight, const struct view *view, struct rpc_found *found)
{
	const uint8_t *message = view_bytes(view, 0, CALL_HEAD);

	if (!message)
		return;
	bool nfs = load_be32(message + 12) == PROGRAM_NFS;
	struct call call = {.owner = sight->owner,
		.id = load_be32(message),
		.kind = (nfs ? KIND_NFS : 0) | (load_be32(message + 16) & 0xff) << 16 |
			(load_be32(message + 20) & 0xffff),
		.what = (uint8_t)(nfs ? nfs_kind(view) : RESPONSE_KINDS),
		.time = sight->time};
	struct call *old = calls_add(sight->calls, &call);

	if (nfs)
		add_mark(found, COLUMN_nfs);
	if (!old)
		return;
	if (old->kind == call.kind && call.time - old->time < FORGOTTEN)
		add_seen(found, SEEN_RPC_RETRANS);
	*old = call;
}

/* Procedures whose result begins with a status: all but NULL and two of NFS 2. */
static bool has_status(uint32_t kind)
{
	uint32_t version = kind >> 16 & 0xff, procedure = kind & 0xffff;

	if (procedure == 0)
		return false;
	return version != 2 || (procedure != 3 && procedure != 7);
}

/* BYTES: how much of the reply is at hand; REST follows its verifier. */
static void take_reply(
	const struct rpc_sight *sight, const struct view *view, struct rpc_found *found)
{
	const uint8_t *head = view_bytes(view, 0, 12);
	const uint8_t *verifier = view_bytes(view, 0, REPLY_HEAD);
	struct call *call =
		head ? calls_find(sight->calls, sight->owner, load_be32(head)) : NULL;

	if (!call)
		return;
	if (call->what < RESPONSE_KINDS)
		call_answered(sight->decode, call, (enum response_kind)call->what);
	call->answered = true;
	if (load_be32(head + 8) != 0)
		add_seen(found, SEEN_RPC_DENIED);
	if (load_be32(head + 8) != 0 || !verifier || !(call->kind & KIND_NFS))
		return;
	uint32_t length = load_be32(verifier + 16);
	if (length > VERIFIER_MAX)
		return;
	uint32_t at = REPLY_HEAD + ((length + 3) & ~3u);
	const uint8_t *accepted = view_bytes(view, at, 4);
	const uint8_t *result = view_bytes(view, at + 4, 4);
	if (!accepted || load_be32(accepted) != 0)
		return;
	add_mark(found, COLUMN_nfs);
	if (result && has_status(call->kind) && load_be32(result) != 0) {
		add_seen(found, SEEN_NFS_ERROR);
		add_mark(found, COLUMN_nfs_error);
	}
}

void rpc_message(
	const struct rpc_sight *sight, const struct view *view, struct rpc_found *found)
{
	const uint8_t *call = view_bytes(view, 0, CALL_HEAD);
	const uint8_t *reply = view_bytes(view, 0, 12);

	if (call && is_call(call))
		take_call(sight, view, found);
	else if (reply && is_reply(reply))
		take_reply(sight, view, found);
}

/* A call of NFS opens a stream; later also answers to calls that were seen. */
static bool begins(const struct step *step, const struct view *view)
{
	const uint8_t *mark = view_bytes(view, 0, MARK);
	const uint8_t *call = view_bytes(view, MARK, CALL_HEAD);
	const uint8_t *reply = view_bytes(view, MARK, 12);

	if (!mark || (load_be32(mark) & ~LAST_FRAGMENT) > RECORD_MAX)
		return false;
	if (call && is_call(call))
		return step->stream || load_be32(call + 12) == PROGRAM_NFS;
	return step->stream && reply && is_reply(reply) &&
	       calls_find(step->storage->calls, step->stream->owner, load_be32(reply));
}

static uint32_t at_most(uint32_t value, uint32_t bound)
{
	return value < bound ? value : bound;
}

static void tell(struct step *step)
{
	struct half *half = step->half;
	struct view message = {half->head + MARK, half->have - MARK, half->have - MARK};
	struct rpc_sight sight = {.calls = step->storage->calls,
		.owner = step->stream->owner,
		.time = step->segment->time,
		.decode = step->decode};
	struct rpc_found found = {0};

	rpc_message(&sight, &message, &found);
	half->columns |= found.columns;
	for (unsigned i = 0; i < SEEN_WORDS; i++)
		half->seen[i] |= found.seen[i];
}

/* The fragment from here on is only passed over. */
static void pass_rest(struct half *half)
{
	uint32_t length = load_be32(half->head) & ~LAST_FRAGMENT;

	half->skip = length - (half->have - MARK);
	half->step = STEP_REST;
}

static bool record_mark(struct half *half)
{
	uint32_t length = load_be32(half->head) & ~LAST_FRAGMENT;

	if (length > RECORD_MAX || length < 8)
		return false;
	half->need = MARK + at_most(length, CALL_HEAD);
	half->step = STEP_HEAD;
	return true;
}

/* What a call of NFS 4 does stands behind its credentials. */
static bool is_compound(const uint8_t *message)
{
	return load_be32(message + 12) == PROGRAM_NFS && load_be32(message + 16) == 4 &&
	       load_be32(message + 20) == 1;
}

/* Where the capture keeps only headers, the head of the call is all that comes. */
static bool reads_on(const struct step *step)
{
	return !step->segment->plain && view_whole(&step->segment->view);
}

/* A reply is read to the status behind its verifier, a call is read already. */
static bool head(struct step *step)
{
	struct half *half = step->half;
	uint32_t length = load_be32(half->head) & ~LAST_FRAGMENT;
	const uint8_t *message = half->head + MARK;

	if (half->have >= MARK + CALL_HEAD && is_call(message)) {
		if (is_compound(message) && reads_on(step))
			half->need = MARK + at_most(length, HEAD_MAX - 2 * MARK);
		half->step = STEP_REPLY;
		return true;
	}
	if (half->have < MARK + 12 || !is_reply(message))
		return false;
	if (half->have >= MARK + REPLY_HEAD) {
		uint32_t verifier = at_most(load_be32(message + 16), VERIFIER_MAX);
		half->need =
			MARK + at_most(length, REPLY_HEAD + ((verifier + 3) & ~3u) + 8);
		if (half->need < half->have)
			half->need = half->have;
	}
	half->step = STEP_REPLY;
	return true;
}

static bool rest(struct step *step)
{
	struct half *half = step->half;

	if (load_be32(half->head) & LAST_FRAGMENT) {
		tell(step);
		half_end(step);
		return true;
	}
	half->step = STEP_MORE;
	half->left = half->have; /* the next mark is read behind what is kept */
	half->need = half->have + MARK;
	return half->need <= HEAD_MAX;
}

static bool more(struct half *half)
{
	const uint8_t *next = half->head + half->left;
	uint32_t length = load_be32(next) & ~LAST_FRAGMENT;

	if (length > RECORD_MAX)
		return false;
	memcpy(half->head, next, MARK);
	half->have = half->need = half->left;
	half->skip = length;
	half->step = STEP_REST;
	return true;
}

static bool advance(struct step *step)
{
	struct half *half = step->half;

	switch (half->step) {
	case STEP_MARK:
		return record_mark(half);
	case STEP_HEAD:
		return head(step);
	case STEP_REPLY:
		pass_rest(half);
		return true;
	case STEP_REST:
		return rest(step);
	default:
		return more(half);
	}
}

static void cut(struct step *step)
{
	if (step->half->step < STEP_REPLY)
		return;
	tell(step);
	half_end(step);
}

const struct protocol protocol_rpc = {
	.cut = cut, .head = MARK, .begins = begins, .advance = advance};

/* Both directions of a UDP conversation have the same owner, and none that a
 * stream has: the top bit is set. */
static uint64_t datagram_owner(const struct network *network, const uint8_t *ports)
{
	uint64_t owner = 0, end[2] = {load_be16(ports), load_be16(ports + 2)};

	for (int i = 0; i < 16; i++) {
		end[0] = (end[0] ^ network->source[i]) * UINT64_C(0x100000001b3);
		end[1] = (end[1] ^ network->target[i]) * UINT64_C(0x100000001b3);
	}
	owner = end[0] + end[1];
	return owner | UINT64_C(1) << 63;
}

void rpc_datagram(struct decode *decode, const struct network *network,
	const uint8_t *ports, const struct view *payload)
{
	struct rpc_found found = {0};
	const uint8_t *head = view_bytes(payload, 0, 12);

	if (!head || !((is_reply(head)) ||
			     (view_bytes(payload, 0, CALL_HEAD) && is_call(head))))
		return;
	struct rpc_sight sight = {.calls = decode->engine->storage->calls,
		.owner = datagram_owner(network, ports),
		.time = decode->frame->time,
		.decode = decode};
	rpc_message(&sight, payload, &found);
	decode->columns |= found.columns;
	for (unsigned i = 0; i < SEEN_WORDS; i++)
		decode->seen[i] |= found.seen[i];
}
