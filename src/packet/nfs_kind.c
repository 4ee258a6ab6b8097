/* What an NFS call asks for (RFC 1094, 1813, 8881); see packet/rpc.h. */
#include "config.h"

#include "packet/rpc.h"

enum {
	OPAQUE_MAX = 1024,
	SEQUENCE_SIZE = 32, /* session, and four numbers */
	OP_GETFH = 10,
	OP_PUTFH = 22,
	OP_PUTROOTFH = 24,
	OP_READ = 25,
	OP_RESTOREFH = 31,
	OP_SAVEFH = 32,
	OP_WRITE = 38,
	OP_SEQUENCE = 53,
};

/* Moves *AT behind a counted run of bytes, padded to four. */
static bool pass_opaque(const struct view *view, uint32_t *at)
{
	const uint8_t *length = view_bytes(view, *at, 4);

	if (!length || load_be32(length) > OPAQUE_MAX)
		return false;
	*at += 4 + ((load_be32(length) + 3) & ~3u);
	return true;
}

/* Operations that only say about which file the next one is (RFC 8881 18). */
static bool pass_operation(const struct view *view, uint32_t operation, uint32_t *at)
{
	static const uint8_t bare[] = {OP_GETFH, OP_PUTROOTFH, OP_RESTOREFH, OP_SAVEFH};

	if (operation == OP_SEQUENCE) {
		*at += SEQUENCE_SIZE;
		return true;
	}
	if (operation == OP_PUTFH)
		return pass_opaque(view, at);
	return operation <= UINT8_MAX && memchr(bare, (int)operation, sizeof bare);
}

/* NFS 4 sends everything as one procedure; what it does is in its operations. Where
 * these are not at hand nothing is claimed. */
static unsigned compound_kind(const struct view *view, uint32_t at)
{
	const uint8_t *count;

	if (!pass_opaque(view, &at) || !(count = view_bytes(view, at, 8)))
		return RESPONSE_KINDS;
	at += 8; /* minor version, number of operations */
	for (uint32_t left = load_be32(count + 4); left; left--) {
		const uint8_t *operation = view_bytes(view, at, 4);

		if (!operation)
			return RESPONSE_KINDS;
		at += 4;
		if (load_be32(operation) == OP_READ)
			return RESPONSE_READ;
		if (load_be32(operation) == OP_WRITE)
			return RESPONSE_WRITE;
		if (!pass_operation(view, load_be32(operation), &at))
			return RESPONSE_OTHER;
	}
	return RESPONSE_OTHER;
}

unsigned nfs_kind(const struct view *view)
{
	const uint8_t *head = view_bytes(view, 0, CALL_HEAD);
	uint32_t at = CALL_HEAD + 4; /* behind the flavour of the credentials */

	if (!head)
		return RESPONSE_KINDS;
	uint32_t version = load_be32(head + 16), procedure = load_be32(head + 20);
	if (version < 4) {
		if (procedure == 6)
			return RESPONSE_READ;
		return procedure == (version == 2 ? 8 : 7) ? RESPONSE_WRITE
							   : RESPONSE_OTHER;
	}
	if (procedure != 1)
		return RESPONSE_OTHER;
	if (!pass_opaque(view, &at))
		return RESPONSE_KINDS;
	at += 4; /* flavour of the verifier */
	return pass_opaque(view, &at) ? compound_kind(view, at) : RESPONSE_KINDS;
}
