/* The packets behind the findings of one card; see the header. */
#include "config.h"

#include "source/packets_nic.h"

#include "base/text.h"
#include "packet/evidence_batch.h"

enum {
	EVIDENCE_MOST = 4096 /* as many as the ring holds */
};

/* Each helper begins at 1: without this what is still told of the findings of the last
 * one would be taken for those of this one. */
static void begin_anew(struct packet_nic *nic)
{
	if (nic->starts == nic->helper.starts)
		return;
	nic->starts = nic->helper.starts;
	nic->finding_base = nic->finding_last;
	nic->evidence_passed = 0;
}

static void number(struct packet_nic *nic, struct evidence_entry *entry)
{
	entry->finding += nic->finding_base;
	if (entry->finding > nic->finding_last)
		nic->finding_last = entry->finding;
}

void packet_nic_evidence(struct packet_nic *nic, uint8_t *bytes, struct sink *sink)
{
	struct evidence_packet packet = {.linktype = nic->helper.linktype};
	struct shelf *shelf = &nic->helper.shelf;

	if (!shelf->memory || !nic->helper.linked || !nic->watch.device)
		return;
	begin_anew(nic);
	/* names of interfaces fit */
	(void)text_copy(packet.interface, sizeof packet.interface,
		nic->watch.device->subject.name);
	for (unsigned i = 0; i < EVIDENCE_MOST; i++) {
		if (!evidence_reader_next(&shelf->reader, &packet.entry, bytes))
			break;
		number(nic, &packet.entry);
		sink_evidence(sink, &packet);
	}
	nic->evidence_gone += shelf->reader.lost - nic->evidence_passed;
	nic->evidence_passed = shelf->reader.lost;
}
