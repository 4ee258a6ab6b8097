/*
 * What the hardware of cards counts: the standard groups by ethtool's netlink, and of
 * the driver's own counters those that are about trouble and move. Drivers may ask
 * their card for them and wait: this source has a thread of its own. Virtual cards
 * report nothing of it, which is no 0.
 */
#include "config.h"

#include "base/alloc.h"
#include "source/driver_counters.h"
#include "source/ethgenl.h"
#include "source/table.h"
#include "source/watch.h"

#include <stdlib.h>
#include <string.h>

struct card {
	struct watch watch;
	struct driver_counters counters;
	uint32_t reported; /* what this card ever said */
	bool asked;
};

struct state {
	struct watch_table cards;
	nsec interval;
	struct ethtool tool;
	struct ethgenl genl;
	bool standard; /* the kernel knows the groups */
};

_Static_assert(RAW_NET_RX_PAUSE - RAW_NET_HW_SYMBOL == HARDWARE_COUNT - 1,
	"raw readings are in the order of enum hardware");

static void drop(struct watch *watch)
{
	struct card *card = (struct card *)(void *)watch;

	driver_counters_fini(&card->counters);
	card->reported = 0;
	card->asked = false;
}

/* A card that reports nothing of the groups is not asked again. */
static void read_standard(struct state *state, struct card *card, struct sink *sink)
{
	struct hardware_counts counts = {.have = 0};

	if (state->standard && (!card->asked || card->reported))
		(void)ethgenl_read(&state->genl, card->watch.device->subject.name,
			&counts); /* what is not there is not supported */
	card->asked = true;
	card->reported |= counts.have;
	for (unsigned i = 0; i < HARDWARE_COUNT; i++)
		if (counts.have >> i & 1)
			sink_put(sink, card->watch.handle, RAW_NET_HW_SYMBOL + i,
				counts.values[i]);
		else
			sink_none(sink, card->watch.handle, RAW_NET_HW_SYMBOL + i,
				WHY_UNSUPPORTED);
}

static void nichw_look(void *memory, struct sink *sink, nsec now)
{
	struct state *state = memory;

	devices_refresh(state->cards.devices, now, state->interval / 2);
	watch_update(&state->cards, sink);
}

static bool nichw_read(void *memory, struct sink *sink, nsec now, struct fault *fault)
{
	struct state *state = memory;

	(void)now;
	(void)fault; /* a missing figure is said as such */
	for (size_t i = 0; i < state->cards.count; i++) {
		struct card *card = (struct card *)(void *)watch_at(&state->cards, i);

		if (!watch_ready(&card->watch))
			continue;
		read_standard(state, card, sink);
		driver_counters_put(&card->counters, &state->tool,
			card->watch.device->subject.name, sink);
	}
	return true;
}

static void nichw_close(void *memory)
{
	struct state *state = memory;

	if (!state)
		return;
	watch_fini(&state->cards);
	ethtool_close(&state->tool);
	if (state->standard)
		ethgenl_close(&state->genl);
	free(state);
}

/* The kernel behind a test's folder is another one than the folder's. */
static bool is_real(const struct source_env *env)
{
	return !strcmp(env->sys, "/sys");
}

static bool nichw_open(void **memory, const struct source_env *env, struct fault *fault)
{
	struct devices *devices;
	struct state *state;

	*memory = NULL;
	if (!is_real(env))
		return fault_set(fault, "%s is not this kernel's", env->sys);
	devices = devices_open(env, KIND_NIC, fault);
	if (!devices)
		return false;
	state = xalloc(sizeof *state);
	state->interval = env->interval;
	state->cards = (struct watch_table){
		.devices = devices, .row_size = sizeof(struct card), .drop = drop};
	if (!ethtool_open(&state->tool, fault)) {
		state->tool.fd = -1;
		nichw_close(state);
		return false;
	}
	state->standard = ethgenl_open(&state->genl, NULL);
	*memory = state;
	return true;
}

const struct source source_nichw = {
	.name = "nichw",
	.about = "ethtool: what the hardware of cards counts, pause frames, drivers' "
		 "own",
	.none = "no card of this network namespace is shown",
	.may_block = true,
	.open = nichw_open,
	.look = nichw_look,
	.read = nichw_read,
	.close = nichw_close,
};
