/* How many requests were outstanding; see the header. A comparison with NaN is
 * false: what nobody said decides nothing. */
#include "config.h"

#include "core/backlog.h"

#include <math.h>

/* Requests that take a tenth of a tick (of a second, where ticks are shorter) put
 * up to a tenth of the queue into the wrong tick: from there on samples are better,
 * since each request is met by several of them. */
static const double slow_share = 0.1;

/* Some drivers lose count and report in-flight numbers near 2^32. */
static const double plausible = 1e6;

/* Samples are off by a few in a hundred where requests are slow; a device that hides
 * what it holds is off by all of it. Requests times seconds. */
static const double seen_factor = 2, seen_slack = 0.25;

static const double edge = 0.05; /* seconds: stamps are not the moments of counting */
static const double hour = 3600; /* a request that is older is a driver's nonsense */

enum {
	WARY = 2 /* requests of a stall may complete over the edge of a tick */
};

static double slow_after(const struct backlog_facts *facts)
{
	return slow_share * fmax(facts->seconds, 1);
}

static double completed(const struct backlog_facts *facts)
{
	double sum = 0;

	for (unsigned i = 0; i < BACKLOG_CLASSES; i++)
		if (facts->ops[i] > 0)
			sum += facts->ops[i];
	return sum;
}

static double pending(const struct backlog_facts *facts, unsigned end)
{
	return facts->pending[end] < plausible ? facts->pending[end] : (double)NAN;
}

/* The larger of two of which either may be unknown; 0 where both are. */
static double most(double a, double b)
{
	double larger = fmax(a, b); /* the other one where one is NaN */

	return larger > 0 ? larger : 0;
}

/* ---- what is remembered ---- */

static void remember_silence(struct backlog *b, const struct backlog_facts *facts)
{
	bool outstanding = pending(facts, 1) > 0 || facts->state != BACKLOG_RUNNING;

	if (completed(facts) > 0 || !outstanding) {
		b->since = 0;
		b->depth = 0;
	}
	if (!outstanding)
		return;
	if (!b->since)
		b->since = facts->now;
	b->depth = fmax(b->depth, pending(facts, 1));
	if (b->since < facts->now)
		b->depth = fmax(b->depth, facts->highest);
}

/* Nothing is outstanding. Right after a hold that is not so: the kernel took requests
 * back, and whoever has them brings them again. */
static bool is_idle(const struct backlog *b, const struct backlog_facts *facts)
{
	return pending(facts, 1) <= 0 && facts->state == BACKLOG_RUNNING && !b->wary;
}

/* Weighted time that comes later belongs to the time since this. */
static void remember_move(struct backlog *b, const struct backlog_facts *facts)
{
	bool idle = is_idle(b, facts) && facts->now >= b->unseen;

	if (b->moved && !(facts->weighted > 0) && !idle)
		return;
	b->moved = facts->now;
	b->told = 0;
}

/* ---- which figure to trust ---- */

/* The same requests are outstanding since the last tick, and longer than a quick
 * request takes. */
static bool is_silent(const struct backlog_facts *facts)
{
	return !(completed(facts) > 0) && pending(facts, 0) > 0 &&
	       pending(facts, 1) > 0 && facts->seconds > slow_after(facts);
}

static bool is_slow(const struct backlog_facts *facts)
{
	double slow = slow_after(facts);
	double ops = completed(facts);

	for (unsigned i = 0; i < BACKLOG_CLASSES; i++)
		if (facts->ops[i] > 0 && facts->spent[i] > facts->ops[i] * slow)
			return true;
	if (ops > 0)
		return facts->weighted > ops * slow;
	return facts->weighted > 0 || pending(facts, 1) > 0 ||
	       (isnan(pending(facts, 1)) && facts->mean > 0);
}

/* What the samples say was outstanding; NaN where there are none. Newer kernels
 * count in the counters' file what the scheduler holds, and not at the device. */
static double sampled(const struct backlog_facts *facts)
{
	double edges = (pending(facts, 0) + pending(facts, 1)) / 2;
	double least = fmin(pending(facts, 0), pending(facts, 1));

	if (isnan(facts->mean) || (least > facts->highest && !isnan(edges)))
		return edges;
	return facts->mean;
}

/* The device had all it takes: more may wait in the scheduler, unseen. */
static bool is_full(const struct backlog_facts *facts)
{
	return most(facts->highest, pending(facts, 1)) >= facts->limit &&
	       !(fmin(pending(facts, 0), pending(facts, 1)) > facts->highest);
}

/* ---- a device that hides what it holds ---- */

