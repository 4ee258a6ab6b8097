/*
 * libstatgrab: bytes, packets, errors, collisions, speed and duplex of interfaces,
 * uptime of the host, and bytes of disks where /proc/diskstats does not serve.
 * The only file that knows the library.
 *
 * Rules, each for a known defect of it: absolute calls only (its differences
 * crash and mix clocks), our own clock (its `systime` is whole seconds of wall
 * time), one thread (its state is per thread), an unknown speed is unknown (it
 * says 0 or 4294967295), and nothing that it does not have: no queue, no latency,
 * no drops. The link is not taken from here (see netsysfs.c).
 *
 * The library opens /proc by itself; it cannot be pointed elsewhere. With another
 * root this source therefore declines.
 */
#include "config.h"

#include "base/alloc.h"
#include "base/scan.h"
#include "source/attr.h"
#include "source/host.h"
#include "source/table.h"
#include "source/watch.h"

#include <statgrab.h>
#include <stdlib.h>
#include <string.h>

#define SPEED_UNKNOWN UINT64_C(4294967295) /* (uint32_t)-1 of the ethtool call */

struct row {
	struct watch watch;
	uint64_t speed; /* last known, bits per second; 0: none yet */
};

struct state {
	struct watch_table nics, disks;
	struct subject host;
	nsec interval;
	bool serves_disks; /* /proc/diskstats does not */
};

/* What one entry of a list is about, or null if it is not shown. */
static struct row *row_of(const struct watch_table *table, const char *name)
{
	long index = devices_find(table->devices, name);
	struct watch *watch;

	if (index < 0 || (size_t)index >= table->count)
		return NULL;
	watch = watch_at(table, (size_t)index);
	if (!watch->device || watch->again)
		return NULL;
	return (struct row *)(void *)watch;
}

static bool complain(struct fault *fault, const char *what)
{
	sg_error_details details = {0};

	(void)sg_get_error_details(&details); /* only fills the text */
	return fault_set(fault, "libstatgrab: %s: %s %s", what,
		sg_str_error(details.error),
		details.error_arg ? details.error_arg : "");
}

static bool read_traffic(
	const struct state *state, struct sink *sink, struct fault *fault)
{
	size_t count = 0;
	const sg_network_io_stats *list = sg_get_network_io_stats(&count);

	if (!list)
		return complain(fault, "traffic of interfaces");
	for (size_t i = 0; i < count; i++) {
		const sg_network_io_stats *io = &list[i];
		const struct row *row = row_of(&state->nics, io->interface_name);

		if (!row)
			continue;
		sink_put(sink, row->watch.handle, RAW_NET_RX_BYTES, io->rx);
		sink_put(sink, row->watch.handle, RAW_NET_TX_BYTES, io->tx);
		sink_put(sink, row->watch.handle, RAW_NET_RX_PACKETS, io->ipackets);
		sink_put(sink, row->watch.handle, RAW_NET_TX_PACKETS, io->opackets);
		sink_put(sink, row->watch.handle, RAW_NET_RX_ERRORS, io->ierrors);
		sink_put(sink, row->watch.handle, RAW_NET_TX_ERRORS, io->oerrors);
		sink_put(sink, row->watch.handle, RAW_NET_COLLISIONS, io->collisions);
	}
	return true;
}

static void put_speed(struct row *row, struct sink *sink, uint64_t speed)
{
	if (!speed) {
		sink_none(sink, row->watch.handle, RAW_NET_SPEED, WHY_UNSUPPORTED);
		return;
	}
	sink_put(sink, row->watch.handle, RAW_NET_SPEED, speed);
	if (row->speed && row->speed != speed)
		sink_event(sink, "%s speed %llu -> %llu Mbit/s",
			row->watch.device->subject.name,
			(unsigned long long)(row->speed / 1000000),
			(unsigned long long)(speed / 1000000));
	row->speed = speed;
}

static void put_interface(
	struct row *row, struct sink *sink, const sg_network_iface_stats *face)
{
	bool known = face->speed && face->speed != SPEED_UNKNOWN && face->factor;

	put_speed(row, sink, known ? face->speed * face->factor : 0);
	if (face->duplex == SG_IFACE_DUPLEX_UNKNOWN)
		sink_none(sink, row->watch.handle, RAW_NET_DUPLEX, WHY_UNSUPPORTED);
	else
		sink_put(sink, row->watch.handle, RAW_NET_DUPLEX,
			face->duplex == SG_IFACE_DUPLEX_FULL ? 2 : 1);
}

