/*
 * A day of ticks with everything that clocks do to a long recording: steps of the wall
 * clock both ways, suspends, stops of the process, new runs after a reboot. Counters
 * rise at a known rate of monotonic time, so each figure is either right or not there.
 */
#include "config.h"

#include "app/beat.h"
#include "feed.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#define S NSEC_PER_SEC

enum {
	DAY = 86400,
	OPS = 1000 /* a second */
};

enum deed {
	NOTHING,
	STEP,
	SUSPEND,
	STOP,
	REBOOT,
	DEEDS
};

static struct instant now = {.mono = 1000 * S, .boot = 1500 * S, .wall = 5000000 * S};
static struct beat beat;
static struct feed feed;
static uint32_t disk;
static uint64_t seed = 1;

static nsec random_below(nsec limit)
{
	seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (nsec)(seed >> 33) % limit;
}

static void pass(nsec time)
{
	now.mono += time;
	now.boot += time;
	now.wall += time;
}

/* Counters begin again, and so do both clocks of the kernel. */
static void reboot(void)
{
	struct tick last = feed.tick;

	feed_run(&feed);
	disk = feed_subject(&feed, KIND_DISK, "sda", "serial-1");
	now.wall += random_below(7200 * S) - 3600 * S;
	now.mono = now.boot = 20 * S + random_below(S);
	beat_start(&beat, &now, S, &last);
}

/* Returns by how much the wall clock was set. */
static nsec happen(enum deed deed)
{
	nsec step = random_below(36000 * S) - 18000 * S;
	nsec asleep = S + random_below(10000 * S);

	if (deed == STEP) {
		now.wall += step;
		return step;
	}
	if (deed == SUSPEND) {
		now.boot += asleep;
		now.wall += asleep;
	} else if (deed == STOP) {
		pass(2 * S + random_below(3600 * S));
	} else if (deed == REBOOT) {
		reboot();
	}
	return 0;
}

static void take_tick(void)
{
	feed_set(&feed, disk, RAW_DISK_READ_OPS,
		(uint64_t)(now.mono / (S / OPS))); /* exact: no rounding */
	feed_set(&feed, disk, RAW_DISK_READ_SECTORS,
		(uint64_t)(now.mono / (S / OPS)) * 8);
	feed_tick(&feed, 0, 0);
}

static void figures_are_right_or_absent(enum deed deed)
{
	const struct session *session = feed.session;
	const struct value *ops =
		session_figure(session, 0, "disk.read.ops"); /* the only subject */

	for (size_t i = 0; i < session->track_count; i++) {
		const struct value *value = &session->tracks[i].now;

		if (value->why == WHY_NONE)
			assert_true(isfinite(value->value) && value->value >= 0);
	}
	if (deed == NOTHING || deed == STEP) {
		assert_int_equal(ops->why, WHY_NONE);
		assert_true(fabs(ops->value - OPS) < 2);
	} else {
		assert_int_not_equal(ops->why, WHY_NONE);
	}
}

static void one_second(enum deed deed)
{
	static const enum tick_gap gaps[DEEDS] = {
		[SUSPEND] = GAP_SUSPEND, [STOP] = GAP_MISSED, [REBOOT] = GAP_RUN};
	nsec before = feed.tick.at;
	nsec set = happen(deed);
	nsec found;

	pass(S - random_below(S / 1000));
	found = beat_stamp(&beat, &now, false, &feed.tick);
	if (deed == REBOOT)
		found = 0; /* another run has another beginning */
	assert_true(feed.tick.at > before);
	assert_int_equal(feed.tick.gap, gaps[deed]);
	if (set > S || set < -S)
		assert_int_equal(found, set);
	else if (deed != STEP)
		assert_int_equal(found, 0);
	take_tick();
	figures_are_right_or_absent(deed);
}

static void no_clock_makes_a_wrong_figure(void **state)
{
	unsigned count[DEEDS] = {0};
	struct session *session = session_new("day", 0);

	(void)state;
	feed_init(&feed, session);
	disk = feed_subject(&feed, KIND_DISK, "sda", "serial-1");
	beat_start(&beat, &now, S, NULL);
	(void)beat_stamp(&beat, &now, false, &feed.tick);
	take_tick();
	for (unsigned i = 1; i < DAY; i++) {
		nsec dice = random_below(200);
		enum deed deed = dice < DEEDS ? (enum deed)dice : NOTHING;

		/* the second tick is the first one with a rate */
		deed = i < 3 ? NOTHING : deed;
		count[deed]++;
		one_second(deed);
	}
	assert_int_equal(session->ticks, DAY);
	assert_int_equal(
		session->gap_count, count[SUSPEND] + count[STOP] + count[REBOOT]);
	assert_true(count[STEP] > 100 && count[REBOOT] > 100);
	feed_fini(&feed);
	session_free(session);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(no_clock_makes_a_wrong_figure),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
