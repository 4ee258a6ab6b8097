/*
 * What iSCSI sessions have negotiated, and how FC ports are set up, from the class
 * folders of the kernel. The subjects are those of the sources that read their figures
 * (transport.h).
 */
#include "config.h"

#include "base/alloc.h"
#include "base/text.h"
#include "source/attr.h"
#include "source/config.h"
#include "source/table.h"
#include "source/transport.h"

#include <stdlib.h>
#include <string.h>

/* What went by a name in sysfs the last time. */
struct named {
	char name[REMOTE_NAME], id[SUBJECT_ID];
	unsigned ordinal; /* among those of one identity */
	bool seen;
};

struct state {
	char *sys;
	struct config_beat beat;
	struct named *list;
	size_t count, room;
};

static const struct config_row connection_rows[] = {
	{.key = "header_digest", .path = "header_digest"},
	{.key = "data_digest", .path = "data_digest"},
	{.key = "max_recv_dlength", .path = "max_recv_dlength"},
	{.key = "max_xmit_dlength", .path = "max_xmit_dlength"},
	{.key = "address", .path = "address"},
	{.key = "port", .path = "port"},
	{.key = "local_ipaddr", .path = "local_ipaddr", .optional = true},
	{.key = "ping_tmo", .path = "ping_tmo", .optional = true},
	{.key = "recv_tmo", .path = "recv_tmo", .optional = true},
};

static const struct config_row session_rows[] = {
	{.key = "initial_r2t", .path = "initial_r2t"},
	{.key = "immediate_data", .path = "immediate_data"},
	{.key = "first_burst_len", .path = "first_burst_len"},
	{.key = "max_burst_len", .path = "max_burst_len"},
	{.key = "max_outstanding_r2t", .path = "max_outstanding_r2t"},
	{.key = "erl", .path = "erl"},
	{.key = "recovery_tmo", .path = "recovery_tmo"},
	{.key = "abort_tmo", .path = "abort_tmo", .optional = true},
	{.key = "lu_reset_tmo", .path = "lu_reset_tmo", .optional = true},
	{.key = "targetname", .path = "targetname"},
	{.key = "ifacename", .path = "ifacename", .optional = true},
};

static const struct config_row host_rows[] = {
	{.key = "port_name", .path = "port_name"},
	{.key = "speed", .path = "speed"},
	{.key = "supported_speeds", .path = "supported_speeds", .optional = true},
	{.key = "port_type", .path = "port_type", .optional = true},
	{.key = "fabric_name", .path = "fabric_name", .optional = true},
	{.key = "symbolic_name", .path = "symbolic_name", .optional = true},
};

static const struct config_row port_rows[] = {
	{.key = "port_name", .path = "port_name"},
	{.key = "node_name", .path = "node_name", .optional = true},
	{.key = "fast_io_fail_tmo", .path = "fast_io_fail_tmo", .optional = true},
	{.key = "dev_loss_tmo", .path = "dev_loss_tmo"},
};

static const struct config_row adapter_rows[] = {
	{.key = "driver", .path = "proc_name", .optional = true},
	{.key = "can_queue", .path = "can_queue", .optional = true},
	{.key = "cmd_per_lun", .path = "cmd_per_lun", .optional = true},
	{.key = "firmware", .path = "fw_version", .optional = true},
	{.key = "option_rom", .path = "optrom_fw_version", .optional = true},
};

#define COUNT(list) (sizeof(list) / sizeof *(list))

/* The rows of one class; a session's connection and adapter stand in other folders. */
static const struct table {
	const struct transport_class *class;
	const struct config_row *rows;
	size_t count;
} kinds[] = {
	{&transport_iscsi, session_rows, COUNT(session_rows)},
	{&transport_fc_host, host_rows, COUNT(host_rows)},
	{&transport_fc_port, port_rows, COUNT(port_rows)},
};

struct visit {
	struct state *state;
	const struct table *table;
	struct sink *sink;
};

static void add_connection(
	const struct visit *visit, const struct subject *subject, const char *session)
{
	char folder[ATTR_PATH];

	if (text_format(folder, sizeof folder,
		    "%s/class/iscsi_connection/connection%s:0", visit->state->sys,
		    session + strlen(transport_iscsi.prefix)) &&
		attr_exists(folder, "."))
		config_attrs(visit->sink, subject, folder, connection_rows,
			COUNT(connection_rows));
}

