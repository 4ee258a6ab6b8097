/* Bytes to ticks: the decoder. It is fed by files and sockets that may hold
 * anything: every length is checked, every allocation is bounded by the bytes
 * that are there and by the limits of tick_format.h. */
#include "config.h"

#include "core/tick.h"

#include "base/alloc.h"
#include "base/text.h"
#include "core/tick_format.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* What is left to read. After the first failure everything else fails too. */
struct input {
	const uint8_t *at, *end;
	const char *bad; /* null while all is well */
};

/* Clocks that start at 0 stay below 36 years, the wall clock below the year 2116:
 * their differences do not overflow. */
#define CLOCK_LIMIT (INT64_C(1) << 60)
#define WALL_LIMIT  (INT64_C(1) << 62)

static void fail(struct input *in, const char *why)
{
	if (!in->bad)
		in->bad = why;
	in->at = in->end;
}

static uint8_t take_byte(struct input *in)
{
	if (in->at == in->end) {
		fail(in, "it is cut off");
		return 0;
	}
	return *in->at++;
}

static uint64_t take_long_varint(struct input *in)
{
	uint64_t value = 0;

	for (unsigned shift = 0; shift < 64; shift += 7) {
		uint8_t byte = take_byte(in);

		if (shift == 63 && byte > 1)
			break;
		value |= (uint64_t)(byte & 0x7f) << shift;
		if (!(byte & 0x80))
			return value;
	}
	fail(in, "a number is too long");
	return 0;
}

static inline uint64_t take_varint(struct input *in)
{
	if (in->at < in->end && *in->at < 0x80)
		return *in->at++;
	return take_long_varint(in);
}

/* The difference as an unsigned number: sums wrap as the encoder's did. */
static uint64_t unzigzag(uint64_t value)
{
	return (value >> 1) ^ (0 - (value & 1));
}

static uint64_t take_zigzag(struct input *in)
{
	return unzigzag(take_varint(in));
}

static nsec take_time(struct input *in, uint64_t expected, nsec limit)
{
	nsec time = (nsec)(expected + take_zigzag(in));

	if (time > limit || time < -limit) {
		fail(in, "a time is out of range");
		return 0;
	}
	return time;
}

static void take_text(struct input *in, char *text, size_t size)
{
	char raw[256];
	uint64_t length = take_varint(in);

	text[0] = 0;
	if (length >= size || length >= sizeof raw) {
		fail(in, "a text is too long");
		return;
	}
	if (length > (uint64_t)(in->end - in->at)) {
		fail(in, "it is cut off");
		return;
	}
	if (memchr(in->at, 0, length)) {
		fail(in, "a text holds a zero byte");
		return;
	}
	memcpy(raw, in->at, length);
	raw[length] = 0;
	in->at += length;
	(void)text_clean(text, size, raw); /* never longer than RAW, so it fits */
}

static void take_subject(struct input *in, struct catalog *catalog)
{
	struct subject subject = {0};
	uint8_t kind = take_byte(in);
	uint64_t flags = take_varint(in);

	if (kind >= KIND_COUNT || flags > UINT16_MAX)
		fail(in, "a subject of an unknown kind");
	subject.kind = (enum kind)(kind < KIND_COUNT ? kind : 0);
	subject.flags = (unsigned)(flags & UINT16_MAX);
	take_text(in, subject.name, sizeof subject.name);
	take_text(in, subject.label, sizeof subject.label);
	take_text(in, subject.id, sizeof subject.id);
	take_text(in, subject.detail, sizeof subject.detail);
	if (catalog->subject_count >= TICK_SUBJECTS)
		fail(in, "too many subjects");
	if (in->bad)
		return;
	xgrow(&catalog->subjects, &catalog->subject_room, catalog->subject_count + 1,
		sizeof *catalog->subjects);
	catalog->subjects[catalog->subject_count++] = subject;
}

/* A raw reading by the number of the other side; the first time with its id.
 * Returns the number here, or -1 if this version does not know it. */
