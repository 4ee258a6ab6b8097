/*
 * Fibre Channel: the ports of this host with what their adapters count, and the remote
 * ports behind them with what their disks do. Counters are hexadecimal; all ones mean
 * that the driver does not count it, and a disabled port has no such files.
 *
 * For each of them the driver may ask the adapter's firmware, so that they are read on
 * a thread of their own: one that takes longer than a tick is late, and nothing waits.
 */
#include "config.h"

#include "base/alloc.h"
#include "base/scan.h"
#include "base/text.h"
#include "source/table.h"
#include "source/transport.h"

#include <stdlib.h>
#include <string.h>

enum {
	WORD = 96
};

static const struct {
	const char *name;
	unsigned raw;
} counters[] = {
	{"rx_frames", RAW_FC_RX_FRAMES},
	{"tx_frames", RAW_FC_TX_FRAMES},
	{"rx_words", RAW_FC_RX_WORDS},
	{"tx_words", RAW_FC_TX_WORDS},
	{"invalid_crc_count", RAW_FC_CRC},
	{"invalid_tx_word_count", RAW_FC_INVALID_WORDS},
	{"loss_of_sync_count", RAW_FC_LOSS_OF_SYNC},
	{"loss_of_signal_count", RAW_FC_LOSS_OF_SIGNAL},
	{"link_failure_count", RAW_FC_LINK_FAILURES},
	{"prim_seq_protocol_err_count", RAW_FC_PROTOCOL},
	{"lip_count", RAW_FC_LIP},
	{"nos_count", RAW_FC_NOS},
	{"error_frames", RAW_FC_ERROR_FRAMES},
	{"dumped_frames", RAW_FC_DUMPED_FRAMES},
	{"fcp_packet_aborts", RAW_FC_ABORTS},
	{"fpin_cn", RAW_FC_CONGESTION},
	{"fpin_li", RAW_FC_LINK_INTEGRITY},
};

enum {
	COUNTERS = sizeof counters / sizeof *counters
};

/* ---- ports of this host ---- */

/* The counters of one port stay open. */
struct port {
	struct attr attrs[COUNTERS];
	bool open;
};

static void open_port(struct port *port, const char *sys, const char *name)
{
	char folder[ATTR_PATH];

	if (!text_format(
		    folder, sizeof folder, "%s/class/fc_host/%s/statistics", sys, name))
		folder[0] = 0; /* then the files are missing */
	for (size_t i = 0; i < COUNTERS; i++)
		attr_open(&port->attrs[i], folder, counters[i].name);
	port->open = port->attrs[0].fd >= 0;
}

static void close_port(struct port *port)
{
	for (size_t i = 0; i < COUNTERS; i++)
		attr_close(&port->attrs[i]);
	port->open = false;
}

static enum why counter(const struct attr *attr, uint64_t *value)
{
	char text[32];
	const char *at = text;
	enum why why = attr_text(attr, text, sizeof text);

	if (why != WHY_NONE)
		return why;
	if (!scan_hex(&at, value) || !scan_end(at) || *value == UINT64_MAX)
		return WHY_UNSUPPORTED;
	return WHY_NONE;
}

static void read_port(struct transport *transport, const char *sys, struct sink *sink,
	unsigned subject)
{
	bool fresh = !transport->more;
	struct port *port = fresh ? xalloc(sizeof *port) : transport->more;

	transport->more = port;
	if (!fresh && !port->open)
		close_port(port); /* it may have been enabled */
	if (!port->open)
		open_port(port, sys, transport->name);
	for (size_t i = 0; i < COUNTERS; i++) {
		uint64_t value;
		enum why why = counter(&port->attrs[i], &value);

		if (why == WHY_NONE)
			sink_put(sink, subject, counters[i].raw, value);
		else if (!port->open && transport->lost)
			sink_none(sink, subject, counters[i].raw, WHY_OFF);
		else if (why != WHY_ABSENT)
			sink_none(sink, subject, counters[i].raw, why);
	}
}

static void forget_port(struct transport *transport)
{
	if (transport->more)
		close_port(transport->more);
	free(transport->more);
	transport->more = NULL;
}

