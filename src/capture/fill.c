/* Judging how full the ring was; see the header. */
#include "config.h"

#include "capture/fill.h"

enum {
	FRAME_COST = 128,   /* bytes of the ring that a frame takes beside its own */
	BLOCK = 256 * 1024, /* of the ring, as libpcap makes it: */
	BIG = BLOCK / 16,   /* frames that leave much of one empty behind them */
};

/* Processors do not quite agree about the order of frames; more than this is a clock
 * that was set back, and what it says about older frames is nothing. */
static const nsec disorder = 10 * NSEC_PER_MSEC;

bool fill_is_new(const struct fill *fill, nsec time)
{
	return time > fill->caught_up || time < fill->newest - disorder;
}

void fill_begin(struct fill *fill, nsec now)
{
	fill->caught_up = now;
	fill->backlog = 0;
}

static uint32_t cost_of(uint32_t size)
{
	uint32_t whole = size + FRAME_COST;

	return whole < BIG || whole > BLOCK ? whole : BLOCK / (BLOCK / whole);
}

bool fill_add(struct fill *fill, nsec time, uint32_t size)
{
	fill->newest = time;
	fill->backlog += cost_of(size);
	return fill->backlog > fill->half;
}