static int32_t take_raw(struct tick_decoder *decoder, struct input *in)
{
	uint64_t number = take_varint(in);
	char id[TICK_RAW_ID];

	if (number < decoder->raw_count)
		return decoder->raws[number];
	if (number > decoder->raw_count || number >= TICK_RAWS)
		fail(in, "a reading without a name");
	take_text(in, id, sizeof id);
	if (in->bad)
		return -1;
	xgrow(&decoder->raws, &decoder->raw_room, number + 1, sizeof *decoder->raws);
	decoder->raw_count++;
	return decoder->raws[number] = (int32_t)raw_find(id);
}

/* Where the other side's next series is kept here: nowhere, if it is unknown. */
static int32_t place(struct tick_decoder *decoder, struct series series)
{
	struct catalog *catalog = &decoder->catalog;

	xgrow(&catalog->series, &catalog->series_room, catalog->series_count + 1,
		sizeof *catalog->series);
	xgrow(&decoder->tick.readings, &decoder->readings_room,
		catalog->series_count + 1, sizeof *decoder->tick.readings);
	catalog->series[catalog->series_count] = series;
	decoder->tick.readings[catalog->series_count] = (struct reading){0};
	return (int32_t)catalog->series_count++;
}

static void take_series(struct tick_decoder *decoder, struct input *in)
{
	uint64_t subject = take_varint(in);
	uint8_t source = take_byte(in);
	int32_t raw = take_raw(decoder, in);

	if (subject >= decoder->catalog.subject_count || source >= SOURCES_MAX)
		fail(in, "a series of nothing");
	if (decoder->place_count >= TICK_SERIES)
		fail(in, "too many series");
	if (in->bad)
		return;
	xgrow(&decoder->places, &decoder->place_room, decoder->place_count + 1,
		sizeof *decoder->places);
	decoder->places[decoder->place_count++] =
		raw < 0 ? -1
			: place(decoder, (struct series){.subject = (uint32_t)subject,
						 .raw = (uint16_t)raw,
						 .source = source});
}

static void take_catalog(struct tick_decoder *decoder, struct input *in)
{
	uint64_t count = take_varint(in);

	while (count-- && !in->bad)
		take_subject(in, &decoder->catalog);
	if (in->bad)
		return;
	count = take_varint(in);
	while (count-- && !in->bad)
		take_series(decoder, in);
}

static void take_why(struct input *in, struct reading *reading)
{
	static const bool allowed[WHY_COUNT] = {
		[WHY_NONE] = true,
		[WHY_LATE] = true,
		[WHY_OFF] = true,
		[WHY_UNSUPPORTED] = true,
		[WHY_DENIED] = true,
		[WHY_ABSENT] = true,
	};
	uint8_t why = take_byte(in);

	if (why >= WHY_COUNT || !allowed[why]) {
		fail(in, "an unknown reason");
		return;
	}
	reading->why = why;
	if (why == WHY_NONE)
		reading->raw = take_varint(in);
}

static inline void take_reading(struct input *in, struct reading *reading)
{
	uint64_t value = take_varint(in);

	if (!value)
		take_why(in, reading);
	else
		reading->raw += unzigzag(value - 1);
}

/* Runs of changed readings, ended by one without any; nothing may follow it. */
static void take_readings(struct tick_decoder *decoder, struct input *in)
{
	struct reading ignored = {0};
	uint64_t run;
	size_t at = 0;

	while ((run = take_varint(in))) {
		uint64_t skip = take_varint(in);

		if (skip > decoder->place_count - at ||
			run > decoder->place_count - at - skip) {
			fail(in, "a reading of nothing");
			return;
		}
		for (at += skip; run; run--, at++) {
			int32_t here = decoder->places[at];

			take_reading(in,
				here < 0 ? &ignored : &decoder->tick.readings[here]);
		}
	}
	if (in->at != in->end)
		fail(in, "something follows it");
}

