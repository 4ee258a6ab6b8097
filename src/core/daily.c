/* Hours and days of long windows; see the header. */
#include "config.h"

#include "core/daily.h"

#include "base/alloc.h"
#include "core/summary.h"

#include <stdlib.h>

enum {
	HOURS = 24,
	MINUTES = 24 * 60, /* of a day */
	APART = 4          /* hours from which on they matter */
};

#define HOUR (3600 * NSEC_PER_SEC)

bool daily_applies(const struct metric *metric)
{
	return !summary_has_load(metric) && !metric_is_event(metric) &&
	       !metric_is_apart(metric) && !metric_is_detail(metric) &&
	       !metric_is_state(metric);
}

struct daily *daily_new(uint64_t ticks)
{
	struct daily *daily = xalloc(sizeof *daily);

	daily->hours.slots.length = ticks;
	return daily;
}

void daily_free(struct daily *daily)
{
	if (daily)
		load_batches_fini(&daily->hours);
	free(daily);
}

unsigned daily_hour(nsec wall)
{
	nsec hour = wall / HOUR % HOURS;

	return (unsigned)(hour < 0 ? hour + HOURS : hour);
}

static void put_hour(struct daily *daily, unsigned next)
{
	load_put(&daily->hours, &daily->now, daily->now.ticks > 0);
	daily->now = (struct load_sum){.key = (uint8_t)next};
}

void daily_put(struct daily *daily, int64_t minute, const struct load_sum *hour)
{
	if (hour->key != daily->now.key)
		put_hour(daily, hour->key);
	daily->now.num += hour->num;
	daily->now.den += hour->den;
	daily->now.ticks += hour->ticks;
	if (minute < 0 || minute / MINUTES >= DAILY_DAYS)
		return;
	daily->num[minute / MINUTES] += hour->num;
	daily->den[minute / MINUTES] += hour->den;
}

void daily_pass(struct daily *daily, uint64_t ticks)
{
	put_hour(daily, daily->now.key);
	load_pass(&daily->hours, ticks);
}

size_t daily_means(const struct daily *daily, double seconds, double means[DAILY_DAYS])
{
	double whole = seconds / (MINUTES * 60);
	size_t days = whole < DAILY_DAYS ? (size_t)whole : DAILY_DAYS;
	size_t used = 0;

	for (size_t i = 0; i < days; i++)
		if (daily->den[i] > 0)
			means[used++] = daily->num[i] / daily->den[i];
	return used;
}

/* A bit for each hour of the day that is touched. */
static uint32_t hours_of(nsec from, nsec to)
{
	uint32_t hours = 0;
	nsec last = to - 1;

	for (unsigned i = 0; i < HOURS && from + (nsec)i * HOUR <= last; i++)
		hours |= UINT32_C(1) << daily_hour(from + (nsec)i * HOUR);
	return hours | UINT32_C(1) << daily_hour(last);
}

static unsigned count(uint32_t bits)
{
	unsigned found = 0;

	for (; bits; bits &= bits - 1)
		found++;
	return found;
}

bool daily_differs(const nsec from[2], const nsec to[2])
{
	nsec first = from[0] < from[1] ? from[0] : from[1];
	nsec last = to[0] > to[1] ? to[0] : to[1];
	uint32_t a, b;
	unsigned fewer;

	if (to[0] <= from[0] || to[1] <= from[1] || last - first <= APART * HOUR)
		return false;
	a = hours_of(from[0], to[0]);
	b = hours_of(from[1], to[1]);
	fewer = count(a) < count(b) ? count(a) : count(b);
	return 2 * count(a & b) < fewer;
}
