/* The per-device rows of a source; see the header. */
#include "config.h"

#include "source/watch.h"

#include "base/alloc.h"

#include <stdlib.h>
#include <string.h>

struct watch *watch_at(const struct watch_table *table, size_t index)
{
	return (struct watch *)(void *)((char *)table->rows + index * table->row_size);
}

static void drop(struct watch_table *table, struct watch *row)
{
	if (table->drop)
		table->drop(row);
	row->device = NULL;
}

static void take(struct watch_table *table, struct watch *row, struct device *device)
{
	row->device = device;
	row->life = atomic_load(&device->life);
	if (table->take)
		table->take(row, table->devices);
}

static void come(struct watch_table *table, struct sink *sink, struct watch *row,
	struct device *device)
{
	const char *how = "new";
	char former[SUBJECT_NAME];

	take(table, row, device);
	row->again = false;
	row->handle = sink_subject(sink, &device->subject);
	if (row->life > 1)
		how = "is back";
	else if (device->class == DEVICE_VIRTUAL)
		how = "is in use";
	if (!table->announces || !table->started)
		return;
	if (row->life == 1 &&
		devices_former(table->devices, device, former, sizeof former))
		sink_event(sink, "%s new: it was called %s before",
			device->subject.name, former);
	else
		sink_event(sink, "%s %s", device->subject.name, how);
}

static void go(struct watch_table *table, struct sink *sink, struct watch *row)
{
	if (table->announces)
		sink_event(sink, "%s gone", row->device->subject.name);
	drop(table, row);
}

/* The same device, made anew between two looks: its counters restarted. */
static void renew(struct watch_table *table, struct sink *sink, struct watch *row)
{
	struct device *device = row->device;

	drop(table, row);
	take(table, row, device);
	row->again = true;
	if (table->announces)
		sink_event(
			sink, "%s was removed and added again", device->subject.name);
}

/* What changed about a device that is still there, and is it still the same? */
static void follow(struct watch_table *table, struct sink *sink, struct watch *row,
	struct device *device)
{
	const struct subject *old = &row->device->subject, *new = &device->subject;

	if (strcmp(old->name, new->name) || strcmp(old->id, new->id)) {
		if (table->announces)
			sink_event(sink, "%s is another device now", new->name);
		drop(table, row);
		take(table, row, device);
		row->again = false;
	} else if (table->announces && strcmp(old->label, new->label)) {
		sink_event(sink, "%s is called %s now", new->name, new->label);
	}
	row->handle = sink_subject(sink, new);
	row->device = device;
}

static void update_row(struct watch_table *table, struct sink *sink, size_t index)
{
	struct device *device = devices_at(table->devices, index);
	struct watch *row = watch_at(table, index);

	if (row->device && !device)
		go(table, sink, row);
	else if (device && !row->device)
		come(table, sink, row, device);
	else if (device && row->device != device)
		follow(table, sink, row, device);
	if (device && row->life != atomic_load(&device->life))
		renew(table, sink, row);
}

void watch_update(struct watch_table *table, struct sink *sink)
{
	unsigned generation = devices_generation(table->devices);

	if (table->started && generation == table->generation)
		return;
	table->count = devices_count(table->devices);
	xgrow(&table->rows, &table->room, table->count, table->row_size);
	for (size_t i = 0; i < table->count; i++)
		update_row(table, sink, i);
	table->generation = generation;
	table->started = true;
}

bool watch_ready(struct watch *row)
{
	if (!row->device)
		return false;
	if (!row->again)
		return true;
	row->again = false;
	return false;
}

void watch_fini(struct watch_table *table)
{
	for (size_t i = 0; i < table->count; i++)
		if (watch_at(table, i)->device)
			drop(table, watch_at(table, i));
	free(table->rows);
	devices_close(table->devices);
	*table = (struct watch_table){0};
}
