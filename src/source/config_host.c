/* How the host is set up: kernel, distribution, processors, network parameters; and
 * the options in force of mounts over the network, from the list of mounts alone:
 * the mounts themselves are never touched. */
#include "config.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "base/scan.h"
#include "base/text.h"
#include "core/fact.h"
#include "core/unit.h"
#include "source/attr.h"
#include "source/config.h"
#include "source/config_mounts.h"
#include "source/config_parts.h"
#include "source/host.h"
#include "source/table.h"

#include <stdlib.h>
#include <string.h>

struct state {
	const struct source_env *env;
	struct subject subject;
	struct config_beat beat;
	struct buffer text;
	nsec clock_error; /* the widest bound since the clock was kept; 0 before */
};

static const struct config_row proc_rows[] = {
	{.key = "kernel", .path = "sys/kernel/osrelease"},
	{.key = "kernel.build", .path = "sys/kernel/version"},
	{.key = "cmdline", .path = "cmdline"},
	{.key = "net.core.rmem_max", .path = "sys/net/core/rmem_max"},
	{.key = "net.core.wmem_max", .path = "sys/net/core/wmem_max"},
	{.key = "net.core.rmem_default", .path = "sys/net/core/rmem_default"},
	{.key = "net.core.wmem_default", .path = "sys/net/core/wmem_default"},
	{.key = "net.core.netdev_max_backlog",
		.path = "sys/net/core/netdev_max_backlog"},
	{.key = "net.core.netdev_budget", .path = "sys/net/core/netdev_budget"},
	{.key = "net.core.netdev_budget_usecs",
		.path = "sys/net/core/netdev_budget_usecs",
		.optional = true},
	{.key = "net.core.default_qdisc",
		.path = "sys/net/core/default_qdisc",
		.optional = true},
	{.key = "net.core.busy_poll",
		.path = "sys/net/core/busy_poll",
		.optional = true},
	{.key = "net.ipv4.tcp_rmem", .path = "sys/net/ipv4/tcp_rmem"},
	{.key = "net.ipv4.tcp_wmem", .path = "sys/net/ipv4/tcp_wmem"},
	{.key = "net.ipv4.tcp_window_scaling",
		.path = "sys/net/ipv4/tcp_window_scaling"},
	{.key = "net.ipv4.tcp_sack", .path = "sys/net/ipv4/tcp_sack"},
	{.key = "net.ipv4.tcp_timestamps", .path = "sys/net/ipv4/tcp_timestamps"},
	{.key = "net.ipv4.tcp_congestion_control",
		.path = "sys/net/ipv4/tcp_congestion_control"},
	{.key = "net.ipv4.tcp_slow_start_after_idle",
		.path = "sys/net/ipv4/tcp_slow_start_after_idle"},
	{.key = "net.ipv4.tcp_ecn", .path = "sys/net/ipv4/tcp_ecn"},
	{.key = "net.ipv4.tcp_mtu_probing", .path = "sys/net/ipv4/tcp_mtu_probing"},
	{.key = "net.ipv4.tcp_moderate_rcvbuf",
		.path = "sys/net/ipv4/tcp_moderate_rcvbuf"},
	{.key = "vm.dirty_ratio", .path = "sys/vm/dirty_ratio"},
	{.key = "vm.dirty_background_ratio", .path = "sys/vm/dirty_background_ratio"},
	{.key = "vm.dirty_bytes", .path = "sys/vm/dirty_bytes"},
	{.key = "vm.dirty_background_bytes", .path = "sys/vm/dirty_background_bytes"},
	{.key = "sunrpc.tcp_slot_table_entries",
		.path = "sys/sunrpc/tcp_slot_table_entries",
		.optional = true},
	{.key = "sunrpc.tcp_max_slot_table_entries",
		.path = "sys/sunrpc/tcp_max_slot_table_entries",
		.optional = true},
};

static const struct config_row sys_rows[] = {
	{.key = "cpus", .path = "devices/system/cpu/online"},
};

/* ---- distribution ---- */

/* PRETTY_NAME="..." */
static bool pretty_name(char *text, char *name, size_t size)
{
	static const char key[] = "PRETTY_NAME=";
	char *line;

	while ((line = scan_line(&text))) {
		if (strncmp(line, key, sizeof key - 1) != 0)
			continue;
		line += sizeof key - 1;
		line += *line == '"';
		line[strcspn(line, "\"")] = 0;
		(void)text_clean(name, size, line); /* a cut one will do */
		return true;
	}
	return false;
}

static void put_distribution(struct state *state, struct sink *sink)
{
	char name[FACT_VALUE];
	bool found =
		state->env->etc &&
		scan_file(state->env->etc, "/os-release", &state->text, 16384, NULL) &&
		pretty_name(buffer_string(&state->text), name, sizeof name);

	sink_fact(sink, &state->subject, "distribution", found ? name : NULL,
		WHY_UNSUPPORTED);
}

/* ---- processors ---- */

struct governors {
	const char *folder;
	char text[FACT_VALUE]; /* each that is in force, once */
	enum why why;
};

