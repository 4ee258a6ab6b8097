/*
 * The queue sampler: a thread that reads the in-flight count of each disk many
 * times per tick, each time at another place of its time slot, so that a regular
 * load does not look steady or empty. It knows open files, not devices.
 */
#ifndef WEIR_SOURCE_SAMPLER_H
#define WEIR_SOURCE_SAMPLER_H

#include "base/fault.h"
#include "base/nsec.h"
#include "core/spread.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SAMPLER_SHORT (20 * NSEC_PER_MSEC)  /* a slot while a disk is active */
#define SAMPLER_REST  (200 * NSEC_PER_MSEC) /* and while none is */

/* What is known of one disk. SUM and COUNT are in short slots: a sample that
 * stands for ten of them counts ten times, so that SUM / COUNT is a mean over
 * time also while the sampling interval changes. */
struct sampled {
	uint64_t sum, count;
	uint64_t full;  /* short slots in which the limit was reached */
	uint64_t last;  /* the last sample, reads and writes */
	uint64_t max;   /* highest since this was last taken */
	bool fresh;     /* LAST and MAX hold a sample */
	unsigned steps; /* of the ladder (core/spread.h) that samples have reached */
	uint32_t at[SPREAD_STEPS]; /* short slots at each; beyond STEPS not set */
};

struct sampler;

/* SLOT: a short one; as a rule SAMPLER_SHORT. */
struct sampler *sampler_start(nsec slot, struct fault *fault);
void sampler_stop(struct sampler *sampler); /* closes what it was given */

/* Samples the file FD from now on at INDEX (one that is free); keeps FD. */
void sampler_add(struct sampler *sampler, size_t index, int fd);
void sampler_remove(struct sampler *sampler, size_t index); /* closes the file */

/* How many requests the device takes; 0: not known. */
void sampler_limit(struct sampler *sampler, size_t index, uint64_t limit);

/* Whoever knows that a disk is active although no sample caught it says so. */
void sampler_wake(struct sampler *sampler, size_t index);

/* What was gathered; MAX begins anew. Takes one sample at once if there was none
 * since the last call. False: the file cannot be read any more. */
bool sampler_take(struct sampler *sampler, size_t index, struct sampled *sampled);

/* The slot in force, and how many samples came too late for theirs. */
void sampler_state(struct sampler *sampler, nsec *slot, uint64_t *late);

/* Where in slot number SLOT of LENGTH the sample is taken: the golden ratio
 * spreads successive places evenly whatever period the load has. */
nsec sampler_jitter(uint64_t slot, nsec length);

/* "READS WRITES": the sum, or false. */
bool sampler_parse(const char *text, uint64_t *inflight);

#endif
