/* Lines of /proc/stat: the parser alone, for its source and its tests. */
#ifndef WEIR_SOURCE_CPU_H
#define WEIR_SOURCE_CPU_H

#include <stdbool.h>
#include <stdint.h>

enum cpu_time {
	CPU_USER,
	CPU_NICE,
	CPU_SYSTEM,
	CPU_IDLE,
	CPU_IOWAIT,
	CPU_IRQ,
	CPU_SOFTIRQ,
	CPU_STEAL,
	CPU_TIMES,
	CPU_MAX = 65536 /* a number above is no core */
};

struct cpu_times {
	uint64_t ticks[CPU_TIMES];
};

/* "cpu3 ...": false for the line of all cores and for every other line. */
bool cpu_parse(const char *line, unsigned *core, struct cpu_times *times);

#endif
