/*
 * How many requests of a mount have no answer yet. Sends minus receives is not that
 * for ever: what was sent again over a new connection, or given up by its program,
 * is never received and would stay in the difference. For the source of mounts and
 * its tests.
 */
#ifndef WEIR_SOURCE_MOUNT_LOST_H
#define WEIR_SOURCE_MOUNT_LOST_H

#include "base/nsec.h"
#include "source/mountstats.h"

/* Zeroed before the first reading. */
struct mount_lost {
	uint64_t receives, inflight; /* at the last reading */
	double rtt;                  /* seconds of all calls, then */
	nsec at;                     /* of it */
	uint64_t left; /* never to be answered, beyond what the counters explain */
	/* the silence under way: no receives since the reading at BEGAN */
	nsec began;
	double owed; /* requests times seconds in flight in it */
	/* a silence that ended, until its requests have had the time to be counted */
	bool doubt;
	double silence, doubted, rtt_before;
	uint64_t until; /* receives */
};

/* The figure of this reading. SENDS are not fewer than RECEIVES. */
uint64_t mount_lost_inflight(
	struct mount_lost *lost, const struct nfs_mount *mount, nsec now);

#endif
