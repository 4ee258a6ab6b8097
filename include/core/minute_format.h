/*
 * What writer and reader of a minute's bytes agree on; written down in doc/schema.md.
 */
#ifndef WEIR_CORE_MINUTE_FORMAT_H
#define WEIR_CORE_MINUTE_FORMAT_H

enum {
	MINUTE_FORMAT = 1,
	/* what a cell holds, its first byte */
	HAS_FIGURE = 1,
	HAS_MISSING = 2,
	ALL_ZERO = 4, /* num, lowest and highest are 0, the histogram is one bucket 0 */
	SAME_DEN = 8, /* as the cell before that had a figure */
	HAS_BUCKETS = 16,
	HAS_LOADS = 32,
	EXACT = 64,  /* extremes are doubles, not floats */
	WHOLE = 128, /* the numerator is a whole number, as one of variable length */
};

#endif
