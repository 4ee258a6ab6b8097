/* Ticks by hand for tests; see the header. */
#include "config.h"

#include "feed.h"

#include "base/alloc.h"
#include "base/text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum {
	START_S = 1000 /* the monotonic clock is not at 0 when weir starts */
};

void feed_init(struct feed *feed, struct session *session)
{
	*feed = (struct feed){.session = session};
	feed->tick.interval = NSEC_PER_SEC;
	feed->tick.wall = INT64_C(1790000000) * NSEC_PER_SEC;
	feed->tick.mono = START_S * NSEC_PER_SEC;
	feed->tick.zone_minutes = 120;
	feed_run(feed);
}

void feed_fini(struct feed *feed)
{
	catalog_fini(&feed->catalog);
	tick_encoder_fini(&feed->encoder);
	tick_decoder_fini(&feed->decoder);
	buffer_fini(&feed->bytes);
	free(feed->readings);
	*feed = (struct feed){0};
}

void feed_run(struct feed *feed)
{
	catalog_fini(&feed->catalog);
	tick_encoder_fini(&feed->encoder);
	feed->tick.run++;
	feed->tick.gap = GAP_RUN;
	memset(feed->tick.stamps, 0, sizeof feed->tick.stamps);
}

uint32_t feed_subject(
	struct feed *feed, enum kind kind, const char *name, const char *id)
{
	struct subject subject = {.kind = kind};
	bool changed;

	(void)text_copy(subject.name, sizeof subject.name, name);
	(void)text_copy(subject.id, sizeof subject.id, id);
	return catalog_subject(&feed->catalog, &subject, &changed);
}

static void put(
	struct feed *feed, uint32_t subject, unsigned raw, struct reading reading)
{
	uint32_t at = catalog_series(
		&feed->catalog, (struct series){.subject = subject,
					.raw = (uint16_t)raw,
					.source = (uint8_t)raw_kind(raw)});

	xgrow(&feed->readings, &feed->reading_room, at + 1, sizeof *feed->readings);
	feed->readings[at] = reading;
}

void feed_set(struct feed *feed, uint32_t subject, unsigned raw, uint64_t value)
{
	put(feed, subject, raw, (struct reading){.raw = value});
}

void feed_none(struct feed *feed, uint32_t subject, unsigned raw, enum why why)
{
	put(feed, subject, raw, (struct reading){.why = (uint8_t)why});
}

void feed_tick(struct feed *feed, nsec step, unsigned late)
{
	struct fault fault = {0};
	bool have = false;

	feed->tick.at += step;
	feed->tick.mono += step;
	feed->tick.wall += step;
	for (unsigned i = 0; i < SOURCES_MAX; i++)
		if (!(late >> i & 1))
			feed->tick.stamps[i] = feed->tick.mono;
	feed->tick.catalog = &feed->catalog;
	feed->tick.readings = feed->readings;
	buffer_clear(&feed->bytes);
	feed->full = tick_encode(&feed->encoder, &feed->tick, false, &feed->bytes);
	assert_true(tick_decode(
		&feed->decoder, feed->bytes.data, feed->bytes.size, &have, &fault));
	assert_true(have);
	if (feed->session)
		session_put(feed->session, &feed->decoder);
	feed->tick.gap = GAP_NONE;
	feed->tick.extra = false;
}
