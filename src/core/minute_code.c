/* A minute as bytes and back (doc/schema.md, "Minutes"). Made to be read fast: a month
 * is forty thousand of them. Hostile bytes end the reading, no more. */
#include "config.h"

#include "core/minute.h"

#include "base/alloc.h"

#include <endian.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
	FORMAT = 1,
	/* what a cell holds, its first byte */
	HAS_FIGURE = 1,
	HAS_MISSING = 2,
	ALL_ZERO = 4, /* num, lowest and highest are 0, the histogram is one bucket 0 */
	SAME_DEN = 8, /* as the cell before that had a figure */
	HAS_BUCKETS = 16,
	HAS_LOADS = 32,
	EXACT = 64, /* extremes are doubles, not floats */

	MOST_SAMPLES = 1 << 24,
};

/* ---- to bytes ---- */

static void put_double(struct buffer *out, double value)
{
	uint64_t bits;

	memcpy(&bits, &value, sizeof bits);
	bits = htole64(bits);
	buffer_add(out, &bits, sizeof bits);
}

static void put_float(struct buffer *out, double value)
{
	float narrow = (float)value;
	uint32_t bits;

	memcpy(&bits, &narrow, sizeof bits);
	bits = htole32(bits);
	buffer_add(out, &bits, sizeof bits);
}

/* Whole numbers must come back as they were; of others seven digits will do. */
static bool fits_float(double value)
{
	return (double)(float)value == value || value != floor(value);
}

static void put_missing(const struct minute_cell *cell, struct buffer *out)
{
	unsigned kinds = 0;

	for (unsigned why = 0; why < WHY_COUNT; why++)
		kinds += cell->missing[why] > 0;
	buffer_varint(out, kinds);
	for (unsigned why = 0; why < WHY_COUNT; why++) {
		if (!cell->missing[why])
			continue;
		buffer_byte(out, (uint8_t)why);
		buffer_varint(out, cell->missing[why]);
	}
}

/* Step and count of a bucket share a byte where both are small; else a zero byte comes
 * first and two numbers follow. */
static void put_buckets(const struct minute_cell *cell, struct buffer *out)
{
	unsigned last = 0;

	buffer_varint(out, cell->bucket_count);
	for (size_t i = 0; i < cell->bucket_count; i++) {
		const struct bucket_count *bucket = &cell->buckets[i];
		unsigned step = bucket->bucket - last;

		if (step < 16 && bucket->count < 16) {
			buffer_byte(out, (uint8_t)(step << 4 | bucket->count));
		} else {
			buffer_byte(out, 0);
			buffer_varint(out, step);
			buffer_varint(out, bucket->count);
		}
		last = bucket->bucket;
	}
}

static void put_loads(const struct minute_cell *cell, struct buffer *out)
{
	buffer_varint(out, cell->load_count);
	for (size_t i = 0; i < cell->load_count; i++) {
		buffer_byte(out, cell->loads[i].key);
		buffer_varint(out, cell->loads[i].ticks);
		put_float(out, cell->loads[i].num);
		put_float(out, cell->loads[i].den);
	}
}

static unsigned holds(const struct minute_cell *cell, double last_den)
{
	unsigned what = 0;

	for (unsigned why = 0; why < WHY_COUNT; why++)
		if (cell->missing[why])
			what = HAS_MISSING;
	if (!cell->samples)
		return what;
	what |= HAS_FIGURE;
	if (cell->den == last_den)
		what |= SAME_DEN;
	if (cell->num == 0.0 && cell->lowest == 0.0 && cell->highest == 0.0)
		what |= ALL_ZERO;
	else if (cell->bucket_count)
		what |= HAS_BUCKETS;
	if (!fits_float(cell->lowest) || !fits_float(cell->highest))
		what |= EXACT;
	return what | (cell->load_count ? HAS_LOADS : 0);
}

