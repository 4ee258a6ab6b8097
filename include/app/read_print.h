/*
 * What `weir read` prints: one struct of functions per format.
 */
#ifndef WEIR_APP_READ_PRINT_H
#define WEIR_APP_READ_PRINT_H

#include "packet/column.h"
#include "packet/engine.h"
#include "packet/peer.h"

/* One file, as far as it could be read. */
struct read_result_of {
	const char *name;     /* as given */
	const char *linktype; /* or null: the file could not be opened at all */
	const char *error;    /* or null */
	const struct tally *tally;
	const struct peer_table *peers; /* or null */
	uint64_t packets;
	uint64_t columns[COLUMN_COUNT]; /* packets per column */
};

struct read_format {
	const char *name;
	void (*begin)(void);                               /* or null */
	void (*frame)(uint64_t number, uint64_t columns);  /* or null */
	void (*file)(const struct read_result_of *result); /* or null */
};

/* Parts of the formats: what each storage peer did. */
void read_peers_text(const struct peer_table *peers);
void read_peers_json(const struct peer_table *peers);

extern const struct read_format read_text, read_json, read_tsv, read_packets;

#endif
