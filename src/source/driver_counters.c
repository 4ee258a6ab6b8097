/*
 * Counters of drivers; see the header. A counter that moves for the first time is put
 * as it was in the reading before and from then on as it is: so its first step is in
 * the figures too, a reading later.
 */
#include "config.h"

#include "source/driver_counters.h"

#include "base/alloc.h"
#include "base/text.h"

#include <errno.h>
#include <linux/ethtool.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum {
	/* The kernel writes as many as there are, whatever it was told there is room
	 * for: a driver whose number of queues grows must not write beyond. */
	COUNTERS_MOST = 8192,
	SHOWN_MOST = 24, /* of one card */
};

/* Parts of names, from drivers in use. */
static const char *const words[] = {"err", "drop", "discard", "crc", "fcs", "miss",
	"no_buf", "nobuf", "no_desc", "no_dma", "out_of_buf", "alloc_fail", "fifo",
	"overrun", "overflow", "over_", "underrun", "underflow", "symbol", "jabber",
	"fragment", "undersize", "oversize", "too_long", "toolong", "too_short",
	"align", "length", "collision", "timeout", "hang", "reset", "restart", "pause",
	"xoff", "xon", "pfc", "bad", "invalid", "lost", "abort", "fault", "fail",
	"corrupt", "exceeded", "starv", "stall", "link_down", "ecc", "corrected"};

/* They only look like it. */
static const char *const harmless[] = {"no_err", "lro_aborted_by", "resetting"};

static bool has_any(const char *name, const char *const *list, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (strcasestr(name, list[i]))
			return true;
	return false;
}

bool driver_counter_matters(const char *name)
{
	return has_any(name, words, sizeof words / sizeof *words) &&
	       !has_any(name, harmless, sizeof harmless / sizeof *harmless);
}

static uint32_t ask_count(const struct ethtool *tool, const char *name)
{
	struct ethtool_drvinfo info = {.cmd = ETHTOOL_GDRVINFO};

	if (tool->call(tool, name, &info) || info.n_stats > COUNTERS_MOST)
		return 0;
	return info.n_stats;
}

static void keep(struct driver_counters *counters, uint32_t place, const char *raw)
{
	size_t at = counters->kept_count;
	char name[ETH_GSTRING_LEN + 1] = "";

	memcpy(name, raw, ETH_GSTRING_LEN);
	if (!driver_counter_matters(name))
		return;
	counters->kept_count++;
	counters->kept[at] = place;
	counters->handles[at] = -1;
	/* there is room for every name */
	(void)text_clean(
		counters->names[at], sizeof *counters->names, name + strspn(name, " "));
}

static uint64_t value_at(const struct driver_counters *counters, size_t kept)
{
	const struct ethtool_stats *answer = counters->answer;

	return answer->data[counters->kept[kept]];
}

static bool ask_values(
	struct driver_counters *counters, const struct ethtool *tool, const char *name)
{
	struct ethtool_stats *answer = counters->answer;

	answer->cmd = ETHTOOL_GSTATS;
	answer->n_stats = counters->count;
	return !tool->call(tool, name, answer) && answer->n_stats == counters->count;
}

static void learn(
	struct driver_counters *counters, const struct ethtool *tool, const char *name)
{
	uint32_t count = ask_count(tool, name);
	struct ethtool_gstrings *names =
		xalloc(sizeof *names + (size_t)COUNTERS_MOST * ETH_GSTRING_LEN);

	names->cmd = ETHTOOL_GSTRINGS;
	names->string_set = ETH_SS_STATS;
	names->len = count;
	counters->asked = true;
	if (count && !tool->call(tool, name, names) && names->len == count) {
		counters->count = count;
		counters->kept = xarray(count, sizeof *counters->kept);
		counters->names = xarray(count, sizeof *counters->names);
		counters->last = xarray(count, sizeof *counters->last);
		counters->handles = xarray(count, sizeof *counters->handles);
		counters->answer = xalloc(sizeof(struct ethtool_stats) +
					  COUNTERS_MOST * sizeof(uint64_t));
		for (uint32_t i = 0; i < count; i++)
			keep(counters, i,
				(const char *)names->data +
					(size_t)i * ETH_GSTRING_LEN);
	}
	free(names);
}

static void show(
	struct driver_counters *counters, size_t i, const char *name, struct sink *sink)
{
	struct subject subject = {.kind = KIND_COUNTER};

	/* a name of a driver has 32, one of an interface 15 */
	(void)text_format(
		subject.name, sizeof subject.name, "%s %s", name, counters->names[i]);
	(void)text_copy(subject.id, sizeof subject.id, subject.name);
	counters->handles[i] = (int)sink_subject(sink, &subject);
	counters->shown++;
	sink_put(sink, (unsigned)counters->handles[i], RAW_COUNTER_EVENTS,
		counters->last[i]);
}

static void put(
	struct driver_counters *counters, size_t i, const char *name, struct sink *sink)
{
	uint64_t value = value_at(counters, i);

	if (counters->handles[i] >= 0)
		sink_put(sink, (unsigned)counters->handles[i], RAW_COUNTER_EVENTS,
			value);
	else if (value != counters->last[i] && counters->shown < SHOWN_MOST)
		show(counters, i, name, sink);
	counters->last[i] = value;
}

void driver_counters_put(struct driver_counters *counters, const struct ethtool *tool,
	const char *name, struct sink *sink)
{
	bool first = !counters->asked;

	if (first)
		learn(counters, tool, name);
	if (!counters->count)
		return;
	if (!ask_values(counters, tool, name)) {
		driver_counters_fini(counters); /* it was set up anew */
		return;
	}
	for (size_t i = 0; i < counters->kept_count; i++)
		if (first)
			counters->last[i] = value_at(counters, i);
		else
			put(counters, i, name, sink);
}

void driver_counters_fini(struct driver_counters *counters)
{
	free(counters->kept);
	free(counters->names);
	free(counters->last);
	free(counters->handles);
	free(counters->answer);
	*counters = (struct driver_counters){.asked = false};
}
