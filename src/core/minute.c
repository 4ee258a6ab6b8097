/* Summing up a minute; see the header. */
#include "config.h"

#include "core/minute.h"

#include "base/alloc.h"
#include "core/summary.h"

#include <stdlib.h>
#include <string.h>

void minute_fini(struct minute *minute)
{
	for (size_t i = 0; i < minute->room; i++) {
		free(minute->cells[i].buckets);
		free(minute->cells[i].loads);
	}
	free(minute->cells);
	*minute = (struct minute){.count = 0};
}

void minute_clear(struct minute *minute)
{
	for (size_t i = 0; i < minute->room; i++) {
		struct minute_cell *cell = &minute->cells[i];

		*cell = (struct minute_cell){.buckets = cell->buckets,
			.loads = cell->loads,
			.bucket_room = cell->bucket_room,
			.load_room = cell->load_room};
	}
	minute->seen = minute->swallowed = 0;
	minute->count = 0;
}

static void add_bucket(struct minute_cell *cell, unsigned bucket, uint32_t count)
{
	size_t at = cell->bucket_count;

	while (at && cell->buckets[at - 1].bucket > bucket)
		at--;
	if (at && cell->buckets[at - 1].bucket == bucket) {
		cell->buckets[at - 1].count += count;
		return;
	}
	xgrow(&cell->buckets, &cell->bucket_room, cell->bucket_count + 1,
		sizeof *cell->buckets);
	memmove(&cell->buckets[at + 1], &cell->buckets[at],
		(cell->bucket_count - at) * sizeof *cell->buckets);
	cell->buckets[at] = (struct bucket_count){count, (uint16_t)bucket};
	cell->bucket_count++;
}

static void add_load(struct minute_cell *cell, const struct value *value, unsigned key)
{
	size_t at = cell->load_count;

	while (at && cell->loads[at - 1].key > key)
		at--;
	if (!at || cell->loads[at - 1].key != key) {
		xgrow(&cell->loads, &cell->load_room, cell->load_count + 1,
			sizeof *cell->loads);
		memmove(&cell->loads[at + 1], &cell->loads[at],
			(cell->load_count - at) * sizeof *cell->loads);
		cell->loads[at++] = (struct load_sum){.key = (uint8_t)key};
		cell->load_count++;
	}
	cell->loads[at - 1].num += value->num;
	cell->loads[at - 1].den += value->den;
	cell->loads[at - 1].ticks++;
}

void minute_add(struct minute_cell *cell, const struct metric *metric,
	const struct value *value, int load_key)
{
	if (value->why != WHY_NONE) {
		if (value->why < WHY_COUNT)
			cell->missing[value->why]++;
		return;
	}
	if (!cell->samples || value_lowest(value) < cell->lowest)
		cell->lowest = value_lowest(value);
	if (!cell->samples || value_highest(value) > cell->highest)
		cell->highest = value_highest(value);
	cell->samples++;
	cell->num += value->num;
	cell->den += value->den;
	for (size_t i = 0; value->spread && i < value->spread->count; i++)
		add_bucket(cell, value->spread->buckets[i].bucket,
			value->spread->buckets[i].count);
	if (!value->spread && !metric_is_event(metric))
		add_bucket(cell, summary_bucket(metric, value->value),
			spread_weight(metric, value->den, 1));
	if (load_key >= 0)
		add_load(cell, value, (unsigned)load_key);
}
