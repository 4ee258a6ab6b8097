/*
 * A day of ticks with everything that counters of disks do to a long recording: wraps
 * of the 32-bit millisecond fields, resets, accounting switched off, late answers, a
 * disk that hangs, disks that go, come back, come back as another one, and change their
 * names. Each disk does a known load, so each figure is either right or not there.
 */
#include "config.h"

#include "feed.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum {
	DAY = 86400,
	DISKS = 6,
	OPS = 100, /* a second, reads and writes each */
	WAIT_MS = 20
};

enum deed {
	NOTHING,
	RESET,   /* all counters begin again */
	OFF,     /* queue/iostats is 0 */
	LATE,    /* the source did not answer */
	HANG,    /* nothing completes, all is outstanding */
	GO,      /* it is not there */
	ANOTHER, /* another disk under its name */
	RENAME,  /* another name, the same disk */
	DEEDS
};

struct disk {
	uint32_t subject;
	unsigned name, identity;
	uint64_t ops, weighted; /* since it was made; the millisecond fields wrap */
	enum deed deed;
	unsigned rest;    /* ticks that the deed still lasts */
	unsigned unknown; /* ticks in which a figure need not be there */
};

static struct feed feed;
static struct disk disks[DISKS];
static unsigned counts[DEEDS];
static unsigned wraps, known, zeros, hangs; /* those of five seconds or more */
static uint64_t seed = 7;

static unsigned random_below(unsigned limit)
{
	seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (unsigned)(seed >> 33) % limit;
}

static void call_it(struct disk *disk)
{
	char name[16], id[24];

	(void)snprintf(
		name, sizeof name, "sd%c%u", 'a' + (int)(disk - disks), disk->name);
	(void)snprintf(
		id, sizeof id, "naa.%u-%u", (unsigned)(disk - disks), disk->identity);
	disk->subject = feed_subject(&feed, KIND_DISK, name, id);
}

static void begin(struct disk *disk, enum deed deed)
{
	counts[deed]++;
	disk->deed = deed;
	disk->rest =
		deed == NOTHING || deed == RESET || deed == ANOTHER || deed == RENAME
			? 0
			: 1 + random_below(20);
	hangs += deed == HANG && disk->rest > 5;
	if (deed == RESET)
		disk->ops = disk->weighted = 0;
	disk->name += deed == RENAME;
	disk->identity += deed == ANOTHER;
	if (deed == ANOTHER)
		disk->ops = disk->weighted = random_below(1000);
	if (deed == RENAME || deed == ANOTHER) {
		const uint32_t before = disk->subject;

		for (unsigned raw = 0; raw < RAW_NET_RX_BYTES; raw++)
			if (raw_kind(raw) == KIND_DISK)
				feed_none(&feed, before, raw, WHY_ABSENT);
		call_it(disk);
	}
}

static void set_all(struct disk *disk, enum why why)
{
	const uint64_t values[][2] = {{RAW_DISK_READ_OPS, disk->ops},
		{RAW_DISK_READ_SECTORS, disk->ops * 8},
		{RAW_DISK_READ_MS, (uint32_t)(disk->ops * WAIT_MS)},
		{RAW_DISK_WRITE_OPS, disk->ops},
		{RAW_DISK_WRITE_SECTORS, disk->ops * 8},
		{RAW_DISK_WRITE_MS, (uint32_t)(disk->ops * WAIT_MS)},
		{RAW_DISK_WEIGHTED_MS, (uint32_t)disk->weighted},
		{RAW_DISK_PENDING, 2 * OPS * WAIT_MS / 1000}};

	for (size_t i = 0; i < sizeof values / sizeof *values; i++)
		if (why == WHY_NONE)
			feed_set(&feed, disk->subject, (unsigned)values[i][0],
				values[i][1]);
		else
			feed_none(&feed, disk->subject, (unsigned)values[i][0], why);
}

static void play(struct disk *disk)
{
	uint32_t before = (uint32_t)disk->weighted;

	if (disk->rest && !--disk->rest && disk->deed != NOTHING)
		disk->deed = NOTHING;
	if (!disk->rest)
		begin(disk,
			random_below(300) ? NOTHING : (enum deed)random_below(DEEDS));
	if (disk->deed != NOTHING)
		disk->unknown = 3;
	else if (disk->unknown)
		disk->unknown--;
	if (disk->deed != HANG) {
		disk->ops += OPS;
		disk->weighted += 2 * OPS * WAIT_MS;
	}
	wraps += (uint32_t)disk->weighted < before && disk->deed == NOTHING;
	set_all(disk, disk->deed == OFF  ? WHY_OFF
		      : disk->deed == GO ? WHY_ABSENT
					 : WHY_NONE);
}

