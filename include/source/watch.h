/*
 * What a source remembers about each shown device: rows in the order of the
 * registry, brought up to date only when the registry has moved, so that a
 * steady tick costs one comparison. Each source puts a struct watch first in
 * its own row and hands its table over as struct watch_table.
 */
#ifndef WEIR_SOURCE_WATCH_H
#define WEIR_SOURCE_WATCH_H

#include "source/devices.h"
#include "source/source.h"

struct watch {
	struct device *device; /* null: no device in this row */
	unsigned handle;       /* of its subject in the sink */
	unsigned life;         /* of the device, when it was taken up */
	bool again;            /* re-created since: skip one tick, counters restarted */
};

struct watch_table {
	struct devices *devices;
	void *rows; /* elements of ROW_SIZE, each beginning with struct watch */
	size_t row_size, count, room;
	unsigned generation;
	bool started;
	bool announces; /* puts an event for each device that comes or goes */
	/* Take up and give up what the source keeps open for a device; may be null. */
	void (*take)(struct watch *row, const struct devices *devices);
	void (*drop)(struct watch *row);
};

void watch_update(struct watch_table *table, struct sink *sink);
struct watch *watch_at(const struct watch_table *table, size_t index);
void watch_fini(struct watch_table *table); /* drops all rows, closes the registry */

/* Whether the row has a device to read for this tick; ends a skipped tick. */
bool watch_ready(struct watch *row);

#endif
