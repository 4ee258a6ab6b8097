/* Stretches above a level; see the header. */
#include "config.h"

#include "core/stretch.h"

#include "base/alloc.h"

#include <stdbool.h>
#include <stdlib.h>

void stretches_fini(struct stretches *s)
{
	free(s->open);
	*s = (struct stretches){.ticks = 0};
}

/* Ends what lies above BUCKET; returns since when the figure was not below it. */
static uint32_t close_above(struct stretches *s, unsigned bucket)
{
	uint32_t since = s->ticks;

	while (s->open_count && s->open[s->open_count - 1].bucket > bucket) {
		const struct stretch_level *level = &s->open[--s->open_count];
		uint32_t length = s->ticks - level->since;

		since = level->since;
		if (s->longest[level->bucket] < length)
			s->longest[level->bucket] = length;
	}
	return since;
}

void stretches_add(struct stretches *s, unsigned bucket)
{
	uint32_t since = close_above(s, bucket);

	if (bucket > s->last) {
		s->climbed[s->last + 1]++;
		s->climbed[bucket + 1]--;
	}
	if (bucket && (!s->open_count || s->open[s->open_count - 1].bucket < bucket)) {
		xgrow(&s->open, &s->open_room, s->open_count + 1, sizeof *s->open);
		s->open[s->open_count++] = (struct stretch_level){bucket, since};
	}
	s->last = bucket;
	s->ticks++;
}

void stretches_break(struct stretches *s)
{
	(void)close_above(s, 0);
	s->last = 0;
}

uint32_t stretches_above(const struct stretches *s, double value, uint32_t *longest)
{
	int32_t count = 0, found = 0;
	uint32_t most = 0;
	bool above = false;

	for (unsigned k = 0; k < HISTOGRAM_BUCKETS; k++) {
		count += s->climbed[k];
		if (!(histogram_low(k) > value))
			continue;
		if (!above)
			found = count;
		above = true;
		if (s->longest[k] > most)
			most = s->longest[k];
	}
	for (size_t i = 0; i < s->open_count; i++) {
		uint32_t length = s->ticks - s->open[i].since;

		if (histogram_low(s->open[i].bucket) > value && length > most)
			most = length;
	}
	*longest = most;
	return (uint32_t)found;
}
