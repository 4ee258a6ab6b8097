/* Loads that wait for their answers; see the header. */
#include "config.h"

#include "core/closed.h"

#include <math.h>
#include <string.h>

static const double busy = 0.95;
static const double alike = 0.1; /* shares of reads, and sizes of requests */

static const char *const of_bytes[] = {"disk.read.bytes", "disk.write.bytes",
	"mount.read.bytes", "mount.write.bytes", "net.rx.bytes", "net.tx.bytes",
	"peer.rx.bytes", "peer.tx.bytes", "transport.read.bytes",
	"transport.write.bytes"};
static const char *const of_operations[] = {
	"disk.ops", "disk.read.ops", "disk.write.ops"};

static bool is_one_of(const char *id, const char *const *ids, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (!strcmp(id, ids[i]))
			return true;
	return false;
}

#define IS_ONE_OF(id, ids) is_one_of(id, ids, sizeof(ids) / sizeof *(ids))

/* Sums of METRIC of a disk over the windows of one side. */
struct sums {
	double num, den;
};

static struct sums sums_of(const struct session *session, const struct side *side,
	uint32_t disk, const char *metric)
{
	struct sums sums = {0};
	int track = session_track(session, disk, (unsigned)metric_find(metric));

	for (size_t i = 0; i < side->count && track >= 0; i++) {
		const struct summary *one =
			session_summary(session, side->ids[i], (size_t)track);

		sums.num += one ? one->num : 0;
		sums.den += one ? one->den : 0;
	}
	return sums;
}

static double ratio(struct sums sums)
{
	return sums.den > 0 ? sums.num / sums.den : 0;
}

/* While a request is outstanding the queue is 1 or more: a mean under the share of
 * busy time belies %util, which newer kernels only sample. */
static bool is_busy(
	const struct session *session, const struct side *side, uint32_t disk)
{
	return ratio(sums_of(session, side, disk, "disk.util")) >= busy &&
	       ratio(sums_of(session, side, disk, "disk.queue")) >= busy;
}

static double reads(
	const struct session *session, const struct side *side, uint32_t disk)
{
	double read = sums_of(session, side, disk, "disk.read.ops").num;
	double write = sums_of(session, side, disk, "disk.write.ops").num;

	return read + write > 0 ? read / (read + write) : (double)NAN;
}

static double size(
	const struct session *session, const struct side *side, uint32_t disk)
{
	double bytes = sums_of(session, side, disk, "disk.read.bytes").num +
		       sums_of(session, side, disk, "disk.write.bytes").num;
	double ops = sums_of(session, side, disk, "disk.read.ops").num +
		     sums_of(session, side, disk, "disk.write.ops").num;

	return ops > 0 ? bytes / ops : (double)NAN;
}

bool closed_load(const struct session *session, const struct side sides[2],
	enum sides how, const struct track *track)
{
	const struct metric *metric = metric_at(track->metric);
	bool bytes = IS_ONE_OF(metric->id, of_bytes);
	uint32_t disk = track->subject;

	if (how == SIDES_RUNS)
		return bytes;
	if (metric->kind != KIND_DISK ||
		(!bytes && !IS_ONE_OF(metric->id, of_operations)))
		return false;
	if (!is_busy(session, &sides[0], disk) || !is_busy(session, &sides[1], disk) ||
		!(fabs(reads(session, &sides[0], disk) -
			  reads(session, &sides[1], disk)) <= alike))
		return false;
	return bytes || fabs(log(size(session, &sides[1], disk) /
				 size(session, &sides[0], disk))) <= alike;
}
