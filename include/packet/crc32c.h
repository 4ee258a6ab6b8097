/*
 * CRC32C (Castagnoli), the digest of iSCSI (RFC 7143 13.1), piece by piece.
 */
#ifndef WEIR_PACKET_CRC32C_H
#define WEIR_PACKET_CRC32C_H

#include <stddef.h>
#include <stdint.h>

struct crc32c {
	uint32_t table[8][256];
};

void crc32c_init(struct crc32c *crc);

enum {
	CRC32C_START = -1 /* as unsigned: all ones */
};

/* STATE after SIZE more bytes; the digest is the complement of the last state. */
uint32_t crc32c_add(
	const struct crc32c *crc, uint32_t state, const uint8_t *data, size_t size);

#endif
