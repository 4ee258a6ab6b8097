/*
 * Which block gets how many rows. Apart from the data: only numbers of rows go in.
 * There is no least size: blocks leave in the order of the table in layout.c.
 */
#ifndef WEIR_TUI_LAYOUT_H
#define WEIR_TUI_LAYOUT_H

#include "tui/view.h"

enum block {
	BLOCK_STATUS,
	BLOCK_VERDICT,
	BLOCK_RIBBON,
	BLOCK_DISK,
	BLOCK_NET,
	BLOCK_PACKETS,
	BLOCK_COVERAGE,
	BLOCK_EVENTS,
	BLOCK_KEYS,
	BLOCK_COUNT
};

struct layout {
	int top[BLOCK_COUNT];
	int height[BLOCK_COUNT]; /* 0: not shown; panes: 1 is a line without title */
};

/* WANTS: rows of each pane below its title. ZOOM: the pane that takes all, or -1. */
void layout_make(
	struct layout *layout, int rows, const int wants[PANE_COUNT], int zoom);

#endif
