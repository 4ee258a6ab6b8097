/* libFuzzer: what a helper that was taken over might say to the recorder. */
#include "config.h"

#include "packet/wire_peer.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct peer_table peers[2];
	struct wire_input whole = {.peers = &peers[0]}, cut = {.peers = &peers[1]};

	memset(peers, 0, sizeof peers);
	wire_feed(&whole, (const char *)data, size);
	for (size_t i = 0; i < size; i++)
		wire_feed(&cut, (const char *)data + i, 1);
	/* Where the bytes are cut must not matter, and text for people is clean. */
	if (whole.bad != cut.bad ||
		memcmp(&whole.tally, &cut.tally, sizeof cut.tally) ||
		memcmp(&peers[0], &peers[1], sizeof peers[0]))
		abort();
	for (const char *p = whole.reason; *p; p++)
		if (*p > 0 && *p < ' ')
			abort();
	return 0;
}
