/* Storage protocols inside TCP connections; see the header. */
#include "config.h"

#include "packet/storage.h"

void storage_segment(struct decode *decode, struct flow *flow, unsigned side,
	const struct tcp_segment *segment, uint32_t found)
{
	(void)decode;
	(void)flow;
	(void)side;
	(void)segment;
	(void)found;
}
