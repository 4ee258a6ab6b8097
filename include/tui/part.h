/*
 * Rows of another kind below those of a pane: network mounts under the disks, storage
 * peers under the cards. Nothing is drawn where there are none.
 */
#ifndef WEIR_TUI_PART_H
#define WEIR_TUI_PART_H

#include "tui/rows.h"

enum part_unit {
	PART_PLAIN,
	PART_WHOLE, /* counted in whole numbers */
	PART_MS,
	PART_BITS,    /* as in the network pane */
	PART_BYTES,   /* as in the disk pane */
	PART_UP,      /* 1 or 0 */
	PART_VERDICT, /* of the figure that says most, or how the first one stands */
	PART_WIRE,    /* signed, encrypted, or plain */
};

struct part_column {
	const char *title;
	const char *metric;
	enum part_unit unit;
	signed char width; /* with the blank before it */
};

struct part {
	const char *title;
	struct row_source source;
	const struct part_column *columns; /* those that matter least are last */
	int count;
};

extern const struct part part_mounts, part_connections, part_calls, part_counters,
	part_peers, part_transports;

/* Lines with its title, or 0. */
int part_wants(const struct part *part, const struct scene *scene);

/* Draws at the foot of CANVAS, where at least ABOVE lines must stay free, or half of
 * it; returns what is left above. */
struct canvas part_draw(const struct part *part, const struct scene *scene,
	struct canvas *canvas, int above);

#endif