static void add_adapter(const struct visit *visit, const struct subject *subject,
	const char *class_folder)
{
	char host[48], folder[ATTR_PATH];

	if (transport_host(class_folder, host, sizeof host) &&
		text_format(folder, sizeof folder, "%s/class/scsi_host/%s",
			visit->state->sys, host))
		config_attrs(visit->sink, subject, folder, adapter_rows,
			COUNT(adapter_rows));
}

static bool is_taken(const struct state *state, const char *id, unsigned ordinal)
{
	for (size_t i = 0; i < state->count; i++)
		if (state->list[i].ordinal == ordinal && !strcmp(state->list[i].id, id))
			return true;
	return false;
}

/* The same order as transport.c has: the first that comes has the plain name, and keeps
 * it while it is there. */
static void number(struct state *state, struct subject *subject, const char *name)
{
	struct named new = {.seen = true, .ordinal = 1};

	for (size_t i = 0; i < state->count; i++)
		if (!strcmp(state->list[i].name, name) &&
			!strcmp(state->list[i].id, subject->id)) {
			state->list[i].seen = true;
			transport_number(subject, state->list[i].ordinal);
			return;
		}
	while (is_taken(state, subject->id, new.ordinal))
		new.ordinal++;
	(void)text_copy(new.name, sizeof new.name, name); /* sysfs names are short */
	memcpy(new.id, subject->id, sizeof new.id);
	xgrow(&state->list, &state->room, state->count + 1, sizeof *state->list);
	state->list[state->count++] = new;
	transport_number(subject, new.ordinal);
}

/* Before a look, so that what went leaves its name to the next one: those in the folder
 * of CLASS are there still. */
static void keep(void *context, const char *name)
{
	struct state *state = context;

	for (size_t i = 0; i < state->count; i++)
		if (!strcmp(state->list[i].name, name))
			state->list[i].seen = true;
}

static void forget(struct state *state)
{
	size_t kept = 0;

	for (size_t i = 0; i < state->count; i++)
		if (state->list[i].seen) {
			state->list[i].seen = false;
			state->list[kept++] = state->list[i];
		}
	state->count = kept;
}

static void take(void *context, const char *name)
{
	const struct visit *visit = context;
	const struct table *table = visit->table;
	struct subject subject = {.kind = KIND_TRANSPORT};
	char folder[ATTR_PATH];

	if (!transport_folder(
		    table->class, visit->state->sys, name, folder, sizeof folder) ||
		!table->class->describe(&subject, visit->state->sys, name))
		return;
	number(visit->state, &subject, name);
	config_attrs(visit->sink, &subject, folder, table->rows, table->count);
	if (table->class == &transport_iscsi)
		add_connection(visit, &subject, name);
	if (table->class != &transport_fc_port)
		add_adapter(visit, &subject, folder);
}

static bool config_transport_read(
	void *memory, struct sink *sink, nsec now, struct fault *fault)
{
	struct state *state = memory;
	char folder[ATTR_PATH];

	(void)fault; /* what cannot be read says so itself */
	if (!config_is_due(&state->beat, sink, now))
		return true;
	for (size_t i = 0; i < COUNT(kinds); i++)
		if (text_format(folder, sizeof folder, "%s/%s", state->sys,
			    kinds[i].class->folder))
			config_each(folder, kinds[i].class->prefix, keep, state);
	forget(state);
	for (size_t i = 0; i < COUNT(kinds); i++) {
		struct visit visit = {state, &kinds[i], sink};

		if (text_format(folder, sizeof folder, "%s/%s", state->sys,
			    kinds[i].class->folder))
			config_each(folder, kinds[i].class->prefix, take, &visit);
	}
	sink_facts_whole(sink, KIND_TRANSPORT);
	return true;
}

static void config_transport_close(void *memory)
{
	struct state *state = memory;

	if (!state)
		return;
	free(state->list);
	free(state->sys);
	free(state);
}

static bool config_transport_open(
	void **memory, const struct source_env *env, struct fault *fault)
{
	struct state *state = xalloc(sizeof *state);

	(void)fault;
	state->sys = xstrdup(env->sys);
	*memory = state;
	return true;
}

const struct source source_config_transport = {
	.name = "config-transport",
	.about = "what iSCSI sessions have negotiated, how FC ports are set up",
	.may_block = true,
	.open = config_transport_open,
	.read = config_transport_read,
	.close = config_transport_close,
};