static bool read_interfaces(
	const struct state *state, struct sink *sink, struct fault *fault)
{
	size_t count = 0;
	const sg_network_iface_stats *list = sg_get_network_iface_stats(&count);

	if (!list)
		return complain(fault, "interfaces");
	for (size_t i = 0; i < count; i++) {
		struct row *row = row_of(&state->nics, list[i].interface_name);

		if (row)
			put_interface(row, sink, &list[i]);
	}
	return true;
}

static bool read_disks(
	const struct state *state, struct sink *sink, struct fault *fault)
{
	size_t count = 0;
	const sg_disk_io_stats *list = sg_get_disk_io_stats(&count);

	if (!list)
		return complain(fault, "disks");
	for (size_t i = 0; i < count; i++) {
		const struct row *row = row_of(&state->disks, list[i].disk_name);

		if (!row)
			continue;
		sink_put(sink, row->watch.handle, RAW_DISK_SG_READ_BYTES,
			list[i].read_bytes);
		sink_put(sink, row->watch.handle, RAW_DISK_SG_WRITE_BYTES,
			list[i].write_bytes);
	}
	return true;
}

static void read_host(const struct state *state, struct sink *sink)
{
	unsigned host = sink_subject(sink, &state->host);
	const sg_host_info *info = sg_get_host_info(NULL);

	if (info && info->uptime > 0)
		sink_put(sink, host, RAW_HOST_UPTIME_S, (uint64_t)info->uptime);
	else
		sink_none(sink, host, RAW_HOST_UPTIME_S, WHY_UNSUPPORTED);
}

/* A row that was made anew is skipped for one tick, as everywhere. */
static void settle(const struct watch_table *table)
{
	for (size_t i = 0; i < table->count; i++)
		(void)watch_ready(watch_at(table, i)); /* only ends the skipped tick */
}

static void statgrab_look(void *memory, struct sink *sink, nsec now)
{
	struct state *state = memory;

	devices_refresh(state->nics.devices, now, state->interval / 2);
	watch_update(&state->nics, sink);
	if (!state->serves_disks)
		return;
	devices_refresh(state->disks.devices, now, state->interval * 10);
	watch_update(&state->disks, sink);
}

static bool statgrab_read(
	void *memory, struct sink *sink, nsec now, struct fault *fault)
{
	struct state *state = memory;
	bool done;

	(void)now;
	done = read_traffic(state, sink, fault) &&
	       read_interfaces(state, sink, fault) &&
	       (!state->serves_disks || read_disks(state, sink, fault));
	if (done)
		read_host(state, sink);
	settle(&state->nics);
	settle(&state->disks);
	return done;
}

static void statgrab_close(void *memory)
{
	struct state *state = memory;

	if (!state)
		return;
	(void)sg_shutdown(); /* nothing to be done if it fails */
	watch_fini(&state->nics);
	watch_fini(&state->disks);
	free(state);
}

static bool statgrab_open(
	void **memory, const struct source_env *env, struct fault *fault)
{
	struct state *state;
	struct devices *nics, *disks;

	*memory = NULL;
	if (strcmp(env->proc, "/proc") != 0)
		return fault_set(fault, "libstatgrab reads /proc, not %s", env->proc);
	if (sg_init(0) != SG_ERROR_NONE)
		return complain(fault, "cannot start");
	nics = devices_open(env, KIND_NIC, fault);
	disks = nics ? devices_open(env, KIND_DISK, fault) : NULL;
	if (!disks) {
		devices_close(nics);
		(void)sg_shutdown(); /* the fault is already told */
		return false;
	}
	state = xalloc(sizeof *state);
	state->nics =
		(struct watch_table){.devices = nics, .row_size = sizeof(struct row)};
	state->disks =
		(struct watch_table){.devices = disks, .row_size = sizeof(struct row)};
	state->interval = env->interval;
	state->serves_disks = !attr_exists(env->proc, "diskstats");
	host_subject(env, &state->host);
	*memory = state;
	return true;
}

const struct source source_statgrab = {
	.name = "statgrab",
	.about = "libstatgrab: bytes, packets, errors, speed of interfaces; uptime",
	.may_block = true,
	.open = statgrab_open,
	.look = statgrab_look,
	.read = statgrab_read,
	.close = statgrab_close,
};
