/*
 * With --once FILE, or nothing and the input on standard input, one input is run once:
 * what AFL wants, see doc/hacking.md. Otherwise a fuzz target without a fuzzer: runs
 * LLVMFuzzerTestOneInput over the seed files given, whole and cut at every length up to
 * a bound, so that every check and every compiler crosses each boundary. Each input
 * lies in memory of exactly its size: sanitizers and valgrind see a read past its end.
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

/* One input as it is, from PATH. */
static int single(const char *path)
{
	static uint8_t data[SEED_MAX];
	FILE *file = fopen(path, "rb");

	if (!file) {
		perror(path);
		return EXIT_FAILURE;
	}
	once(data, fread(data, 1, sizeof data, file));
	(void)fclose(file); /* only read */
	return EXIT_SUCCESS;
}

int main(int argc, char **argv)
{
	long inputs = 0;

	if (argc == 1)
		return single("/dev/stdin");
	if (argc == 3 && !strcmp(argv[1], "--once"))
		return single(argv[2]);

	for (int i = 1; i < argc; i++) {
		int count = replay(argv[i]);

		if (count < 0)
			return EXIT_FAILURE;
		inputs += count;
	}
	printf("%d seeds, %ld inputs\n", argc - 1, inputs);
	return EXIT_SUCCESS;
}
