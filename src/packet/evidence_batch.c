/* Batches of evidence; see the header. */
#include "config.h"

#include "packet/evidence_batch.h"

#include "base/alloc.h"

#include <stdlib.h>

void evidence_batch_fini(struct evidence_batch *batch)
{
	free(batch->list);
	free(batch->offsets);
	buffer_fini(&batch->bytes);
	*batch = (struct evidence_batch){0};
}

void evidence_batch_clear(struct evidence_batch *batch)
{
	batch->count = 0;
	buffer_clear(&batch->bytes);
}

void evidence_batch_add(
	struct evidence_batch *batch, const struct evidence_packet *packet)
{
	xgrow(&batch->list, &batch->room, batch->count + 1, sizeof *batch->list);
	xgrow(&batch->offsets, &batch->offset_room, batch->count + 1,
		sizeof *batch->offsets);
	batch->offsets[batch->count] = batch->bytes.size;
	batch->list[batch->count++] = *packet;
	buffer_add(&batch->bytes, packet->entry.data, packet->entry.captured);
}

struct evidence_packet evidence_batch_at(
	const struct evidence_batch *batch, size_t index)
{
	struct evidence_packet packet = batch->list[index];

	packet.entry.data = batch->bytes.data + batch->offsets[index];
	return packet;
}
