/*
 * A run of bytes of a packet, seen through bounds: nobody indexes a packet, one
 * asks for bytes and is told when they are not there. CAPTURED bytes are at
 * hand, LENGTH bytes were on the wire; rules about lengths look at the second.
 */
#ifndef WEIR_PACKET_VIEW_H
#define WEIR_PACKET_VIEW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct view {
	const uint8_t *data;
	uint32_t captured; /* <= length */
	uint32_t length;
};

/* What a read of COUNT bytes at AT would meet. */
enum view_end {
	VIEW_THERE,
	VIEW_CUT,  /* on the wire, but not captured */
	VIEW_PAST, /* past what was on the wire */
};

static inline struct view view_of(
	const uint8_t *data, uint32_t captured, uint32_t length)
{
	struct view view = {data, captured < length ? captured : length, length};
	return view;
}

/* COUNT bytes at AT, or null where not all of them were captured. */
static inline const uint8_t *view_bytes(
	const struct view *view, uint32_t at, uint32_t count)
{
	if (at > view->captured || count > view->captured - at)
		return NULL;
	return view->data + at;
}

static inline bool view_u8(const struct view *view, uint32_t at, uint8_t *value)
{
	const uint8_t *byte = view_bytes(view, at, 1);
	*value = byte ? *byte : 0;
	return byte != NULL;
}

static inline enum view_end view_end(
	const struct view *view, uint32_t at, uint32_t count)
{
	if (at > view->length || count > view->length - at)
		return VIEW_PAST;
	return view_bytes(view, at, count) ? VIEW_THERE : VIEW_CUT;
}

/* All that was on the wire is at hand. */
static inline bool view_whole(const struct view *view)
{
	return view->captured == view->length;
}

/* What is left from AT on; empty where AT is past the end. */
static inline struct view view_from(const struct view *view, uint32_t at)
{
	struct view rest = {view->data, 0, 0};
	if (at <= view->length)
		rest.length = view->length - at;
	if (at <= view->captured) {
		rest.data += at;
		rest.captured = view->captured - at;
	}
	return rest;
}

/* The first LENGTH bytes; the whole view where it has fewer. */
static inline struct view view_first(const struct view *view, uint32_t length)
{
	uint32_t bound = length < view->length ? length : view->length;
	return view_of(view->data, view->captured, bound);
}

/* Numbers in network order from bytes that view_bytes() gave. */
static inline uint16_t load_be16(const uint8_t *bytes)
{
	return (uint16_t)(bytes[0] << 8 | bytes[1]);
}

static inline uint32_t load_be32(const uint8_t *bytes)
{
	return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 |
	       (uint32_t)bytes[2] << 8 | bytes[3];
}

/* The same for little-endian fields (SMB, digests). */
static inline uint16_t load_le16(const uint8_t *bytes)
{
	return (uint16_t)(bytes[1] << 8 | bytes[0]);
}

static inline uint32_t load_le32(const uint8_t *bytes)
{
	return (uint32_t)bytes[3] << 24 | (uint32_t)bytes[2] << 16 |
	       (uint32_t)bytes[1] << 8 | bytes[0];
}

#endif
