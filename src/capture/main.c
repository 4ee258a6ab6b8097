/*
 * weir-capture: the only program of weir that holds a privilege, and it holds it
 * until the interface is open. It takes no commands; its arguments are all that it
 * is ever told.
 */
#include "config.h"

#include "capture/capture.h"
#include "capture/speaker.h"

#include "base/scan.h"

#include <fcntl.h>
#include <getopt.h>
#include <net/if.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum {
	FILTER_LENGTH = 4096
};

static const char usage[] =
	"usage: weir-capture [-s SNAPLEN] [--ring MIB] [--promisc] [--host ADDR,..]\n"
	"                    [--filter EXPR] INTERFACE\n"
	"       weir-capture --help | --version\n"
	"Counts bad packets on INTERFACE and writes the counts to standard output.\n"
	"It is started by `weir`; see weir-capture(8).\n";

/* Nothing that the caller left open, and nothing of ours below 3, where the cage
 * allows writing. */
static bool own_descriptors(void)
{
	int fd;

	(void)close_range(3, ~0U, 0); /* an older kernel: they stay, unused */
	do
		fd = open("/dev/null", O_RDWR | O_CLOEXEC);
	while (fd >= 0 && fd <= STDERR_FILENO);
	return fd >= 0 && close(fd) == 0;
}

static bool good_interface(const char *name, struct fault *fault)
{
	size_t length = strlen(name);

	if (!length || length >= IF_NAMESIZE || strpbrk(name, "/ \t\n"))
		return fault_set(fault, "\"%s\" is not the name of an interface", name);
	if (!strcmp(name, "any"))
		return fault_set(fault,
			"one interface at a time: \"any\" counts stacked ones twice");
	return true;
}

static bool good_snaplen(const char *text, unsigned *snaplen, struct fault *fault)
{
	uint64_t value;

	if (!scan_u64(&text, &value) || !scan_end(text) || value < TAP_SNAPLEN_LEAST ||
		value > TAP_SNAPLEN)
		return fault_set(fault, "the snap length is a number from %d to %d",
			TAP_SNAPLEN_LEAST, TAP_SNAPLEN);
	*snaplen = (unsigned)value;
	return true;
}

static bool good_ring(const char *text, unsigned *ring, struct fault *fault)
{
	uint64_t value;

	if (!scan_u64(&text, &value) || !scan_end(text) || value < CAPTURE_RING_LEAST ||
		value > CAPTURE_RING_MOST)
		return fault_set(fault, "the ring has %d to %d MiB", CAPTURE_RING_LEAST,
			CAPTURE_RING_MOST);
	*ring = (unsigned)value;
	return true;
}

static bool good_evidence(
	const char *text, struct capture_options *options, struct fault *fault)
{
	options->evidence = true;
	options->whole = !strcmp(text, "whole");
	return options->whole || !strcmp(text, "headers") ||
	       fault_set(fault, "--evidence is headers or whole");
}

static bool take_option(
	int option, struct capture_options *options, struct fault *fault)
{
	if (option == 's')
		return good_snaplen(optarg, &options->tap.snaplen, fault);
	if (option == 'r')
		return good_ring(optarg, &options->tap.ring, fault);
	if (option == 'p') {
		options->tap.promiscuous = true;
		return true;
	}
	if (option == 'h')
		return packet_hosts_scan(
			       optarg, options->hosts, &options->host_count) ||
		       fault_set(fault, "--host takes at most %d numeric addresses",
			       PACKET_HOSTS);
	if (option == 'e')
		return good_evidence(optarg, options, fault);
	options->tap.filter = optarg;
	if (option == 'f' && strlen(optarg) <= FILTER_LENGTH)
		return true;
	return fault_set(fault, "%s",
		option == 'f' ? "the filter is too long" : "unknown option");
}

static bool take_arguments(
	int argc, char **argv, struct capture_options *options, struct fault *fault)
{
	static const struct option known[] = {
		{"snaplen", required_argument, NULL, 's'},
		{"ring", required_argument, NULL, 'r'},
		{"promisc", no_argument, NULL, 'p'},
		{"filter", required_argument, NULL, 'f'},
		{"evidence", required_argument, NULL, 'e'},
		{"host", required_argument, NULL, 'h'},
		{0},
	};
	int option;

	opterr = 0;
	while ((option = getopt_long(argc, argv, "s:", known, NULL)) != -1)
		if (!take_option(option, options, fault))
			return false;
	if (argc - optind != 1)
		return fault_set(fault, "exactly one interface is needed");
	options->tap.interface = argv[optind];
	return good_interface(options->tap.interface, fault);
}

static bool asks(int argc, char **argv, const char *what)
{
	return argc == 2 && !strcmp(argv[1], what);
}

int main(int argc, char **argv)
{
	struct capture_options options = {
		.tap = {.snaplen = TAP_SNAPLEN, .ring = CAPTURE_RING}};
	enum wire_status status = WIRE_USAGE;
	struct fault fault = {0};

	if (!own_descriptors())
		return WIRE_FAILED;
	if (asks(argc, argv, "--help"))
		return fputs(usage, stdout) < 0 ? WIRE_FAILED : WIRE_DONE;
	if (asks(argc, argv, "--version"))
		return puts("weir-capture " PACKAGE_VERSION) < 0 ? WIRE_FAILED
								 : WIRE_DONE;
	(void)signal(SIGPIPE, SIG_IGN); /* a closed pipe is an answer, not a death */
	if (take_arguments(argc, argv, &options, &fault))
		status = capture_run(&options, &fault);
	if (status == WIRE_DONE)
		return WIRE_DONE;
	speaker_bye(status, fault.text);
	(void)fprintf(stderr, "weir-capture: %s\n%s", fault.text,
		status == WIRE_USAGE ? usage : "");
	return (int)status;
}
