/* The parsers of /proc/net/snmp, netstat and softnet_stat, for their source and
 * its fuzzer. */
#ifndef WEIR_SOURCE_SNMP_H
#define WEIR_SOURCE_SNMP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The counters that are taken, by "Group:" and column name. */
struct snmp_row {
	const char *group, *name;
	unsigned raw;
};

enum {
	SNMP_ROWS = 16
};

extern const struct snmp_row snmp_rows[SNMP_ROWS];

struct snmp_values {
	bool have[SNMP_ROWS];
	uint64_t value[SNMP_ROWS];
};

/* Takes what it finds in TEXT, pairs of lines: names, then values. Changes TEXT. */
void snmp_parse(char *text, struct snmp_values *values);

struct softnet {
	unsigned cpus;
	uint64_t dropped, squeezed;
};

/* False if a line is not of this form. Changes TEXT. */
bool softnet_parse(char *text, struct softnet *sums);

#endif
