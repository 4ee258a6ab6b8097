/* Kinds of metrics that reports and verdicts treat alike (core/metric.h). */
#include "config.h"

#include "core/metric.h"

#include <string.h>

/* Ids, or with a star the beginnings of ids. */
static const char *const of_weir[] = {"capture.*", "sampler.*", "weir.*"};
static const char *const of_a_moment[] = {"cpu.busiest.core", "disk.inflight",
	"disk.pending", "disk.samples", "disk.util", "transport.pending", "host.uptime",
	"net.duplex", "packets.*", "peer.packets.*", "peer.segments", "peer.slower.*"};
static const char *const states[] = {"disk.limit", "net.link", "net.speed",
	"connection.credits", "connection.slots", "mount.connections",
	"mount.encrypted", "mount.signed", "peer.connections", "peer.minrtt",
	"transport.disks", "transport.state", "transport.up", "peer.pmtu"};

/* The queue as the kernel counts it; what a disk can be. */
static const char *const of_queues[] = {"disk.queue.weighted"};
static const char *const of_disks[] = {"disk.gives.up", "disk.hold", "disk.limit.least",
	"disk.paths", "disk.paths.usable", "disk.state"};

/* What these count is the kernel's own idea, and not the same in the next one. */
static const char *const of_a_kernel[] = {"disk.full", "disk.inflight",
	"disk.inflight.mean", "disk.pending", "disk.queue.max", "disk.util"};

static bool is_in(const struct metric *metric, const char *const *ids, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		size_t length = strcspn(ids[i], "*");

		if (!strncmp(metric->id, ids[i], length) &&
			(ids[i][length] || !metric->id[length]))
			return true;
	}
	return false;
}

#define IS_IN(metric, ids) is_in(metric, ids, sizeof(ids) / sizeof *(ids))

bool metric_is_event(const struct metric *metric)
{
	return metric->form == METRIC_RATE && metric->unit == UNIT_PER_S &&
	       metric->better == BETTER_LOWER && !IS_IN(metric, of_weir);
}

bool metric_is_apart(const struct metric *metric)
{
	return IS_IN(metric, of_weir) || IS_IN(metric, of_a_moment) ||
	       IS_IN(metric, of_queues);
}

bool kind_is_detail(enum kind kind)
{
	return kind == KIND_CONNECTION || kind == KIND_CALL || kind == KIND_COUNTER;
}

bool metric_is_detail(const struct metric *metric)
{
	return kind_is_detail(metric->kind);
}

bool metric_is_state(const struct metric *metric)
{
	return IS_IN(metric, states) || IS_IN(metric, of_disks);
}

bool metric_is_of_kernel(const struct metric *metric)
{
	return IS_IN(metric, of_a_kernel);
}
