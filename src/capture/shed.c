/* Deciding how much work is too much; see the header. */
#include "config.h"

#include "capture/shed.h"

enum {
	CALM_SECONDS = 10,
	CPU_PART = 4 /* of a core: a quarter */
};

static void cut(struct shed *shed, enum wire_effort why, uint64_t rate)
{
	shed->effort = why;
	shed->highest = rate;
	shed->calm = 0;
}

static void calm_down(struct shed *shed, uint64_t rate)
{
	if (rate > shed->highest)
		shed->highest = rate;
	shed->calm = rate <= shed->highest / 2 ? shed->calm + 1 : 0;
	if (shed->calm >= CALM_SECONDS)
		shed->effort = EFFORT_FULL;
}

/* Wire bytes per second since the second began. */
static uint64_t rate_of(const struct shed *shed, const struct shed_now *now)
{
	nsec ms = (now->mono - shed->from) / NSEC_PER_MSEC + 1; /* never 0 */

	return (now->bytes - shed->bytes_from) / (uint64_t)ms * 1000;
}

/* A second is over; it may have been a longer one. */
static void judge(struct shed *shed, const struct shed_now *now)
{
	uint64_t rate = rate_of(shed, now);

	if (shed->effort != EFFORT_FULL)
		calm_down(shed, rate);
	else if ((now->cpu - shed->cpu_from) * CPU_PART > now->mono - shed->from)
		cut(shed, EFFORT_CPU, rate);
}

static void begin_second(struct shed *shed, const struct shed_now *now)
{
	shed->from = now->mono;
	shed->cpu_from = now->cpu;
	shed->bytes_from = now->bytes;
	shed->started = true;
}

bool shed_step(struct shed *shed, const struct shed_now *now)
{
	enum wire_effort before = shed->effort;

	if (!shed->started)
		begin_second(shed, now);
	if (now->ring_half && shed->effort == EFFORT_FULL)
		cut(shed, EFFORT_RING, rate_of(shed, now));
	if (now->mono - shed->from >= NSEC_PER_SEC) {
		judge(shed, now);
		begin_second(shed, now);
	}
	return shed->effort != before;
}
