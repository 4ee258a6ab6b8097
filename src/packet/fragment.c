/*
 * Reassembly of IP packets; see the header. A packet in the making is a flat
 * buffer and one bit per byte that is there already: no lists that a hostile
 * order of pieces could make long.
 */
#include "config.h"

#include "packet/fragment.h"

#include "base/alloc.h"

#include <stdlib.h>
#include <string.h>

enum {
	PACKET_MAX = 2 * 65536,
	WORD = 64,
};
#define PATIENCE (30 * NSEC_PER_SEC) /* as RFC 791 and Linux */

struct packet {
	bool used, overlap, conflict;
	struct fragment_key key;
	nsec first, last;
	uint32_t total; /* 0 until the last piece is known */
	uint32_t there; /* bytes that are set in COVERED below */
	uint64_t covered[PACKET_MAX / WORD];
	uint8_t bytes[PACKET_MAX];
};

struct fragments {
	struct packet *packets;
	unsigned room, used;
	nsec check; /* when to look for old ones again */
};

struct fragments *fragments_new(unsigned room)
{
	struct fragments *fragments = xalloc(sizeof *fragments);

	fragments->room = room;
	fragments->packets = xarray(room, sizeof *fragments->packets);
	return fragments;
}

void fragments_free(struct fragments *fragments)
{
	if (fragments)
		free(fragments->packets);
	free(fragments);
}

static struct packet *find(struct fragments *fragments, const struct fragment_key *key)
{
	for (unsigned i = 0; i < fragments->room && fragments->used > 0; i++) {
		struct packet *packet = &fragments->packets[i];
		if (packet->used && !memcmp(&packet->key, key, sizeof *key))
			return packet;
	}
	return NULL;
}

static struct packet *make(
	struct fragments *fragments, const struct fragment_piece *piece)
{
	struct packet *packet = &fragments->packets[0];

	for (unsigned i = 0; i < fragments->room && packet->used; i++) {
		struct packet *other = &fragments->packets[i];
		if (!other->used || other->last < packet->last)
			packet = other;
	}
	if (!packet->used)
		fragments->used++;
	packet->used = true;
	packet->overlap = packet->conflict = false;
	packet->key = piece->key;
	packet->first = piece->time;
	packet->total = packet->there = 0;
	memset(packet->covered, 0, sizeof packet->covered);
	return packet;
}

static bool is_covered(const struct packet *packet, uint32_t at)
{
	return packet->covered[at / WORD] >> (at % WORD) & 1;
}

/* Where pieces overlap, the one that begins first in the packet wins: bytes behind a
 * hole that this piece fills belong to pieces that begin further on. Where both begin
 * in the same place, the one that came first. ANSWER says whether they overlap. */
static void put(struct packet *packet, const struct fragment_piece *piece,
	struct fragment_answer *answer)
{
	const uint8_t *data = view_bytes(&piece->data, 0, piece->data.length);

	bool wins = false;

	for (uint32_t i = 0; data && i < piece->data.length; i++) {
		uint32_t at = piece->offset + i;
		if (is_covered(packet, at)) {
			answer->fresh_overlap = true;
			answer->fresh_conflict |= packet->bytes[at] != data[i];
			if (wins)
				packet->bytes[at] = data[i];
			continue;
		}
		wins = true;
		packet->bytes[at] = data[i];
		packet->covered[at / WORD] |= UINT64_C(1) << (at % WORD);
		packet->there++;
	}
}

static bool is_complete(const struct packet *packet)
{
	if (packet->total == 0 || packet->there < packet->total)
		return false;
	for (uint32_t at = 0; at < packet->total; at++)
		if (!is_covered(packet, at))
			return false;
	return true;
}

void fragments_add(struct fragments *fragments, const struct fragment_piece *piece,
	struct fragment_answer *answer)
{
	memset(answer, 0, sizeof *answer);
	if (piece->offset + piece->data.length > piece->most) {
		answer->too_long = true;
		return;
	}
	struct packet *packet = find(fragments, &piece->key);
	if (!packet)
		packet = make(fragments, piece);
	packet->last = piece->time;
	put(packet, piece, answer);
	if (!piece->more && packet->total == 0)
		packet->total = piece->offset + piece->data.length;
	packet->overlap |= answer->fresh_overlap;
	packet->conflict |= answer->fresh_conflict;
	answer->overlap = packet->overlap;
	answer->conflict = packet->conflict;
	if (!is_complete(packet))
		return;
	answer->complete = true;
	answer->whole = view_of(packet->bytes, packet->total, packet->total);
	packet->used = false;
	fragments->used--;
}

void fragments_expire(struct fragments *fragments, nsec now, unsigned missing[2])
{
	missing[0] = missing[1] = 0;
	bool set_back = now < fragments->check - NSEC_PER_SEC;

	if (fragments->used == 0 || (now < fragments->check && !set_back))
		return;
	fragments->check = now + NSEC_PER_SEC;
	for (unsigned i = 0; i < fragments->room; i++) {
		struct packet *packet = &fragments->packets[i];
		if (set_back && packet->used && packet->first > now)
			packet->first = now;
		if (!packet->used || now - packet->first < PATIENCE)
			continue;
		packet->used = false;
		fragments->used--;
		missing[packet->key.version == 6]++;
	}
}
