/*
 * The row numbers of the class table, for the code that sees the classes. The
 * names unfold from the same lists as the rows, so they cannot disagree.
 */
#ifndef WEIR_PACKET_CLASS_ID_H
#define WEIR_PACKET_CLASS_ID_H

#include "packet/class.h"

#define CLASS(name, ...) SEEN_##name,
#define CHECKSUM(name, ...)                                                            \
	SEEN_##name##_SUM_BAD, SEEN_##name##_SUM_GOOD, SEEN_##name##_SUM_OFFLOADED,    \
		SEEN_##name##_SUM_UNJUDGED,
enum seen {
#include "packet/class_network.def"
	SEEN_COUNT
};
#undef CLASS
#undef CHECKSUM

_Static_assert((int)SEEN_COUNT <= (int)CLASS_MAX, "arrays hold every class");

#endif
