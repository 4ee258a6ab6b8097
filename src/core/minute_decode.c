/* Bytes to a minute. Hostile ones end the reading, no more. */
#include "config.h"

#include "core/minute.h"

#include "core/minute_format.h"

#include <endian.h>
#include <string.h>

enum {
	MOST_SAMPLES = 1 << 24
};

static uint64_t take_varint(struct minute_input *in)
{
	uint64_t value = 0;

	for (unsigned shift = 0; shift < 49 && in->at < in->end; shift += 7) {
		uint8_t byte = *in->at++;

		value |= (uint64_t)(byte & 0x7f) << shift;
		if (byte < 0x80)
			return value;
	}
	in->bad = true;
	return 0;
}

static uint8_t take_byte(struct minute_input *in)
{
	if (in->at < in->end)
		return *in->at++;
	in->bad = true;
	return 0;
}

static void take_bytes(struct minute_input *in, void *to, size_t size)
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
static double checked(struct minute_input *in, double value)
{
	if (value >= 0 && value <= 1e300)
		return value;
	in->bad = true;
	return 0;
}

static double take_double(struct minute_input *in)
{
	uint64_t bits;
	double value;

	take_bytes(in, &bits, sizeof bits);
	bits = le64toh(bits);
	memcpy(&value, &bits, sizeof value);
	return checked(in, value);
}

static double take_float(struct minute_input *in)
{
	uint32_t bits;
	float value;

	take_bytes(in, &bits, sizeof bits);
	bits = le32toh(bits);
	memcpy(&value, &bits, sizeof value);
	return checked(in, (double)value);
}

static uint32_t take_count(struct minute_input *in, uint32_t most)
{
	uint64_t value = take_varint(in);

	if (value <= most)
		return (uint32_t)value;
	in->bad = true;
	return 0;
}

static void take_missing(struct minute_input *in, struct minute_cell *cell)
{
	uint32_t kinds = take_count(in, WHY_COUNT);

	while (kinds-- && !in->bad) {
		uint8_t why = take_byte(in);
		uint32_t count = take_count(in, MOST_SAMPLES);

		/* a reason of a newer version is at least no value */
		cell->missing[why < WHY_COUNT ? why : WHY_UNSUPPORTED] += count;
	}
}

static void take_buckets(struct minute_input *in, struct minute_cell *cell)
{
	uint32_t count = take_count(in, HISTOGRAM_BUCKETS);
	uint32_t bucket = 0;

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

static double take_short(struct minute_input *in)
{
	uint32_t bits = 0;
	float value;

	take_bytes(in, (uint8_t *)&bits + 1, 3);
	bits = le32toh(bits);
	memcpy(&value, &bits, sizeof value);
	return checked(in, (double)value);
}

static void take_loads(struct minute_input *in, struct minute_cell *cell)
{
	uint32_t head = take_count(in, 2 * LOAD_KEYS + 1);
	uint32_t count = head >> 1;
	double each = cell->samples ? cell->den / cell->samples : 0;

	for (uint32_t i = 0; i < count && !in->bad; i++) {
		struct load_sum *load = &cell->loads[i];

		load->key = take_byte(in);
		load->ticks = take_count(in, MOST_SAMPLES);
		load->num = take_short(in);
		load->den = head & 1 ? each * load->ticks : take_short(in);
		in->bad |= load->key >= LOAD_KEYS;
	}
	cell->load_count = count;
}

static void take_figure(
	struct minute_input *in, unsigned what, struct minute_cell *cell)
{
	cell->samples = take_count(in, MOST_SAMPLES);
	if (!(what & SAME_DEN))
		in->den = take_double(in);
	cell->den = in->den;
	if (what & ALL_ZERO)
		return;
	cell->num = what & WHOLE ? (double)take_varint(in) : take_double(in);
	cell->lowest = what & EXACT ? take_double(in) : take_float(in);
	cell->highest = what & EXACT ? take_double(in) : take_float(in);
}

static void take_cell(struct minute_input *in, struct minute_cell *cell)
{
	unsigned what = take_byte(in);

	if (cell->lacks)
		memset(cell->missing, 0, sizeof cell->missing);
	cell->lacks = what & HAS_MISSING;
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

void minute_reader_begin(struct minute_reader *reader, const uint8_t *data, size_t size)
{
	struct minute_input in = {.at = data, .end = data + size};

	in.bad = !size || take_byte(&in) != MINUTE_FORMAT;
	reader->input = in;
	reader->cell = (struct minute_cell){
		.buckets = reader->buckets, .loads = reader->loads};
	reader->repeats = 0;
	reader->number = 0;
	reader->begun = false;
}

/* The head of what follows: a cell of its own, or how often the last one comes again.
 */
static bool take_head(struct minute_input *in, struct minute_reader *reader)
{
	uint64_t head = take_varint(in), number = reader->number;

	if (head & 1) {
		reader->repeats = head >> 1;
		return !in->bad;
	}
	reader->number = number + (head >> 1) > UINT32_MAX
				 ? UINT32_MAX
				 : (uint32_t)(number + (head >> 1));
	take_cell(in, &reader->cell);
	return !in->bad;
}

bool minute_next(struct minute_reader *reader)
{
	struct minute_input in =
		reader->input; /* of its own: nothing else points to it */
	bool good = true;

	if (reader->begun && reader->number < UINT32_MAX)
		reader->number++;
	reader->begun = true;
	if (reader->repeats) {
		reader->repeats--;
		return true;
	}
	good = !in.bad && in.at < in.end && take_head(&in, reader);
	reader->input = in;
	return good;
}
