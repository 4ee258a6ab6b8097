/*
 * Frames that were captured twice (`any` over a bridge, a mirror port of both
 * directions): the same IP id, numbers, length and header within 10 ms. And the
 * opposite: the same stretch of data with other bytes, which is damage.
 */
#include "config.h"

#include "packet/sum.h"
#include "packet/tcp.h"

enum {
	SOON_US = 10 * 1000
};

static uint32_t print_of(const struct tcp_segment *segment)
{
	const uint8_t *header = view_bytes(&segment->view, 0, segment->size);
	uint64_t print = (uint64_t)segment->sequence << 32 | segment->acknowledgement;

	print ^= ((uint64_t)segment->network->id << 32 | segment->length) *
		 UINT64_C(0x9e3779b97f4a7c15);
	if (header)
		print ^=
			sum_bytes(header, segment->size) * UINT64_C(0xc2b2ae3d27d4eb4f);
	return (uint32_t)(print * UINT64_C(0x9e3779b97f4a7c15) >> 32);
}

static bool is_second_sight(const struct recent *recent, const struct recent *fresh)
{
	return recent->used && recent->print == fresh->print &&
	       recent->sequence == fresh->sequence && recent->length == fresh->length &&
	       fresh->time_us - recent->time_us < SOON_US;
}

static bool has_other_bytes(const struct recent *recent, const struct recent *fresh)
{
	return recent->judged && fresh->judged && recent->sequence == fresh->sequence &&
	       recent->length == fresh->length && recent->sum != fresh->sum;
}

bool tcp_seen_twice(struct flow *flow, unsigned side, const struct tcp_segment *segment,
	bool *differs)
{
	struct recent *recent = flow->recent[side];
	struct recent fresh = {.print = print_of(segment),
		.time_us = (uint32_t)(segment->time / NSEC_PER_USEC),
		.sequence = segment->sequence,
		.length = segment->length,
		.sum = segment->payload_sum,
		.used = true,
		.judged = segment->sum == SUM_GOOD && segment->length > 1};

	*differs = false;
	for (int i = 0; i < RECENT; i++) {
		if (is_second_sight(&recent[i], &fresh))
			return true;
		*differs |= has_other_bytes(&recent[i], &fresh);
	}
	recent[flow->side[side].recent_at] = fresh;
	flow->side[side].recent_at =
		(uint8_t)((flow->side[side].recent_at + 1) % RECENT);
	return false;
}
