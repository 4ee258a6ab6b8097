/*
 * A growing run of bytes: encoded ticks, files read whole, lines to send.
 * A zeroed struct is an empty buffer.
 */
#ifndef WEIR_BASE_BUFFER_H
#define WEIR_BASE_BUFFER_H

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

struct buffer {
	uint8_t *data; /* owned; not terminated */
	size_t size;   /* bytes in use */
	size_t room;
};

void buffer_fini(struct buffer *buffer);  /* frees and zeroes; twice is fine */
void buffer_clear(struct buffer *buffer); /* empties, keeps the memory */
void buffer_add(struct buffer *buffer, const void *data, size_t size);
void buffer_byte(struct buffer *buffer, uint8_t byte);
void buffer_format(struct buffer *buffer, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* Unsigned LEB128, 1 to 10 bytes; the signed form is zigzag on top of it. */
void buffer_varint(struct buffer *buffer, uint64_t value);
void buffer_zigzag(struct buffer *buffer, int64_t value);

/* Drops the first SIZE bytes. */
void buffer_drop(struct buffer *buffer, size_t size);

/* Puts a zero byte behind the data (not counted) and returns it as a string. */
char *buffer_string(struct buffer *buffer);

#endif
