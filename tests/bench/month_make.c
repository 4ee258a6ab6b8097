/*
 * month_make OUT.weir [DAYS]: a recording of DAYS (28) days at 1 s of ten disks whose
 * load and queue wander, as a recorder writes it: ticks, minutes, old ticks thinned.
 * Two windows, BEFORE and AFTER, halve it.
 */
#include "config.h"

#include "../unit/series.h"
#include "store/store.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	DISKS = 10,
	PER_DISK = 9,
	DAY = 86400
};

static const unsigned raws[PER_DISK] = {RAW_DISK_READ_OPS, RAW_DISK_READ_SECTORS,
	RAW_DISK_READ_MS, RAW_DISK_WRITE_OPS, RAW_DISK_WRITE_SECTORS, RAW_DISK_WRITE_MS,
	RAW_DISK_WEIGHTED_MS, RAW_DISK_PENDING, RAW_DISK_INFLIGHT_MAX};

static struct catalog catalog;
static struct reading readings[DISKS * PER_DISK];
static double wander[DISKS];

static void describe(void)
{
	for (unsigned d = 0; d < DISKS; d++) {
		struct subject subject = {.kind = KIND_DISK};
		uint32_t at;
		bool changed;

		(void)snprintf(subject.name, sizeof subject.name, "sd%c", 'a' + (int)d);
		at = catalog_subject(&catalog, &subject, &changed);
		for (unsigned r = 0; r < PER_DISK; r++)
			(void)catalog_series(
				&catalog, (struct series){at, (uint16_t)raws[r], 0});
	}
}

/* FACTOR: of the waits. */
static void move(double factor)
{
	for (unsigned d = 0; d < DISKS; d++) {
		struct reading *r = &readings[(size_t)d * PER_DISK];
		double reads, writes, queue;

		wander[d] = 0.9 * wander[d] + 0.43589 * series_normal();
		reads = floor(200 * exp(0.5 * wander[d]));
		writes = floor(80 * exp(0.3 * series_normal()));
		queue = factor * 0.004 * reads * exp(0.4 * series_normal());
		r[0].raw += (uint64_t)reads;
		r[1].raw += (uint64_t)reads * 32;
		r[2].raw += (uint64_t)(factor * 4 * reads);
		r[3].raw += (uint64_t)writes;
		r[4].raw += (uint64_t)writes * 16;
		r[5].raw += (uint64_t)(2 * writes);
		r[6].raw += (uint64_t)(1000 * queue);
		r[7].raw = (uint64_t)queue;
		r[8].raw = (uint64_t)(3 * queue);
	}
}

static bool sum_up(struct store *store, struct fault *fault)
{
	bool more = true;

	while (more)
		if (!store_follow(store, 10000, &more, fault))
			return false;
	return store_thin(store, 100000, fault) && store_sync(store, fault);
}

static bool record(struct store *store, size_t ticks, struct fault *fault)
{
	struct tick_encoder encoder = {.started = false};
	struct tick tick = {.interval = NSEC_PER_SEC,
		.run = 1,
		.gap = GAP_RUN,
		.catalog = &catalog,
		.readings = readings};
	struct buffer bytes = {0};
	bool good = true;

	for (size_t t = 0; good && t < ticks; t++) {
		bool full;

		move(t < ticks / 2 ? 1 : 0.5);
		tick.at = (nsec)t * NSEC_PER_SEC;
		tick.mono = tick.stamps[0] = NSEC_PER_SEC + tick.at;
		tick.wall = (INT64_C(1790813170) + (nsec)t) * NSEC_PER_SEC;
		buffer_clear(&bytes);
		full = tick_encode(&encoder, &tick, false, &bytes);
		tick.gap = GAP_NONE;
		if (t % 3600 == 0)
			good = (!t || (store_end(store, fault) &&
					      sum_up(store, fault))) &&
			       store_begin(store, fault);
		good = good &&
		       store_tick(store, tick.at, full, bytes.data, bytes.size, fault);
	}
	tick_encoder_fini(&encoder);
	buffer_fini(&bytes);
	return good && store_end(store, fault) && sum_up(store, fault);
}

static bool label(struct store *store, size_t ticks, struct fault *fault)
{
	struct run run = {.number = 1,
		.wall = INT64_C(1790813170) * NSEC_PER_SEC,
		.host = "made"};
	struct windows windows = {0};
	nsec half = (nsec)(ticks / 2) * NSEC_PER_SEC;
	bool good;

	windows_put(&windows, &(struct window){.id = 1,
				      .role = ROLE_BEFORE,
				      .name = "BEFORE",
				      .to = half,
				      .backwards = true});
	windows_put(&windows, &(struct window){.id = 2,
				      .role = ROLE_AFTER,
				      .name = "AFTER",
				      .from = half,
				      .to = 2 * half,
				      .backwards = true});
	good = store_run(store, &run, fault) && store_windows(store, &windows, fault);
	windows_fini(&windows);
	return good;
}

int main(int argc, char **argv)
{
	size_t ticks = (size_t)(argc > 2 ? strtoul(argv[2], NULL, 10) : 28) * DAY;
	struct fault fault = {0};
	struct store *store;
	bool good;

	if (argc < 2) {
		fprintf(stderr, "usage: month_make OUT.weir [DAYS]\n");
		return 2;
	}
	describe();
	series_seed(5);
	store = store_open(argv[1], STORE_CREATE, &fault);
	good = store && label(store, ticks, &fault) && record(store, ticks, &fault);
	if (!good)
		fprintf(stderr, "month_make: %s\n", fault.text);
	store_close(store);
	catalog_fini(&catalog);
	return !good;
}
