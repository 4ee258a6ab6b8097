/*
 * The internet checksum (RFC 1071). Sums are kept in the byte order of the
 * machine, where the sum of the bytes as they lie in memory is the same sum
 * byte-swapped; so results are compared with fields loaded by sum_field().
 */
#ifndef WEIR_PACKET_SUM_H
#define WEIR_PACKET_SUM_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* The unfolded sum of SIZE bytes, an odd last byte padded with zero. Sums of
 * runs that start at even offsets can be added up, some 2^24 of them. */
uint64_t sum_bytes(const uint8_t *data, size_t size);

/* Folded to 16 bits with end-around carry, not complemented. A message that
 * carries its own correct checksum folds to 0xffff. */
static inline uint16_t sum_fold(uint64_t sum)
{
	sum = (sum & 0xffffffff) + (sum >> 32);
	sum = (sum & 0xffff) + (sum >> 16 & 0xffff) + (sum >> 32);
	sum = (sum & 0xffff) + (sum >> 16);
	sum = (sum & 0xffff) + (sum >> 16);
	return (uint16_t)sum;
}

/* A stored checksum, to be compared with a folded sum. */
static inline uint16_t sum_field(const uint8_t *bytes)
{
	uint16_t field;
	memcpy(&field, bytes, sizeof field);
	return field;
}

/* A number as it would add to a sum if it lay in memory in network order. */
static inline uint64_t sum_number(uint32_t number)
{
	uint8_t bytes[4] = {(uint8_t)(number >> 24), (uint8_t)(number >> 16),
		(uint8_t)(number >> 8), (uint8_t)number};
	uint32_t word;
	memcpy(&word, bytes, sizeof word);
	return word;
}

#endif
