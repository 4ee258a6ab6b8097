/*
 * Bad packets: one weir-capture per network card, and what it counts. By default
 * the cards with a bus parent, or, where there is none (a container), whatever
 * carries traffic: what is stacked on a card shows the same packets again, and is
 * looked at only when it is named with -i.
 *
 * The stamp is the beat that the reports are about (packet/wire.h), which is the
 * same for all helpers. A helper that is silent has nothing new to say, up to the
 * beat before the last one.
 */
#include "config.h"

#include "source/drain.h"
#include "source/helper.h"
#include "source/packets_nic.h"
#include "source/table.h"

#include "base/alloc.h"
#include "base/scan.h"
#include "packet/evidence.h"

#include <stdlib.h>
#include <unistd.h>

enum {
	HELPERS_MAX = 16, /* each has a ring of its own in the kernel */
	FLAG_UP = 1,      /* IFF_UP */
};

/* The pipe of a helper holds what it says in more than this. */
static const nsec drain_every = NSEC_PER_SEC / 2;

struct state {
	struct watch_table nics;
	const struct source_env *env;
	struct helper_order order;
	unsigned running;
	nsec stamp;
	uint8_t *bytes; /* scratch for one packet */
	bool denied_told, full_told;
	struct drain drain;
};

static void take(struct watch *watch, const struct devices *devices)
{
	struct packet_nic *nic = (struct packet_nic *)(void *)watch;
	char folder[ATTR_PATH];

	if (!devices_folder(devices, watch->device, folder, sizeof folder))
		folder[0] = 0; /* then the file is missing */
	attr_open(&nic->flags, folder, "flags");
	nic->is_up = false;
	nic->went = false;
	helper_hurry(&nic->helper);
}

static void drop(struct watch *watch)
{
	struct packet_nic *nic = (struct packet_nic *)(void *)watch;

	attr_close(&nic->flags);
	helper_stop(&nic->helper);
}

static struct packet_nic *nic_at(struct state *state, size_t index)
{
	return (struct packet_nic *)(void *)watch_at(&state->nics, index);
}

static bool has_card(struct state *state)
{
	for (size_t i = 0; i < state->nics.count; i++) {
		const struct device *device = watch_at(&state->nics, i)->device;

		if (device && device->class == DEVICE_BUS)
			return true;
	}
	return false;
}

static bool is_wanted(
	const struct state *state, const struct packet_nic *nic, bool has_cards)
{
	if (!nic->watch.device)
		return false;
	if (state->env->selection->interfaces)
		return true;
	return nic->watch.device->class == (has_cards ? DEVICE_BUS : DEVICE_VIRTUAL);
}

/* Whether it is switched on; unknown counts as yes, then the helper finds out. */
static bool read_up(const struct packet_nic *nic)
{
	char text[32];
	const char *at = text;
	uint64_t flags;

	if (attr_text(&nic->flags, text, sizeof text) != WHY_NONE ||
		!scan_hex(&at, &flags))
		return true;
	return flags & FLAG_UP;
}

static nsec stamp_of(const struct state *state, nsec newest, nsec now)
{
	nsec silent = now - now % WIRE_BEAT - WIRE_BEAT;
	nsec stamp = newest > silent ? newest : silent;

	return stamp > state->stamp ? stamp : state->stamp;
}

/* ---- one interface, one read ---- */

static void tell_change(struct state *state, struct packet_nic *nic, struct sink *sink)
{
	if (nic->helper.is != HELPER_DENIED) {
		packet_nic_tell_change(nic, sink);
		return;
	}
	if (!state->denied_told)
		sink_event(sink,
			"packets are not counted: %s. It needs `setcap cap_net_raw=ep "
			"%s`, see weir-capture(8)",
			nic->helper.reason, state->env->helper);
	state->denied_told = true;
}

static void run(
	struct state *state, struct packet_nic *nic, struct sink *sink, nsec now)
{
	bool was_up = nic->is_up;

