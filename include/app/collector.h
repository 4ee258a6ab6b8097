/*
 * All sources, asked together for each tick. What can block has a thread of its own:
 * a tick waits for it a little and then goes on without it. A thread that hangs in
 * the kernel is named with its age and left behind.
 */
#ifndef WEIR_APP_COLLECTOR_H
#define WEIR_APP_COLLECTOR_H

#include "core/fact.h"
#include "core/tick.h"
#include "packet/evidence_batch.h"
#include "source/source.h"

struct collector;

/* Opens the sources of the null-ended LIST. ENV is borrowed until the end. */
struct collector *collector_new(
	const struct source *const *list, const struct source_env *env);

/* Closes them. One that hangs is not waited for: it goes with the process. */
void collector_free(struct collector *collector);

/* Reads all sources and fills the catalog, stamps and readings of TICK; what has not
 * answered by DEADLINE (monotonic) is late. Returns whether a known subject has
 * changed, so that the tick has to be a full one. */
bool collector_read(struct collector *collector, nsec deadline, struct tick *tick);

/* Puts what the last read said about how the host is set up. */
void collector_facts(const struct collector *collector, struct facts *facts);

/* Puts why sources have no readings, from when to when, as facts of KIND_SOURCE. */
void collector_absences(
	struct collector *collector, const struct tick *tick, struct facts *facts);

/* Hands on the packets that the last read brought. */
void collector_evidence(const struct collector *collector,
	void (*take)(void *context, const struct evidence_batch *batch), void *context);

/* What the sources found worth a line in the last read; null: no more. */
const char *collector_event(struct collector *collector, size_t number);

/* Events of the last read beyond those. */
uint64_t collector_left_out(const struct collector *collector);

/* "statgrab late 12s; capture: ..." or "". */
void collector_trouble(
	const struct collector *collector, nsec mono, char *text, size_t size);

/* For `weir sources` and `weir doctor`: how source NUMBER is; false behind the last. */
struct collector_source {
	const struct source *source;
	bool open;
	size_t readings;  /* of its last read */
	const char *none; /* why there are none; or null */
	char trouble[256];
};
bool collector_source(
	const struct collector *collector, size_t number, struct collector_source *one);

#endif
