/*
 * The inside of a sink, for the recorder that empties it and for tests.
 */
#ifndef WEIR_SOURCE_SINK_H
#define WEIR_SOURCE_SINK_H

#include "core/fact.h"
#include "packet/evidence_batch.h"
#include "source/source.h"

struct sink_reading {
	uint32_t subject; /* handle */
	uint16_t raw;
	uint8_t why;
	uint64_t value;
};

/* Places of texts in sink.texts. */
struct sink_fact {
	enum kind kind;
	enum why why;
	size_t name, id, key, value;
};

struct sink {
	struct subject *subjects; /* by handle; stay until the source is closed */
	size_t subject_count, subject_room;
	uint64_t *hashes; /* of the subjects */
	size_t hash_room;
	bool changed; /* a subject is new or its label, flags or detail moved */
	struct sink_reading *readings; /* of this read */
	size_t reading_count, reading_room;
	char (*events)[240];
	size_t event_count, event_room;
	struct sink_fact *facts;
	size_t fact_count, fact_room;
	struct buffer texts;
	struct evidence_batch evidence; /* of this read */
	unsigned whole;                 /* kinds of which all facts were put, as bits */
	bool marked;                    /* set by the caller of read() */
	const char *nothing;            /* why there are no readings; or null */
	enum why nothing_why;
	nsec stamp; /* monotonic time of the figures: the caller of read() sets it to
		     * NOW before the call, sink_stamp() may change it */
};

/* The fact that was put as number INDEX; its texts are the sink's, its time is 0. */
struct fact sink_fact_at(const struct sink *sink, size_t index);

void sink_begin(struct sink *sink); /* empties readings and events, keeps subjects */
void sink_fini(struct sink *sink);

#endif
