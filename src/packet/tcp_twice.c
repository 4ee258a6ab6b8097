/*
 * Frames that were captured twice (`any` over a bridge, a mirror port of both
 * directions): the same IP id, numbers, length and header within 10 ms. And the
 * opposite: the same stretch of data with other bytes, which is damage.
 */
#include "config.h"

#include "packet/sum.h"
#include "packet/tcp.h"

#define SOON (10 * NSEC_PER_MSEC)

static uint64_t print_of(const struct tcp_segment *segment)
{
	const uint8_t *header = view_bytes(&segment->view, 0, segment->size);
	uint64_t print = (uint64_t)segment->sequence << 32 | segment->acknowledgement;

	print ^= ((uint64_t)segment->network->id << 32 | segment->length) *
		 UINT64_C(0x9e3779b97f4a7c15);
	if (header)
		print ^=
			sum_bytes(header, segment->size) * UINT64_C(0xc2b2ae3d27d4eb4f);
	return print;
}

static bool is_same_stretch(
	const struct recent *recent, const struct tcp_segment *segment)
{
	return recent->sequence == segment->sequence &&
	       recent->length == segment->length;
}

bool tcp_seen_twice(
	struct flow_side *side, const struct tcp_segment *segment, bool *differs)
{
	bool judged = segment->sum == SUM_GOOD && segment->length > 1;
	struct recent fresh = {.print = print_of(segment),
		.time = segment->time,
		.sequence = segment->sequence,
		.length = segment->length,
		.sum = segment->payload_sum,
		.judged = judged};

	*differs = false;
	for (int i = 0; i < RECENT; i++) {
		const struct recent *recent = &side->recent[i];
		if (recent->print == fresh.print && recent->time &&
			segment->time - recent->time < SOON &&
			segment->time >= recent->time)
			return true;
		if (judged && recent->judged && is_same_stretch(recent, segment))
			*differs |= recent->sum != fresh.sum;
	}
	side->recent[side->recent_at] = fresh;
	side->recent_at = (uint8_t)((side->recent_at + 1) % RECENT);
	return false;
}
