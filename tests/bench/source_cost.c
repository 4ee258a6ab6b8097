/*
 * What reading costs: CPU time of one tick of each source on this system, as a
 * ratio to a bare loop that opens, reads and closes the same files and looks at
 * nothing; and the CPU share of the queue sampler with ten busy disks beside a
 * bare loop of the same preads. Ratios of one run hold on any machine.
 */
#include "config.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "source/sampler.h"
#include "source/sink.h"
#include "source/source.h"

#include <fcntl.h>
#include <glob.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum {
	TICKS = 500,
	DISKS = 10,
	ROUNDS = 8,
	SECONDS = 2 /* of a round */
};

/* What each source reads in every tick: files that are opened each time, and
 * patterns of attributes that stay open. */
static const struct {
	const char *source;
	const char *files[4];
	const char *kept[4];
} bare[] = {
	{"diskstats", {"/proc/diskstats"}, {"/sys/block/*/queue/iostats"}},
	{"netsysfs", {"/proc/net/dev"},
		{"/sys/class/net/*/statistics/[rt]x_*_errors",
			"/sys/class/net/*/statistics/[rt]x_dropped",
			"/sys/class/net/*/carrier*"}},
	{"statgrab", {"/proc/net/dev", "/proc/net/dev", "/proc/uptime"}, {0}},
	{"snmp", {"/proc/net/snmp", "/proc/net/netstat", "/proc/net/softnet_stat"},
		{0}},
	{"cpu", {"/proc/stat"}, {0}},
	{"host", {0}, {"/proc/self/statm"}},
};

static void read_file(const char *path)
{
	char chunk[8192];
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return;
	while (read(fd, chunk, sizeof chunk) > 0)
		;
	(void)close(fd); /* only read */
}

static glob_t find_kept(const char *const *patterns)
{
	glob_t found = {0};

	for (size_t i = 0; i < 4 && patterns[i]; i++)
		if (glob(patterns[i], i ? GLOB_APPEND : 0, NULL, &found))
			break; /* fewer files, a higher ratio */
	return found;
}

/* Nanoseconds per round of reading what row ROW of the table reads. */
static double bare_cost(size_t row)
{
	glob_t kept = find_kept(bare[row].kept);
	int *fds = xarray(kept.gl_pathc, sizeof *fds);
	char text[64];
	size_t got = 0;
	nsec from;

	for (size_t k = 0; k < kept.gl_pathc; k++)
		fds[k] = open(kept.gl_pathv[k], O_RDONLY | O_CLOEXEC);
	from = clock_cpu();
	for (int i = 0; i < TICKS; i++) {
		for (size_t k = 0; k < 4 && bare[row].files[k]; k++)
			read_file(bare[row].files[k]);
		for (size_t k = 0; k < kept.gl_pathc; k++)
			got += pread(fds[k], text, sizeof text, 0) > 0;
	}
	from = clock_cpu() - from;
	for (size_t k = 0; k < kept.gl_pathc; k++)
		(void)close(fds[k]); /* only read */
	if (bare[row].kept[0] && !got)
		printf("(nothing matches %s)\n", bare[row].kept[0]);
	globfree(&kept);
	free(fds);
	return (double)from / TICKS;
}

static double tick_cost(const struct source *source, void *state, struct sink *sink)
{
	nsec now = clock_mono(), from = 0;

	for (int i = -10; i < TICKS; i++) {
		if (i == 0)
			from = clock_cpu();
		sink_begin(sink);
		now += NSEC_PER_SEC;
		if (source->look)
			source->look(state, sink, now);
		(void)source->read(state, sink, now, NULL); /* its cost is asked */
	}
	return (double)(clock_cpu() - from) / TICKS;
}

static void compare(
	const struct source *source, const struct source_env *env, size_t row)
{
	struct sink sink = {0};
	struct fault fault;
	void *state;
	double cost, plain;

	if (!source->open(&state, env, &fault)) {
		printf("%-10s %s\n", source->name, fault.text);
		return;
	}
	cost = tick_cost(source, state, &sink);
	plain = bare_cost(row);
	printf("%-10s %7.1f us per tick, %3zu readings, bare reads %7.1f us, "
	       "ratio %.2f\n",
		source->name, cost / 1000, sink.reading_count, plain / 1000,
		cost / plain);
	source->close(state);
	sink_fini(&sink);
}

static void rest(nsec duration)
{
	struct timespec left = {.tv_sec = (time_t)(duration / NSEC_PER_SEC),
		.tv_nsec = (long)(duration % NSEC_PER_SEC)};

	while (nanosleep(&left, &left))
		;
}

/* Busy disks: files of the real sysfs, kept awake by hand. */
static double sampler_share(const char *path)
{
	struct sampler *sampler = sampler_start(SAMPLER_SHORT, NULL);
	nsec cpu = 0;

	if (!sampler)
		return 0;
	for (size_t i = 0; i < DISKS; i++)
		sampler_add(sampler, i, open(path, O_RDONLY | O_CLOEXEC));
	for (int half = -1; half < SECONDS * 2; half++) {
		if (half == 0) /* before, it found out that the disks are busy */
			cpu = clock_cpu();
		for (size_t i = 0; i < DISKS; i++)
			sampler_wake(sampler, i);
		rest(NSEC_PER_SEC / 2);
	}
	cpu = clock_cpu() - cpu;
	sampler_stop(sampler);
	return (double)cpu / SECONDS / NSEC_PER_SEC;
}

static double bare_share(const char *path)
{
	int fds[DISKS];
	char text[64];
	nsec cpu;

	for (size_t i = 0; i < DISKS; i++)
		fds[i] = open(path, O_RDONLY | O_CLOEXEC);
	cpu = clock_cpu();
	for (int i = 0; i < SECONDS * 50; i++) {
		for (size_t k = 0; k < DISKS; k++)
			if (pread(fds[k], text, sizeof text, 0) <= 0)
				return 0;
		rest(SAMPLER_SHORT);
	}
	cpu = clock_cpu() - cpu;
	for (size_t i = 0; i < DISKS; i++)
		(void)close(fds[i]); /* only read */
	return (double)cpu / SECONDS / NSEC_PER_SEC;
}

/* In turn, and each by its cheapest round: what else the machine does is in the others.
 */
static void compare_sampler(const char *path)
{
	double share = 1, plain = 1;

	for (int i = 0; i < ROUNDS; i++) {
		share = fmin(share, sampler_share(path));
		plain = fmin(plain, bare_share(path));
	}
	printf("sampler    %.3f %% of a core with %d busy disks, bare preads %.3f %%, "
	       "ratio %.2f\n",
		100 * share, DISKS, 100 * plain, share / plain);
}

int main(int argc, char **argv)
{
	static const struct selection selection = {.all = true};
	static const struct source_env env = {.proc = "/proc",
		.sys = "/sys",
		.interval = NSEC_PER_SEC,
		.selection = &selection};
	const char *path = argc > 1 ? argv[1] : "/sys/block/vda/inflight";

	for (size_t i = 0; sources[i]; i++)
		for (size_t k = 0; k < sizeof bare / sizeof *bare; k++)
			if (!strcmp(bare[k].source, sources[i]->name))
				compare(sources[i], &env, k);
	compare_sampler(path);
	return 0;
}
