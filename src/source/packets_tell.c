/* What is told to people about one card; see the header. */
#include "config.h"

#include "source/packets_nic.h"

#include <inttypes.h>

/* Without a loss for this long, the next one is news again. */
static const nsec calm = 60 * NSEC_PER_SEC;

void packet_nic_tell_change(struct packet_nic *nic, struct sink *sink)
{
	const char *name = nic->watch.device->subject.name;

	if (nic->helper.is == HELPER_OFF) {
		if (!nic->went)
			sink_event(sink, "packets on %s are not counted: %s", name,
				nic->helper.reason);
		nic->went = true;
	} else if (nic->helper.is == HELPER_SILENT) {
		sink_event(sink, "weir-capture on %s does not report", name);
		nic->went = true;
	} else if (nic->helper.is == HELPER_UP) {
		if (nic->went)
			sink_event(sink, "packets on %s are counted again", name);
		if (!nic->helper.input.hello.caged)
			sink_event(sink,
				"weir-capture on %s runs without its filter for system "
				"calls",
				name);
		nic->went = false;
	}
}

static void tell_effort(struct packet_nic *nic, struct sink *sink)
{
	static const char *const why[EFFORT_COUNT] = {
		[EFFORT_RING] = "too many came at once",
		[EFFORT_CPU] = "it took more than a quarter of a core",
	};
	enum wire_effort effort = nic->helper.input.report.effort;

	if (nic->helper.is != HELPER_UP || effort == nic->effort)
		return;
	nic->effort = effort;
	if (effort == EFFORT_FULL)
		sink_event(sink, "%s: packets are judged whole again",
			nic->watch.device->subject.name);
	else
		sink_event(sink, "%s: only headers are judged, %s",
			nic->watch.device->subject.name, why[effort]);
}

/* How many more of it there are, where that is worth a line. */
static uint64_t news(struct packet_loss *loss, uint64_t count, nsec now)
{
	uint64_t more = count > loss->count ? count - loss->count : 0;
	bool quiet = loss->at && now - loss->at < calm;

	if (more)
		loss->at = now;
	loss->count = count;
	return quiet ? 0 : more;
}

static void tell_losses(struct packet_nic *nic, struct sink *sink, nsec now)
{
	const char *name = nic->watch.device->subject.name;
	uint64_t frames = news(&nic->lost, helper_lost(&nic->helper), now);
	uint64_t evidence = news(&nic->evidence_lost, nic->evidence_gone, now);

	if (frames)
		sink_event(sink, "%s: %" PRIu64 " frames were not seen by the capture",
			name, frames);
	if (evidence)
		sink_event(sink,
			"%s: %" PRIu64 " packets behind findings came too fast to be "
			"kept",
			name, evidence);
}

static void tell_shelf(struct packet_nic *nic, struct sink *sink)
{
	const char *why = nic->helper.no_shelf;

	if (*why && !nic->no_shelf_told)
		sink_event(sink, "packets behind findings on %s are not kept: %s",
			nic->watch.device->subject.name, why);
	nic->no_shelf_told = *why;
}

void packet_nic_tell_news(struct packet_nic *nic, struct sink *sink, nsec now)
{
	tell_effort(nic, sink);
	tell_losses(nic, sink, now);
	tell_shelf(nic, sink);
}
