/*
 * month_make OUT.weir [DAYS]: a recording of DAYS (28) days at 1 s of ten disks whose
 * load and queue wander, and of four cards with thirty classes of bad packets, a third
 * of which come now and then; as a recorder writes it: ticks, minutes, old ticks
 * thinned. Two windows, BEFORE and AFTER, halve it.
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
	NICS = 4,
	OF_NIC = 12,
	CLASSES = 30,
	PER_NIC = OF_NIC + CLASSES,
	DAY = 86400
};

static const unsigned raws[PER_DISK] = {RAW_DISK_READ_OPS, RAW_DISK_READ_SECTORS,
	RAW_DISK_READ_MS, RAW_DISK_WRITE_OPS, RAW_DISK_WRITE_SECTORS, RAW_DISK_WRITE_MS,
	RAW_DISK_WEIGHTED_MS, RAW_DISK_PENDING, RAW_DISK_INFLIGHT_MAX};

static const unsigned nic_raws[OF_NIC] = {RAW_NET_RX_BYTES, RAW_NET_TX_BYTES,
	RAW_NET_RX_PACKETS, RAW_NET_TX_PACKETS, RAW_CAPTURE_FRAMES, RAW_CAPTURE_BYTES,
	RAW_CAPTURE_SEGMENTS, RAW_CAPTURE_LOST, RAW_NET_RX_ERRORS, RAW_NET_RX_DROPPED,
	RAW_NET_LINK, RAW_NET_SPEED};

static struct catalog catalog;
static struct reading readings[DISKS * PER_DISK + NICS * PER_NIC];
static double wander[DISKS];

static uint32_t subject(enum kind kind, const char *word, unsigned number)
{
	struct subject subject = {.kind = kind};
	bool changed;

	(void)snprintf(subject.name, sizeof subject.name, "%s%u", word, number);
	return catalog_subject(&catalog, &subject, &changed);
}

static void series(uint32_t of, unsigned raw)
{
	(void)catalog_series(&catalog, (struct series){of, (uint16_t)raw, 0});
}

static void describe(void)
{
	for (unsigned d = 0; d < DISKS; d++) {
		uint32_t at = subject(KIND_DISK, "nvme", d);

		for (unsigned r = 0; r < PER_DISK; r++)
			series(at, raws[r]);
	}
	for (unsigned n = 0; n < NICS; n++) {
		uint32_t at = subject(KIND_NIC, "eth", n);

		for (unsigned r = 0; r < OF_NIC; r++)
			series(at, nic_raws[r]);
		for (unsigned c = 0; c < CLASSES; c++)
			series(at, raw_packet(c, 0));
	}
}

static void move_nics(void)
{
	struct reading *r = &readings[DISKS * PER_DISK];

	for (unsigned n = 0; n < NICS; n++, r += PER_NIC) {
		uint64_t rx = (uint64_t)(8000 * exp(0.4 * series_normal()));
		uint64_t tx = (uint64_t)(5000 * exp(0.4 * series_normal()));

		r[0].raw += rx * 1400;
		r[1].raw += tx * 1100;
		r[2].raw += rx;
		r[3].raw += tx;
		r[4].raw += rx + tx;
		r[5].raw += rx * 1400 + tx * 1100;
		r[6].raw += rx + tx;
		r[10].raw = 1;
		r[11].raw = UINT64_C(25000000000);
		for (unsigned c = 0; c < CLASSES; c += 3)
			if (series_uniform() < 0.2)
				r[OF_NIC + c].raw += 1 + c;
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
		move_nics();
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