/* Targets of the device mapper that hold requests back themselves (delay, crypt) count
 * them as in flight only when they pass them on, and tell their whole time when they
 * complete: samples see nothing. What completed since nothing was outstanding cannot
 * have taken more than was seen, unless much was not seen. */
static bool is_contradicted(const struct backlog *b, const struct backlog_facts *facts)
{
	double seen = b->seen + most(sampled(facts), 0) * facts->seconds;

	return b->empty && facts->weighted > 0 &&
	       b->counted + facts->weighted > seen_factor * seen + seen_slack;
}

/* Seconds that the requests of this tick took on average; NaN if none completed. */
static double age_of(const struct backlog_facts *facts)
{
	double ops = 0, spent = 0;

	for (unsigned i = 0; i < BACKLOG_CLASSES; i++)
		if (facts->ops[i] > 0 && facts->spent[i] >= 0) {
			ops += facts->ops[i];
			spent += facts->spent[i];
		}
	return ops > 0 ? spent / ops : (double)NAN;
}

/* They are older than the moment at which nothing was outstanding: so that moment was
 * none, and the next may be none either, for as long as such requests take. */
static void remember_unseen(struct backlog *b, const struct backlog_facts *facts)
{
	double age = age_of(facts);
	double since = (double)(facts->now - b->empty) / NSEC_PER_SEC;
	nsec began;

	if (!b->empty || b->wary || b->held || !(age > since + edge && age < hour) ||
		!is_contradicted(b, facts))
		return;
	began = facts->now - (nsec)(age * (double)NSEC_PER_SEC);
	/* the first such batch: its time is not that of one tick */
	if (b->unseen <= facts->now && began < b->moved)
		b->moved = began;
	b->unseen = facts->now + (nsec)(2 * age * (double)NSEC_PER_SEC);
}

static void remember_seen(struct backlog *b, const struct backlog_facts *facts)
{
	double seen = sampled(facts) * facts->seconds;

	if (is_idle(b, facts)) {
		b->empty = facts->now;
		b->seen = b->counted = 0;
		return;
	}
	b->seen += seen > 0 ? seen : 0;
	b->counted += facts->weighted > 0 ? facts->weighted : 0;
}

static bool may_be_unseen(const struct backlog *b, const struct backlog_facts *facts)
{
	return facts->now < b->unseen && !(completed(facts) > 0) &&
	       pending(facts, 1) <= 0;
}

/* ---- which figure to take ---- */

static struct value mean_over(double mean, double seconds)
{
	return (struct value){.value = mean, .num = mean * seconds, .den = seconds};
}

static struct value at_least(double count)
{
	return (struct value){.value = count, .why = WHY_NO_COMPLETION};
}

static struct value slow_figure(
	struct backlog *b, const struct backlog_facts *facts, struct value weighted)
{
	double mean = sampled(facts);
	double since = (double)(facts->now - b->moved) / NSEC_PER_SEC;

	if (isnan(mean))
		return weighted;
	if (!is_full(facts) && !is_contradicted(b, facts)) {
		b->told += facts->seconds;
		return mean_over(mean, facts->seconds);
	}
	if (!(facts->weighted > 0))
		return at_least(most(mean, pending(facts, 1)));
	/* what samples have told already does not count twice */
	return mean_over(
		facts->weighted / since, fmax(since - b->told, facts->seconds));
}

static struct value choose(
	struct backlog *b, const struct backlog_facts *facts, struct value weighted)
{
	if (weighted.why > WHY_RESET)
		return weighted; /* nobody counts */
	/* also in the tick in which it serves again: what waited comes only now */
	if (facts->state != BACKLOG_RUNNING || b->held)
		return at_least(most(pending(facts, 1), 0));
	if (weighted.why != WHY_NONE)
		return weighted;
	if (may_be_unseen(b, facts))
		return at_least(0);
	if (b->wary || is_silent(facts) || is_slow(facts))
		return slow_figure(b, facts, weighted);
	return weighted;
}

struct value backlog_step(struct backlog *backlog, const struct backlog_facts *facts,
	struct value weighted)
{
	struct value value;

	if (weighted.why == WHY_LATE)
		return weighted;
	if (!(facts->seconds > 0) || weighted.why > WHY_GAP)
		*backlog = (struct backlog){0};
	remember_unseen(backlog, facts);
	value = choose(backlog, facts, weighted);
	if (is_silent(facts) || facts->state != BACKLOG_RUNNING)
		backlog->wary = WARY;
	else if (backlog->wary)
		backlog->wary--;
	backlog->held = facts->state != BACKLOG_RUNNING;
	remember_silence(backlog, facts);
	remember_move(backlog, facts);
	remember_seen(backlog, facts);
	return value;
}
