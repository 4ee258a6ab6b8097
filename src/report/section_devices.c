/* Disks, network cards, mounts, storage peers and the host: averaged figures of the
 * windows side by side. */
#include "config.h"

#include "report/figures.h"

#include <stdio.h>
#include <stdlib.h>

/* One section of averaged figures. */
struct group {
	const char *id, *title;
	enum kind kind;
	enum unit_system system;
	const char *unit_aside; /* or "" */
	/* what else stands in the section; or null */
	void (*more)(const struct comparison *comparison, struct writer *writer);
};

static const struct group disks = {
	"disks", "DISKS", KIND_DISK, UNITS_SI_BYTES, "", NULL};
static const struct group network = {"network", "NETWORK", KIND_NIC, UNITS_SI_BITS,
	"SI units, 1 Gb/s = 1 000 000 000 bit/s; ", NULL};
static const struct group peers = {"peers", "STORAGE PEERS", KIND_PEER, UNITS_SI_BITS,
	"TCP, all connections of a peer; ", NULL};
static const struct group mounts = {
	"mounts", "NETWORK MOUNTS", KIND_MOUNT, UNITS_SI_BYTES, "", write_signing};
static const struct group transports = {"transports", "STORAGE TRANSPORTS",
	KIND_TRANSPORT, UNITS_SI_BYTES,
	"sessions and remote ports, sums over their disks; ", NULL};
static const struct group host = {"host", "HOST", KIND_HOST, UNITS_SI_BYTES, "", NULL};

static const char *layout_aside(size_t windows)
{
	if (windows == 1)
		return "mean of the window; p95, p99 and max of its samples";
	if (windows == 2)
		return "mean; p95, max of samples; change of the mean "
		       "(* at the same load)";
	return "mean of each window, below it how it stands to A (! WORSE, + "
	       "BETTER)";
}

static void write_group(const struct comparison *comparison, struct writer *writer,
	const struct group *group)
{
	char aside[160];
	size_t spared, count;

	free(figures_subjects(comparison, group->kind, &count));

	(void)snprintf(aside, sizeof aside, "%s%s", group->unit_aside,
		layout_aside(comparison->window_count)); /* both short */
	writer->ops->section(
		writer, group->id, group->title, count ? aside : "nothing was watched");
	spared = write_figures(comparison, writer, group->kind, group->system);
	if (spared)
		write_line(writer, "spared",
			"%zu more rows had no figure, were 0 or, as states, stood "
			"still.",
			spared);
	if (group->more)
		group->more(comparison, writer);
	writer->ops->section_end(writer);
}

/* What few hosts have is no section where there is none. */
static void write_if_any(const struct comparison *comparison, struct writer *writer,
	const struct group *group)
{
	size_t count;

	free(figures_subjects(comparison, group->kind, &count));
	if (count)
		write_group(comparison, writer, group);
}

static void write_mounts(const struct comparison *comparison, struct writer *writer)
{
	write_if_any(comparison, writer, &mounts);
	write_parts(comparison, writer);
}

static void write_peers(const struct comparison *comparison, struct writer *writer)
{
	write_if_any(comparison, writer, &peers);
}

static void write_transports(const struct comparison *comparison, struct writer *writer)
{
	write_if_any(comparison, writer, &transports);
}

static void write_disks(const struct comparison *comparison, struct writer *writer)
{
	write_group(comparison, writer, &disks);
}

static void write_network(const struct comparison *comparison, struct writer *writer)
{
	write_group(comparison, writer, &network);
}

static void write_host(const struct comparison *comparison, struct writer *writer)
{
	write_group(comparison, writer, &host);
}

const struct section section_disks = {"disks", write_disks};
const struct section section_network = {"network", write_network};
const struct section section_mounts = {"mounts", write_mounts};
const struct section section_peers = {"peers", write_peers};
const struct section section_transports = {"transports", write_transports};
const struct section section_host = {"host", write_host};
