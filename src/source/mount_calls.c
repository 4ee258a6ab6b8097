/* Rows of operation kinds; see the header. */
#include "config.h"

#include "source/mount_calls.h"

#include "base/alloc.h"
#include "base/text.h"

#include <stdlib.h>
#include <string.h>

enum {
	US_PER_MS = 1000,
	AGAIN = NFS_COLUMNS, /* a column that is made from two */
};

static const struct {
	unsigned raw, column;
	uint64_t factor;
} raws[CALL_RAWS] = {
	{RAW_CALL_OPS, NFS_COUNT, 1},
	{RAW_CALL_TX_BYTES, NFS_SENT, 1},
	{RAW_CALL_RX_BYTES, NFS_RECEIVED, 1},
	{RAW_CALL_RETRANS, AGAIN, 1},
	{RAW_CALL_TIMEOUTS, NFS_TIMEOUTS, 1},
	{RAW_CALL_ERRORS, NFS_ERRORS, 1},
	{RAW_CALL_QUEUE_US, NFS_QUEUE_MS, US_PER_MS},
	{RAW_CALL_RTT_US, NFS_RTT_MS, US_PER_MS},
	{RAW_CALL_EXECUTE_US, NFS_EXECUTE_MS, US_PER_MS},
};

static uint64_t value_of(const struct nfs_call *call, size_t raw)
{
	if (raws[raw].column == AGAIN)
		return mountstats_again(call);
	return call->values[raws[raw].column] * raws[raw].factor;
}

static void start(struct mount_calls *calls, const struct nfs_mount *mount)
{
	mount_calls_fini(calls);
	calls->count = mount->call_count;
	calls->first = xarray(calls->count + 1, sizeof *calls->first);
	calls->shown = xarray(calls->count + 1, sizeof *calls->shown);
	for (size_t i = 0; i < calls->count; i++) {
		calls->first[i] = mount->calls[i].values[NFS_COUNT];
		calls->shown[i] = false;
	}
}

static unsigned subject_of(
	const struct nfs_mount *mount, const char *kind, struct sink *sink)
{
	struct subject subject;
	char mark[sizeof mount->calls->name + 1];

	(void)text_format(mark, sizeof mark, " %s", kind); /* fits */
	subject = mountstats_part(&mount->subject, KIND_CALL, mark);
	return sink_subject(sink, &subject);
}

static void give_row(struct mount_calls *calls, const struct nfs_mount *mount,
	size_t place, struct sink *sink)
{
	const struct nfs_call *call = &mount->calls[place];

	calls->handles[calls->rows] = subject_of(mount, call->name, sink);
	calls->places[calls->rows++] = place;
	calls->shown[place] = true;
	for (size_t i = 0; i < CALL_RAWS; i++)
		calls->moved[i] += value_of(call, i);
}

/* Of the kinds that moved and have no row, the one that moved most; or their count. */
static size_t busiest(struct mount_calls *calls, const struct nfs_mount *mount)
{
	size_t best = calls->count;
	uint64_t most = 0;

	for (size_t i = 0; i < calls->count; i++) {
		uint64_t now = mount->calls[i].values[NFS_COUNT];

		if (now < calls->first[i])
			calls->first[i] = 0; /* somebody set the counters back */
		if (calls->shown[i] || now - calls->first[i] <= most)
			continue;
		best = i;
		most = now - calls->first[i];
	}
	return best;
}

static void begin(
	struct mount_calls *calls, const struct nfs_mount *mount, struct sink *sink)
{
	calls->active = true;
	calls->handles[CALL_ROWS] = subject_of(mount, "others", sink);
	for (size_t i = 0; i < calls->count; i++)
		if (!strcmp(mount->calls[i].name, "READ") ||
			!strcmp(mount->calls[i].name, "WRITE"))
			if (calls->rows < CALL_ROWS)
				give_row(calls, mount, i, sink);
}

static void give_rows(
	struct mount_calls *calls, const struct nfs_mount *mount, struct sink *sink)
{
	for (;;) {
		size_t place = busiest(calls, mount);

		if (place == calls->count)
			return;
		if (!calls->active)
			begin(calls, mount, sink);
		if (calls->rows == CALL_ROWS)
			return;
		if (!calls->shown[place])
			give_row(calls, mount, place, sink);
	}
}

static void put(const struct nfs_mount *mount, unsigned subject, size_t raw,
	uint64_t value, struct sink *sink)
{
	if (mount->lacks >> raws[raw].column & 1)
		sink_none(sink, subject, raws[raw].raw, WHY_UNSUPPORTED);
	else
		sink_put(sink, subject, raws[raw].raw, value);
}

static void put_others(const struct mount_calls *calls, const struct nfs_mount *mount,
	struct sink *sink)
{
	for (size_t raw = 0; raw < CALL_RAWS; raw++) {
		uint64_t sum = calls->moved[raw];

		for (size_t i = 0; i < calls->count; i++)
			if (!calls->shown[i])
				sum += value_of(&mount->calls[i], raw);
		put(mount, calls->handles[CALL_ROWS], raw, sum, sink);
	}
}

void mount_calls_put(
	struct mount_calls *calls, const struct nfs_mount *mount, struct sink *sink)
{
	if (calls->count != mount->call_count)
		start(calls, mount);
	give_rows(calls, mount, sink);
	if (!calls->active)
		return;
	for (size_t row = 0; row < calls->rows; row++)
		for (size_t raw = 0; raw < CALL_RAWS; raw++)
			put(mount, calls->handles[row], raw,
				value_of(&mount->calls[calls->places[row]], raw), sink);
	put_others(calls, mount, sink);
}

void mount_calls_fini(struct mount_calls *calls)
{
	free(calls->first);
	free(calls->shown);
	*calls = (struct mount_calls){.count = 0};
}
