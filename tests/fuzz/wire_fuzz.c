/* libFuzzer: what a helper that was taken over might say to the recorder. */
#include "config.h"

#include "packet/wire.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct wire_input whole = {0}, cut = {0};

	wire_feed(&whole, (const char *)data, size);
	for (size_t i = 0; i < size; i++)
		wire_feed(&cut, (const char *)data + i, 1);
	/* Where the bytes are cut must not matter, and text for people is clean. */
	if (whole.bad != cut.bad || memcmp(&whole.tally, &cut.tally, sizeof cut.tally))
		abort();
	for (const char *p = whole.reason; *p; p++)
		if (*p > 0 && *p < ' ')
			abort();
	return 0;
}
