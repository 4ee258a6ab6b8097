/* Log-linear histogram; see the header. */
#include "config.h"

#include "core/histogram.h"

enum {
	EXACT = 32, /* values below are their own bucket */
	PER_OCTAVE = 16,
	EXACT_LOG = 5,
	OCTAVE_LOG = 4
};

unsigned histogram_index(uint64_t value)
{
	unsigned log, index;

	if (value < EXACT)
		return (unsigned)value;
	log = 63 - (unsigned)__builtin_clzll(value);
	index = EXACT + (log - EXACT_LOG) * PER_OCTAVE +
		(unsigned)((value >> (log - OCTAVE_LOG)) & (PER_OCTAVE - 1));
	return index < HISTOGRAM_BUCKETS ? index : HISTOGRAM_BUCKETS - 1;
}

double histogram_width(unsigned index)
{
	return index < EXACT ? 1
			     : (double)(UINT64_C(2) << (index - EXACT) / PER_OCTAVE);
}

double histogram_low(unsigned index)
{
	if (index < EXACT)
		return index;
	return histogram_width(index) * (PER_OCTAVE + (index - EXACT) % PER_OCTAVE);
}

void histogram_add(struct histogram *histogram, uint64_t value)
{
	histogram->count[histogram_index(value)]++;
	histogram->total++;
}

double histogram_quantile(const struct histogram *histogram, double p)
{
	double rank = p * (double)histogram->total;
	double below = 0, low = 0;

	for (unsigned i = 0; i < HISTOGRAM_BUCKETS; i++) {
		double here = histogram->count[i];
		double width = histogram_width(i);

		if (!histogram->count[i])
			continue;
		low = histogram_low(i);
		if (below + here >= rank) {
			double part = rank > below ? (rank - below) / here : 0;

			return width > 1 ? low + part * width : low;
		}
		below += here;
	}
	return low;
}