static void take_times(struct tick *tick, struct input *in)
{
	uint64_t before = (uint64_t)tick->at;
	uint64_t step;

	tick->at = take_time(in, before + (uint64_t)tick->interval, CLOCK_LIMIT);
	step = (uint64_t)tick->at - before;
	tick->mono = take_time(in, (uint64_t)tick->mono + step, CLOCK_LIMIT);
	tick->wall = take_time(in, (uint64_t)tick->wall + step, WALL_LIMIT);
}

static void take_stamps(struct tick *tick, struct input *in)
{
	uint64_t moved = take_varint(in);

	if (moved >> SOURCES_MAX)
		fail(in, "an unknown source");
	for (unsigned i = 0; i < SOURCES_MAX; i++)
		if (moved >> i & 1)
			tick->stamps[i] =
				take_time(in, (uint64_t)tick->mono, CLOCK_LIMIT);
}

static void take_context(struct tick *tick, struct input *in)
{
	uint64_t interval = take_varint(in);
	int64_t zone = (int64_t)take_zigzag(in);

	if (!interval || interval > (uint64_t)(86400 * NSEC_PER_SEC))
		fail(in, "the interval is out of range");
	if (zone < -1440 || zone > 1440)
		fail(in, "the zone is out of range");
	if (in->bad)
		return;
	tick->interval = (nsec)interval;
	tick->zone_minutes = (int)zone;
}

static void begin_full(struct tick_decoder *decoder, struct input *in)
{
	static atomic_uint generations;
	struct tick *tick = &decoder->tick;
	uint64_t run = take_varint(in);

	if (!run || run > UINT32_MAX)
		fail(in, "the run has no number");
	decoder->catalog.subject_count = 0;
	decoder->catalog.series_count = 0;
	decoder->raw_count = 0;
	decoder->place_count = 0;
	decoder->generation = atomic_fetch_add(&generations, 1) + 1;
	*tick = (struct tick){.run = (uint32_t)run, .readings = tick->readings};
}

static void take_tick(struct tick_decoder *decoder, struct input *in, uint8_t flags)
{
	struct tick *tick = &decoder->tick;

	if (flags & TICK_FULL)
		begin_full(decoder, in);
	if ((flags & TICK_FULL) && !(flags & TICK_CONTEXT))
		fail(in, "a full tick without an interval");
	if (flags & TICK_CONTEXT)
		take_context(tick, in);
	tick->extra = flags & TICK_EXTRA;
	tick->gap = (enum tick_gap)(flags >> TICK_GAP_SHIFT & TICK_GAP_MASK);
	take_times(tick, in);
	take_stamps(tick, in);
	take_catalog(decoder, in);
	if (!in->bad)
		take_readings(decoder, in);
	tick->catalog = &decoder->catalog;
}

bool tick_decode(struct tick_decoder *decoder, const uint8_t *data, size_t size,
	bool *have, struct fault *fault)
{
	/* a tick without bytes comes out of a damaged file as null */
	struct input in = {.at = data, .end = size ? data + size : data};
	uint8_t format = take_byte(&in);
	uint8_t flags = take_byte(&in);
	uint8_t number = take_byte(&in);

	*have = false;
	if (!in.bad && format != TICK_FORMAT)
		fail(&in, "it has the format of another version");
	else if (flags & ~TICK_KNOWN_FLAGS)
		fail(&in, "it has unknown flags");
	else if (!in.bad && !(flags & TICK_FULL) && !decoder->started)
		return true;
	else if (number != (flags & TICK_FULL ? 0 : (decoder->number + 1) % 128))
		fail(&in, "the one before it is missing");
	decoder->number = number;
	if (!in.bad)
		take_tick(decoder, &in, flags);
	decoder->started = !in.bad;
	if (in.bad)
		return fault_set(fault, "damaged tick: %s", in.bad);
	*have = true;
	return true;
}

void tick_decoder_fini(struct tick_decoder *decoder)
{
	catalog_fini(&decoder->catalog);
	free(decoder->tick.readings);
	free(decoder->raws);
	free(decoder->places);
	*decoder = (struct tick_decoder){0};
}
