/* Ticks to bytes: the encoder. The format is written down in doc/tick.md. */
#include "config.h"

#include "core/tick.h"

#include "base/alloc.h"
#include "core/tick_format.h"

#include <stdlib.h>
#include <string.h>

void tick_encoder_fini(struct tick_encoder *encoder)
{
	free(encoder->last);
	free(encoder->raws);
	*encoder = (struct tick_encoder){0};
}

static void put_text(struct buffer *out, const char *text)
{
	size_t size = strlen(text);

	buffer_varint(out, size);
	buffer_add(out, text, size);
}

static void put_subject(struct buffer *out, const struct subject *subject)
{
	buffer_byte(out, (uint8_t)subject->kind);
	buffer_varint(out, subject->flags);
	put_text(out, subject->name);
	put_text(out, subject->label);
	put_text(out, subject->id);
	put_text(out, subject->detail);
}

/* A raw reading by its number in this stream; the first time also by its id. */
static void put_raw(struct tick_encoder *encoder, struct buffer *out, uint16_t raw)
{
	size_t i = 0;

	while (i < encoder->raw_count && encoder->raws[i] != raw)
		i++;
	buffer_varint(out, i);
	if (i < encoder->raw_count)
		return;
	xgrow(&encoder->raws, &encoder->raw_room, i + 1, sizeof *encoder->raws);
	encoder->raws[i] = raw;
	encoder->raw_count++;
	put_text(out, raw_id(raw));
}

static void put_catalog(
	struct tick_encoder *encoder, const struct catalog *catalog, struct buffer *out)
{
	buffer_varint(out, catalog->subject_count - encoder->subjects_sent);
	for (; encoder->subjects_sent < catalog->subject_count;
		encoder->subjects_sent++)
		put_subject(out, &catalog->subjects[encoder->subjects_sent]);
	buffer_varint(out, catalog->series_count - encoder->series_sent);
	for (; encoder->series_sent < catalog->series_count; encoder->series_sent++) {
		const struct series *series = &catalog->series[encoder->series_sent];

		buffer_varint(out, series->subject);
		buffer_byte(out, series->source);
		put_raw(encoder, out, series->raw);
	}
}

/* Times as differences from what the reader expects: mostly a byte or two each. */
static void put_times(
	struct tick_encoder *encoder, const struct tick *tick, struct buffer *out)
{
	uint64_t step = (uint64_t)tick->at - (uint64_t)encoder->at;

	buffer_zigzag(out, (int64_t)(step - (uint64_t)tick->interval));
	buffer_zigzag(
		out, (int64_t)((uint64_t)tick->mono - (uint64_t)encoder->mono - step));
	buffer_zigzag(
		out, (int64_t)((uint64_t)tick->wall - (uint64_t)encoder->wall - step));
	encoder->at = tick->at;
	encoder->mono = tick->mono;
	encoder->wall = tick->wall;
}

static void put_stamps(
	struct tick_encoder *encoder, const struct tick *tick, struct buffer *out)
{
	uint64_t moved = 0;

	for (unsigned i = 0; i < SOURCES_MAX; i++)
		if (tick->stamps[i] != encoder->stamps[i])
			moved |= UINT64_C(1) << i;
	buffer_varint(out, moved);
	for (unsigned i = 0; i < SOURCES_MAX; i++)
		if (tick->stamps[i] != encoder->stamps[i])
			buffer_zigzag(out, (int64_t)((uint64_t)tick->stamps[i] -
						     (uint64_t)tick->mono));
	memcpy(encoder->stamps, tick->stamps, sizeof encoder->stamps);
}

static bool differs(const struct reading *a, const struct reading *b)
{
	return a->why != b->why || (a->why == WHY_NONE && a->raw != b->raw);
}

/* One reading of a run: the difference, or 0 and then the reason and, if there is
 * a figure, the figure whole. */
static void put_reading(
	struct buffer *out, struct reading *last, const struct reading *now)
{
	uint64_t difference = now->raw - last->raw;
	uint64_t zigzag = (difference << 1) ^ (0 - (difference >> 63));

	if (now->why == WHY_NONE && last->why == WHY_NONE && zigzag != UINT64_MAX) {
		buffer_varint(out, zigzag + 1);
	} else {
		buffer_byte(out, 0);
		buffer_byte(out, now->why);
		if (now->why == WHY_NONE)
			buffer_varint(out, now->raw);
	}
	*last = *now;
}

/* The end of the run of changes that begins at FROM. Up to two that did not change
 * are cheaper inside the run than the head of another run. */
static size_t run_end(const struct reading *last, const struct reading *now,
	size_t from, size_t count)
{
	size_t end = from + 1;

	for (size_t i = end; i < count && i < end + 3; i++)
		if (differs(&last[i], &now[i]))
			end = i + 1;
	return end;
}

static void put_readings(
	struct tick_encoder *encoder, const struct tick *tick, struct buffer *out)
{
	size_t count = tick->catalog->series_count;
	size_t at = 0, done = 0;

	xgrow(&encoder->last, &encoder->last_room, count, sizeof *encoder->last);
	while (at < count) {
		size_t end;

		if (!differs(&encoder->last[at], &tick->readings[at])) {
			at++;
			continue;
		}
		end = run_end(encoder->last, tick->readings, at, count);
		buffer_varint(out, end - at);
		buffer_varint(out, at - done);
		for (; at < end; at++)
			put_reading(out, &encoder->last[at], &tick->readings[at]);
		done = end;
	}
	buffer_byte(out, 0);
	encoder->last_count = count;
}

/* Everything the reader knows is taken back, so that reading can start here. */
static void forget(struct tick_encoder *encoder, const struct tick *tick)
{
	if (encoder->last_count)
		memset(encoder->last, 0, encoder->last_count * sizeof *encoder->last);
	memset(encoder->stamps, 0, sizeof encoder->stamps);
	encoder->raw_count = 0;
	encoder->subjects_sent = 0;
	encoder->series_sent = 0;
	encoder->at = 0;
	encoder->mono = 0;
	encoder->wall = 0;
	encoder->number = 0;
	encoder->full_at = tick->at;
	encoder->revision = tick->catalog->revision;
	encoder->started = true;
}

bool tick_encode(struct tick_encoder *encoder, const struct tick *tick, bool full,
	struct buffer *out)
{
	bool context;
	uint8_t flags;

	full = full || !encoder->started || tick->gap == GAP_RUN ||
	       encoder->revision != tick->catalog->revision ||
	       tick->at - encoder->full_at >= TICK_FULL_EVERY;
	if (full)
		forget(encoder, tick);
	else
		encoder->number = (uint8_t)((encoder->number + 1) & 0x7f);
	context = full || tick->interval != encoder->interval ||
		  tick->zone_minutes != encoder->zone_minutes;
	flags = (uint8_t)((full ? TICK_FULL : 0) | (tick->extra ? TICK_EXTRA : 0) |
			  (context ? TICK_CONTEXT : 0) |
			  ((unsigned)tick->gap << TICK_GAP_SHIFT));
	buffer_byte(out, TICK_FORMAT);
	buffer_byte(out, flags);
	buffer_byte(out, encoder->number);
	if (full)
		buffer_varint(out, tick->run);
	if (context) {
		buffer_varint(out, (uint64_t)tick->interval);
		buffer_zigzag(out, tick->zone_minutes);
	}
	encoder->interval = tick->interval;
	encoder->zone_minutes = tick->zone_minutes;
	put_times(encoder, tick, out);
	put_stamps(encoder, tick, out);
	put_catalog(encoder, tick->catalog, out);
	put_readings(encoder, tick, out);
	return full;
}
