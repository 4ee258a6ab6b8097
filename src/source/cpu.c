/*
 * /proc/stat: the core that was busiest since the last reading, with its user,
 * system and softirq share, and the mean over all cores. One saturated core
 * limits a network path long before the mean shows it.
 *
 * Busy is user, nice, system, irq and softirq time. Idle and iowait are not;
 * time that the hypervisor took (steal) is part of the whole, but not of busy.
 * Guest time is already inside user. The kernel counts in ticks of mostly 10 ms,
 * and idle and iowait may run backwards: such a step counts as none.
 */
#include "config.h"

#include "source/cpu.h"

#include "base/alloc.h"
#include "base/scan.h"
#include "source/host.h"
#include "source/table.h"

#include <stdlib.h>
#include <string.h>

#define LEAST (100 * NSEC_PER_MSEC) /* shorter intervals hold too few kernel ticks */

enum {
	FILE_LIMIT = 4 << 20,
	SHARES = 6
};

struct core {
	struct cpu_times times;
	unsigned seen; /* round in which it was last there */
};

struct figures {
	uint64_t value[SHARES];
	bool have;
};

struct state {
	char *proc;
	struct subject subject;
	struct buffer text;
	struct core *cores;
	size_t room;
	unsigned round;
	nsec at;
	struct figures figures;
};

static const unsigned raws[SHARES] = {RAW_CPU_BUSIEST, RAW_CPU_BUSIEST_CORE,
	RAW_CPU_BUSIEST_USER, RAW_CPU_BUSIEST_SYSTEM, RAW_CPU_BUSIEST_SOFTIRQ,
	RAW_CPU_ALL};

bool cpu_parse(const char *line, unsigned *core, struct cpu_times *times)
{
	uint64_t number;

	if (strncmp(line, "cpu", 3) != 0)
		return false;
	line += 3;
	if (*line < '0' || *line > '9' || !scan_u64(&line, &number) ||
		number >= CPU_MAX)
		return false;
	*core = (unsigned)number;
	*times = (struct cpu_times){0};
	for (size_t i = 0; i < CPU_TIMES; i++)
		if (!scan_u64(&line, &times->ticks[i]))
			return i >
			       CPU_IDLE; /* 2.4 ended here; all that is missing is 0 */
	return true;
}

/* What grew between two readings of a core; steps backwards are none. */
static struct cpu_times difference(
	const struct cpu_times *from, const struct cpu_times *to)
{
	struct cpu_times grown = {0};

	for (size_t i = 0; i < CPU_TIMES; i++)
		if (to->ticks[i] > from->ticks[i])
			grown.ticks[i] = to->ticks[i] - from->ticks[i];
	return grown;
}

static uint64_t whole(const struct cpu_times *times)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < CPU_TIMES; i++)
		sum += times->ticks[i];
	return sum;
}

static uint64_t busy(const struct cpu_times *times)
{
	return times->ticks[CPU_USER] + times->ticks[CPU_NICE] +
	       times->ticks[CPU_SYSTEM] + times->ticks[CPU_IRQ] +
	       times->ticks[CPU_SOFTIRQ];
}

static uint64_t share(uint64_t part, uint64_t all)
{
	return (part * 1000 + all / 2) / all;
}

static void consider(
	struct figures *figures, unsigned core, const struct cpu_times *grown)
{
	uint64_t all = whole(grown);
	uint64_t most = share(busy(grown), all);
	const uint64_t *ticks = grown->ticks;

	if (figures->have && most <= figures->value[0])
		return;
	figures->have = true;
	figures->value[0] = most;
	figures->value[1] = core;
	figures->value[2] = share(ticks[CPU_USER] + ticks[CPU_NICE], all);
	figures->value[3] = share(ticks[CPU_SYSTEM] + ticks[CPU_IRQ], all);
	figures->value[4] = share(ticks[CPU_SOFTIRQ], all);
}

static void take_lines(struct state *state, struct figures *figures)
{
	char *at = buffer_string(&state->text);
	uint64_t sum_busy = 0, sum_all = 0;
	const char *line;

	state->round++;
	while ((line = scan_line(&at))) {
		struct cpu_times times, grown;
		struct core *core;
		unsigned number;

		if (!cpu_parse(line, &number, &times))
			continue;
		xgrow(&state->cores, &state->room, number + 1, sizeof *state->cores);
		core = &state->cores[number];
		grown = difference(&core->times, &times);
		if (core->seen && core->seen + 1 == state->round && whole(&grown)) {
			consider(figures, number, &grown);
			sum_busy += busy(&grown);
			sum_all += whole(&grown);
		}
		core->times = times;
		core->seen = state->round;
	}
	if (sum_all)
		figures->value[5] = share(sum_busy, sum_all);
}

static bool cpu_read(void *memory, struct sink *sink, nsec now, struct fault *fault)
{
	struct state *state = memory;
	unsigned host = sink_subject(sink, &state->subject);

	/* A tick beside the beat, for a mark: the last figures still hold. */
	if (!state->round || now - state->at >= LEAST) {
		struct figures figures = {0};

		if (!scan_file(state->proc, "/stat", &state->text, FILE_LIMIT, fault))
			return false;
		take_lines(state, &figures);
		state->figures = figures;
		state->at = now;
	}
	for (size_t i = 0; state->figures.have && i < SHARES; i++)
		sink_put(sink, host, raws[i], state->figures.value[i]);
	return true;
}

static void cpu_close(void *memory)
{
	struct state *state = memory;

	if (!state)
		return;
	buffer_fini(&state->text);
	free(state->cores);
	free(state->proc);
	free(state);
}

static bool cpu_open(void **memory, const struct source_env *env, struct fault *fault)
{
	struct state *state = xalloc(sizeof *state);

	*memory = NULL;
	state->proc = xstrdup(env->proc);
	if (!scan_file(state->proc, "/stat", &state->text, FILE_LIMIT, fault)) {
		cpu_close(state);
		return false;
	}
	host_subject(env, &state->subject);
	*memory = state;
	return true;
}

const struct source source_cpu = {
	.name = "cpu",
	.about = "/proc/stat: the busiest core",
	.open = cpu_open,
	.read = cpu_read,
	.close = cpu_close,
};
