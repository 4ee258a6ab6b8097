/*
 * What encoder and decoder of ticks agree on. The format itself is written down
 * in doc/tick.md; nobody else needs to know it.
 */
#ifndef WEIR_CORE_TICK_FORMAT_H
#define WEIR_CORE_TICK_FORMAT_H

enum {
	TICK_FORMAT = 1, /* first byte; a reader refuses any other */

	/* second byte */
	TICK_FULL = 1,
	TICK_EXTRA = 2,
	TICK_CONTEXT = 4, /* interval and zone follow */
	TICK_GAP_SHIFT = 4,
	TICK_GAP_MASK = 3,
	TICK_KNOWN_FLAGS = 0x37,

	/* Bounds on what a reader takes: far beyond any host, small enough that
	 * hostile bytes cannot fill the memory. */
	TICK_SUBJECTS = 16384,
	TICK_SERIES = 1 << 20,
	TICK_RAWS = 8192,
	TICK_RAW_ID = 64,
};

#endif
