/* The ladder of depths; see the header. */
#include "config.h"

#include "core/spread.h"

#include <math.h>

enum {
	SINGLE = 31, /* depths with a step of their own */
	PER_OCTAVE = 8,
	SINGLE_LOG = 5,
	OCTAVE_LOG = 3
};

int spread_step(uint64_t depth)
{
	unsigned log, step;

	if (depth <= SINGLE)
		return (int)depth - 1;
	log = 63 - (unsigned)__builtin_clzll(depth);
	step = SINGLE + (log - SINGLE_LOG) * PER_OCTAVE +
	       (unsigned)((depth >> (log - OCTAVE_LOG)) & (PER_OCTAVE - 1));
	return step < SPREAD_STEPS ? (int)step : SPREAD_STEPS - 1;
}

static uint64_t width(unsigned step)
{
	return step < SINGLE ? 1 : UINT64_C(4) << (step - SINGLE) / PER_OCTAVE;
}

uint64_t spread_low(unsigned step)
{
	if (step < SINGLE)
		return step + 1;
	return width(step) * (PER_OCTAVE + (step - SINGLE) % PER_OCTAVE);
}

double spread_middle(unsigned step)
{
	return (double)spread_low(step) + ((double)width(step) - 1) / 2;
}

bool spread_applies(const struct metric *metric)
{
	return metric->num == RAW_DISK_INFLIGHT_SUM && metric->form == METRIC_RATIO;
}

uint32_t spread_weight(const struct metric *metric, double den, uint32_t ticks)
{
	if (!spread_applies(metric))
		return ticks;
	return den < UINT32_MAX ? (uint32_t)(den + 0.5) : UINT32_MAX;
}

/* A bucket is a sixteenth of an octave: what is farther off is a mean of older times,
 * when samples were not kept apart. */
double spread_round(double found)
{
	int step = spread_step((uint64_t)(found + 0.5));
	double middle = step < 0 ? 0 : spread_middle((unsigned)step);

	return fabs(found - middle) <= middle / 16 ? middle : found;
}
