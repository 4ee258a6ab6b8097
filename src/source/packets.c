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

#include "source/helper.h"
#include "source/packet_peers.h"
#include "source/table.h"

#include "base/alloc.h"
#include "base/scan.h"
#include "base/text.h"
#include "packet/evidence_batch.h"
#include "source/attr.h"
#include "source/watch.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
	HELPERS_MAX = 16, /* each has a ring of its own in the kernel */
	FLAG_UP = 1,      /* IFF_UP */
	EVIDENCE_MOST = 2048,
};

/* Without a loss for this long, the next one is news again. */
static const nsec calm = 60 * NSEC_PER_SEC;

struct nic {
	struct watch watch;
	struct attr flags;
	struct helper helper;
	bool went;  /* it was up and ended: its return is news too */
	bool is_up; /* the interface, as the administrator wants it */
	uint64_t lost;
	nsec lost_at;
	enum wire_effort effort;
	struct peer_told told[PEER_ROWS];
};

struct state {
	struct watch_table nics;
	const struct source_env *env;
	struct helper_order order;
	unsigned running;
	nsec stamp;
	uint8_t *bytes; /* scratch for one packet */
	bool denied_told, full_told;
};

static void take(struct watch *watch, const struct devices *devices)
{
	struct nic *nic = (struct nic *)(void *)watch;
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
	struct nic *nic = (struct nic *)(void *)watch;

	attr_close(&nic->flags);
	helper_stop(&nic->helper);
}

