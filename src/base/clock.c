/* The only file that reads a clock. */
#include "config.h"

#include "base/clock.h"

#include <sys/timex.h>
#include <time.h>

static nsec read_one(clockid_t id)
{
	struct timespec ts = {0};

	(void)clock_gettime(id, &ts); /* cannot fail for the ids used here */
	return (nsec)ts.tv_sec * NSEC_PER_SEC + ts.tv_nsec;
}

void clock_read(struct instant *now)
{
	now->mono = read_one(CLOCK_MONOTONIC);
	now->boot = read_one(CLOCK_BOOTTIME);
	now->wall = read_one(CLOCK_REALTIME);
}

nsec clock_mono(void)
{
	return read_one(CLOCK_MONOTONIC);
}

nsec clock_cpu(void)
{
	return read_one(CLOCK_PROCESS_CPUTIME_ID);
}

int clock_synchronised(void)
{
	struct timex state = {.modes = 0};

	if (adjtimex(&state) < 0)
		return -1;
	return !(state.status & STA_UNSYNC);
}

nsec clock_error(void)
{
	struct timex state = {.modes = 0};

	if (adjtimex(&state) < 0 || (state.status & STA_UNSYNC))
		return -1;
	return (nsec)state.maxerror * 1000;
}

nsec clock_error_bound(nsec error)
{
	nsec bound = 1000000;

	while (bound < error && bound <= INT64_MAX / 10)
		bound *= 10;
	return bound;
}

nsec clock_cpu_thread(void)
{
	return read_one(CLOCK_THREAD_CPUTIME_ID);
}

int clock_zone_minutes(nsec wall)
{
	time_t seconds = (time_t)(wall / NSEC_PER_SEC);
	struct tm local = {0};

	if (!localtime_r(&seconds, &local))
		return 0;
	return (int)(local.tm_gmtoff / 60);
}
