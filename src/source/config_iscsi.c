/* What iSCSI connections and their sessions have negotiated, from the class folders
 * of the kernel's initiator. One subject for each connection: a target by one way. */
#include "config.h"

#include "base/alloc.h"
#include "base/text.h"
#include "source/attr.h"
#include "source/config.h"
#include "source/table.h"

#include <stdlib.h>
#include <string.h>

struct state {
	char connections[ATTR_PATH], sessions[ATTR_PATH];
	struct config_beat beat;
};

static const struct config_row connection_rows[] = {
	{.key = "header_digest", .path = "header_digest"},
	{.key = "data_digest", .path = "data_digest"},
	{.key = "max_recv_dlength", .path = "max_recv_dlength"},
	{.key = "max_xmit_dlength", .path = "max_xmit_dlength"},
	{.key = "address", .path = "address"},
	{.key = "port", .path = "port"},
	{.key = "ping_tmo", .path = "ping_tmo", .optional = true},
	{.key = "recv_tmo", .path = "recv_tmo", .optional = true},
	{.key = "connection_state", .path = "state", .optional = true},
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
	{.key = "session_state", .path = "state", .optional = true},
};

/* Numbers of sessions are given anew at each login; target and portal stay. */
static bool describe(
	struct subject *subject, const char *connection, const char *session)
{
	char address[64], port[16], target[64];

	if (config_text(connection, "persistent_address", address, sizeof address) !=
			WHY_NONE ||
		config_text(connection, "persistent_port", port, sizeof port) !=
			WHY_NONE ||
		config_text(session, "targetname", target, sizeof target) != WHY_NONE)
		return false;
	*subject = (struct subject){.kind = KIND_PEER};
	/* cut ones are still names */
	(void)text_format(
		subject->name, sizeof subject->name, "%s:%.8s", address, port);
	(void)text_format(
		subject->id, sizeof subject->id, "%s %s", subject->name, target);
	return true;
}

struct visit {
	const struct state *state;
	struct sink *sink;
};

/* NAME is connectionS:C; its session is sessionS. */
static void take_connection(void *context, const char *name)
{
	const struct visit *visit = context;
	const char *number = name + strlen("connection");
	char connection[ATTR_PATH], session[ATTR_PATH];
	struct subject subject;

	if (!text_format(connection, sizeof connection, "%s/%s",
		    visit->state->connections, name) ||
		!text_format(session, sizeof session, "%s/session%.*s",
			visit->state->sessions, (int)strcspn(number, ":"), number) ||
		!describe(&subject, connection, session))
		return;
	config_attrs(visit->sink, &subject, connection, connection_rows,
		sizeof connection_rows / sizeof *connection_rows);
	config_attrs(visit->sink, &subject, session, session_rows,
		sizeof session_rows / sizeof *session_rows);
}

static bool config_iscsi_read(
	void *memory, struct sink *sink, nsec now, struct fault *fault)
{
	struct state *state = memory;
	struct visit visit = {state, sink};

	(void)fault; /* what cannot be read says so itself */
	if (!config_is_due(&state->beat, sink, now))
		return true;
	config_each(state->connections, "connection", take_connection, &visit);
	sink_facts_whole(sink, KIND_PEER);
	return true;
}

static void config_iscsi_close(void *memory)
{
	free(memory);
}

static bool config_iscsi_open(
	void **memory, const struct source_env *env, struct fault *fault)
{
	struct state *state = xalloc(sizeof *state);

	*memory = NULL;
	if (!text_format(state->connections, sizeof state->connections,
		    "%s/class/iscsi_connection", env->sys) ||
		!text_format(state->sessions, sizeof state->sessions,
			"%s/class/iscsi_session", env->sys)) {
		free(state);
		return fault_set(fault, "the path of sysfs is too long");
	}
	*memory = state;
	return true;
}

const struct source source_config_iscsi = {
	.name = "config-iscsi",
	.about = "what iSCSI connections have negotiated",
	.may_block = true,
	.open = config_iscsi_open,
	.read = config_iscsi_read,
	.close = config_iscsi_close,
};
