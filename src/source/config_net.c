/* How interfaces are set up: attributes of sysfs, queues, bonds, and what the driver
 * says. Looked at once a minute, at each mark, and when the kernel tells of a link. */
#include "config.h"

#include "source/config_net.h"
#include "source/config_parts.h"

#include "base/alloc.h"
#include "base/text.h"
#include "core/fact.h"
#include "source/attr.h"
#include "source/config.h"
#include "source/devices.h"
#include "source/linkwatch.h"
#include "source/table.h"

#include <stdlib.h>
#include <string.h>

struct state {
	struct devices *devices;
	struct config_beat beat;
	struct ethtool tool; /* call null: nobody to ask */
	const struct source_env *env;
	int links;
	int route;  /* the table of queueing; -1: nobody to ask */
	bool heard; /* of a link, and has not looked since */
};

/* A link that flaps is not looked at for each message. */
static const nsec settle = 3 * NSEC_PER_SEC;

static const struct config_row rows[] = {
	{.key = "mtu", .path = "mtu"},
	{.key = "speed", .path = "speed"},
	{.key = "duplex", .path = "duplex"},
	{.key = "operstate", .path = "operstate"},
	{.key = "tx_queue_len", .path = "tx_queue_len"},
	{.key = "address", .path = "address"},
	{.key = "numa_node", .path = "device/numa_node", .optional = true},
	{.key = "bond.mode", .path = "bonding/mode", .optional = true},
	{.key = "bond.xmit_hash_policy",
		.path = "bonding/xmit_hash_policy",
		.optional = true},
	{.key = "bond.lacp_rate", .path = "bonding/lacp_rate", .optional = true},
	{.key = "bond.miimon", .path = "bonding/miimon", .optional = true},
	{.key = "bond.slaves", .path = "bonding/slaves", .optional = true},
	{.key = "bond.active_slave", .path = "bonding/active_slave", .optional = true},
};

/* ---- queues ---- */

struct queues {
	const char *folder;
	unsigned count;
	bool alike;
	char first[FACT_VALUE], all[FACT_VALUE];
	enum why why;
};

static void count_queue(void *context, const char *name)
{
	struct queues *queues = context;

	(void)name; /* one more */
	queues->count++;
}

static void add_rps(void *context, const char *name)
{
	struct queues *queues = context;
	char path[ATTR_PATH], one[FACT_VALUE];
	size_t used = strlen(queues->all);
	enum why why;

	if (!text_format(path, sizeof path, "%s/rps_cpus", name))
		return;
	why = config_text(queues->folder, path, one, sizeof one);
	if (why != WHY_NONE) {
		queues->why = why;
		return;
	}
	if (!queues->count++)
		(void)text_copy(queues->first, sizeof queues->first, one);
	queues->alike &= !strcmp(queues->first, one);
	(void)text_format(queues->all + used, sizeof queues->all - used, "%s%s",
		used ? " " : "", one); /* a cut list is still its beginning */
}

static void put_queues(
	struct sink *sink, const struct subject *subject, const char *folder)
{
	static const char *const kinds[] = {"rx", "tx"};
	struct queues rps = {.alike = true, .why = WHY_UNSUPPORTED};
	char path[ATTR_PATH];

	if (!text_format(path, sizeof path, "%s/queues", folder))
		return;
	for (int i = 0; i < 2; i++) {
		struct queues queues = {0};
		char prefix[8], key[16], text[16];

		/* all short */
		(void)text_format(prefix, sizeof prefix, "%s-", kinds[i]);
		(void)text_format(key, sizeof key, "queues.%s", kinds[i]);
		config_each(path, prefix, count_queue, &queues);
		(void)text_format(text, sizeof text, "%u", queues.count);
		sink_fact(sink, subject, key, text, WHY_NONE);
	}
	rps.folder = path;
	config_each(path, "rx-", add_rps, &rps);
	sink_fact(sink, subject, "rps_cpus",
		!rps.count  ? NULL
		: rps.alike ? rps.first
			    : rps.all,
		rps.why);
}

/* ---- the source ---- */

static void read_one(
	const struct state *state, const struct device *device, struct sink *sink)
{
	const struct subject *subject = &device->subject;
	char folder[ATTR_PATH];

	if (devices_folder(state->devices, device, folder, sizeof folder)) {
		config_attrs(sink, subject, folder, rows, sizeof rows / sizeof *rows);
		put_queues(sink, subject, folder);
		if (attr_exists(folder, "device"))
			config_irq(state->env, folder, sink, subject);
	}
	if (state->route >= 0)
		qdisc_fact(state->route, device->key, sink, subject);
	if (state->tool.call)
		ethtool_facts(&state->tool, device->key, sink, subject);
	else
		sink_fact(sink, subject, "driver", NULL, WHY_UNSUPPORTED);
}

static bool config_net_read(
	void *memory, struct sink *sink, nsec now, struct fault *fault)
{
	struct state *state = memory;

	(void)fault; /* what cannot be read says so itself */
	state->heard |= linkwatch_heard(state->links);
	if (state->heard && now - state->beat.read_at >= settle)
		state->beat.started = false;
	if (!config_is_due(&state->beat, sink, now))
		return true;
	state->heard = false;
	devices_refresh(state->devices, now, NSEC_PER_SEC);
	for (size_t i = 0; i < devices_count(state->devices); i++) {
		const struct device *device = devices_at(state->devices, i);

		if (device)
			read_one(state, device, sink);
	}
	sink_facts_whole(sink, KIND_NIC);
	return true;
}

static void config_net_close(void *memory)
{
	struct state *state = memory;

	if (!state)
		return;
	devices_close(state->devices);
	linkwatch_close(state->links);
	qdisc_close(state->route);
	if (state->tool.call)
		ethtool_close(&state->tool);
	free(state);
}

bool config_net_open_with(void **memory, const struct source_env *env,
	const struct ethtool *tool, struct fault *fault)
{
	struct devices *devices = devices_open(env, KIND_NIC, fault);
	struct state *state;

	*memory = NULL;
	if (!devices)
		return false;
	state = xalloc(sizeof *state);
	state->devices = devices;
	state->tool = *tool;
	state->links = -1;
	state->route = -1;
	state->env = env;
	*memory = state;
	return true;
}

/* The drivers of this host are asked only about its own interfaces. */
static bool config_net_open(
	void **memory, const struct source_env *env, struct fault *fault)
{
	bool real = !strcmp(env->sys, "/sys");
	struct ethtool tool = {.fd = -1};
	struct state *state;

	*memory = NULL;
	if (real && !ethtool_open(&tool, fault))
		return false;
	if (!config_net_open_with(memory, env, &tool, fault)) {
		ethtool_close(&tool);
		return false;
	}
	state = *memory;
	if (real) {
		state->links = linkwatch_open();
		state->route = qdisc_open();
	}
	return true;
}

const struct source source_config_net = {
	.name = "config-net",
	.about = "how interfaces are set up: driver, offloads, rings, queues, bonds",
	.may_block = true,
	.open = config_net_open,
	.read = config_net_read,
	.close = config_net_close,
};
