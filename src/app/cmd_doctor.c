/*
 * `weir doctor`: what a recording would open and write here, with which rights, and
 * what it would cost. Writes nothing.
 */
#include "config.h"

#include "app/commands.h"

#include "app/folder.h"
#include "app/logout.h"
#include "app/trial.h"
#include "base/scan.h"
#include "base/text.h"
#include "core/unit.h"
#include "packet/wire.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/xattr.h>
#include <unistd.h>

static void row(const char *title, const char *text)
{
	(void)printf("%-10s %s\n", title, text);
}

/* The type of the file system under PATH, by the table of mounts. */
static void file_system(const char *path, char *type, size_t size)
{
	struct buffer table = {0};

	if (!scan_file("", "/proc/self/mountinfo", &table, 8u << 20, NULL) ||
		!folder_type(buffer_string(&table), path, type, size))
		(void)text_copy(type, size, "unknown file system");
	buffer_fini(&table);
}

static void show_folders(void)
{
	char path[PATH_MAX];
	char line[PATH_MAX + 128];
	char type[64];
	struct fault fault = {0};
	bool chosen;

	if (!folder_state(path, sizeof path, &chosen, &fault)) {
		row("sessions", fault.text);
		return;
	}
	file_system(path, type, sizeof type);
	if (folder_type_is_network(type) && !chosen)
		folder_moved(path, sizeof path);
	(void)text_format(line, sizeof line, "%s/NAME.weir (-wal, -shm, .lock) on %s%s",
		path, type,
		folder_type_is_network(type) && chosen ? ": REFUSED, not local" : "");
	row("sessions", line);
	if (access(path, F_OK) == 0 && !folder_check(path, &fault))
		row("", fault.text);
	if (!folder_sockets(path, sizeof path, &fault))
		(void)text_copy(path, sizeof path, fault.text);
	(void)text_format(line, sizeof line, "%s/NAME.sock (.lock)", path);
	row("socket", line);
}

/* The file capability of the helper is an attribute; what is in it the kernel checks
 * when it starts. */
static void show_helper(void)
{
	char line[PATH_MAX + 128];
	const char *state = "is there, without a capability of its own";

	if (access(WEIR_HELPER, X_OK) < 0)
		state = errno == ENOENT ? "is not installed: no packets are seen"
					: "may not be run by you: no packets are seen";
	else if (getxattr(WEIR_HELPER, "security.capability", NULL, 0) > 0)
		state = "is there, with a file capability";
	else if (geteuid() != 0)
		state = "is there without a capability: no packets are seen "
			"(setcap cap_net_raw+ep)";
	(void)text_format(line, sizeof line, "%s %s", WEIR_HELPER, state);
	row("helper", line);
}

static void show_ring(const struct selection *selection)
{
	char line[128];

	(void)text_format(line, sizeof line,
		"a ring of %u MiB of kernel memory for each interface (--ring)",
		selection->ring ? selection->ring : (unsigned)CAPTURE_RING);
	row("", line);
}

static void show_rights(void)
{
	struct buffer status = {0};
	char line[128];
	const char *found = NULL;
	uint64_t bits = 0;

	if (scan_file("", "/proc/self/status", &status, 1u << 16, NULL))
		found = strstr(buffer_string(&status), "CapEff:");
	if (found)
		found += strlen("CapEff:");
	if (!found || !scan_hex(&found, &bits))
		bits = 0;
	(void)text_format(line, sizeof line, "uid %u, cap_net_raw %s, cap_net_admin %s",
		(unsigned)geteuid(), bits & (UINT64_C(1) << 13) ? "yes" : "no",
		bits & (UINT64_C(1) << 12) ? "yes" : "no");
	row("rights", line);
	buffer_fini(&status);
}

static void show_logout(void)
{
	row("logout", logout_kills("", geteuid(), getpid())
			      ? logout_advice
			      : "does not end a recording");
}

static void show_sources(const struct trial *trial)
{
	struct collector_source one;
	char line[360];

	for (size_t i = 0; collector_source(trial->collector, i, &one); i++) {
		(void)text_format(line, sizeof line, "%-12s %s%s%s", one.source->name,
			one.open ? "serves" : "does not serve",
			one.trouble[0] ? ": " : "", one.trouble);
		row(i ? "" : "sources", line);
	}
	(void)text_format(line, sizeof line, "%zu disks, %zu interfaces, %zu readings",
		trial->subjects[KIND_DISK], trial->subjects[KIND_NIC], trial->series);
	row("watches", line);
}

static void show_cost(const struct trial *trial, nsec interval)
{
	double seconds = (double)interval / (double)NSEC_PER_SEC;
	double day = 86400.0 / seconds * (double)trial->step_bytes +
		     144.0 * (double)trial->full_bytes;
	const struct metric size = {.unit = UNIT_BYTES};
	char bytes[24];
	char line[160];

	unit_value(bytes, sizeof bytes, &size, day, UNITS_SI_BYTES);
	(void)text_format(line, sizeof line,
		"about %.2f %% of a core (without the helper), %s on disk a day, at "
		"one "
		"tick in %g s",
		(double)trial->cpu / (double)interval * 100, bytes, seconds);
	row("cost", line);
}

static int run(const struct arguments *arguments)
{
	struct record_options options;
	struct fault fault = {0};
	struct trial trial;

	if (!record_options(arguments, &options, &fault))
		return usage_error(arguments->command, "%s", fault.text);
	show_folders();
	show_rights();
	show_helper();
	show_ring(&options.selection);
	show_logout();
	trial_init(&trial, &options);
	show_sources(&trial);
	show_cost(&trial, options.interval);
	trial_fini(&trial);
	return EXIT_DONE;
}

const struct command command_doctor = {
	.name = "doctor",
	.words = "",
	.about = "show what a recording would open, write and cost here",
	.options = {options_record},
	.run = run,
};
