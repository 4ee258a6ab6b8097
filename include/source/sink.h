/*
 * The inside of a sink, for the recorder that empties it and for tests.
 */
#ifndef WEIR_SOURCE_SINK_H
#define WEIR_SOURCE_SINK_H

#include "source/source.h"

struct sink_reading {
	uint32_t subject; /* handle */
	uint16_t raw;
	uint8_t why;
	uint64_t value;
};

struct sink {
	struct subject *subjects; /* by handle; stay until the source is closed */
	size_t subject_count, subject_room;
	bool changed; /* a subject is new or its label, flags or detail moved */
	struct sink_reading *readings; /* of this read */
	size_t reading_count, reading_room;
	char (*events)[240];
	size_t event_count, event_room;
	nsec stamp; /* monotonic time of the figures: the caller of read() sets it to
		     * NOW before the call, sink_stamp() may change it */
};

void sink_begin(struct sink *sink); /* empties readings and events, keeps subjects */
void sink_fini(struct sink *sink);

#endif
