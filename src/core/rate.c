/* Counter arithmetic; see the header. */
#include "config.h"

#include "core/rate.h"

/* No counter that weir reads can grow faster than this per second. */
static const double fastest = 1e15;

static struct value none(enum why why)
{
	return (struct value){.why = (uint8_t)why};
}

enum why rate_difference(
	enum raw_form form, uint64_t before, uint64_t after, uint64_t *difference)
{
	const uint64_t half = UINT64_C(1) << 31;

	if (after >= before) {
		*difference = after - before;
		return WHY_NONE;
	}
	if (form != RAW_COUNTER32 || before < half || before >= 2 * half ||
		after >= half)
		return WHY_RESET;
	*difference = 2 * half - before + after;
	return *difference < half ? WHY_NONE : WHY_RESET;
}

/* How much COUNTER moved between its samples, and in how many seconds. */
static enum why step(
	unsigned raw, const struct sample counter[2], double *moved, double *seconds)
{
	uint64_t difference;
	enum why why;

	if (!counter[0].stamp || counter[0].reading.why != WHY_NONE)
		return WHY_FIRST;
	if (counter[1].stamp == counter[0].stamp)
		return WHY_LATE;
	if (counter[1].stamp < counter[0].stamp)
		return WHY_GAP;
	why = rate_difference(raw_form(raw), counter[0].reading.raw,
		counter[1].reading.raw, &difference);
	if (why != WHY_NONE)
		return why;
	*moved = (double)difference;
	*seconds = (double)(counter[1].stamp - counter[0].stamp) / NSEC_PER_SEC;
	return *moved / *seconds > fastest ? WHY_RESET : WHY_NONE;
}

static struct value gauge(const struct metric *metric, const struct sample num[2])
{
	double value = metric->scale * (double)num[1].reading.raw;

	if (num[0].stamp && num[0].stamp == num[1].stamp)
		return none(WHY_LATE);
	return (struct value){.value = value, .num = value, .den = 1};
}

static struct value quotient(double num, double den)
{
	return (struct value){.value = num / den, .num = num, .den = den};
}

/* The reading of the newer side speaks first: late, off, denied, absent. */
static enum why missing(
	const struct metric *metric, const struct sample *num, const struct sample *den)
{
	if (num->reading.why != WHY_NONE)
		return (enum why)num->reading.why;
	if (metric_has_den(metric) && den->reading.why != WHY_NONE)
		return (enum why)den->reading.why;
	return num->stamp ? WHY_NONE : WHY_LATE;
}

bool rate_fits(uint64_t bytes, uint64_t packets)
{
	return bytes >> 20 <= packets;
}

struct value rate_step(const struct metric *metric, const struct sample num[2],
	const struct sample den[2], enum why broken)
{
	double moved, seconds, other, other_seconds;
	enum why why = missing(metric, &num[1], den ? &den[1] : NULL);

	if (why != WHY_NONE)
		return none(why);
	if (metric->form == METRIC_GAUGE)
		return gauge(metric, num);
	if (broken != WHY_NONE)
		return none(broken);
	why = step(metric->num, num, &moved, &seconds);
	if (why == WHY_NONE && metric_has_den(metric))
		why = step(metric->den, den, &other, &other_seconds);
	if (why != WHY_NONE)
		return none(why);
	if (metric->form == METRIC_RATE || metric->form == METRIC_QUEUE)
		return quotient(metric->scale * moved, seconds);
	if (metric->form == METRIC_SUM)
		return quotient(metric->scale * (moved + other), seconds);
	if (!(other > 0))
		return none(WHY_NO_COMPLETION);
	return quotient(metric->scale * moved, other);
}
