/* What is kept of one metric over one window; see the header. */
#include "config.h"

#include "core/summary.h"

#include "base/alloc.h"

#include <stdlib.h>

struct summary *summary_new(const struct metric *metric, uint64_t ticks)
{
	struct summary *summary = xalloc(sizeof *summary);

	summary->batches.slots.length = summary->load.slots.length = ticks;
	if (summary_has_load(metric)) {
		summary->tail = xalloc(sizeof *summary->tail);
		summary->tail->slots.length = ticks;
	}
	if (metric->form == METRIC_QUEUE &&
		ticks == 1) /* no order is left in minutes */
		summary->stretches = xalloc(sizeof *summary->stretches);
	return summary;
}

void summary_free(struct summary *summary)
{
	if (!summary)
		return;
	load_batches_fini(&summary->load);
	if (summary->tail)
		quantile_batches_fini(summary->tail);
	if (summary->stretches)
		stretches_fini(summary->stretches);
	free(summary->stretches);
	free(summary->tail);
	daily_free(summary->daily);
	free(summary);
}

bool summary_has_load(const struct metric *metric)
{
	return metric->load && metric->better == BETTER_LOWER &&
	       metric->unit != UNIT_PER_S && !metric_is_apart(metric) &&
	       !metric_is_detail(metric);
}

double summary_step(const struct metric *metric)
{
	static const double steps[] = {
		[UNIT_COUNT] = 1e-3,
		[UNIT_PER_S] = 1e-3,
		[UNIT_BYTES_S] = 1,
		[UNIT_BITS_S] = 1,
		[UNIT_SECONDS] = 1e-6,
		[UNIT_SHARE] = 1e-3,
		[UNIT_BYTES] = 1,
	};

	return steps[metric->unit];
}

static uint64_t units(const struct metric *metric, double value)
{
	double scaled = value / summary_step(metric) + 0.5;

	if (!(scaled > 0))
		return 0;
	return scaled < 0x1p63 ? (uint64_t)scaled : UINT64_C(1) << 63;
}

unsigned summary_bucket(const struct metric *metric, double value)
{
	return histogram_index(units(metric, value));
}

double value_lowest(const struct value *value)
{
	return value->spread ? value->spread->lowest : value->value;
}

double value_highest(const struct value *value)
{
	return value->spread ? value->spread->highest : value->value;
}

void summary_put(
	struct summary *summary, const struct bucket_count *buckets, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		summary->histogram.count[buckets[i].bucket] += buckets[i].count;
		summary->histogram.total += buckets[i].count;
	}
}

void summary_add(
	struct summary *summary, const struct metric *metric, const struct value *value)
{
	if (value->why != WHY_NONE) {
		if (value->why < WHY_COUNT)
			summary->missing[value->why]++;
		return;
	}
	if (!summary->samples || value_lowest(value) < summary->lowest)
		summary->lowest = value_lowest(value);
	if (!summary->samples || value_highest(value) > summary->highest)
		summary->highest = value_highest(value);
	summary->samples++;
	summary->num += value->num;
	summary->den += value->den;
	if (value->spread)
		summary_put(summary, value->spread->buckets, value->spread->count);
	else
		summary_put(summary,
			&(struct bucket_count){spread_weight(metric, value->den, 1),
				(uint16_t)summary_bucket(metric, value->value)},
			1);
}

void summary_merge(struct summary *summary, const struct summary *from)
{
	for (unsigned why = 0; why < WHY_COUNT; why++)
		summary->missing[why] += from->missing[why];
	if (!from->samples)
		return;
	if (!summary->samples || from->lowest < summary->lowest)
		summary->lowest = from->lowest;
	if (!summary->samples || from->highest > summary->highest)
		summary->highest = from->highest;
	summary->samples += from->samples;
	summary->num += from->num;
	summary->den += from->den;
	for (unsigned i = 0; i < HISTOGRAM_BUCKETS; i++)
		summary->histogram.count[i] += from->histogram.count[i];
	summary->histogram.total += from->histogram.total;
}

void summary_pass(struct summary *summary, uint64_t ticks)
{
	batches_pass(&summary->batches, ticks);
	if (summary->stretches && ticks)
		stretches_break(summary->stretches);
	if (summary->daily)
		daily_pass(summary->daily, ticks);
	if (!summary->tail)
		return;
	load_pass(&summary->load, ticks);
	quantile_pass(summary->tail, ticks);
}

bool summary_mean(const struct summary *summary, double *mean)
{
	if (!summary->samples || !(summary->den > 0))
		return false;
	*mean = summary->num / summary->den;
	return true;
}

/* The true extremes are known: a bucket's edge beyond them is not a figure. */
bool summary_quantile(const struct summary *summary, const struct metric *metric,
	double p, double *value)
{
	double found;

	if (!summary->histogram.total)
		return false;
	found = histogram_quantile(&summary->histogram, p) * summary_step(metric);
	if (spread_applies(metric))
		found = spread_round(found);
	if (found < summary->lowest)
		found = summary->lowest;
	if (found > summary->highest)
		found = summary->highest;
	*value = found;
	return true;
}
