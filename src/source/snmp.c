/*
 * TCP, UDP and IP counters of this network namespace: /proc/net/snmp and
 * netstat, where a line of names is followed by a line of values. Columns are
 * found by name, since kernels add and reorder them; a column that is not there
 * is unsupported, not 0. softnet_stat has one line of hexadecimal numbers per
 * CPU that is online.
 */
#include "config.h"

#include "source/snmp.h"

#include "base/alloc.h"
#include "base/scan.h"
#include "source/host.h"
#include "source/table.h"

#include <stdlib.h>
#include <string.h>

enum {
	FILE_LIMIT = 1 << 20,
	NAME = 64
};

const struct snmp_row snmp_rows[SNMP_ROWS] = {
	{"Tcp:", "InSegs", RAW_TCP_IN_SEGS},
	{"Tcp:", "OutSegs", RAW_TCP_OUT_SEGS},
	{"Tcp:", "RetransSegs", RAW_TCP_RETRANS_SEGS},
	{"Tcp:", "InErrs", RAW_TCP_IN_ERRS},
	{"Tcp:", "InCsumErrors", RAW_TCP_IN_CSUM_ERRORS},
	{"Tcp:", "OutRsts", RAW_TCP_OUT_RSTS},
	{"TcpExt:", "TCPTimeouts", RAW_TCP_TIMEOUTS},
	{"TcpExt:", "TCPFastRetrans", RAW_TCP_FAST_RETRANS},
	{"TcpExt:", "TCPLostRetransmit", RAW_TCP_LOST_RETRANS},
	{"TcpExt:", "TCPOFOQueue", RAW_TCP_OFO_QUEUE},
	{"TcpExt:", "TCPBacklogDrop", RAW_TCP_BACKLOG_DROP},
	{"Udp:", "InErrors", RAW_UDP_IN_ERRORS},
	{"Udp:", "InCsumErrors", RAW_UDP_IN_CSUM_ERRORS},
	{"Ip:", "InHdrErrors", RAW_IP_IN_HDR_ERRORS},
	{"IpExt:", "InCsumErrors", RAW_IP_IN_CSUM_ERRORS},
	{"Ip:", "ReasmFails", RAW_IP_REASM_FAILS},
};

struct state {
	char *proc;
	struct subject subject;
	struct buffer text;
	unsigned cpus; /* lines of softnet_stat at the last reading */
};

static int row_of(const char *group, const char *name)
{
	for (int i = 0; i < SNMP_ROWS; i++)
		if (!strcmp(snmp_rows[i].group, group) &&
			!strcmp(snmp_rows[i].name, name))
			return i;
	return -1;
}

/* Walks names and values side by side; stops where either ends. */
static void take_pair(
	const char *names, const char *numbers, struct snmp_values *values)
{
	char group[NAME], name[NAME], number[NAME];

	if (!scan_word(&names, group, sizeof group) || !scan_exact(&numbers, group))
		return;
	while (scan_word(&names, name, sizeof name) &&
		scan_word(&numbers, number, sizeof number)) {
		const char *at = number;
		int row = row_of(group, name);
		uint64_t value;

		if (row < 0 || !scan_u64(&at, &value) || !scan_end(at))
			continue;
		values->have[row] = true;
		values->value[row] = value;
	}
}

void snmp_parse(char *text, struct snmp_values *values)
{
	const char *names;

	while ((names = scan_line(&text))) {
		const char *numbers = scan_line(&text);

		if (numbers)
			take_pair(names, numbers, values);
	}
}

bool softnet_parse(char *text, struct softnet *sums)
{
	const char *line;

	*sums = (struct softnet){0};
	while ((line = scan_line(&text))) {
		uint64_t processed, dropped, squeezed;

		if (!scan_hex(&line, &processed) || !scan_hex(&line, &dropped) ||
			!scan_hex(&line, &squeezed))
			return false;
		sums->cpus++;
		sums->dropped += dropped;
		sums->squeezed += squeezed;
	}
	return sums->cpus > 0;
}

static void put_softnet(struct state *state, struct sink *sink, unsigned host)
{
	struct softnet sums;
	unsigned before = state->cpus;

	if (!scan_file(
		    state->proc, "/net/softnet_stat", &state->text, FILE_LIMIT, NULL) ||
		!softnet_parse(buffer_string(&state->text), &sums)) {
		sink_none(sink, host, RAW_SOFTNET_DROPPED, WHY_UNSUPPORTED);
		sink_none(sink, host, RAW_SOFTNET_SQUEEZED, WHY_UNSUPPORTED);
		return;
	}
	state->cpus = sums.cpus;
	if (before && before != sums.cpus)
		return; /* a CPU came or went: the sums before and after differ in kind
			 */
	sink_put(sink, host, RAW_SOFTNET_DROPPED, sums.dropped);
	sink_put(sink, host, RAW_SOFTNET_SQUEEZED, sums.squeezed);
}

static bool snmp_read(void *memory, struct sink *sink, nsec now, struct fault *fault)
{
	struct state *state = memory;
	struct snmp_values values = {0};
	unsigned host = sink_subject(sink, &state->subject);

	(void)now;
	if (!scan_file(state->proc, "/net/snmp", &state->text, FILE_LIMIT, fault))
		return false;
	snmp_parse(buffer_string(&state->text), &values);
	if (scan_file(state->proc, "/net/netstat", &state->text, FILE_LIMIT, NULL))
		snmp_parse(buffer_string(&state->text), &values);
	for (size_t i = 0; i < SNMP_ROWS; i++)
		if (values.have[i])
			sink_put(sink, host, snmp_rows[i].raw, values.value[i]);
		else
			sink_none(sink, host, snmp_rows[i].raw, WHY_UNSUPPORTED);
	put_softnet(state, sink, host);
	return true;
}

static void snmp_close(void *memory)
{
	struct state *state = memory;

	if (!state)
		return;
	buffer_fini(&state->text);
	free(state->proc);
	free(state);
}

static bool snmp_open(void **memory, const struct source_env *env, struct fault *fault)
{
	struct state *state = xalloc(sizeof *state);

	*memory = NULL;
	state->proc = xstrdup(env->proc);
	if (!scan_file(state->proc, "/net/snmp", &state->text, FILE_LIMIT, fault)) {
		snmp_close(state);
		return false;
	}
	host_subject(env, &state->subject);
	*memory = state;
	return true;
}

const struct source source_snmp = {
	.name = "snmp",
	.about = "/proc/net: TCP retransmissions, checksum errors, drops of the host",
	.open = snmp_open,
	.read = snmp_read,
	.close = snmp_close,
};
