/* Lines of /proc/diskstats: the parser alone, for its source and its fuzzer. */
#ifndef WEIR_SOURCE_DISKSTATS_H
#define WEIR_SOURCE_DISKSTATS_H

#include "source/source.h"

enum {
	DISKSTATS_COLUMNS = 11 /* after the name; all kernels have these for disks */
};

/* "  8  0 sda": moves *AT behind the name; false if this is no such line. */
bool diskstats_name(const char **at, char *name, size_t size);

/* The numbers behind the name; moves *AT behind them. Fewer are not fine. */
bool diskstats_columns(const char **at, uint64_t values[DISKSTATS_COLUMNS]);

/* Discards and flushes completed, from what is behind those; false if the kernel
 * counts neither. */
bool diskstats_others(const char *at, uint64_t *others);

extern const struct source source_diskstats;

#endif
