/* A folder of its own for one test program; see the header. */
#include "config.h"

#include "folder.h"

#include "base/text.h"

#include <ftw.h>
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

static char folder[64];

int folder_begin(void **state)
{
	(void)state;
	if (!text_copy(folder, sizeof folder, "/tmp/weir-test-XXXXXX") ||
		!mkdtemp(folder))
		return -1;
	return 0;
}

static int take_away(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)st;
	(void)type;
	(void)ftw;
	return remove(path);
}

int folder_end(void **state)
{
	(void)state;
	return nftw(folder, take_away, 8, FTW_DEPTH | FTW_PHYS | FTW_MOUNT);
}

const char *folder_path(const char *name)
{
	static char paths[8][PATH_MAX];
	static unsigned turn;
	char *path = paths[turn++ % 8];

	assert_true(text_format(path, PATH_MAX, "%s/%s", folder, name));
	return path;
}

bool folder_has(const char *name)
{
	return !access(folder_path(name), F_OK);
}

unsigned long long folder_sum(const char *name)
{
	FILE *file = fopen(folder_path(name), "rb");
	unsigned long long sum = 14695981039346656037u; /* FNV-1a */
	int byte;

	if (!file)
		return 0;
	while ((byte = getc(file)) != EOF)
		sum = (sum ^ (unsigned)byte) * 1099511628211u;
	(void)fclose(file); /* only read */
	return sum;
}

void folder_write(const char *name, const void *data, size_t size)
{
	FILE *file = fopen(folder_path(name), "wb");

	assert_non_null(file);
	assert_int_equal(fwrite(data, 1, size, file), size);
	assert_int_equal(fclose(file), 0);
}

void folder_cut(const char *name, const char *from, size_t size)
{
	char *data = malloc(size);
	FILE *file = fopen(folder_path(from), "rb");

	assert_non_null(data);
	assert_non_null(file);
	assert_int_equal(fread(data, 1, size, file), size);
	(void)fclose(file); /* only read */
	folder_write(name, data, size);
	free(data);
}
