/* Kinds of metrics that reports and verdicts treat alike (core/metric.h). */
#include "config.h"

#include "core/metric.h"

#include <string.h>

bool metric_is_event(const struct metric *metric)
{
	return metric->form == METRIC_RATE && metric->unit == UNIT_PER_S &&
	       metric->better == BETTER_LOWER;
}

/* Ids, or with a star the beginnings of ids. */
static const char *const apart[] = {
	"capture.*",
	"cpu.busiest.core",
	"disk.inflight",
	"disk.pending",
	"disk.samples",
	"host.uptime",
	"net.duplex",
	"packets.*",
	"sampler.*",
	"weir.*",
};

bool metric_is_apart(const struct metric *metric)
{
	for (size_t i = 0; i < sizeof apart / sizeof *apart; i++) {
		size_t length = strcspn(apart[i], "*");

		if (!strncmp(metric->id, apart[i], length) &&
			(apart[i][length] || !metric->id[length]))
			return true;
	}
	return false;
}