static bool describe_port(struct subject *subject, const char *sys, const char *name)
{
	char folder[ATTR_PATH], path[ATTR_PATH], wwpn[32], driver[32] = "";

	if (!transport_folder(&transport_fc_host, sys, name, folder, sizeof folder) ||
		attr_read_text(folder, "port_name", wwpn, sizeof wwpn) != WHY_NONE)
		return false;
	if (text_format(path, sizeof path, "%s/class/scsi_host/%s", sys, name))
		(void)attr_read_text(
			path, "proc_name", driver, sizeof driver); /* or "" */
	/* short texts */
	(void)text_format(subject->name, sizeof subject->name, "fc %s", name);
	(void)text_format(subject->id, sizeof subject->id, "fc %s", wwpn);
	(void)text_format(subject->detail, sizeof subject->detail,
		"FC port of this host, %s%s%s", wwpn, *driver ? ", " : "", driver);
	return true;
}

const struct transport_class transport_fc_host = {
	.folder = "class/fc_host",
	.prefix = "host",
	.state = "port_state",
	.up = "Online",
	.poor = "Marginal",
	.what = "port",
	.hold = HOLD_PORT,
	.describe = describe_port,
	.read = read_port,
	.forget = forget_port,
};

/* ---- remote ports ---- */

/* Switches and other initiators are remote ports as well, and no storage. */
static bool describe_remote(struct subject *subject, const char *sys, const char *name)
{
	char folder[ATTR_PATH], path[ATTR_PATH], roles[64], wwpn[32], host[WORD],
		own[32];

	if (!transport_folder(&transport_fc_port, sys, name, folder, sizeof folder) ||
		attr_read_text(folder, "roles", roles, sizeof roles) != WHY_NONE ||
		!strstr(roles, "FCP Target") ||
		attr_read_text(folder, "port_name", wwpn, sizeof wwpn) != WHY_NONE ||
		!transport_host(folder, host, sizeof host))
		return false;
	if (!text_format(path, sizeof path, "%s/class/fc_host/%.40s", sys, host) ||
		attr_read_text(path, "port_name", own, sizeof own) != WHY_NONE)
		(void)text_copy(own, sizeof own, host);
	/* short texts */
	(void)text_format(subject->name, sizeof subject->name, "%s %.16s",
		!strncmp(wwpn, "0x", 2) ? wwpn + 2 : wwpn, host);
	(void)text_format(subject->id, sizeof subject->id, "fc %s>%s", own, wwpn);
	(void)text_format(subject->detail, sizeof subject->detail,
		"FC remote port, %s, %.16s", name, host);
	return true;
}

const struct transport_class transport_fc_port = {
	.folder = "class/fc_remote_ports",
	.prefix = "rport-",
	.state = "port_state",
	.up = "Online",
	.poor = "Marginal",
	.what = "remote port",
	.hold = HOLD_PORT,
	.has_disks = true,
	.timeouts = {"fast_io_fail_tmo", "dev_loss_tmo"},
	.describe = describe_remote,
};

/* ---- the source ---- */

struct state {
	struct transports hosts, ports;
};

static void fc_look(void *memory, struct sink *sink, nsec now)
{
	struct state *state = memory;

	transports_look(&state->hosts, sink, now);
	transports_look(&state->ports, sink, now);
}

/* The disks first: the counters of an adapter may be slow to come. */
static bool fc_read(void *memory, struct sink *sink, nsec now, struct fault *fault)
{
	struct state *state = memory;

	(void)now;
	(void)fault; /* what cannot be read says so itself */
	transports_read(&state->ports, sink);
	transports_read(&state->hosts, sink);
	transports_nothing(&state->hosts, sink,
		"no FC adapter is there: the module scsi_transport_fc is not loaded");
	return true;
}

static void fc_close(void *memory)
{
	struct state *state = memory;

	if (!state)
		return;
	transports_fini(&state->hosts);
	transports_fini(&state->ports);
	free(state);
}

static bool fc_open(void **memory, const struct source_env *env, struct fault *fault)
{
	struct state *state = xalloc(sizeof *state);

	(void)fault; /* the first adapter may come later */
	transports_init(&state->hosts, &transport_fc_host, env->sys);
	transports_init(&state->ports, &transport_fc_port, env->sys);
	*memory = state;
	return true;
}

const struct source source_fc = {
	.name = "fc",
	.about = "/sys/class/fc_host, fc_remote_ports: errors and state of FC ports",
	.none = "no FC adapter is there",
	.may_block = true,
	.open = fc_open,
	.look = fc_look,
	.read = fc_read,
	.close = fc_close,
};
