/*
 * SCSI over Fibre Channel over Ethernet (FC-BB-5, FCP): only the status of commands,
 * and only for the comparison with another analyser. Adapters carry this traffic past
 * the host's network stack, so that a capture on the host seldom shows it.
 */
#include "config.h"

#include "packet/decode.h"

enum {
	HEADER = 14,    /* version, zeros, start of frame */
	HEADER_OLD = 2, /* of the first drafts: never all zero */
	FC_HEADER = 24,
	FC_TYPE = 8,
	STATUS_AT = 11, /* in the answer of FCP */
	COMMAND_STATUS = 0x07,
	TYPE_FCP = 0x08,
	CHECK_CONDITION = 0x02,
};

void fcoe_decode(struct decode *decode, struct view view)
{
	const uint8_t *start = view_bytes(&view, 0, HEADER_OLD);

	if (!start)
		return;
	struct view frame = view_from(&view, load_be16(start) ? HEADER_OLD : HEADER);
	const uint8_t *bytes = view_bytes(&frame, 0, FC_HEADER + STATUS_AT + 1);
	if (bytes && bytes[0] == COMMAND_STATUS && bytes[FC_TYPE] == TYPE_FCP &&
		bytes[FC_HEADER + STATUS_AT] == CHECK_CONDITION)
		mark(decode, COLUMN_scsi_check_condition);
}
