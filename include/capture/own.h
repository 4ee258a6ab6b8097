/*
 * The addresses that belong to this host on one interface, read once at the start,
 * and the direction of a frame judged by them. libpcap does not hand on the
 * kernel's packet type for Ethernet, so a frame is sent if it comes from one of our
 * addresses, and received if it goes to one of them or to a group. A port of a
 * bridge also passes on other hosts' frames both ways: there, what is not ours stays
 * unknown. doc/security.md says what a forged sender address can do.
 */
#ifndef WEIR_CAPTURE_OWN_H
#define WEIR_CAPTURE_OWN_H

#include "packet/class.h"

#include <stdbool.h>
#include <stdint.h>

enum {
	OWN_ADDRESSES = 32,
	OWN_MAC = 6,
	OWN_IP = 16
};

struct own {
	uint8_t mac[OWN_ADDRESSES][OWN_MAC];
	unsigned mac_count;
	uint8_t ip[OWN_ADDRESSES][OWN_IP]; /* IPv4 as ::ffff:a.b.c.d */
	unsigned ip_count;
	bool bridge_port;
};

/* Addresses of INTERFACE and of what is stacked on it (a bridge, a bond, VLANs,
 * macvlans). What cannot be read is left out: those frames have no direction. */
void own_read(struct own *own, const char *interface);

void own_add_mac(struct own *own, const uint8_t *mac); /* all zero is none */
void own_add_ip(struct own *own, const uint8_t *ip);

/* LINKTYPE is a DLT_* value as in packet/engine.h. */
enum packet_direction own_direction(
	const struct own *own, int linktype, const uint8_t *data, uint32_t captured);

#endif