static void put_cell(
	const struct minute_cell *cell, double *last_den, struct buffer *out)
{
	unsigned what = holds(cell, *last_den);
	void (*put)(struct buffer *, double) = what & EXACT ? put_double : put_float;

	buffer_byte(out, (uint8_t)what);
	if (what & HAS_FIGURE) {
		buffer_varint(out, cell->samples);
		if (!(what & SAME_DEN))
			put_double(out, cell->den);
		*last_den = cell->den;
	}
	if (what & HAS_FIGURE && !(what & ALL_ZERO)) {
		put_double(out, cell->num);
		put(out, cell->lowest);
		put(out, cell->highest);
	}
	if (what & HAS_MISSING)
		put_missing(cell, out);
	if (what & HAS_BUCKETS)
		put_buckets(cell, out);
	if (what & HAS_LOADS)
		put_loads(cell, out);
}

static bool says_something(const struct minute_cell *cell)
{
	return holds(cell, 0) != 0;
}

/* Bytes of the last cell written, to see whether the next one is the same. */
struct tail {
	size_t at, size;
	uint64_t repeats;
	double den;
};

static void put_repeats(struct tail *tail, struct buffer *out)
{
	if (tail->repeats)
		buffer_varint(out, (tail->repeats - 1) << 1 | 1);
	tail->repeats = 0;
}

static bool is_repeat(const struct minute_cell *cell, const struct tail *tail,
	struct buffer *scratch, const struct buffer *out)
{
	double den = tail->den;

	if (!tail->size)
		return false;
	buffer_clear(scratch);
	put_cell(cell, &den, scratch);
	return scratch->size == tail->size &&
	       !memcmp(scratch->data, out->data + tail->at, tail->size);
}

void minute_encode(
	const struct minute *minute, const uint32_t *numbers, struct buffer *out)
{
	struct buffer scratch = {0};
	struct tail tail = {.size = 0, .den = (double)NAN};
	size_t next = 0;

	buffer_byte(out, FORMAT);
	for (size_t i = 0; i < minute->count; i++) {
		const struct minute_cell *cell = &minute->cells[i];
		size_t number = numbers ? numbers[i] : i;

		if (!says_something(cell))
			continue;
		if (next == number && is_repeat(cell, &tail, &scratch, out)) {
			tail.repeats++;
			next = number + 1;
			continue;
		}
		put_repeats(&tail, out);
		buffer_varint(out, (number - next) << 1);
		tail.at = out->size;
		put_cell(cell, &tail.den, out);
		tail.size = out->size - tail.at;
		next = number + 1;
	}
	put_repeats(&tail, out);
	buffer_fini(&scratch);
}

/* ---- from bytes ---- */

struct input {
	const uint8_t *at, *end;
	bool bad;
	double den; /* of the last cell with a figure */
};

static uint64_t take_varint(struct input *in)
{
	uint64_t value = 0;

	for (unsigned shift = 0; shift < 35 && in->at < in->end; shift += 7) {
		uint8_t byte = *in->at++;

		value |= (uint64_t)(byte & 0x7f) << shift;
		if (byte < 0x80)
			return value;
	}
	in->bad = true;
	return 0;
}

static uint8_t take_byte(struct input *in)
{
	if (in->at < in->end)
		return *in->at++;
	in->bad = true;
	return 0;
}

static void take_bytes(struct input *in, void *to, size_t size)
{
	if ((size_t)(in->end - in->at) < size) {
		in->bad = true;
		memset(to, 0, size);
		return;
	}
	memcpy(to, in->at, size);
	in->at += size;
}

/* No figure of weir is negative, infinite or not a number. */
static double checked(struct input *in, double value)
{
	if (value >= 0 && value <= 1e300)
		return value;
	in->bad = true;
	return 0;
}

static double take_double(struct input *in)
{
	uint64_t bits;
	double value;

	take_bytes(in, &bits, sizeof bits);
	bits = le64toh(bits);
	memcpy(&value, &bits, sizeof value);
	return checked(in, value);
}

static double take_float(struct input *in)
{
	uint32_t bits;
	float value;

	take_bytes(in, &bits, sizeof bits);
	bits = le32toh(bits);
	memcpy(&value, &bits, sizeof value);
	return checked(in, (double)value);
}