static bool has_word(const char *list, const char *word)
{
	size_t length = strlen(word);

	for (const char *at = strstr(list, word); at; at = strstr(at + 1, word))
		if ((at == list || at[-1] == ' ') && (at[length] == ' ' || !at[length]))
			return true;
	return false;
}

static void add_governor(void *context, const char *name)
{
	struct governors *governors = context;
	char path[ATTR_PATH], one[64];
	size_t used = strlen(governors->text);
	enum why why;

	if (!text_format(path, sizeof path, "%s/scaling_governor", name))
		return;
	why = config_text(governors->folder, path, one, sizeof one);
	if (why != WHY_NONE) {
		governors->why = why;
		return;
	}
	if (!has_word(governors->text, one))
		(void)text_format(governors->text + used, sizeof governors->text - used,
			"%s%s", used ? " " : "", one); /* there are few */
}

static void put_governor(const struct state *state, struct sink *sink)
{
	struct governors governors = {.why = WHY_UNSUPPORTED};
	char folder[ATTR_PATH];

	if (!text_format(folder, sizeof folder, "%s/devices/system/cpu/cpufreq",
		    state->env->sys))
		return;
	governors.folder = folder;
	config_each(folder, "policy", add_governor, &governors);
	sink_fact(sink, &state->subject, "governor",
		governors.text[0] ? governors.text : NULL, governors.why);
}

/* It grows until its keeper looks again, and would be another one each minute: a power
 * of ten, that only widens, is told a few times at most. */
static void put_clock_error(struct state *state, struct sink *sink)
{
	nsec error = clock_error();
	nsec bound = clock_error_bound(error);
	char text[48] = "at most ";
	size_t used = strlen(text);

	if (error < 0) {
		state->clock_error = 0;
		return; /* that it is not kept is a fact of its own */
	}
	if (state->clock_error < bound)
		state->clock_error = bound;
	unit_duration(text + used, sizeof text - used, state->clock_error);
	sink_fact(sink, &state->subject, FACT_CLOCK, text, WHY_NONE);
}

/* Of this host alone: there is no file of it. */
static void put_clock(struct state *state, struct sink *sink)
{
	int kept = clock_synchronised();

	put_clock_error(state, sink);
	sink_fact(sink, &state->subject, "clock.synchronised",
		kept < 0 ? NULL
		: kept   ? "yes"
			 : "no",
		WHY_UNSUPPORTED);
}

/* A capture is a load of its own, and what it looks at changes what it counts. */
static void put_capture(const struct state *state, struct sink *sink)
{
	const struct selection *selection = state->env->selection;
	const char *filter = selection->filter ? selection->filter : "none";
	char capture[48] = "off", ring[24] = "";

	if (selection->ring) /* these texts fit */
		(void)text_format(ring, sizeof ring, ", ring %u MiB", selection->ring);
	if (selection->capture)
		(void)text_format(capture, sizeof capture, "on%s%s",
			selection->promiscuous ? ", promiscuous" : "", ring);
	sink_fact(sink, &state->subject, "weir.capture", capture, WHY_NONE);
	sink_fact(sink, &state->subject, "weir.filter", filter, WHY_NONE);
}

/* With another threshold other things are called stalls. */
static void put_stall(const struct state *state, struct sink *sink)
{
	char text[32];

	(void)text_format(text, sizeof text, "%g s",
		(double)host_stall(state->env) / NSEC_PER_SEC); /* fits */
	sink_fact(sink, &state->subject, FACT_STALL, text, WHY_NONE);
}

static bool config_host_read(
	void *memory, struct sink *sink, nsec now, struct fault *fault)
{
	struct state *state = memory;
	const struct subject *host = &state->subject;

	if (!config_is_due(&state->beat, sink, now))
		return true;
	config_attrs(sink, host, state->env->proc, proc_rows,
		sizeof proc_rows / sizeof *proc_rows);
	config_attrs(sink, host, state->env->sys, sys_rows,
		sizeof sys_rows / sizeof *sys_rows);
	put_distribution(state, sink);
	put_governor(state, sink);
	put_capture(state, sink);
	put_stall(state, sink);
	config_modules(state->env, sink, host);
	if (!strcmp(state->env->proc, "/proc"))
		put_clock(state, sink);
	sink_facts_whole(sink, KIND_HOST);
	if (!config_mounts(state->env, &state->text, sink, fault))
		return false;
	sink_facts_whole(sink, KIND_MOUNT);
	return true;
}

static void config_host_close(void *memory)
{
	struct state *state = memory;

	if (!state)
		return;
	buffer_fini(&state->text);
	free(state);
}

static bool config_host_open(
	void **memory, const struct source_env *env, struct fault *fault)
{
	struct state *state = xalloc(sizeof *state);

	(void)fault; /* what cannot be read says so itself */
	state->env = env;
	host_subject(env, &state->subject);
	*memory = state;
	return true;
}

const struct source source_config_host = {
	.name = "config-host",
	.about = "how the host is set up: kernel, network parameters, mounts",
	.may_block = true,
	.open = config_host_open,
	.read = config_host_read,
	.close = config_host_close,
};
