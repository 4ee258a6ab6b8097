/* Deadlines, session time and gaps; see the header. */
#include "config.h"

#include "app/beat.h"

/* Two clocks are read one after the other, and a busy host may do other things in
 * between: less than this is neither a suspend nor a step. */
static const nsec doubt = 100 * NSEC_PER_MSEC;

void beat_start(struct beat *beat, const struct instant *now, nsec interval,
	const struct tick *previous)
{
	*beat = (struct beat){.interval = interval, .run = 1, .due = now->mono};
	if (previous) {
		nsec distance = now->wall - previous->wall;

		beat->run = previous->run + 1;
		beat->resumed = previous->at +
				(distance > NSEC_PER_MSEC ? distance : NSEC_PER_MSEC);
	}
	beat->base = beat->resumed - now->boot;
	beat->last = *now;
}

nsec beat_at(const struct beat *beat, const struct instant *now)
{
	nsec at = now->boot + beat->base;

	return at > beat->resumed ? at : beat->resumed;
}

static enum tick_gap gap_before(const struct beat *beat, const struct instant *now)
{
	nsec mono = now->mono - beat->last.mono;
	nsec boot = now->boot - beat->last.boot;

	if (!beat->started)
		return GAP_RUN;
	if (boot - mono > doubt)
		return GAP_SUSPEND;
	return mono > beat->interval + beat->interval / 2 ? GAP_MISSED : GAP_NONE;
}

static nsec clock_step(const struct beat *beat, const struct instant *now)
{
	nsec step = (now->wall - beat->last.wall) - (now->boot - beat->last.boot);

	if (!beat->started || (step < doubt && step > -doubt))
		return 0;
	return step;
}

/* Beats that were slept through are not made up for. */
static void move_deadline(struct beat *beat, nsec mono)
{
	if (!beat->started)
		beat->due = mono;
	if (mono >= beat->due)
		beat->due += ((mono - beat->due) / beat->interval + 1) * beat->interval;
}

nsec beat_stamp(
	struct beat *beat, const struct instant *now, bool extra, struct tick *tick)
{
	nsec step = clock_step(beat, now);

	tick->at = beat_at(beat, now);
	tick->mono = now->mono;
	tick->wall = now->wall;
	tick->run = beat->run;
	tick->interval = beat->interval;
	tick->gap = gap_before(beat, now);
	tick->extra = extra;
	if (!extra)
		move_deadline(beat, now->mono);
	beat->last = *now;
	beat->started = true;
	return step;
}
