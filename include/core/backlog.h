/*
 * How many requests of a disk were outstanding in a tick: submitted and not
 * completed. Pure; one call per disk and tick, in order. doc/accuracy.md gives the
 * rule, its reason and its limits.
 *
 * The kernel adds a request to its weighted time when the request completes, all of
 * it at once. That is exact where requests take far less than a tick, and worth
 * nothing where they take longer: a queue that stands at 64 reads 0, 0, 192.
 */
#ifndef WEIR_CORE_BACKLOG_H
#define WEIR_CORE_BACKLOG_H

#include "base/nsec.h"
#include "core/rate.h"

#include <stdbool.h>

/* Nothing completed for so long while something was outstanding: a stall, unless the
 * recording was asked for another threshold, at most BACKLOG_STALL_MOST. */
#define BACKLOG_STALL      (2 * NSEC_PER_SEC)
#define BACKLOG_STALL_MOST (3600 * NSEC_PER_SEC)

enum backlog_state {
	BACKLOG_RUNNING,
	BACKLOG_BLOCKED, /* the device waits for its transport: blocked, connecting */
	BACKLOG_OFFLINE, /* it was given up */
};

/* Who holds the device back. In sessions by these numbers: new ones at the end. */
enum backlog_hold {
	HOLD_DEVICE,     /* its own state says so, and nobody knows more */
	HOLD_SESSION,    /* its iSCSI session has lost the connection */
	HOLD_PORT,       /* the remote port of the fabric is not there */
	HOLD_CONTROLLER, /* NVMe: the controller reconnects */
	HOLD_PATHS,      /* a multipath device without a usable path */
	HOLD_SUSPENDED,  /* device mapper: suspended by who changes the map */
	HOLD_COUNT
};

enum {
	BACKLOG_READS,
	BACKLOG_WRITES,
	BACKLOG_OTHERS, /* discards and flushes */
	BACKLOG_CLASSES
};

/* What a disk said between two readings. NaN: nobody said it. */
struct backlog_facts {
	nsec now;        /* stamp of the later reading of the counters */
	double seconds;  /* since the earlier one */
	double weighted; /* requests times seconds, as the kernel counted them */
	double ops[BACKLOG_CLASSES];   /* completed */
	double spent[BACKLOG_CLASSES]; /* seconds that those took, all together */
	double pending[2];             /* outstanding at both ends, by the counters */
	double mean, highest;          /* at the device, by the sampler, in between */
	double limit;                  /* of the device */
	enum backlog_state state;
};

/* What is remembered of one disk from tick to tick. Zeroed before the first. */
struct backlog {
	nsec since;   /* something was outstanding then, none completed since; or 0 */
	nsec moved;   /* weighted time last moved then, or nothing was outstanding */
	double told;  /* seconds since MOVED whose figure samples gave */
	double depth; /* most that was outstanding since then */
	nsec empty;   /* nothing was outstanding then, by the counters; 0: never yet */
	double seen;  /* requests times seconds since then, by the samples */
	double counted; /* and by what completed */
	nsec unseen;    /* until then a device that hides what it holds may hold some */
	bool held;      /* in the last tick */
	unsigned wary;  /* ticks in which late weighted time may still arrive */
};

/* The mean of outstanding requests, from WEIGHTED, the figure of weighted time alone.
 * WHY_NO_COMPLETION with a value above 0: at least so many. Facts without a known
 * interval (first, gap, reset) leave WEIGHTED as it is. */
struct value backlog_step(struct backlog *backlog, const struct backlog_facts *facts,
	struct value weighted);

#endif
