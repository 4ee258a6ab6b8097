/*
 * Where a command's result goes: standard output, or with -o a new file, 0600, that
 * was not there before. A file that could not be written whole is taken away again.
 */
#ifndef WEIR_APP_OUTPUT_H
#define WEIR_APP_OUTPUT_H

#include "base/buffer.h"
#include "base/fault.h"

#include <stdbool.h>

struct output {
	int fd;
	const char *path; /* null: standard output; borrowed until closed */
};

bool output_open(struct output *output, const char *path, struct fault *fault);
/* Writes all of BUFFER and empties it. */
bool output_write(struct output *output, struct buffer *buffer, struct fault *fault);
/* KEEP false: what was written is not whole, a file goes. Synced, so that success means
 * that it is there. */
bool output_close(struct output *output, bool keep, struct fault *fault);

#endif