static struct nic *nic_at(struct state *state, size_t index)
{
	return (struct nic *)(void *)watch_at(&state->nics, index);
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

static bool is_wanted(const struct state *state, const struct nic *nic, bool has_cards)
{
	if (!nic->watch.device)
		return false;
	if (state->env->selection->interfaces)
		return true;
	return nic->watch.device->class == (has_cards ? DEVICE_BUS : DEVICE_VIRTUAL);
}

/* Whether it is switched on; unknown counts as yes, then the helper finds out. */
static bool read_up(const struct nic *nic)
{
	char text[32];
	const char *at = text;
	uint64_t flags;

	if (attr_text(&nic->flags, text, sizeof text) != WHY_NONE ||
		!scan_hex(&at, &flags))
		return true;
	return flags & FLAG_UP;
}

/* ---- what is told to people ---- */

static void tell_denied(struct state *state, const struct nic *nic, struct sink *sink)
{
	if (state->denied_told)
		return;
	state->denied_told = true;
	sink_event(sink,
		"packets are not counted: %s. It needs `setcap cap_net_raw=ep %s`, see "
		"weir-capture(8)",
		nic->helper.reason, state->env->helper);
}

static void tell_change(struct state *state, struct nic *nic, struct sink *sink)
{
	const char *name = nic->watch.device->subject.name;

	if (nic->helper.is == HELPER_DENIED) {
		tell_denied(state, nic, sink);
	} else if (nic->helper.is == HELPER_OFF) {
		if (!nic->went)
			sink_event(sink, "packets on %s are not counted: %s", name,
				nic->helper.reason);
		nic->went = true;
	} else if (nic->helper.is == HELPER_SILENT) {
		sink_event(sink, "weir-capture on %s does not report", name);
		nic->went = true;
	} else if (nic->helper.is == HELPER_UP) {
		if (nic->went)
			sink_event(sink, "packets on %s are counted again", name);
		if (!nic->helper.input.hello.caged)
			sink_event(sink,
				"weir-capture on %s runs without its filter for system "
				"calls",
				name);
		nic->went = false;
	}
}

static void tell_effort(struct nic *nic, struct sink *sink)
{
	static const char *const why[EFFORT_COUNT] = {
		[EFFORT_RING] = "too many came at once",
		[EFFORT_CPU] = "it took more than a quarter of a core",
	};
	enum wire_effort effort = nic->helper.input.report.effort;

	if (nic->helper.is != HELPER_UP || effort == nic->effort)
		return;
	nic->effort = effort;
	if (effort == EFFORT_FULL)
		sink_event(sink, "%s: packets are judged whole again",
			nic->watch.device->subject.name);
	else
		sink_event(sink, "%s: only headers are judged, %s",
			nic->watch.device->subject.name, why[effort]);
}

static void tell_loss(struct nic *nic, struct sink *sink, nsec now)
{
	uint64_t lost = helper_lost(&nic->helper);

	if (lost > nic->lost && (!nic->lost_at || now - nic->lost_at >= calm))
		sink_event(sink, "%s: %" PRIu64 " frames were not seen by the capture",
			nic->watch.device->subject.name, lost - nic->lost);
	if (lost > nic->lost)
		nic->lost_at = now;
	nic->lost = lost;
}

/* ---- figures ---- */

static const struct {
	unsigned raw;
	uint64_t (*value)(const struct helper *helper);
} figures[] = {
	{RAW_CAPTURE_FRAMES, helper_frames},
	{RAW_CAPTURE_BYTES, helper_bytes},
	{RAW_CAPTURE_SEGMENTS, helper_segments},
	{RAW_CAPTURE_LOST, helper_lost},
	{RAW_CAPTURE_CUT, helper_cut},
	{RAW_CAPTURE_CPU_NS, helper_cpu},
};

/* A class that was never seen is a 0 here: the helper looked for it. */
static void put_figures(const struct nic *nic, struct sink *sink)
{
	const struct helper *helper = &nic->helper;
	unsigned handle = nic->watch.handle;

	for (size_t i = 0; i < sizeof figures / sizeof *figures; i++)
		sink_put(sink, handle, figures[i].raw, figures[i].value(helper));
	for (unsigned i = 0; i < packet_class_count; i++)
		for (unsigned d = 0; d < PACKET_DIRECTIONS; d++)
			sink_put(sink, handle, raw_packet(i, d),
				helper_class(helper, i, d));
}

static void put_none(const struct nic *nic, struct sink *sink, enum why why)
{
	unsigned handle = nic->watch.handle;

	for (size_t i = 0; i < sizeof figures / sizeof *figures; i++)
		sink_none(sink, handle, figures[i].raw, why);
	for (unsigned i = 0; i < packet_class_count; i++)
		for (unsigned d = 0; d < PACKET_DIRECTIONS; d++)
			sink_none(sink, handle, raw_packet(i, d), why);
}

static void put(struct nic *nic, struct sink *sink)
{
	static const enum why reasons[] = {
		[HELPER_OFF] = WHY_OFF,
		[HELPER_STARTING] = WHY_LATE,
		[HELPER_SILENT] = WHY_LATE,
		[HELPER_DENIED] = WHY_DENIED,
	};

	if (nic->helper.is == HELPER_UP) {
		put_figures(nic, sink);
		packet_peers_put(&nic->helper.peers, nic->watch.device->subject.name,
			nic->told, sink);
	} else {
		put_none(nic, sink, reasons[nic->helper.is]);
	}
}

static nsec stamp_of(const struct state *state, nsec newest, nsec now)
{
	nsec silent = now - now % WIRE_BEAT - WIRE_BEAT;
	nsec stamp = newest > silent ? newest : silent;

	return stamp > state->stamp ? stamp : state->stamp;
}

/* ---- evidence ---- */

/* At most so many at once: what is written meanwhile has time. */
static void take_evidence(struct state *state, struct nic *nic, struct sink *sink)
{
	struct evidence_packet packet = {.linktype = nic->helper.input.hello.linktype};
	struct shelf *shelf = &nic->helper.shelf;

	if (!shelf->memory || !nic->helper.input.hello.version)
		return;
	(void)text_copy(packet.interface, sizeof packet.interface,
		nic->watch.device->subject.name); /* names of interfaces fit */
	for (unsigned i = 0; i < EVIDENCE_MOST; i++) {
		if (!evidence_reader_next(&shelf->reader, &packet.entry, state->bytes))
			break;
		sink_evidence(sink, &packet);
	}
}

/* ---- one interface, one read ---- */

static void run(struct state *state, struct nic *nic, struct sink *sink, nsec now)
{
	bool was_up = nic->is_up;

	nic->is_up = read_up(nic);
	if (nic->is_up && !was_up)
		helper_hurry(&nic->helper);
	state->order.interface = nic->watch.device->key;
	if ((nic->is_up || nic->helper.child.pid > 0) &&
		helper_step(&nic->helper, &state->order, now))
		tell_change(state, nic, sink);
	tell_effort(nic, sink);
	tell_loss(nic, sink, now);
}

static void read_nic(struct state *state, struct nic *nic, struct sink *sink, nsec now)
{
	if (!state->env->selection->capture) {
		put_none(nic, sink, WHY_OFF);
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
	take_evidence(state, nic, sink);
	put(nic, sink);
}

static bool packets_read(void *memory, struct sink *sink, nsec now, struct fault *fault)
{
	struct state *state = memory;
	nsec newest = 0;
	bool cards;

	(void)fault; /* what is missing is a reason of its figures */
	devices_refresh(state->nics.devices, now, state->env->interval / 2);
	watch_update(&state->nics, sink);
	cards = has_card(state);
	state->running = 0;
	for (size_t i = 0; i < state->nics.count; i++) {
		struct nic *nic = nic_at(state, i);

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
	return true;
}

static void packets_close(void *memory)
{
	struct state *state = memory;

	if (!state)
		return;
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
		.promiscuous = env->selection->promiscuous};
	state->nics = (struct watch_table){.devices = devices,
		.row_size = sizeof(struct nic),
		.take = take,
		.drop = drop};
	*memory = state;
	return true;
}

const struct source source_packets = {
	.name = "packets",
	.about = "weir-capture: bad packets by class and direction",
	.may_block = true,
	.open = packets_open,
	.read = packets_read,
	.close = packets_close,
};
