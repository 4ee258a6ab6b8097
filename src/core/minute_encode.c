/* A minute as bytes; see core/minute_format.h. Made to be read fast: a month is forty
 * thousand of them. */
#include "config.h"

#include "core/minute.h"

#include "core/minute_format.h"

#include <endian.h>
#include <math.h>
#include <string.h>

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

/* Most numerators are counts; seven bytes of variable length are shorter than a double.
 */
static bool is_whole(double value)
{
	return value >= 0 && value < (double)(INT64_C(1) << 49) &&
	       value == floor(value);
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

/* Three bytes of a float: five digits, and there are many of them. */
static void put_short(struct buffer *out, double value)
{
	float narrow = (float)value;
	uint32_t bits;

	memcpy(&bits, &narrow, sizeof bits);
	bits = htole32(bits + 0x80); /* rounded */
	buffer_add(out, (const uint8_t *)&bits + 1, 3);
}

/* Most denominators are time, and each tick has the same share of it. */
static bool is_even(const struct minute_cell *cell)
{
	for (size_t i = 0; i < cell->load_count; i++) {
		const struct load_sum *load = &cell->loads[i];
		double share = cell->den * load->ticks / cell->samples;

		if (fabs(load->den - share) > 1e-3 * share)
			return false;
	}
	return true;
}

static void put_loads(const struct minute_cell *cell, struct buffer *out)
{
	bool even = is_even(cell);

	buffer_varint(out, cell->load_count << 1 | even);
	for (size_t i = 0; i < cell->load_count; i++) {
		buffer_byte(out, cell->loads[i].key);
		buffer_varint(out, cell->loads[i].ticks);
		put_short(out, cell->loads[i].num);
		if (!even)
			put_short(out, cell->loads[i].den);
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
	if (!(what & ALL_ZERO) && is_whole(cell->num))
		what |= WHOLE;
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
		if (what & WHOLE)
			buffer_varint(out, (uint64_t)cell->num);
		else
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

	buffer_byte(out, MINUTE_FORMAT);
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
