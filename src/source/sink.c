/* Where sources put their readings; see the headers. */
#include "config.h"

#include "source/sink.h"

#include "base/alloc.h"
#include "base/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool same(const struct subject *a, const struct subject *b)
{
	return a->kind == b->kind && !strcmp(a->name, b->name) && !strcmp(a->id, b->id);
}

static uint64_t hash(const struct subject *subject)
{
	uint64_t sum = UINT64_C(14695981039346656037) ^ subject->kind; /* FNV-1a */

	for (const char *c = subject->name; *c; c++)
		sum = (sum ^ (unsigned char)*c) * UINT64_C(1099511628211);
	for (const char *c = subject->id; *c; c++)
		sum = (sum ^ (unsigned char)*c) * UINT64_C(1099511628211);
	return sum;
}

/* A big host has thousands of subjects, each of half a kilobyte: their hashes are
 * looked through in no time. */
unsigned sink_subject(struct sink *sink, const struct subject *subject)
{
	uint64_t wanted = hash(subject);
	size_t i = 0;

	while (i < sink->subject_count &&
		(sink->hashes[i] != wanted || !same(&sink->subjects[i], subject)))
		i++;
	if (i == sink->subject_count) {
		xgrow(&sink->subjects, &sink->subject_room, i + 1,
			sizeof *sink->subjects);
		xgrow(&sink->hashes, &sink->hash_room, i + 1, sizeof *sink->hashes);
		sink->hashes[i] = wanted;
		sink->subject_count++;
		sink->subjects[i] = *subject;
		sink->changed = true;
	} else if (memcmp(&sink->subjects[i], subject, sizeof *subject)) {
		sink->subjects[i] = *subject;
		sink->changed = true;
	}
	return (unsigned)i;
}

static void add(struct sink *sink, struct sink_reading reading)
{
	xgrow(&sink->readings, &sink->reading_room, sink->reading_count + 1,
		sizeof *sink->readings);
	sink->readings[sink->reading_count++] = reading;
}

void sink_put(struct sink *sink, unsigned subject, unsigned raw, uint64_t value)
{
	add(sink, (struct sink_reading){.subject = subject,
			  .raw = (uint16_t)raw,
			  .why = WHY_NONE,
			  .value = value});
}

void sink_none(struct sink *sink, unsigned subject, unsigned raw, enum why why)
{
	add(sink,
		(struct sink_reading){
			.subject = subject, .raw = (uint16_t)raw, .why = (uint8_t)why});
}

void sink_stamp(struct sink *sink, nsec stamp)
{
	sink->stamp = stamp;
}

void sink_nothing(struct sink *sink, enum why why, const char *words)
{
	sink->nothing = words;
	sink->nothing_why = why;
}

void sink_event(struct sink *sink, const char *format, ...)
{
	char raw[sizeof *sink->events];
	va_list args;

	va_start(args, format);
	(void)vsnprintf(raw, sizeof raw, format, args); /* a cut line is still a line */
	va_end(args);
	xgrow(&sink->events, &sink->event_room, sink->event_count + 1,
		sizeof *sink->events);
	(void)text_clean(sink->events[sink->event_count++], sizeof *sink->events, raw);
}

static size_t keep(struct sink *sink, const char *text, size_t limit)
{
	char clean[FACT_VALUE];
	size_t at = sink->texts.size;

	(void)text_clean(clean, limit, text); /* a cut text is still its beginning */
	buffer_add(&sink->texts, clean, strlen(clean) + 1);
	return at;
}

void sink_fact(struct sink *sink, const struct subject *subject, const char *key,
	const char *value, enum why why)
{
	struct sink_fact fact = {.kind = subject->kind, .why = value ? WHY_NONE : why};

	fact.name = keep(sink, subject->name, SUBJECT_NAME);
	fact.id = keep(sink, subject->id, SUBJECT_ID);
	fact.key = keep(sink, key, FACT_KEY);
	fact.value = keep(sink, value ? value : "", FACT_VALUE);
	xgrow(&sink->facts, &sink->fact_room, sink->fact_count + 1,
		sizeof *sink->facts);
	sink->facts[sink->fact_count++] = fact;
}

void sink_evidence(struct sink *sink, const struct evidence_packet *packet)
{
	evidence_batch_add(&sink->evidence, packet);
}

void sink_facts_whole(struct sink *sink, enum kind kind)
{
	sink->whole |= 1u << kind;
}

bool sink_is_marked(const struct sink *sink)
{
	return sink->marked;
}

struct fact sink_fact_at(const struct sink *sink, size_t index)
{
	const struct sink_fact *fact = &sink->facts[index];
	const char *texts = (const char *)sink->texts.data;

	return (struct fact){.kind = fact->kind,
		.why = fact->why,
		.name = texts + fact->name,
		.id = texts + fact->id,
		.key = texts + fact->key,
		.value = texts + fact->value};
}

void sink_begin(struct sink *sink)
{
	buffer_clear(&sink->texts);
	evidence_batch_clear(&sink->evidence);
	sink->fact_count = 0;
	sink->whole = 0;
	sink->nothing = NULL;
	sink->reading_count = 0;
	sink->event_count = 0;
	sink->changed = false;
}

void sink_fini(struct sink *sink)
{
	free(sink->subjects);
	free(sink->hashes);
	free(sink->readings);
	free(sink->events);
	free(sink->facts);
	buffer_fini(&sink->texts);
	evidence_batch_fini(&sink->evidence);
	*sink = (struct sink){0};
}
