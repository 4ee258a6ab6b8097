/* libFuzzer: the texts of /proc that sources take apart, whatever is in them. */
#include "config.h"

#include "base/scan.h"
#include "source/cpu.h"
#include "source/diskstats.h"
#include "source/mountstats.h"
#include "source/sampler.h"
#include "source/smb.h"
#include "source/snmp.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void one_line(const char *line)
{
	uint64_t values[DISKSTATS_COLUMNS], others, inflight;
	const char *at = line;
	struct cpu_times times;
	unsigned core;
	char name[64];

	if (diskstats_name(&at, name, sizeof name)) {
		if (!name[0] || strlen(name) >= sizeof name)
			abort();
		if (diskstats_columns(&at, values))
			(void)diskstats_others(at, &others);
	}
	if (cpu_parse(line, &core, &times) && core >= CPU_MAX)
		abort();
	(void)sampler_parse(line, &inflight);
}

static void shares(char *copy, const char *text, size_t size)
{
	struct smb_debug debug = {.servers = 0};
	struct smb_commands commands;
	char *at = copy, point[64];
	struct smb_stats stats;
	const char *rest = text;

	memcpy(copy, text, size + 1);
	while (smb_stats_next(&at, &stats))
		if (!memchr(stats.name, 0, sizeof stats.name) || !stats.name[0])
			abort();
	memcpy(copy, text, size + 1);
	smb_debug_parse(&debug, copy);
	for (size_t i = 0; i < debug.link_count; i++) {
		smb_link_text(&debug.links[i], point, sizeof point);
		if (debug.links[i].server - 1 >= debug.servers)
			abort();
	}
	smb_debug_fini(&debug);
	while (smb_commands_next(&rest, &commands))
		if (rest > text + size)
			abort();
	memcpy(copy, text, size + 1);
	(void)smb_mount_point(copy, "\\\\filer\\mail", point, sizeof point);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct snmp_values values = {0};
	struct softnet sums;
	struct nfs_mount mount = {.calls = NULL};
	char *at, *line;
	char *text = malloc(size + 1), *copy = malloc(size + 1);

	if (!text || !copy)
		abort();
	memcpy(text, data, size);
	text[size] = 0;
	memcpy(copy, text, size + 1);
	snmp_parse(copy, &values);
	memcpy(copy, text, size + 1);
	if (softnet_parse(copy, &sums) && !sums.cpus)
		abort();
	memcpy(copy, text, size + 1);
	for (at = copy; mountstats_next(&at, &mount);)
		if (!memchr(mount.subject.detail, 0, sizeof mount.subject.detail) ||
			mount.have_errors > mount.have_ops)
			abort();
	mountstats_fini(&mount);
	shares(copy, text, size);
	at = text;
	while ((line = scan_line(&at)))
		one_line(line);
	free(text);
	free(copy);
	return 0;
}