	nic->is_up = read_up(nic);
	if (nic->is_up && !was_up)
		helper_hurry(&nic->helper);
	state->order.interface = nic->watch.device->key;
	if ((nic->is_up || nic->helper.child.pid > 0) &&
		helper_step(&nic->helper, &state->order, now))
		tell_change(state, nic, sink);
	packet_nic_evidence(nic, state->bytes, sink); /* of one that ended, too */
	packet_nic_tell_news(nic, sink, now);
}

static void read_nic(
	struct state *state, struct packet_nic *nic, struct sink *sink, nsec now)
{
	if (!state->env->selection->capture) {
		packet_nic_put_none(nic, sink, WHY_OFF);
		return;
	}
	if (state->running == HELPERS_MAX) {
		if (!state->full_told)
			sink_event(sink,
				"packets are counted on %d interfaces, not more",
				HELPERS_MAX);
		state->full_told = true;
		return;
	}
	state->running++;
	run(state, nic, sink, now);
	packet_nic_put(nic, sink, now);
}

static void drain_all(void *memory)
{
	struct state *state = memory;

	for (size_t i = 0; i < state->nics.count; i++)
		helper_drain(&nic_at(state, i)->helper);
}

static void take_all_evidence(struct state *state, struct sink *sink)
{
	for (size_t i = 0; i < state->nics.count; i++)
		packet_nic_evidence(nic_at(state, i), state->bytes, sink);
}

static void read_all(struct state *state, struct sink *sink, nsec now)
{
	nsec newest = 0;
	bool cards;

	devices_refresh(state->nics.devices, now, state->env->interval / 2);
	take_all_evidence(state, sink); /* before what is gone is dropped */
	watch_update(&state->nics, sink);
	cards = has_card(state);
	state->running = 0;
	for (size_t i = 0; i < state->nics.count; i++) {
		struct packet_nic *nic = nic_at(state, i);

		if (is_wanted(state, nic, cards))
			read_nic(state, nic, sink, now);
		else
			helper_stop(&nic->helper);
		if (nic->helper.is == HELPER_UP && nic->helper.input.report.at > newest)
			newest = nic->helper.input.report.at;
	}
	if (newest) {
		state->stamp = stamp_of(state, newest, now);
		sink_stamp(sink, state->stamp);
	}
}

static bool packets_read(void *memory, struct sink *sink, nsec now, struct fault *fault)
{
	struct state *state = memory;

	(void)fault; /* what is missing is a reason of its figures */
	drain_hold(&state->drain);
	read_all(state, sink, now);
	drain_release(&state->drain);
	return true;
}

static void packets_close(void *memory)
{
	struct state *state = memory;

	if (!state)
		return;
	drain_stop(&state->drain);
	watch_fini(&state->nics);
	free(state->bytes);
	free(state);
}

static bool packets_open(
	void **memory, const struct source_env *env, struct fault *fault)
{
	struct devices *devices;
	struct state *state;

	*memory = NULL;
	if (env->selection->capture && access(env->helper, F_OK))
		return fault_set(fault, "%s is not installed", env->helper);
	devices = devices_open(env, KIND_NIC, fault);
	if (!devices)
		return false;
	state = xalloc(sizeof *state);
	state->env = env;
	state->bytes = xarray(evidence_room(true), 1);
	state->order = (struct helper_order){.program = env->helper,
		.filter = env->selection->filter,
		.hosts = env->selection->hosts,
		.evidence = env->selection->evidence != SELECT_NOTHING,
		.whole = env->selection->evidence == SELECT_WHOLE,
		.ring = env->selection->ring,
		.promiscuous = env->selection->promiscuous};
	state->nics = (struct watch_table){.devices = devices,
		.row_size = sizeof(struct packet_nic),
		.take = take,
		.drop = drop};
	if (env->interval > 2 * drain_every)
		drain_start(&state->drain, drain_every, drain_all, state);
	*memory = state;
	return true;
}

const struct source source_packets = {
	.name = "packets",
	.about = "weir-capture: bad packets by class and direction",
	.none = "no card of this network namespace is looked at",
	.may_block = true,
	.open = packets_open,
	.read = packets_read,
	.close = packets_close,
};
