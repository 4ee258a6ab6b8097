/*
 * A fuzz target without a fuzzer: runs LLVMFuzzerTestOneInput over the seed files
 * given, whole and cut at every length up to a bound, so that every check and every
 * compiler crosses each boundary. Each input lies in memory of exactly its size:
 * sanitizers and valgrind see a read past its end.
 */
#include "config.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	SEED_MAX = 1 << 20,
	CUTS = 2048
};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void once(const uint8_t *data, size_t size)
{
	uint8_t *copy = malloc(size ? size : 1);

	if (!copy)
		abort();
	memcpy(copy, data, size);
	(void)LLVMFuzzerTestOneInput(copy, size);
	free(copy);
}

static int replay(const char *path)
{
	static uint8_t data[SEED_MAX];
	FILE *file = fopen(path, "rb");
	size_t size;
	size_t cut;

	if (!file) {
		perror(path);
		return -1;
	}
	size = fread(data, 1, sizeof data, file);
	(void)fclose(file); /* only read */
	once(data, size);
	for (cut = 0; cut < size && cut < CUTS; cut++)
		once(data, cut);
	return (int)cut + 1;
}

int main(int argc, char **argv)
{
	long inputs = 0;

	for (int i = 1; i < argc; i++) {
		int count = replay(argv[i]);

		if (count < 0)
			return EXIT_FAILURE;
		inputs += count;
	}
	printf("%d seeds, %ld inputs\n", argc - 1, inputs);
	return argc > 1 ? EXIT_SUCCESS : EXIT_FAILURE;
}
