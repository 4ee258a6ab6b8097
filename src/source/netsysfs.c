/*
 * /sys/class/net/I: error and drop counters by kind, carrier changes, and the
 * link. Each file is opened once and read again with pread. Reading may take a
 * lock that a driver holds while it resets its card: this source has a thread
 * of its own.
 *
 * One series has one owner. Bytes, packets, errors, collisions, speed and duplex
 * belong to the libstatgrab source. The link belongs here: what libstatgrab
 * calls "up" is the administrative state, which stays up when the cable is
 * pulled. `rx_dropped` is not "bad packets" and is kept apart from the kinds
 * of errors (kernel: networking/statistics).
 */
#include "config.h"

#include "base/alloc.h"
#include "base/scan.h"
#include "source/attr.h"
#include "source/table.h"
#include "source/watch.h"

#include <stdlib.h>
#include <string.h>

static const struct {
	const char *file;
	unsigned raw;
} counters[] = {
	{"statistics/rx_dropped", RAW_NET_RX_DROPPED},
	{"statistics/tx_dropped", RAW_NET_TX_DROPPED},
	{"statistics/rx_missed_errors", RAW_NET_RX_MISSED},
	{"statistics/rx_fifo_errors", RAW_NET_RX_FIFO},
	{"statistics/rx_crc_errors", RAW_NET_RX_CRC},
	{"statistics/rx_frame_errors", RAW_NET_RX_FRAME},
	{"statistics/rx_length_errors", RAW_NET_RX_LENGTH},
	{"statistics/rx_over_errors", RAW_NET_RX_OVER},
	{"statistics/rx_nohandler", RAW_NET_RX_NOHANDLER},
	{"statistics/tx_carrier_errors", RAW_NET_TX_CARRIER},
	{"statistics/tx_fifo_errors", RAW_NET_TX_FIFO},
	{"statistics/tx_aborted_errors", RAW_NET_TX_ABORTED},
	{"statistics/tx_heartbeat_errors", RAW_NET_TX_HEARTBEAT},
	{"statistics/tx_window_errors", RAW_NET_TX_WINDOW},
	{"statistics/multicast", RAW_NET_MULTICAST},
	{"carrier_changes", RAW_NET_CARRIER_CHANGES},
};

enum {
	COUNTERS = sizeof counters / sizeof *counters
};

enum link {
	LINK_DOWN,
	LINK_UP,
	LINK_UNKNOWN
};

struct nic {
	struct watch watch;
	struct attr counters[COUNTERS];
	struct attr carrier, operstate;
	enum link link;
};

struct state {
	struct watch_table nics;
	nsec interval;
	bool foreign; /* sysfs is that of another network namespace, and it was told */
};

static void take(struct watch *watch, const struct devices *devices)
{
	struct nic *nic = (struct nic *)(void *)watch;
	char folder[ATTR_PATH];

	if (!devices_folder(devices, watch->device, folder, sizeof folder))
		folder[0] = 0; /* then every file is missing */
	for (size_t i = 0; i < COUNTERS; i++)
		attr_open(&nic->counters[i], folder, counters[i].file);
	attr_open(&nic->carrier, folder, "carrier");
	attr_open(&nic->operstate, folder, "operstate");
	nic->link = LINK_UNKNOWN;
}

static void drop(struct watch *watch)
{
	struct nic *nic = (struct nic *)(void *)watch;

	for (size_t i = 0; i < COUNTERS; i++)
		attr_close(&nic->counters[i]);
	attr_close(&nic->carrier);
	attr_close(&nic->operstate);
}

/* `carrier` cannot be read while the interface is down (EINVAL). */
static enum link link_of(const struct nic *nic)
{
	static const char *const down[] = {
		"down", "notpresent", "lowerlayerdown", "dormant", "testing", NULL};
	char text[32];
	uint64_t carrier;

	if (attr_u64(&nic->carrier, &carrier) == WHY_NONE)
		return carrier ? LINK_UP : LINK_DOWN;
	if (attr_text(&nic->operstate, text, sizeof text) != WHY_NONE)
		return LINK_UNKNOWN;
	text[strcspn(text, "\n")] = 0;
	for (size_t i = 0; down[i]; i++)
		if (!strcmp(text, down[i]))
			return LINK_DOWN;
	return LINK_UNKNOWN;
}

static void read_link(struct nic *nic, struct sink *sink)
{
	enum link link = link_of(nic);

	if (link == LINK_UNKNOWN)
		sink_none(sink, nic->watch.handle, RAW_NET_LINK, WHY_UNSUPPORTED);
	else
		sink_put(sink, nic->watch.handle, RAW_NET_LINK, link == LINK_UP);
	if (link != nic->link && nic->link != LINK_UNKNOWN && link != LINK_UNKNOWN)
		sink_event(sink, "%s link %s", nic->watch.device->subject.name,
			link == LINK_UP ? "up" : "down");
	if (link != LINK_UNKNOWN)
		nic->link = link;
}

static void read_nic(struct nic *nic, struct sink *sink)
{
	for (size_t i = 0; i < COUNTERS; i++) {
		uint64_t value;
		enum why why = attr_u64(&nic->counters[i], &value);

		if (why == WHY_NONE)
			sink_put(sink, nic->watch.handle, counters[i].raw, value);
		else if (why != WHY_ABSENT) /* a card that goes: no row at all */
			sink_none(sink, nic->watch.handle, counters[i].raw, why);
	}
	read_link(nic, sink);
}

static void tell_foreign(struct state *state, struct sink *sink)
{
	bool foreign = devices_foreign(state->nics.devices);

	if (foreign && !state->foreign)
		sink_event(sink, "sysfs is that of another network namespace: "
				 "no drops, error kinds, link of interfaces");
	state->foreign = foreign;
}

static void netsysfs_look(void *memory, struct sink *sink, nsec now)
{
	struct state *state = memory;

	devices_refresh(state->nics.devices, now, state->interval / 2);
	watch_update(&state->nics, sink);
	tell_foreign(state, sink);
}

static bool netsysfs_read(
	void *memory, struct sink *sink, nsec now, struct fault *fault)
{
	struct state *state = memory;

	(void)now;
	(void)fault; /* a missing file is a missing figure */
	for (size_t i = 0; i < state->nics.count; i++)
		if (watch_ready(watch_at(&state->nics, i)))
			read_nic((struct nic *)(void *)watch_at(&state->nics, i), sink);
	return true;
}

static void netsysfs_close(void *memory)
{
	struct state *state = memory;

	if (!state)
		return;
	watch_fini(&state->nics);
	free(state);
}

static bool netsysfs_open(
	void **memory, const struct source_env *env, struct fault *fault)
{
	struct state *state;
	struct devices *devices;

	*memory = NULL;
	if (!attr_exists(env->sys, "class/net"))
		return fault_set(fault, "%s/class/net is not there", env->sys);
	devices = devices_open(env, KIND_NIC, fault);
	if (!devices)
		return false;
	attr_raise_limit();
	state = xalloc(sizeof *state);
	state->interval = env->interval;
	state->nics = (struct watch_table){.devices = devices,
		.row_size = sizeof(struct nic),
		.announces = true,
		.take = take,
		.drop = drop};
	*memory = state;
	return true;
}

const struct source source_netsysfs = {
	.name = "netsysfs",
	.about = "/sys/class/net: errors and drops by kind, link of interfaces",
	.may_block = true,
	.none = "no card of this network namespace is shown",
	.open = netsysfs_open,
	.look = netsysfs_look,
	.read = netsysfs_read,
	.close = netsysfs_close,
};
