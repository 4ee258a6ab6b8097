/*
 * One weir-capture at work for one interface: started, listened to, started again
 * after a pause when it ends. What it says is only counted, never trusted: it has
 * looked at hostile frames.
 */
#ifndef WEIR_SOURCE_HELPER_H
#define WEIR_SOURCE_HELPER_H

#include "base/child.h"
#include "base/nsec.h"
#include "packet/wire_peer.h"
#include "source/shelf.h"

#include <stdbool.h>

struct helper_order {
	const char *program;   /* full path */
	const char *interface; /* kernel name */
	const char *filter;    /* null: none */
	const char *hosts;     /* null: none */
	unsigned ring;         /* MiB; 0: the default */
	bool promiscuous;
	bool evidence, whole; /* packets behind the findings, of all their bytes */
};

enum helper_is {
	HELPER_OFF,      /* none runs: it ended, or none was started yet */
	HELPER_STARTING, /* it has not said anything yet */
	HELPER_UP,
	HELPER_SILENT, /* it has not kept its promise to report every second */
	HELPER_DENIED, /* it may not open the interface, or we may not start it */
};

/* All zero before the first step. */
struct helper {
	struct child child;
	enum helper_is is;
	struct wire_input input; /* what the one that runs has said */
	struct peer_table peers; /* of the one that runs: they begin anew with it */
	struct shelf shelf;      /* where the last one put evidence */
	bool linked;             /* the last one said how its packets begin: */
	int linktype;
	unsigned starts;     /* how many were started */
	char no_shelf[160];  /* why the last one has no shelf, where it was to have one
			      */
	struct tally before; /* counted by those that ended */
	uint64_t before_lost, before_cpu;
	nsec next;  /* when to start another one */
	nsec pause; /* before that, after the next end */
	nsec up_since;
	char reason[160]; /* why it is off or denied, for people; clean */
};

/* Starts, listens, notices the end. True if `is` changed. NOW is monotonic. */
bool helper_step(struct helper *helper, const struct helper_order *order, nsec now);

/* Takes what it has said, so that its pipe does not fill up between two steps. */
void helper_drain(struct helper *helper);

/* Ends it. Its counts are kept, so that figures go on when it is started again. */
void helper_stop(struct helper *helper);

/* Starts at the next step, whatever the pause: something changed for the better. */
void helper_hurry(struct helper *helper);

/* Counts of all of them together. */
uint64_t helper_class(const struct helper *helper, unsigned class, unsigned direction);
uint64_t helper_frames(const struct helper *helper);
uint64_t helper_bytes(const struct helper *helper);
uint64_t helper_segments(const struct helper *helper);
uint64_t helper_cut(const struct helper *helper);
uint64_t helper_lost(const struct helper *helper);
uint64_t helper_cpu(const struct helper *helper);

#endif
