/* Metrics of disks. Where each comes from, and how it can mislead. */
#include "config.h"

#include "core/metric_rows.h"

#define DISKSTATS "/proc/diskstats, "
#define SAMPLER   "/sys/block/DISK/inflight, sampled between ticks"

static const struct metric statgrab_read = {"disk.read.bytes", "read", KIND_DISK,
	METRIC_RATE, UNIT_BYTES_S, BETTER_NEITHER, RAW_DISK_SG_READ_BYTES, 0, 1,
	"disk.read.ops", "libstatgrab, disk I/O, read bytes",
	"libstatgrab counts bytes only: there is no queue and no wait beside it.", 0};

static const struct metric statgrab_write = {"disk.write.bytes", "write", KIND_DISK,
	METRIC_RATE, UNIT_BYTES_S, BETTER_NEITHER, RAW_DISK_SG_WRITE_BYTES, 0, 1,
	"disk.write.ops", "libstatgrab, disk I/O, written bytes",
	"libstatgrab counts bytes only: there is no queue and no wait beside it.", 0};

static const struct metric rows[] = {
	{"disk.queue", "queue", KIND_DISK, METRIC_QUEUE, UNIT_COUNT, BETTER_LOWER,
		RAW_DISK_WEIGHTED_MS, 0, 1e-3, "disk.ops",
		DISKSTATS "field 14 (weighted ms) over the interval; samples where "
			  "requests are slow",
		"Of a slow disk at its limit older kernels tell what waits in the "
		"scheduler only when it completes: until then it is \">=\".",
		0},
	{"disk.queue.weighted", "queue weighted", KIND_DISK, METRIC_RATE, UNIT_COUNT,
		BETTER_LOWER, RAW_DISK_WEIGHTED_MS, 0, 1e-3, "disk.ops",
		DISKSTATS "field 14 (weighted ms) over the interval, as it is",
		"Moves only when a request completes: a stall reads 0 and then jumps.",
		0},
	{"disk.queue.max", "queue max", KIND_DISK, METRIC_GAUGE, UNIT_COUNT,
		BETTER_LOWER, RAW_DISK_INFLIGHT_MAX, 0, 1, "disk.ops",
		SAMPLER ", highest of the tick",
		"A peak shorter than the sampling interval can be missed.", 0},
	{"disk.inflight", "in flight", KIND_DISK, METRIC_GAUGE, UNIT_COUNT,
		BETTER_LOWER, RAW_DISK_INFLIGHT, 0, 1, "disk.ops",
		SAMPLER ", last sample",
		"One sample is a moment: it may be 0 beside a mean of 2, and on many "
		"kernels it leaves out what the scheduler holds.",
		0},
	{"disk.inflight.mean", "in flight mean", KIND_DISK, METRIC_RATIO, UNIT_COUNT,
		BETTER_LOWER, RAW_DISK_INFLIGHT_SUM, RAW_DISK_SAMPLES, 1, "disk.ops",
		SAMPLER ", mean of the tick; percentiles and extremes are of the "
			"samples",
		"It leaves out what the scheduler holds on many kernels: the queue "
		"figure may rightly be much higher.",
		0},
	{"disk.full", "at its limit", KIND_DISK, METRIC_RATIO, UNIT_SHARE, BETTER_LOWER,
		RAW_DISK_FULL, RAW_DISK_SAMPLES, 1, "disk.ops",
		SAMPLER ", share of time at the limit",
		"The device is full; whether more waits behind it is another question.",
		0},
	{"disk.pending", "in progress", KIND_DISK, METRIC_GAUGE, UNIT_COUNT,
		BETTER_LOWER, RAW_DISK_PENDING, 0, 1, "disk.ops",
		DISKSTATS "field 12 (in progress)",
		"A single moment per tick; newer kernels count queued requests here "
		"that "
		"older ones leave out, so an upgrade alone moves it.",
		0},
	{"disk.limit", "limit", KIND_DISK, METRIC_GAUGE, UNIT_COUNT, BETTER_NEITHER,
		RAW_DISK_LIMIT, 0, 1, 0,
		"/sys/block/DISK/device/queue_depth, mq/*/nr_tags: the smaller",
		"The limit of the device is not that of the adapter or the array, "
		"which "
		"may queue earlier.",
		0},
	{"disk.limit.least", "least limit", KIND_DISK, METRIC_GAUGE, UNIT_COUNT,
		BETTER_NEITHER, RAW_DISK_LIMIT_LEAST, 0, 1, 0,
		"/sys/block/DISK/device/queue_depth, the least of mq/*/nr_tags",
		"From so many in flight on a hardware queue may be full, and more "
		"wait.",
		0},
	{"disk.state", "state", KIND_DISK, METRIC_GAUGE, UNIT_COUNT, BETTER_NEITHER,
		RAW_DISK_STATE, 0, 1, 0,
		"/sys/block/DISK/device/state: 0 running, 1 blocked, 2 offline",
		"A disk can hang for long before the kernel calls it blocked.", 0},
	{"disk.util", "busy (%util)", KIND_DISK, METRIC_RATE, UNIT_SHARE,
		BETTER_NEITHER, RAW_DISK_BUSY_MS, 0, 1e-3, 0,
		DISKSTATS "field 13 (ms with something in progress) over the interval",
		"Kernels from 5.0 on sample it: the same load reads 8 % on one and "
		"99 % on another, an idle NVMe disk up to 90 %. No verdict is made "
		"of it.",
		0},
	{"disk.hold", "held by", KIND_DISK, METRIC_GAUGE, UNIT_COUNT, BETTER_NEITHER,
		RAW_DISK_HOLD, 0, 1, 0,
		"sysfs: 0 its own state, 1 iSCSI session, 2 FC remote port, 3 NVMe "
		"controller, 4 no usable path, 5 map suspended",
		"There only while something holds the disk back.", 0},
	{"disk.gives.up", "gives up at", KIND_DISK, METRIC_GAUGE, UNIT_SECONDS,
		BETTER_NEITHER, RAW_DISK_GIVES_UP_S, 0, 1, 0,
		"recovery_tmo of the session, fast_io_fail_tmo or dev_loss_tmo of the "
		"port, ctrl_loss_tmo",
		"Counted from the moment at which the connection was lost; then "
		"requests fail.",
		0},
	{"disk.paths", "paths", KIND_DISK, METRIC_GAUGE, UNIT_COUNT, BETTER_NEITHER,
		RAW_DISK_PATHS, 0, 1, 0, "/sys/block/DISK/slaves, paths of NVMe",
		"Those that the kernel knows, whether they are of use or not.", 0},
	{"disk.paths.usable", "usable paths", KIND_DISK, METRIC_GAUGE, UNIT_COUNT,
		BETTER_NEITHER, RAW_DISK_PATHS_USABLE, 0, 1, 0,
		"state of each path's device and of its session or port",
		"multipathd may have failed a path whose device looks well: only root "
		"is told.",
		0},
	{"disk.samples", "samples", KIND_DISK, METRIC_RATE, UNIT_PER_S, BETTER_NEITHER,
		RAW_DISK_SAMPLES, 0, 1, 0, SAMPLER ", slots of the shortest interval",
		"While a disk rests, one sample stands for ten slots.", 0},
	{"disk.ops", "ops", KIND_DISK, METRIC_SUM, UNIT_PER_S, BETTER_NEITHER,
		RAW_DISK_READ_OPS, RAW_DISK_WRITE_OPS, 1, 0,
		DISKSTATS "fields 4 and 8 (reads and writes completed)",
		"Completed requests after merging: the programs may have asked for "
		"more, "
		"smaller ones.",
		0},
	{"disk.read.ops", "read ops", KIND_DISK, METRIC_RATE, UNIT_PER_S,
		BETTER_NEITHER, RAW_DISK_READ_OPS, 0, 1, 0,
		DISKSTATS "field 4 (reads completed)",
		"Fewer reads may mean a better cache or a slower disk: read it with "
		"the "
		"wait.",
		0},
	{"disk.write.ops", "write ops", KIND_DISK, METRIC_RATE, UNIT_PER_S,
		BETTER_NEITHER, RAW_DISK_WRITE_OPS, 0, 1, 0,
		DISKSTATS "field 8 (writes completed)",
		"Completed may mean taken by a write cache, not on the medium.", 0},
	{"disk.other.ops", "other ops", KIND_DISK, METRIC_RATE, UNIT_PER_S,
		BETTER_NEITHER, RAW_DISK_OTHER_OPS, 0, 1, 0,
		DISKSTATS "fields 15 and 19 (discards and flushes completed)",
		"Kernels before 5.5 count no flushes, before 4.18 no discards.", 0},
	{"disk.read.bytes", "read", KIND_DISK, METRIC_RATE, UNIT_BYTES_S,
		BETTER_NEITHER, RAW_DISK_READ_SECTORS, 0, 512, "disk.read.ops",
		DISKSTATS "field 6 (sectors of 512 bytes read)",
		"Counted when a request completes: a large one can land in the next "
		"tick.",
		&statgrab_read},
	{"disk.write.bytes", "write", KIND_DISK, METRIC_RATE, UNIT_BYTES_S,
		BETTER_NEITHER, RAW_DISK_WRITE_SECTORS, 0, 512, "disk.write.ops",
		DISKSTATS "field 10 (sectors of 512 bytes written)",
		"The page cache writes in bursts long after the program wrote.",
		&statgrab_write},
	{"disk.read.await", "read wait", KIND_DISK, METRIC_RATIO, UNIT_SECONDS,
		BETTER_LOWER, RAW_DISK_READ_MS, RAW_DISK_READ_OPS, 1e-3,
		"disk.read.ops",
		DISKSTATS "field 7 (ms reading) per read: mean of requests that "
			  "completed",
		"Under load most of it is waiting in the queue, and requests that have "
		"not completed are not in it: none completed, no figure.",
		0},
	{"disk.write.await", "write wait", KIND_DISK, METRIC_RATIO, UNIT_SECONDS,
		BETTER_LOWER, RAW_DISK_WRITE_MS, RAW_DISK_WRITE_OPS, 1e-3,
		"disk.write.ops",
		DISKSTATS "field 11 (ms writing) per write: mean of requests that "
			  "completed",
		"Under load most of it is waiting in the queue, and requests that have "
		"not completed are not in it: none completed, no figure.",
		0},
};

const struct metric_rows metric_rows_disk = {rows, sizeof rows / sizeof *rows};
