/*
 * Whether the message in a UDP datagram ends before its own end, as far as the
 * comparison with another analyser needs it. Inside the packet layer only.
 */
#ifndef WEIR_PACKET_DATAGRAM_H
#define WEIR_PACKET_DATAGRAM_H

#include "packet/decode.h"

/* PORTS: of the UDP header, VIEW: what is behind it. */
bool datagram_ends_early(const uint8_t *ports, const struct view *view);

#endif
