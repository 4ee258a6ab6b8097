/* The options of a recording, checked before anything opens. */
#include "config.h"

#include "app/record.h"

#include "app/filter.h"
#include "base/scan.h"
#include "base/text.h"
#include "packet/engine.h"
#include "packet/wire.h"
#include "source/ports.h"

#include <net/if.h>
#include <netinet/in.h>
#include <regex.h>
#include <stdio.h>
#include <string.h>

static bool read_interval(const char *text, nsec *interval, struct fault *fault)
{
	const char *at = text;
	double seconds;

	if (!scan_real(&at, &seconds) || *at || !(seconds >= 0.1 && seconds <= 3600))
		return fault_set(fault,
			"-t '%s' is no interval: give seconds from 0.1 to 3600, such "
			"as "
			"1 or 0.5",
			text);
	*interval = (nsec)(seconds * 1e3 + 0.5) * NSEC_PER_MSEC;
	return true;
}

static bool read_queue_interval(const char *text, nsec *interval, struct fault *fault)
{
	const char *at = text;
	double seconds;

	if (!scan_real(&at, &seconds) || *at || !(seconds >= 0.005 && seconds <= 1))
		return fault_set(fault,
			"--queue-interval '%s' is no interval of the queue's sampler: "
			"give seconds from 0.005 to 1, such as 0.02",
			text);
	*interval = (nsec)(seconds * 1e6 + 0.5) * NSEC_PER_USEC;
	return true;
}

bool read_stall(const char *text, nsec *stall, struct fault *fault)
{
	const char *at = text;
	double seconds;

	if (!scan_real(&at, &seconds) || *at || !(seconds >= 0.5 && seconds <= 3600))
		return fault_set(fault,
			"'%.40s' is no threshold of a stall: give seconds from 0.5 to "
			"3600, such as 5",
			text);
	*stall = (nsec)(seconds * 1e3 + 0.5) * NSEC_PER_MSEC;
	return true;
}

static bool check_regex(const char *text, struct fault *fault)
{
	regex_t regex;
	char why[96];
	int code;

	if (!*text)
		return fault_set(fault,
			"-D '' matches every disk: leave it out, or give "
			"a pattern such as '^sd[ab]$'");
	code = regcomp(&regex, text, REG_EXTENDED | REG_NOSUB);
	if (!code) {
		regfree(&regex);
		return true;
	}
	(void)regerror(code, &regex, why, sizeof why); /* a cut reason will do */
	return fault_set(fault,
		"-D '%s' is no regular expression: %s (give an extended one, such as "
		"'^sd[ab]$')",
		text, why);
}

/* "eth0, eth1": what there is, as far as it fits. */
static void name_interfaces(char *text, size_t size)
{
	struct if_nameindex *list = if_nameindex();
	size_t used = 0;

	text[0] = 0;
	for (size_t i = 0; list && list[i].if_name && used < size; i++)
		used += (size_t)snprintf(text + used, size - used, "%s%s",
			used ? ", " : "", list[i].if_name);
	if (list)
		if_freenameindex(list);
}

/* One that comes later is waited for; but if none is there, the name is wrong. */
static bool check_presence(const char *list, struct fault *fault)
{
	char name[IF_NAMESIZE];
	char there[120];

	for (const char *at = list; selection_next(&at, name, sizeof name);)
		if (if_nametoindex(name))
			return true;
	name_interfaces(there, sizeof there);
	return fault_set(fault, "-i '%.80s': there is no such interface; there %s: %s",
		list, strchr(there, ',') ? "are" : "is", there);
}

bool selection_next(const char **at, char *name, size_t size)
{
	size_t length = strcspn(*at, ",");

	if (!length || length >= size)
		return false;
	memcpy(name, *at, length);
	name[length] = 0;
	*at += length + ((*at)[length] == ',');
	return true;
}

static bool check_interfaces(const char *list, struct fault *fault)
{
	const char *at = list;

	for (;;) {
		size_t length = strcspn(at, ",");

		if (!length || length >= IF_NAMESIZE || memchr(at, '/', length) ||
			memchr(at, ' ', length))
			return fault_set(fault,
				"-i '%s' is no list of interfaces: give names with "
				"commas, such as eth0,eth1",
				list);
		if (!at[length])
			return check_presence(list, fault);
		at += length + 1;
	}
}

