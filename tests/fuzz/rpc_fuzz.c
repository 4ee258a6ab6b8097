/* libFuzzer: RPC records over TCP, and the same bytes as datagrams. */
#include "config.h"

#include "segments.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	fuzz_segments(2049, data, size);
	fuzz_datagrams(2049, data, size);
	return 0;
}
