/* Quotas of evidence; see the header. */
#include "config.h"

#include "app/evidence_keeper.h"

#include <string.h>

static const nsec stretch = 3600 * NSEC_PER_SEC;

/* Changes whenever a window begins or ends. */
static uint64_t edges_of(const struct windows *windows)
{
	uint64_t edges = windows->count;

	for (size_t i = 0; i < windows->count; i++)
		edges = edges * 31 + (windows->list[i].to != WINDOW_OPEN);
	return edges;
}

static void turn_over(
	struct evidence_keeper *keeper, nsec at, const struct windows *windows)
{
	uint64_t edges = edges_of(windows);

	if (edges == keeper->edges && at - keeper->since < stretch)
		return;
	memset(keeper->used, 0, sizeof keeper->used);
	keeper->edges = edges;
	keeper->since = at;
}

/* Whether one of its classes has something left; takes it of each. */
static bool spend(struct evidence_keeper *keeper, const uint64_t *seen)
{
	bool left = false;

	for (unsigned row = 0; row < packet_class_count; row++) {
		if (!(seen[row / 64] >> (row % 64) & 1) || !evidence_wants(row) ||
			keeper->used[row] == KEEPER_QUOTA)
			continue;
		keeper->used[row]++;
		left = true;
	}
	return left;
}

/* Returns the number of the finding. */
static uint32_t know(
	struct evidence_keeper *keeper, const struct evidence_packet *packet)
{
	unsigned at = keeper->next_known++ % KEEPER_KNOWN;

	memcpy(keeper->known[at].interface, packet->interface,
		sizeof packet->interface);
	keeper->known[at].finding = packet->entry.finding;
	keeper->known[at].number = ++keeper->last;
	return keeper->last;
}

/* The number of a finding that was kept; 0: it was not. */
static uint32_t number_of(
	const struct evidence_keeper *keeper, const struct evidence_packet *packet)
{
	for (unsigned i = 0; i < KEEPER_KNOWN; i++)
		if (keeper->known[i].finding == packet->entry.finding &&
			!memcmp(keeper->known[i].interface, packet->interface,
				sizeof packet->interface))
			return keeper->known[i].number;
	return 0;
}

void evidence_keeper_take(struct evidence_keeper *keeper, nsec at,
	const struct windows *windows, const struct evidence_batch *from,
	struct evidence_batch *to)
{
	turn_over(keeper, at, windows);
	for (size_t i = 0; i < from->count; i++) {
		struct evidence_packet packet = evidence_batch_at(from, i);
		uint32_t number;

		if (packet.entry.place != 0)
			number = number_of(keeper, &packet);
		else
			number = spend(keeper, packet.entry.seen)
					 ? know(keeper, &packet)
					 : 0;
		packet.entry.finding = number;
		if (number)
			evidence_batch_add(to, &packet);
	}
}