/* What --host names, as one list; there is one command line in a process. */
static bool read_hosts(const struct arguments *arguments, struct selection *selection,
	struct fault *fault)
{
	static char list[PACKET_HOSTS * INET6_ADDRSTRLEN];
	struct packet_host hosts[PACKET_HOSTS];
	unsigned count = 0;

	if (!argument_given(arguments, "host"))
		return true;
	if (!argument_joined(arguments, "host", list, sizeof list) ||
		!packet_hosts_scan(list, hosts, &count))
		return fault_set(fault,
			"--host '%.200s' is no list of at most %d addresses: give "
			"numeric ones with commas, such as 10.1.0.20,2001:db8::1",
			list, PACKET_HOSTS);
	selection->hosts = list;
	return true;
}

static const char *const evidence_words[] = {
	[SELECT_HEADERS] = "headers",
	[SELECT_WHOLE] = "whole",
	[SELECT_NOTHING] = "off",
};

static bool read_evidence(
	const char *word, enum selection_evidence *evidence, struct fault *fault)
{
	for (unsigned i = 0; i < sizeof evidence_words / sizeof *evidence_words; i++)
		if (!strcmp(word, evidence_words[i])) {
			*evidence = (enum selection_evidence)i;
			return true;
		}
	return fault_set(
		fault, "--evidence is headers, whole or off, not '%.40s'", word);
}

bool read_ring(const char *text, unsigned *ring, struct fault *fault)
{
	const char *at = text;
	uint64_t value;

	if (!scan_u64(&at, &value) || *at || value < CAPTURE_RING_LEAST ||
		value > CAPTURE_RING_MOST)
		return fault_set(fault,
			"'%.40s' is no ring of a capture: give MiB from %d to %d, such "
			"as 64",
			text, CAPTURE_RING_LEAST, CAPTURE_RING_MOST);
	*ring = (unsigned)value;
	return true;
}

static void read_selection(
	const struct arguments *arguments, struct selection *selection)
{
	*selection = (struct selection){
		.disks = argument(arguments, "disks"),
		.interfaces = argument(arguments, "interfaces"),
		.ports = argument(arguments, "ports"),
		.all = argument_given(arguments, "all"),
		.filter = argument(arguments, "filter"),
		.promiscuous = argument_given(arguments, "promisc"),
		.capture = !argument_given(arguments, "no-capture"),
	};
}

bool record_options(const struct arguments *arguments, struct record_options *options,
	struct fault *fault)
{
	const char *interval = argument(arguments, "interval");
	const char *queue = argument(arguments, "queue-interval");
	const char *ring = argument(arguments, "ring");
	const char *stall = argument(arguments, "stall");
	const char *duration = argument(arguments, "for");
	struct ports ports; /* the source reads the text itself */

	*options = (struct record_options){.interval = NSEC_PER_SEC};
	read_selection(arguments, &options->selection);
	if (options->selection.filter && !options->selection.capture)
		return fault_set(fault, "-f and --no-capture exclude each other");
	if (argument_given(arguments, "evidence") &&
		!read_evidence(argument(arguments, "evidence"),
			&options->selection.evidence, fault))
		return false;
	return ports_set(&ports, options->selection.ports, fault) &&
	       read_hosts(arguments, &options->selection, fault) &&
	       (!interval || read_interval(interval, &options->interval, fault)) &&
	       (!queue || read_queue_interval(
				  queue, &options->selection.queue_interval, fault)) &&
	       (!stall || read_stall(stall, &options->selection.stall, fault)) &&
	       (!ring || read_ring(ring, &options->selection.ring, fault)) &&
	       (!duration || parse_duration(duration, &options->duration, fault)) &&
	       (!options->selection.disks ||
		       check_regex(options->selection.disks, fault)) &&
	       (!options->selection.interfaces ||
		       check_interfaces(options->selection.interfaces, fault)) &&
	       (!options->selection.filter ||
		       filter_check(options->selection.filter, fault));
}
