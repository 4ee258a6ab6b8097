/*
 * iSCSI logins (RFC 7143 6): what both sides agree about digests.
 */
#ifndef WEIR_PACKET_ISCSI_H
#define WEIR_PACKET_ISCSI_H

#include "packet/stream.h"

enum {
	BHS = 48, /* basic header segment */
};

/* The text of the login whose header is in the head is to be read, if it can be. */
void iscsi_login_keep(struct step *step);

/* It is there: whether there will be digests. */
void iscsi_login_read(struct step *step);

/* The peer uses these digests, agreed or seen; LEARNED: agreed just now. */
void iscsi_tell_digests(const struct step *step, bool learned);

#endif
