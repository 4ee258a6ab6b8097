/* Metrics of network mounts. Where each comes from, and how it can mislead. */
#include "config.h"

#include "core/metric_rows.h"

#define STATS "/proc/self/mountstats (SMB: /proc/fs/cifs), "
#define EVENTS(id, title, better, raw, load, where, trap)                              \
	{                                                                              \
		id, title, KIND_MOUNT, METRIC_RATE, UNIT_PER_S, better, raw, 0, 1,     \
			load, STATS where, trap, 0                                     \
	}
#define BYTES(id, title, raw, load, where, trap)                                       \
	{                                                                              \
		id, title, KIND_MOUNT, METRIC_RATE, UNIT_BYTES_S, BETTER_NEITHER, raw, \
			0, 1, load, STATS where, trap, 0                               \
	}
#define MEAN(id, title, raw, ops, load, where, trap)                                   \
	{                                                                              \
		id, title, KIND_MOUNT, METRIC_RATIO, UNIT_SECONDS, BETTER_LOWER, raw,  \
			ops, 1e-3, load, STATS where, trap, 0                          \
	}
#define STATE(id, title, better, raw, where, trap)                                     \
	{                                                                              \
		id, title, KIND_MOUNT, METRIC_GAUGE, UNIT_COUNT, better, raw, 0, 1, 0, \
			STATS where, trap, 0                                           \
	}

#define MS_TRAP    "Kept in whole milliseconds: fast ones count as 0."
#define QUEUE_TRAP "From the call to its end, the wait for a free slot included."

static const struct metric rows[] = {
	STATE("mount.inflight", "in flight", BETTER_LOWER, RAW_MOUNT_INFLIGHT,
		"sends minus receives of the xprt: lines; SMB: Req On Wire",
		"Of the connections, which mounts of the same server may share; what "
		"had to be sent again or was given up is taken out when it is known."),
	BYTES("mount.read.bytes", "read", RAW_MOUNT_READ_BYTES, "mount.read.ops",
		"bytes: fifth",
		"From the server; what the page cache served is not "
		"in it."),
	BYTES("mount.write.bytes", "write", RAW_MOUNT_WRITE_BYTES, "mount.write.ops",
		"bytes: sixth", "To the server, at the time it is written back."),
	EVENTS("mount.read.ops", "reads", BETTER_NEITHER, RAW_MOUNT_READ_OPS, 0,
		"READ, first", "Counted when they end: a hang shows as 0."),
	EVENTS("mount.write.ops", "writes", BETTER_NEITHER, RAW_MOUNT_WRITE_OPS, 0,
		"WRITE, first", "Counted when they end: a hang shows as 0."),
	EVENTS("mount.other.ops", "other calls", BETTER_NEITHER, RAW_MOUNT_OTHER_OPS, 0,
		"all procedures but READ and WRITE, first",
		"Lookups, attributes, commits and renewals together."),
	MEAN("mount.read.rtt", "read round trip", RAW_MOUNT_READ_RTT_MS,
		RAW_MOUNT_READ_OPS, "mount.read.ops", "READ, seventh", MS_TRAP),
	MEAN("mount.write.rtt", "write round trip", RAW_MOUNT_WRITE_RTT_MS,
		RAW_MOUNT_WRITE_OPS, "mount.write.ops", "WRITE, seventh", MS_TRAP),
	MEAN("mount.other.rtt", "other round trip", RAW_MOUNT_OTHER_RTT_MS,
		RAW_MOUNT_OTHER_OPS, "mount.other.ops", "other procedures, seventh",
		MS_TRAP),
	MEAN("mount.read.execute", "read whole", RAW_MOUNT_READ_EXECUTE_MS,
		RAW_MOUNT_READ_OPS, "mount.read.ops", "READ, eighth", QUEUE_TRAP),
	MEAN("mount.write.execute", "write whole", RAW_MOUNT_WRITE_EXECUTE_MS,
		RAW_MOUNT_WRITE_OPS, "mount.write.ops", "WRITE, eighth", QUEUE_TRAP),
	MEAN("mount.other.execute", "other whole", RAW_MOUNT_OTHER_EXECUTE_MS,
		RAW_MOUNT_OTHER_OPS, "mount.other.ops", "other procedures, eighth",
		QUEUE_TRAP),
	EVENTS("mount.answers", "answers", BETTER_NEITHER, RAW_MOUNT_ANSWERS, 0,
		"receives of the xprt: lines; SMB: commands of the server",
		"Of the connections, which mounts of the same server may share."),
	EVENTS("mount.retrans", "sent again", BETTER_LOWER, RAW_MOUNT_RETRANS, 0,
		"transmissions beyond the first of each procedure",
		"Counted when the call ends; over TCP only after a reconnect."),
	EVENTS("mount.timeouts", "major timeouts", BETTER_LOWER, RAW_MOUNT_TIMEOUTS, 0,
		"third of each procedure", "Counted when the call ends."),
	EVENTS("mount.errors", "failed calls", BETTER_LOWER, RAW_MOUNT_ERRORS, 0,
		"ninth of each procedure",
		"Some are ordinary answers, such as a name that is not there; kernels "
		"before 5.3 do not count it."),
	EVENTS("mount.connects", "connects", BETTER_LOWER, RAW_MOUNT_CONNECTS, 0,
		"third of the xprt: lines",
		"An idle connection is closed after minutes and made anew on use."),
	STATE("mount.connections", "connections", BETTER_NEITHER, RAW_MOUNT_CONNECTIONS,
		"number of xprt: lines",
		"Configured ones, whether connected at the moment or not."),
	STATE("mount.signed", "signed", BETTER_NEITHER, RAW_MOUNT_SIGNED,
		"SMB: DebugData, as in effect",
		"1 is yes; packets that are encrypted are not signed besides."),
	STATE("mount.encrypted", "encrypted", BETTER_NEITHER, RAW_MOUNT_ENCRYPTED,
		"SMB: DebugData, as in effect", "1 is yes."),
};

const struct metric_rows metric_rows_mount = {rows, sizeof rows / sizeof *rows};
