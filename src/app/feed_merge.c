/* A sink's readings into the run's catalog; see feed.h. */
#include "config.h"

#include "app/feed.h"

#include "base/alloc.h"

static void map_subjects(struct feed *feed, struct catalog *catalog, bool *changed)
{
	const struct sink *sink = &feed->sink;

	if (!sink->changed && feed->subject_count == sink->subject_count)
		return;
	xgrow(&feed->subjects, &feed->subject_room, sink->subject_count,
		sizeof *feed->subjects);
	for (size_t i = 0; i < sink->subject_count; i++) {
		bool moved = false;

		feed->subjects[i] =
			catalog_subject(catalog, &sink->subjects[i], &moved);
		*changed |= moved;
	}
	/* a handle may stand for another subject now */
	for (size_t i = 0; i < feed->slot_room; i++)
		feed->slots[i].known = false;
	feed->subject_count = sink->subject_count;
}

void feed_merge(struct feed *feed, struct catalog *catalog, bool *changed)
{
	const struct sink *sink = &feed->sink;

	map_subjects(feed, catalog, changed);
	xgrow(&feed->slots, &feed->slot_room, sink->reading_count, sizeof *feed->slots);
	for (size_t i = 0; i < sink->reading_count; i++) {
		const struct sink_reading *reading = &sink->readings[i];
		struct feed_slot *slot = &feed->slots[i];

		if (slot->known && slot->subject == reading->subject &&
			slot->raw == reading->raw)
			continue;
		*slot = (struct feed_slot){.subject = reading->subject,
			.raw = reading->raw,
			.known = true};
		slot->series = catalog_series(catalog,
			(struct series){.subject = feed->subjects[reading->subject],
				.raw = reading->raw,
				.source = (uint8_t)feed->number});
	}
}

void feed_fill(const struct feed *feed, struct reading *readings)
{
	const struct sink *sink = &feed->sink;

	for (size_t i = 0; i < sink->reading_count; i++)
		readings[feed->slots[i].series] = (struct reading){
			.raw = sink->readings[i].value, .why = sink->readings[i].why};
}
