/* Counting ticks into slots; see the header. */
#include "config.h"

#include "core/slots.h"

void slots_halve(struct slots *slots)
{
	slots->full = BATCHES / 2;
	slots->length *= 2;
	slots->in = 0;
}

uint64_t slots_pass(struct slots *slots, uint64_t most)
{
	uint64_t left, passed;

	if (!slots->length)
		slots->length = 1;
	left = slots->length - slots->in;
	passed = most < left ? most : left;
	slots->ticks += passed;
	slots->in += passed;
	if (slots->in == slots->length) {
		slots->full++;
		slots->in = 0;
	}
	return passed;
}

size_t slots_count(const struct slots *slots)
{
	return slots->full + (slots->in > 0);
}
