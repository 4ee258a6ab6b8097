/* What an iSCSI login agrees about digests; see the header. */
#include "config.h"

#include "packet/iscsi.h"

enum {
	LOGIN_TEXT = 448, /* bytes of it that are looked at */
};

/* The plain rules guess from the first PDU behind the login. Text that the capture
 * cut is passed over with the rest. */
static bool reads_text(const struct step *step)
{
	return !step->segment->plain && view_whole(&step->segment->view);
}

/* The beginning of the text comes into the head; nothing sums up a login. */
void iscsi_login_keep(struct step *step)
{
	struct half *half = step->half;
	uint32_t kept = half->skip < LOGIN_TEXT ? half->skip : LOGIN_TEXT;

	if (!reads_text(step))
		return;
	half->need += kept;
	half->skip -= kept;
}

/* The answer to an offer is one value; a list is an offer and decides nothing
 * (RFC 7143 6.2). The last one counts: the target answers last. */
static void learn_digest(const char *value, enum digest *digest)
{
	if (!strcmp(value, "CRC32C"))
		*digest = DIGEST_ON;
	else if (!strcmp(value, "None"))
		*digest = DIGEST_OFF;
}

/* Keys of the login, each ended by a zero; what is not ended was cut. */
void iscsi_login_read(struct step *step)
{
	struct half *half = step->half;
	const char *at = (const char *)half->head + BHS;
	const char *end = (const char *)half->head + half->have;
	const char *zero;

	for (; at < end && (zero = memchr(at, 0, (size_t)(end - at))); at = zero + 1) {
		if (!strncmp(at, "HeaderDigest=", 13))
			learn_digest(at + 13, &step->stream->header_digest);
		else if (!strncmp(at, "DataDigest=", 11))
			learn_digest(at + 11, &step->stream->data_digest);
	}
}

static uint8_t word_of(enum digest digest)
{
	static const uint8_t words[] = {
		[DIGEST_UNKNOWN] = PEER_DIGEST_UNKNOWN,
		[DIGEST_OFF] = PEER_DIGEST_OFF,
		[DIGEST_ON] = PEER_DIGEST_ON,
	};

	return words[digest];
}

/* A peer has more than one connection: what one of them does not know changes
 * nothing, and what they do not agree about is told when it is learned, not with each
 * PDU. */
static void tell(uint8_t *told, enum digest digest, bool learned)
{
	if (digest != DIGEST_UNKNOWN && (learned || *told == PEER_DIGEST_UNKNOWN))
		*told = word_of(digest);
}

void iscsi_tell_digests(const struct step *step, bool learned)
{
	struct peer_row *peer = step->decode->peer;

	if (!peer || !peer->end.version)
		return;
	tell(&peer->header_digest, step->stream->header_digest, learned);
	tell(&peer->data_digest, step->stream->data_digest, learned);
}
