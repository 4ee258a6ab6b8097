/*
 * Bytes as segments of one TCP connection, for fuzz targets that look past the headers:
 * right in every respect, but for what the input asks for.
 */
#ifndef WEIR_TESTS_SEGMENTS_H
#define WEIR_TESTS_SEGMENTS_H

#include <stddef.h>
#include <stdint.h>

/* The input: rules (1 byte), then segments: how (1 byte: who sends, flags, a wrong sum,
 * only part of it captured), how far the number is from the next one (1 byte, signed),
 * the size (2 bytes), the bytes. The server has PORT; both orders of rules are tried.
 */
void fuzz_segments(uint16_t port, const uint8_t *data, size_t size);

/* The same bytes as the payloads of UDP datagrams. */
void fuzz_datagrams(uint16_t port, const uint8_t *data, size_t size);

#endif
