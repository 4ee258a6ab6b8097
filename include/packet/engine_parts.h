/*
 * What the engine owns, for the layers that keep something between frames.
 */
#ifndef WEIR_PACKET_ENGINE_PARTS_H
#define WEIR_PACKET_ENGINE_PARTS_H

#include "packet/arp.h"
#include "packet/decode.h"
#include "packet/flow.h"
#include "packet/fragment.h"
#include "packet/stream.h"

struct engine {
	enum packet_rules rules;
	int linktype;
	struct tally tally;
	struct flow_table *flows;
	struct fragments *fragments;
	struct arp_table *arp;
	struct storage *storage;
	struct peer_table *peers;
	struct evidence *evidence;
	const struct packet_host *hosts;
	unsigned host_count;
};

#endif
