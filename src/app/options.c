/* Options that several commands share, as rows. */
#include "config.h"

#include "app/command.h"

/* clang-format off */
const struct option_info options_session[] = {
	{"session", 's', "SESSION", "the session: a name or a path"},
	{0},
};

const struct option_info options_record[] = {
	{"interfaces", 'i', "IF,..", "these network interfaces, and no others"},
	{"disks", 'D', "REGEX", "the disks whose kernel name matches, and no others: the headline of verdicts"},
	{"filter", 'f', "FILTER", "capture only what this filter lets through"},
	{"ports", 0, "PORT,..", "more TCP ports of storage, beside those of iSCSI, NFS, SMB, NVMe"},
	{"interval", 't', "SECS", "seconds between readings, 0.1 to 3600 (1)"},
	{"queue-interval", 0, "SECS", "seconds between samples of a busy disk's queue, 0.005 to 1 (0.02)"},
	{"stall", 0, "SECS", "seconds without a completion that are a stall, 0.5 to 3600 (2)"},
	{"ring", 0, "MIB", "ring of the capture on each interface, 1 to 512 MiB (32): more for bursts"},
	{"promisc", 0, NULL, "capture frames that are for others too (mirror port)"},
	{"evidence", 0, "headers|whole|off", "what is kept of packets that are wrong (headers)"},
	{"host", 0, "ADDR,..", "addresses of this side, for a mirror port (repeatable)"},
	{"all", 0, NULL, "hide no device"},
	{"no-capture", 0, NULL, "look at no packets"},
	{0},
};
/* clang-format on */
