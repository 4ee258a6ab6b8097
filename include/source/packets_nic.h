/*
 * One network card whose packets are counted: the parts of the source "packets" that
 * are about a single one.
 */
#ifndef WEIR_SOURCE_PACKETS_NIC_H
#define WEIR_SOURCE_PACKETS_NIC_H

#include "source/attr.h"
#include "source/helper.h"
#include "source/packet_peers.h"
#include "source/watch.h"

/* How much of something was told, and when there was the last of it. */
struct packet_loss {
	uint64_t count;
	nsec at;
};

struct packet_nic {
	struct watch watch;
	struct attr flags;
	struct helper helper;
	bool went;  /* it was up and ended: its return is news too */
	bool is_up; /* the interface, as the administrator wants it */
	struct packet_loss lost, evidence_lost;
	bool no_shelf_told;
	enum wire_effort effort;
	struct peer_telling told;
	/* Findings are numbered on where the last helper ended. */
	unsigned starts; /* of helpers, when evidence was taken last */
	uint32_t finding_base, finding_last;
	uint64_t evidence_gone;   /* overwritten or senseless, of all helpers */
	uint64_t evidence_passed; /* of this one */
};

/* What changed, as events. */
void packet_nic_tell_change(struct packet_nic *nic, struct sink *sink);
void packet_nic_tell_news(struct packet_nic *nic, struct sink *sink, nsec now);

/* Its figures, or why there are none. */
void packet_nic_put(struct packet_nic *nic, struct sink *sink, nsec now);
void packet_nic_put_none(const struct packet_nic *nic, struct sink *sink, enum why why);

/* What its helper put on the shelf; BYTES has room for one packet. */
void packet_nic_evidence(struct packet_nic *nic, uint8_t *bytes, struct sink *sink);

#endif
