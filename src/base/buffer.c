/* A growing run of bytes; see the header. */
#include "config.h"

#include "base/buffer.h"

#include "base/alloc.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void buffer_fini(struct buffer *buffer)
{
	free(buffer->data);
	*buffer = (struct buffer){0};
}

void buffer_clear(struct buffer *buffer)
{
	buffer->size = 0;
}

void buffer_add(struct buffer *buffer, const void *data, size_t size)
{
	if (!size)
		return;
	xgrow(&buffer->data, &buffer->room, buffer->size + size, 1);
	memcpy(buffer->data + buffer->size, data, size);
	buffer->size += size;
}

void buffer_byte(struct buffer *buffer, uint8_t byte)
{
	buffer_add(buffer, &byte, 1);
}

void buffer_format(struct buffer *buffer, const char *format, ...)
{
	va_list args, again;
	int need;

	va_start(args, format);
	va_copy(again, args);
	need = vsnprintf(NULL, 0, format, args);
	va_end(args);
	if (need >= 0) {
		size_t size = (size_t)need;

		xgrow(&buffer->data, &buffer->room, buffer->size + size + 1, 1);
		(void)vsnprintf(
			(char *)buffer->data + buffer->size, size + 1, format, again);
		buffer->size += size;
	}
	va_end(again);
}

void buffer_varint(struct buffer *buffer, uint64_t value)
{
	while (value >= 0x80) {
		buffer_byte(buffer, (uint8_t)(value | 0x80));
		value >>= 7;
	}
	buffer_byte(buffer, (uint8_t)value);
}

void buffer_zigzag(struct buffer *buffer, int64_t value)
{
	buffer_varint(buffer, ((uint64_t)value << 1) ^ (value < 0 ? UINT64_MAX : 0));
}

void buffer_drop(struct buffer *buffer, size_t size)
{
	if (size > buffer->size)
		size = buffer->size;
	if (!size)
		return;
	memmove(buffer->data, buffer->data + size, buffer->size - size);
	buffer->size -= size;
}

char *buffer_string(struct buffer *buffer)
{
	xgrow(&buffer->data, &buffer->room, buffer->size + 1, 1);
	buffer->data[buffer->size] = 0;
	return (char *)buffer->data;
}
