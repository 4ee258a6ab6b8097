/* All sources together; see the header. */
#include "config.h"

#include "app/collector.h"

#include "app/absence.h"
#include "app/feed.h"
#include "base/alloc.h"
#include "base/text.h"
#include "source/guard.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	EVENTS_MAX = 64 /* of one tick; more are only counted */
};

struct collector {
	struct feed feeds[SOURCES_MAX];
	bool fresh[SOURCES_MAX]; /* answered for this tick */
	struct absence absences[SOURCES_MAX];
	size_t count;
	struct catalog catalog;
	struct reading *readings;
	size_t reading_room;
	char events[EVENTS_MAX][240];
	size_t event_count;
	uint64_t left_out; /* of this tick: more than EVENTS_MAX */
};

struct collector *collector_new(
	const struct source *const *list, const struct source_env *env)
{
	struct collector *collector = xalloc(sizeof *collector);

	for (; list[collector->count] && collector->count < SOURCES_MAX;
		collector->count++)
		feed_start(&collector->feeds[collector->count], list[collector->count],
			(unsigned)collector->count, env);
	return collector;
}

void collector_free(struct collector *collector)
{
	bool left_behind = false;

	if (!collector)
		return;
	for (size_t i = 0; i < collector->count; i++) {
		feed_end(&collector->feeds[i]);
		left_behind |= collector->feeds[i].threaded;
	}
	catalog_fini(&collector->catalog);
	free(collector->readings);
	if (!left_behind) /* else its thread still looks at it */
		free(collector);
}

static void keep_events(struct collector *collector, const struct sink *sink)
{
	for (size_t i = 0; i < sink->event_count; i++) {
		if (collector->event_count < EVENTS_MAX)
			(void)text_copy(collector->events[collector->event_count++],
				sizeof *collector->events, sink->events[i]);
		else
			collector->left_out++;
	}
}

/* Asks what blocks first, so that it works while the others are read. */
static void ask_all(struct collector *collector, const struct tick *tick)
{
	for (int blocking = 1; blocking >= 0; blocking--)
		for (size_t i = 0; i < collector->count; i++)
			if (collector->feeds[i].source->may_block == (blocking != 0))
				feed_ask(&collector->feeds[i], tick->at, tick->extra);
}

static bool merge_all(struct collector *collector, nsec deadline)
{
	bool changed = false;

	collector->event_count = 0;
	collector->left_out = 0;
	for (size_t i = 0; i < collector->count; i++) {
		struct feed *feed = &collector->feeds[i];

		collector->fresh[i] = feed_wait(feed, deadline);
		if (!collector->fresh[i])
			continue;
		feed_merge(feed, &collector->catalog, &changed);
		keep_events(collector, &feed->sink);
	}
	return changed;
}

/* What a source did not say is not there; what it had no time to say is late. */
static void fill(struct collector *collector, struct tick *tick)
{
	const struct catalog *catalog = &collector->catalog;

	xgrow(&collector->readings, &collector->reading_room, catalog->series_count,
		sizeof *collector->readings);
	for (size_t i = 0; i < catalog->series_count; i++)
		collector->readings[i] = (struct reading){
			.why = collector->fresh[catalog->series[i].source] ? WHY_ABSENT
									   : WHY_LATE};
	for (size_t i = 0; i < collector->count; i++) {
		if (!collector->fresh[i])
			continue;
		feed_fill(&collector->feeds[i], collector->readings);
		/* a stamp of no readings would only make the tick longer */
		if (collector->feeds[i].sink.reading_count)
			tick->stamps[i] = collector->feeds[i].stamp;
	}
	tick->catalog = catalog;
	tick->readings = collector->readings;
}

bool collector_read(struct collector *collector, nsec deadline, struct tick *tick)
{
	bool changed;

	ask_all(collector, tick);
	changed = merge_all(collector, deadline);
	fill(collector, tick);
	return changed;
}

const char *collector_event(struct collector *collector, size_t number)
{
	return number < collector->event_count ? collector->events[number] : NULL;
}

uint64_t collector_left_out(const struct collector *collector)
{
	return collector->left_out;
}

static void take_facts(const struct feed *feed, struct facts *facts)
{
	for (size_t i = 0; i < feed->sink.fact_count; i++) {
		struct fact fact = sink_fact_at(&feed->sink, i);

		fact.at = feed->at;
		(void)facts_put(facts, &fact); /* mostly nothing new */
	}
}

/* What is not there since AT. */
struct going {
	struct facts *facts;
	nsec at;
};

static void take_gone(void *context, const struct fact *fact)
{
	const struct going *going = context;
	struct fact gone = *fact;

	gone.at = going->at;
	(void)facts_put(going->facts, &gone); /* new: it was there */
}

void collector_facts(const struct collector *collector, struct facts *facts)
{
	for (size_t i = 0; i < collector->count; i++) {
		const struct feed *feed = &collector->feeds[i];
		struct going going = {facts, feed->at};

		if (!collector->fresh[i] || !feed->sink.whole)
			continue;
		facts_round(facts);
		take_facts(feed, facts);
		for (unsigned kind = 0; kind < KIND_COUNT; kind++)
			if (feed->sink.whole & 1u << kind)
				facts_gone(facts, kind, take_gone, &going);
	}
}

void collector_absences(
	struct collector *collector, const struct tick *tick, struct facts *facts)
{
	for (size_t i = 0; i < collector->count; i++)
		absence_follow(&collector->absences[i], &collector->feeds[i],
			collector->fresh[i], tick, facts);
}

void collector_evidence(const struct collector *collector,
	void (*take)(void *context, const struct evidence_batch *batch), void *context)
{
	for (size_t i = 0; i < collector->count; i++)
		if (collector->fresh[i] && collector->feeds[i].sink.evidence.count)
			take(context, &collector->feeds[i].sink.evidence);
}

/* "" if it is well. */
static void describe(
	const struct feed *feed, bool fresh, nsec mono, char *text, size_t size)
{
	nsec age = feed_age(feed, mono);

	text[0] = 0;
	if (age > NSEC_PER_SEC)
		(void)text_format(text, size, "%s late %llds", feed->source->name,
			(long long)(age / NSEC_PER_SEC));
	else if (age > 0)
		return; /* at work: what it says is its own until it is done */
	else if (!feed->open || !fresh)
		(void)text_format(text, size, "%s: %s", feed->source->name,
			feed->fault.text[0] ? feed->fault.text : "not read yet");
}

void collector_trouble(
	const struct collector *collector, nsec mono, char *text, size_t size)
{
	size_t used;

	guard_trouble(text, size);
	used = strlen(text);
	for (size_t i = 0; i < collector->count; i++) {
		char one[256];

		describe(&collector->feeds[i], collector->fresh[i], mono, one,
			sizeof one);
		if (!one[0] || used + 4 >= size)
			continue;
		(void)text_format(text + used, size - used, "%s%s", used ? "; " : "",
			one); /* a cut list is still a list */
		used = strlen(text);
	}
}

bool collector_source(
	const struct collector *collector, size_t number, struct collector_source *one)
{
	const struct feed *feed;

	if (number >= collector->count)
		return false;
	feed = &collector->feeds[number];
	*one = (struct collector_source){.source = feed->source,
		.open = feed->open,
		.none = feed->sink.nothing ? feed->sink.nothing : feed->source->none,
		.readings = collector->fresh[number] ? feed->sink.reading_count : 0};
	describe(feed, collector->fresh[number], feed->sink.stamp, one->trouble,
		sizeof one->trouble);
	return true;
}