static uint32_t take_count(struct input *in, uint32_t most)
{
	uint64_t value = take_varint(in);

	if (value <= most)
		return (uint32_t)value;
	in->bad = true;
	return 0;
}

static void take_missing(struct input *in, struct minute_cell *cell)
{
	uint32_t kinds = take_count(in, WHY_COUNT);

	while (kinds-- && !in->bad) {
		uint8_t why = take_byte(in);
		uint32_t count = take_count(in, MOST_SAMPLES);

		/* a reason of a newer version is at least no value */
		cell->missing[why < WHY_COUNT ? why : WHY_UNSUPPORTED] += count;
	}
}

static void take_buckets(struct input *in, struct minute_cell *cell)
{
	uint32_t count = take_count(in, HISTOGRAM_BUCKETS);
	uint32_t bucket = 0;

	xgrow(&cell->buckets, &cell->bucket_room, count, sizeof *cell->buckets);
	for (uint32_t i = 0; i < count && !in->bad; i++) {
		uint8_t byte = take_byte(in);
		uint32_t step = byte >> 4, hits = byte & 15;

		if (!byte) {
			step = take_count(in, HISTOGRAM_BUCKETS);
			hits = take_count(in, MOST_SAMPLES);
		}
		bucket += step;
		in->bad |= bucket >= HISTOGRAM_BUCKETS;
		cell->buckets[i] = (struct bucket_count){hits, (uint16_t)bucket};
	}
	cell->bucket_count = count;
}

static void take_loads(struct input *in, struct minute_cell *cell)
{
	uint32_t count = take_count(in, LOAD_KEYS);

	xgrow(&cell->loads, &cell->load_room, count, sizeof *cell->loads);
	for (uint32_t i = 0; i < count && !in->bad; i++) {
		struct load_sum *load = &cell->loads[i];

		load->key = take_byte(in);
		load->ticks = take_count(in, MOST_SAMPLES);
		load->num = take_float(in);
		load->den = take_float(in);
		in->bad |= load->key >= LOAD_KEYS;
	}
	cell->load_count = count;
}

static void take_figure(struct input *in, unsigned what, struct minute_cell *cell)
{
	cell->samples = take_count(in, MOST_SAMPLES);
	if (!(what & SAME_DEN))
		in->den = take_double(in);
	cell->den = in->den;
	if (what & ALL_ZERO)
		return;
	cell->num = take_double(in);
	cell->lowest = what & EXACT ? take_double(in) : take_float(in);
	cell->highest = what & EXACT ? take_double(in) : take_float(in);
}

static void take_cell(struct input *in, struct minute_cell *cell)
{
	unsigned what = take_byte(in);

	memset(cell->missing, 0, sizeof cell->missing);
	cell->samples = 0;
	cell->num = cell->den = cell->lowest = cell->highest = 0;
	cell->bucket_count = cell->load_count = 0;
	if (what & HAS_FIGURE)
		take_figure(in, what, cell);
	if (what & HAS_MISSING)
		take_missing(in, cell);
	if (what & HAS_BUCKETS)
		take_buckets(in, cell);
	if (what & HAS_LOADS)
		take_loads(in, cell);
}

bool minute_decode(const uint8_t *data, size_t size, size_t count,
	void (*take)(void *context, uint32_t number, const struct minute_cell *cell),
	void *context)
{
	struct input in = {.at = data, .end = data + size};
	struct minute_cell cell = {.samples = 0};
	uint64_t next = 0;

	in.bad = !size || take_byte(&in) != FORMAT;
	while (!in.bad && in.at < in.end && next < count) {
		uint64_t head = take_varint(&in);
		uint64_t repeats = head & 1 ? (head >> 1) + 1 : 1;

		if (!(head & 1)) {
			next += head >> 1;
			take_cell(&in, &cell);
		}
		for (; repeats && next < count && !in.bad; repeats--)
			take(context, (uint32_t)next++, &cell);
	}
	free(cell.buckets);
	free(cell.loads);
	return !in.bad;
}
