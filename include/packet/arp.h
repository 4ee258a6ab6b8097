/*
 * Who claimed which IPv4 address: a bounded table that forgets the oldest.
 */
#ifndef WEIR_PACKET_ARP_H
#define WEIR_PACKET_ARP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arp_table;

struct arp_table *arp_new(size_t room);
void arp_free(struct arp_table *table);

/* Notes that ADDRESS is at HARDWARE (6 bytes). True if it was known to be
 * elsewhere. With KEEP_FIRST the first claim stays for ever, else the last. */
bool arp_claim(struct arp_table *table, uint32_t address, const uint8_t *hardware,
	bool keep_first);

#endif
