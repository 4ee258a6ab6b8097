/* libFuzzer: putting TCP streams back together: the first byte says for which protocol,
 * and every segment is given once more at the end, as if it had been lost. */
#include "config.h"

#include "segments.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const uint16_t ports[] = {3260, 860, 445, 139, 2049, 111};
	uint8_t *twice;

	if (size < 2)
		return 0;
	twice = malloc(2 * size);
	if (!twice)
		abort();
	memcpy(twice, data + 1, size - 1);
	memcpy(twice + size - 1, data + 2, size - 2);
	fuzz_segments(
		ports[data[0] % (sizeof ports / sizeof *ports)], twice, 2 * size - 3);
	free(twice);
	return 0;
}
