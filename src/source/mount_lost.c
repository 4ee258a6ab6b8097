/*
 * Requests in flight; see the header. What was sent again and what was answered too
 * late is counted by the kernel. For the rest there is a proof by time: a request that
 * waited through a silence of the server adds at least that silence to the round trips
 * when its answer comes. What the difference claims to have waited and no round trip
 * accounts for was not in flight.
 */
#include "config.h"

#include "source/mount_lost.h"

#include <math.h>

/* Shorter silences prove little: readings are a second apart. */
static const double telling = 5;

static double seconds(nsec span)
{
	return (double)span / NSEC_PER_SEC;
}

static double round_trips(const struct nfs_mount *mount)
{
	uint64_t ms = 0;

	for (int i = 0; i < NFS_GROUPS; i++)
		ms += mount->ops[i].rtt_ms;
	return (double)ms / 1e3;
}

/* Datagrams are sent again while their answers are still under way: then the same
 * request may be both. */
static uint64_t explained(const struct nfs_mount *mount)
{
	uint64_t again = mount->retransmissions, late = mount->late;

	if (!mount->datagrams)
		return again + late;
	return again > late ? again : late;
}

static void end_silence(struct mount_lost *lost)
{
	double silence = seconds(lost->at - lost->began);

	if (lost->at && lost->inflight && silence >= telling) {
		lost->doubt = true;
		lost->silence = silence;
		lost->doubted = lost->owed;
		lost->rtt_before = lost->rtt;
		lost->until = lost->receives + lost->inflight;
	}
	lost->owed = 0;
}

/* The answers to all that may have waited are there, or others instead. */
static void decide(struct mount_lost *lost, double rtt)
{
	double missing = (lost->doubted - (rtt - lost->rtt_before)) / lost->silence;

	lost->doubt = false;
	if (missing >= 0.5) /* later calls have round trips too */
		lost->left += (uint64_t)floor(missing + 0.5);
}

uint64_t mount_lost_inflight(
	struct mount_lost *lost, const struct nfs_mount *mount, nsec now)
{
	uint64_t open = mount->sends - mount->receives, known = explained(mount);
	double rtt = round_trips(mount);

	open = open > known ? open - known : 0;
	if (!lost->at || mount->receives != lost->receives) {
		end_silence(lost);
		lost->began = now;
	} else {
		lost->owed += (double)lost->inflight * seconds(now - lost->at);
	}
	if (lost->doubt && mount->receives >= lost->until)
		decide(lost, rtt);
	if (lost->left > open)
		lost->left = open; /* it cannot have been so many */
	lost->receives = mount->receives;
	lost->rtt = rtt;
	lost->at = now;
	lost->inflight = open - lost->left;
	return lost->inflight;
}
