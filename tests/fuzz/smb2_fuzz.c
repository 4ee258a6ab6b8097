/* libFuzzer: SMB 2 and 3 messages and their chains. */
#include "config.h"

#include "segments.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	fuzz_segments(445, data, size);
	return 0;
}
