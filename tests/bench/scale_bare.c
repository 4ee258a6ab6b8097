/*
 * A plain read of what a recorder reads in each tick on a big host, and nothing else:
 * scale_bare PASSES OPENED KEPT... reads the file OPENED from its beginning to its end,
 * and once each file that a pattern KEPT matches, which stay open. Prints the
 * milliseconds of CPU of a pass, and how many files it read.
 */
#include "config.h"

#include "base/alloc.h"
#include "base/clock.h"

#include <fcntl.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void read_file(const char *path)
{
	char chunk[8192];
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return;
	while (read(fd, chunk, sizeof chunk) > 0)
		;
	(void)close(fd); /* only read */
}

int main(int argc, char **argv)
{
	char *end = NULL;
	long passes = argc > 3 ? strtol(argv[1], &end, 10) : 0;
	glob_t kept = {0};
	char text[256];
	size_t got = 0;
	nsec from;
	int *fds;

	if (passes < 1 || *end) {
		(void)fprintf(stderr, "usage: scale_bare PASSES OPENED KEPT...\n");
		return 2;
	}
	for (int i = 3; i < argc; i++)
		if (glob(argv[i], i > 3 ? GLOB_APPEND : 0, NULL, &kept)) {
			(void)fprintf(stderr, "nothing matches %s\n", argv[i]);
			return 1;
		}
	fds = xarray(kept.gl_pathc, sizeof *fds);
	for (size_t k = 0; k < kept.gl_pathc; k++)
		fds[k] = open(kept.gl_pathv[k], O_RDONLY | O_CLOEXEC);
	from = clock_cpu();
	for (long pass = 0; pass < passes; pass++) {
		read_file(argv[2]);
		for (size_t k = 0; k < kept.gl_pathc; k++)
			got += pread(fds[k], text, sizeof text, 0) > 0;
	}
	from = clock_cpu() - from;
	printf("%.3f %zu\n", (double)from / 1e6 / (double)passes,
		got / (size_t)passes + 1);
	for (size_t k = 0; k < kept.gl_pathc; k++)
		if (fds[k] >= 0)
			(void)close(fds[k]); /* only read */
	globfree(&kept);
	free(fds);
	return 0;
}
