/*
 * A source of readings: one file below src/source with one `const struct source`,
 * and a row in sources.c. It scans strictly and puts raw facts into the sink; it
 * stores and computes nothing that a reader could compute.
 */
#ifndef WEIR_SOURCE_SOURCE_H
#define WEIR_SOURCE_SOURCE_H

#include "base/fault.h"
#include "base/nsec.h"
#include "core/tick.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What is kept of the packets behind the findings. */
enum selection_evidence {
	SELECT_HEADERS, /* and the first bytes behind them */
	SELECT_WHOLE,
	SELECT_NOTHING
};

/* What the person asked to see. Set before any source opens; never changes. */
struct selection {
	const char *disks; /* -D: extended regex on the kernel name; null: default */
	const char *interfaces; /* -i: names with commas; null: default */
	bool all;               /* --all: nothing is hidden */
	const char *filter;     /* -f: capture filter; null: none */
	const char *ports;      /* --ports: more TCP ports of storage; null: none */
	nsec stall;             /* --stall: silence that is one; 0: BACKLOG_STALL */
	nsec queue_interval;    /* --queue-interval; 0: that of the sampler */
	unsigned ring;          /* --ring, MiB; 0: the default */
	bool promiscuous;
	enum selection_evidence evidence;
	const char *hosts; /* --host: addresses of this side; null: none */
	bool capture;      /* false: --no-capture */
};

struct source_env {
	const char *proc;   /* "/proc", or a folder of a test */
	const char *sys;    /* "/sys" */
	const char *etc;    /* "/etc"; null: not looked at */
	const char *helper; /* full path of weir-capture */
	nsec interval;      /* nominal tick */
	const struct selection *selection;
};

/* What one read delivers. Filled by one thread, handed over whole. */
struct sink;

/* A handle for SUBJECT, valid for this source until it is closed. */
unsigned sink_subject(struct sink *sink, const struct subject *subject);
void sink_put(struct sink *sink, unsigned subject, unsigned raw, uint64_t value);
/* There is no figure, and why: OFF, UNSUPPORTED, DENIED. */
void sink_none(struct sink *sink, unsigned subject, unsigned raw, enum why why);
/* The figures are of STAMP, a little before the NOW of the read: rates are made over
 * the time between such stamps. The same stamp again: nothing new was heard. */
void sink_stamp(struct sink *sink, nsec stamp);
/* There is nothing to read, and why, instead of the source's NONE: ABSENT, DENIED.
 * WORDS are a literal. */
void sink_nothing(struct sink *sink, enum why why, const char *words);
/* Something worth a line: "eth1 gone". Becomes an event of this tick. */
void sink_event(struct sink *sink, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* A packet that is to be kept, with its bytes; copied. */
struct evidence_packet;
void sink_evidence(struct sink *sink, const struct evidence_packet *packet);

/* SUBJECT is set up so: KEY as the kernel calls it, and its VALUE; or null, and WHY
 * there is none: UNSUPPORTED, DENIED. Both are cleaned here. */
void sink_fact(struct sink *sink, const struct subject *subject, const char *key,
	const char *value, enum why why);
/* In this read all facts of all devices of KIND were put: there are no others. */
void sink_facts_whole(struct sink *sink, enum kind kind);
/* A mark is being set: what is looked at now and then has to be looked at now. */
bool sink_is_marked(const struct sink *sink);

struct source {
	const char *name;  /* "diskstats" */
	const char *about; /* one line for `weir sources` */
	const char *none;  /* why there are no readings where there are none; or null */
	bool may_block;    /* gets a thread of its own */
	/* Returns false where it cannot serve here; the fault says why and what it
	 * needs. *STATE is then null. */
	bool (*open)(void **state, const struct source_env *env, struct fault *fault);
	/* What is there by now: devices, and what of them may keep us waiting. Null: it
	 * needs no look. Before each reading, whose NOW comes after it: what a look
	 * takes is no part of the time between two figures. */
	void (*look)(void *state, struct sink *sink, nsec now);
	/* One reading. False: this tick has no figures of this source, the fault says
	 * why; it is asked again next tick. NOW is monotonic. */
	bool (*read)(void *state, struct sink *sink, nsec now, struct fault *fault);
	void (*close)(void *state);
};

/* Null-ended, in the order of their stamps. At most SOURCES_MAX. */
extern const struct source *const sources[];

#endif
