/* The figures of one card; see the header. */
#include "config.h"

#include "source/packets_nic.h"

static const struct {
	unsigned raw;
	uint64_t (*value)(const struct helper *helper);
} figures[] = {
	{RAW_CAPTURE_FRAMES, helper_frames},
	{RAW_CAPTURE_BYTES, helper_bytes},
	{RAW_CAPTURE_SEGMENTS, helper_segments},
	{RAW_CAPTURE_LOST, helper_lost},
	{RAW_CAPTURE_CUT, helper_cut},
	{RAW_CAPTURE_CPU_NS, helper_cpu},
};

/* A class that was never seen is a 0 here: the helper looked for it. */
static void put_figures(const struct packet_nic *nic, struct sink *sink)
{
	const struct helper *helper = &nic->helper;
	unsigned handle = nic->watch.handle;

	for (size_t i = 0; i < sizeof figures / sizeof *figures; i++)
		sink_put(sink, handle, figures[i].raw, figures[i].value(helper));
	for (unsigned i = 0; i < packet_class_count; i++)
		for (unsigned d = 0; d < PACKET_DIRECTIONS; d++)
			sink_put(sink, handle, raw_packet(i, d),
				helper_class(helper, i, d));
}

void packet_nic_put_none(const struct packet_nic *nic, struct sink *sink, enum why why)
{
	unsigned handle = nic->watch.handle;

	for (size_t i = 0; i < sizeof figures / sizeof *figures; i++)
		sink_none(sink, handle, figures[i].raw, why);
	for (unsigned i = 0; i < packet_class_count; i++)
		for (unsigned d = 0; d < PACKET_DIRECTIONS; d++)
			sink_none(sink, handle, raw_packet(i, d), why);
}

void packet_nic_put(struct packet_nic *nic, struct sink *sink, nsec now)
{
	static const enum why reasons[] = {
		[HELPER_OFF] = WHY_OFF,
		[HELPER_STARTING] = WHY_LATE,
		[HELPER_SILENT] = WHY_LATE,
		[HELPER_DENIED] = WHY_DENIED,
	};

	if (nic->helper.is == HELPER_UP) {
		put_figures(nic, sink);
		packet_peers_put(&nic->helper.peers, nic->watch.device->subject.name,
			now, &nic->told, sink);
	} else {
		packet_nic_put_none(nic, sink, reasons[nic->helper.is]);
	}
}
