/* libFuzzer: iSCSI PDUs, however they are cut, repeated and lost. */
#include "config.h"

#include "segments.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	fuzz_segments(3260, data, size);
	return 0;
}