/* What each figure of a disk at this load is. */
static const struct {
	const char *id;
	double value;
} truth[] = {{"disk.queue", 2.0 * OPS *WAIT_MS / 1000}, {"disk.read.ops", OPS},
	{"disk.ops", 2 * OPS}, {"disk.read.bytes", OPS * 8 * 512},
	{"disk.write.bytes", OPS * 8 * 512}, {"disk.read.await", WAIT_MS * 1e-3},
	{"disk.write.await", WAIT_MS * 1e-3}};

static void look(const struct disk *disk, bool late)
{
	const char *name = feed.catalog.subjects[disk->subject].name;
	int row = session_find_subject(feed.session, KIND_DISK, name);

	assert_true(row >= 0);
	for (size_t i = 0; i < sizeof truth / sizeof *truth; i++) {
		const struct value *value =
			session_figure(feed.session, (uint32_t)row, truth[i].id);
		bool sure = !late && disk->deed == NOTHING && !disk->unknown;

		if (value->why != WHY_NONE) {
			assert_false(sure);
			continue;
		}
		known++;
		assert_true(isfinite(value->value) && value->value >= 0);
		zeros += !(value->value > 0) && disk->deed != HANG;
		if (fabs(value->value - truth[i].value) > truth[i].value * 1e-6 &&
			(sure || value->value > truth[i].value * 1.5)) {
			fail_msg("%s of %s is %g and not %g", truth[i].id, name,
				value->value, truth[i].value);
		}
	}
}

static void one_second(unsigned second)
{
	bool late = second > 10 && !random_below(500);

	for (unsigned i = 0; i < DISKS; i++)
		play(&disks[i]);
	feed_tick(&feed, NSEC_PER_SEC, late ? 1u << KIND_DISK : 0);
	for (unsigned i = 0; i < DISKS; i++) {
		if (late)
			disks[i].unknown = 3;
		look(&disks[i], late);
	}
}

/* Each hang that is long enough is told with its beginning, its end and its depth, and
 * nothing else is called one. */
static void look_at_stalls(const struct session *session)
{
	size_t told = 0;

	assert_in_range(session->stall_count, hangs, counts[HANG]);
	for (size_t i = 0; i < session->stall_count; i++) {
		const struct stall *stall = &session->stalls[i];

		assert_int_equal(stall->kind, STALL_SILENT);
		assert_true(stall->depth == 2 * OPS * WAIT_MS / 1000);
		assert_true(stall->to == WINDOW_OPEN ||
			    (stall->to - stall->from >= 2 * NSEC_PER_SEC &&
				    stall->to - stall->from < 30 * NSEC_PER_SEC));
		told += stall->to == WINDOW_OPEN ? 1 : 2;
	}
	for (size_t i = 0; i < session->note_count; i++)
		told -= strstr(session->notes[i].text, ": STALL") != NULL;
	assert_int_equal(told, 0);
}

static void no_counter_makes_a_wrong_figure(void **state)
{
	struct session *session = session_new("day", 0);
	/* under valgrind the first hour, in which all of them wrap */
	const unsigned most = getenv("WEIR_VALGRIND") ? DAY / 24 : DAY;

	(void)state;
	feed_init(&feed, session);
	for (unsigned i = 0; i < DISKS; i++) {
		/* so that each wraps in the day, at another time */
		disks[i].weighted = UINT32_MAX - 4000u * 60 * (i + 1);
		disks[i].ops = UINT32_MAX / WAIT_MS - 100u * 40 * (i + 1);
		disks[i].unknown = 3;
		call_it(&disks[i]);
	}
	for (unsigned second = 0; second < most; second++)
		one_second(second);
	assert_int_equal(session->ticks, most);
	assert_true(wraps >= DISKS);
	assert_int_equal(zeros, 0);
	assert_true(known > most * DISKS * 6);
	for (unsigned i = 0; i < DEEDS; i++)
		assert_true(counts[i] > most / 1800);
	look_at_stalls(session);
	feed_fini(&feed);
	session_free(session);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(no_counter_makes_a_wrong_figure),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
