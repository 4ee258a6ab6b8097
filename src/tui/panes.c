/* The table of panes, in the order of their keys 1 to 4. */
#include "config.h"

#include "tui/pane.h"

const struct pane *const panes[PANE_COUNT] = {
	[PANE_DISK] = &pane_disk,
	[PANE_NET] = &pane_net,
	[PANE_PACKETS] = &pane_packets,
	[PANE_EVENTS] = &pane_events,
};
