/* GRE (RFC 2784, RFC 2890): a header whose flags say what is in it. */
#include "config.h"

#include "packet/decode.h"

enum {
	FLAG_SUM = 0x8000,
	FLAG_ROUTING = 0x4000,
	FLAG_KEY = 0x2000,
	FLAG_SEQUENCE = 0x1000,
	FLAG_ACK = 0x0080, /* version 1 only */
	VERSION_MASK = 0x0007,
};

void gre_decode(struct decode *decode, const struct network *network, struct view view)
{
	const uint8_t *header = view_bytes(&view, 0, 4);
	uint32_t size = 4;

	if (!header || network->fragment)
		return;
	uint16_t flags = load_be16(header);
	if (flags & FLAG_ROUTING || (flags & VERSION_MASK) > 1)
		return;
	size += flags & FLAG_SUM ? 4 : 0;
	size += flags & FLAG_KEY ? 4 : 0;
	size += flags & FLAG_SEQUENCE ? 4 : 0;
	size += (flags & VERSION_MASK) == 1 && flags & FLAG_ACK ? 4 : 0;
	if (size < view.length)
		ethertype_decode(decode, load_be16(header + 2), view_from(&view, size));
}
