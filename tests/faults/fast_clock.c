/*
 * Loaded before the C library (LD_PRELOAD) it makes time go faster for one program,
 * sets its wall clock and lets the host sleep, so that a day can be recorded in a
 * quarter of an hour by the recorder as it is. WEIR_FAST=100  WEIR_FAST_PLAN="600 step
 * -7200, 900 suspend 3600" in seconds of that faster time, from the start of the
 * program on.
 *
 * Each disk of /proc/diskstats then completes 10,000 reads and 5,000 writes a second,
 * all of the same size and time: what the figures have to be is known. Its counters are
 * those of the moment at which the reading thread last looked at the clock, so that
 * nothing depends on when a busy host lets it run on.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define SECOND INT64_C(1000000000)

enum {
	PLAN_MOST = 64,
	SHORTEST = 5000000 /* no wait for a condition is shorter, in true time */
};

struct deed {
	int64_t at, amount;
	int suspends; /* else the wall clock is set */
};

static struct deed plan[PLAN_MOST];
static int deeds;
static int64_t origin, speed = 1;
static _Thread_local int64_t last; /* what this thread was last told */

int clock_gettime(clockid_t id, struct timespec *ts);
int ppoll(struct pollfd *fds, nfds_t count, const struct timespec *timeout,
	const sigset_t *mask);
int __ppoll_chk(struct pollfd *fds, nfds_t count, const struct timespec *timeout,
	const sigset_t *mask, size_t size);
int pthread_cond_timedwait(
	pthread_cond_t *cond, pthread_mutex_t *mutex, const struct timespec *until);
int nanosleep(const struct timespec *time, struct timespec *left);
int open(const char *path, int flags, ...);
int open64(const char *path, int flags, ...);
int __open_2(const char *path, int flags);
int __open64_2(const char *path, int flags);

static int64_t of(const struct timespec *ts)
{
	return (int64_t)ts->tv_sec * SECOND + ts->tv_nsec;
}

static struct timespec to(int64_t time)
{
	if (time < 0)
		time = 0;
	return (struct timespec){
		.tv_sec = (time_t)(time / SECOND), .tv_nsec = (long)(time % SECOND)};
}

static int64_t true_time(clockid_t id)
{
	struct timespec ts = {0};

	(void)syscall(SYS_clock_gettime, id, &ts); /* cannot fail for these */
	return of(&ts);
}

static void take_plan(const char *text)
{
	long long at, amount;
	char what[16];
	int used;

	while (deeds < PLAN_MOST &&
		sscanf(text, " %lld %15s %lld%n", &at, what, &amount, &used) == 3) {
		plan[deeds++] = (struct deed){
			at * SECOND, amount * SECOND, strcmp(what, "suspend") == 0};
		text += used;
		text += *text == ',';
	}
}

__attribute__((constructor)) static void begin(void)
{
	const char *text = getenv("WEIR_FAST_PLAN");

	origin = true_time(CLOCK_MONOTONIC);
	if (getenv("WEIR_FAST"))
		speed = strtol(getenv("WEIR_FAST"), NULL, 10);
	if (speed < 1)
		speed = 1;
	if (text)
		take_plan(text);
}

/* What the plan has added by LAST to the clock that runs on in suspend, or to the wall
 * clock. */
static int64_t added(int wall)
{
	int64_t sum = 0;

	for (int i = 0; i < deeds; i++)
		if (plan[i].at <= last - origin && (plan[i].suspends || wall))
			sum += plan[i].amount;
	return sum;
}

/* The other clocks say what they said at the thread's last look at the monotonic one:
 * the time between two calls would be a hundred times longer than it is. */
int clock_gettime(clockid_t id, struct timespec *ts)
{
	int64_t away;

	if (id != CLOCK_MONOTONIC && id != CLOCK_BOOTTIME && id != CLOCK_REALTIME)
		return (int)syscall(SYS_clock_gettime, id, ts);
	if (id == CLOCK_MONOTONIC || !last)
		last = origin + (true_time(CLOCK_MONOTONIC) - origin) * speed;
	away = last - true_time(CLOCK_MONOTONIC);
	if (id == CLOCK_MONOTONIC)
		*ts = to(last);
	else if (id == CLOCK_BOOTTIME)
		*ts = to(true_time(id) + away + added(0));
	else
		*ts = to(true_time(id) + away + added(1));
	return 0;
}

int ppoll(struct pollfd *fds, nfds_t count, const struct timespec *timeout,
	const sigset_t *mask)
{
	struct timespec sooner = to(timeout ? of(timeout) / speed : 0);

	return (int)syscall(
		SYS_ppoll, fds, count, timeout ? &sooner : NULL, mask, _NSIG / 8);
}

int __ppoll_chk(struct pollfd *fds, nfds_t count, const struct timespec *timeout,
	const sigset_t *mask, size_t size)
{
	(void)size;
	return ppoll(fds, count, timeout, mask);
}

int pthread_cond_timedwait(
	pthread_cond_t *cond, pthread_mutex_t *mutex, const struct timespec *until)
{
	int64_t now = true_time(CLOCK_MONOTONIC);
	int64_t end = origin + (of(until) - origin) / speed;
	struct timespec real = to(end < now + SHORTEST ? now + SHORTEST : end);

	return pthread_cond_clockwait(cond, mutex, CLOCK_MONOTONIC, &real);
}

int nanosleep(const struct timespec *time, struct timespec *left)
{
	struct timespec sooner = to(of(time) / speed);

	return (int)syscall(SYS_nanosleep, &sooner, left);
}

/* ---- /proc/diskstats ---- */

static void write_disk(int fd, const char *line)
{
	long long us = (long long)(last - origin) / 1000;
	char name[64];
	unsigned major, minor;

	if (sscanf(line, "%u %u %63s", &major, &minor, name) == 3)
		/* 4 KiB and 0.2 us a read, 8 KiB and 0.5 us a write; 450 outstanding */
		(void)dprintf(fd,
			"%u %u %s %lld 0 %lld %lld %lld 0 %lld %lld 1 %lld %lld\n",
			major, minor, name, us, us * 8, us / 5000, us / 2, us / 2 * 16,
			us / 4000, us / 2500, us * 9 / 20);
}

static int all_disks(void)
{
	int real = (int)syscall(SYS_openat, AT_FDCWD, "/proc/diskstats", O_RDONLY);
	FILE *list = real < 0 ? NULL : fdopen(real, "r");
	int fd = memfd_create("diskstats", MFD_CLOEXEC);
	char line[512];

	while (list && fgets(line, sizeof line, list))
		write_disk(fd, line);
	if (list)
		(void)fclose(list); /* only read */
	(void)lseek(fd, 0, SEEK_SET);
	return fd;
}

static int open_any(const char *path, int flags, unsigned mode)
{
	if (!strcmp(path, "/proc/diskstats"))
		return all_disks();
	return (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}

int open(const char *path, int flags, ...)
{
	va_list args;
	unsigned mode;

	va_start(args, flags);
	mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(args, unsigned) : 0;
	va_end(args);
	return open_any(path, flags, mode);
}

int open64(const char *path, int flags, ...)
{
	va_list args;
	unsigned mode;

	va_start(args, flags);
	mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(args, unsigned) : 0;
	va_end(args);
	return open_any(path, flags, mode);
}

int __open_2(const char *path, int flags)
{
	return open_any(path, flags, 0);
}

int __open64_2(const char *path, int flags)
{
	return open_any(path, flags, 0);
}
