/*
 * The host as a subject, and what weir itself costs: CPU time of this process
 * and its resident memory. (Uptime comes from libstatgrab.)
 */
#include "config.h"

#include "source/host.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "base/scan.h"
#include "base/text.h"
#include "core/backlog.h"
#include "source/attr.h"
#include "source/table.h"

#include <stdlib.h>
#include <unistd.h>

struct state {
	struct subject subject;
	struct attr statm;
	uint64_t page;
	uint64_t stall_ms;
};

void host_subject(const struct source_env *env, struct subject *subject)
{
	char release[80];

	*subject = (struct subject){.kind = KIND_HOST};
	(void)text_copy(subject->name, sizeof subject->name, "host"); /* fits */
	(void)text_copy(subject->id, sizeof subject->id, "host");     /* fits */
	(void)attr_read_text(env->proc, "sys/kernel/hostname", subject->label,
		sizeof subject->label); /* or "" */
	if (attr_read_text(env->proc, "sys/kernel/osrelease", release,
		    sizeof release) == WHY_NONE)
		(void)text_format(subject->detail, sizeof subject->detail, "kernel %s",
			release); /* fits */
}

nsec host_stall(const struct source_env *env)
{
	return env->selection && env->selection->stall ? env->selection->stall
						       : BACKLOG_STALL;
}

static bool host_open(void **memory, const struct source_env *env, struct fault *fault)
{
	struct state *state = xalloc(sizeof *state);
	long page = sysconf(_SC_PAGESIZE);

	(void)fault; /* nothing here can fail: a missing file is a missing figure */
	host_subject(env, &state->subject);
	attr_open(&state->statm, env->proc, "self/statm");
	state->stall_ms = (uint64_t)(host_stall(env) / NSEC_PER_MSEC);
	state->page = page > 0 ? (uint64_t)page : 4096;
	*memory = state;
	return true;
}

/* "SIZE RESIDENT ...", in pages. */
static enum why resident(const struct state *state, uint64_t *bytes)
{
	char text[256];
	const char *at = text;
	enum why why = attr_text(&state->statm, text, sizeof text);
	uint64_t size, pages;

	if (why != WHY_NONE)
		return why;
	if (!scan_u64(&at, &size) || !scan_u64(&at, &pages))
		return WHY_UNSUPPORTED;
	*bytes = pages * state->page;
	return WHY_NONE;
}

static bool host_read(void *memory, struct sink *sink, nsec now, struct fault *fault)
{
	struct state *state = memory;
	unsigned host = sink_subject(sink, &state->subject);
	uint64_t bytes;
	enum why why = resident(state, &bytes);

	(void)now;
	(void)fault;
	/* in the ticks, so that whoever reads them later uses it as well */
	sink_put(sink, host, RAW_STALL_MS, state->stall_ms);
	sink_put(sink, host, RAW_WEIR_CPU_NS, (uint64_t)clock_cpu());
	if (why == WHY_NONE)
		sink_put(sink, host, RAW_WEIR_MEMORY, bytes);
	else
		sink_none(sink, host, RAW_WEIR_MEMORY, why);
	return true;
}

static void host_close(void *memory)
{
	struct state *state = memory;

	if (!state)
		return;
	attr_close(&state->statm);
	free(state);
}

const struct source source_host = {
	.name = "host",
	.about = "weir's own CPU time and memory",
	.open = host_open,
	.read = host_read,
	.close = host_close,
};
