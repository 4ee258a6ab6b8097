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

struct state {
	char *sys;
	struct config_beat beat;
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
	const struct state *state;
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
