/* Blocks of pcapng; see the header. */
#include "config.h"

#include "packet/pcapng.h"

#include <string.h>

enum {
	BLOCK_SECTION = 0x0a0d0d0a,
	BLOCK_INTERFACE = 1,
	BLOCK_PACKET = 6,
	BYTE_ORDER = 0x1a2b3c4d,
	OPTION_END = 0,
	OPTION_COMMENT = 1,
	OPTION_APPLICATION = 4, /* of a section */
	OPTION_NAME = 2,        /* of an interface */
	OPTION_RESOLUTION = 9,
	OPTION_FLAGS = 2, /* of a packet */
	NANOSECONDS = 9,  /* 10^-9 s */
	TEXT_MAX = 1024,
	DLT_RAW_LINUX = 12,
	DLT_RAW_BSD = 14,
	LINKTYPE_RAW = 101,
};

static void put16(struct buffer *buffer, unsigned value)
{
	buffer_byte(buffer, (uint8_t)value);
	buffer_byte(buffer, (uint8_t)(value >> 8));
}

static void put32(struct buffer *buffer, uint32_t value)
{
	put16(buffer, value & 0xffff);
	put16(buffer, value >> 16);
}

static void put_padded(struct buffer *buffer, const void *data, size_t size)
{
	buffer_add(buffer, data, size);
	for (; size % 4; size++)
		buffer_byte(buffer, 0);
}

static void option(struct buffer *buffer, unsigned code, const void *data, size_t size)
{
	put16(buffer, code);
	put16(buffer, (unsigned)size);
	put_padded(buffer, data, size);
}

static void option_text(struct buffer *buffer, unsigned code, const char *text)
{
	size_t size = strnlen(text, TEXT_MAX);

	if (size)
		option(buffer, code, text, size);
}

/* A block begins; its length is set when it ends. Returns where it began. */
static size_t begin(struct buffer *buffer, uint32_t type)
{
	size_t at = buffer->size;

	put32(buffer, type);
	put32(buffer, 0);
	return at;
}

static void end(struct buffer *buffer, size_t at)
{
	uint32_t length;

	put32(buffer, OPTION_END);
	length = (uint32_t)(buffer->size - at) + 4;
	put32(buffer, length);
	for (unsigned i = 0; i < 4; i++)
		buffer->data[at + 4 + i] = (uint8_t)(length >> 8 * i);
}

void pcapng_begin(struct buffer *buffer, const char *comment)
{
	size_t at = begin(buffer, BLOCK_SECTION);

	put32(buffer, BYTE_ORDER);
	put16(buffer, 1); /* version 1.0 */
	put16(buffer, 0);
	put32(buffer, UINT32_MAX); /* the length of the section is not known */
	put32(buffer, UINT32_MAX);
	option_text(buffer, OPTION_COMMENT, comment);
	option_text(buffer, OPTION_APPLICATION, PACKAGE_STRING);
	end(buffer, at);
}

void pcapng_interface(struct buffer *buffer, int linktype, const char *name)
{
	static const uint8_t resolution = NANOSECONDS;
	size_t at = begin(buffer, BLOCK_INTERFACE);

	/* libpcap has numbers of its own for raw IP */
	if (linktype == DLT_RAW_LINUX || linktype == DLT_RAW_BSD)
		linktype = LINKTYPE_RAW;
	put16(buffer, (unsigned)linktype);
	put16(buffer, 0);
	put32(buffer, 0); /* no snap length: each packet says what was kept */
	option_text(buffer, OPTION_NAME, name);
	option(buffer, OPTION_RESOLUTION, &resolution, sizeof resolution);
	end(buffer, at);
}

void pcapng_packet(struct buffer *buffer, unsigned interface,
	const struct evidence_entry *entry, const char *comment)
{
	/* inbound 1, outbound 2 */
	uint8_t flags[4] = {entry->direction == PACKET_RX   ? 1
			    : entry->direction == PACKET_TX ? 2
							    : 0};
	uint64_t time = (uint64_t)entry->time;
	size_t at = begin(buffer, BLOCK_PACKET);

	put32(buffer, interface);
	put32(buffer, (uint32_t)(time >> 32));
	put32(buffer, (uint32_t)time);
	put32(buffer, entry->captured);
	put32(buffer, entry->length);
	put_padded(buffer, entry->data, entry->captured);
	option_text(buffer, OPTION_COMMENT, comment);
	option(buffer, OPTION_FLAGS, flags, sizeof flags);
	end(buffer, at);
}
