/*
 * Keeps a known number of reads of a device in flight, and counts them by its own
 * clock: the truth that a queue depth is held against.
 *   slow_load DEVICE DEPTH
 * At each line of standard input it prints what it saw since the last one: the seconds,
 * the mean of requests outstanding, completions, their mean time in milliseconds. At
 * the end of standard input it submits no more, waits for the rest, and ends.
 */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/aio_abi.h>
#include <poll.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <linux/fs.h>

enum {
	BLOCK = 4096,
	DEPTH_MOST = 1024
};

static struct iocb control[DEPTH_MOST];
static int64_t begun[DEPTH_MOST];
static aio_context_t context;
static int device, wake;
static uint64_t blocks;
static unsigned outstanding;

/* since the last line */
static int64_t since, moved;
static double area, spent;
static uint64_t completed;

static int64_t now(void)
{
	struct timespec at;

	(void)clock_gettime(CLOCK_MONOTONIC, &at); /* cannot fail */
	return at.tv_sec * INT64_C(1000000000) + at.tv_nsec;
}

/* The number outstanding is about to change, or to be asked for. */
static int64_t move(void)
{
	int64_t at = now();

	area += (double)outstanding * (double)(at - moved);
	moved = at;
	return at;
}

static void fail(const char *what)
{
	perror(what);
	exit(1);
}

static void submit(unsigned slot, void *memory)
{
	static uint64_t seed = 1;
	struct iocb *one = &control[slot];

	seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	*one = (struct iocb){.aio_lio_opcode = IOCB_CMD_PREAD,
		.aio_fildes = (uint32_t)device,
		.aio_buf = (uint64_t)(uintptr_t)memory,
		.aio_nbytes = BLOCK,
		.aio_offset = (int64_t)((seed >> 20) % blocks * BLOCK),
		.aio_data = slot,
		.aio_flags = IOCB_FLAG_RESFD,
		.aio_resfd = (uint32_t)wake};
	begun[slot] = move();
	outstanding++;
	if (syscall(SYS_io_submit, context, 1, &one) != 1)
		fail("io_submit");
}

static void collect(bool again, void *memory)
{
	struct io_event events[64];
	uint64_t count;
	long got;

	if (read(wake, &count, sizeof count) < 0 && errno != EAGAIN)
		fail("eventfd");
	while ((got = syscall(SYS_io_getevents, context, 0, 64, events,
			&(struct timespec){0, 0})) > 0)
		for (long i = 0; i < got; i++) {
			unsigned slot = (unsigned)events[i].data;

			if (events[i].res != BLOCK) {
				errno = (int)-events[i].res;
				fail("a read of the device");
			}
			spent += (double)(move() - begun[slot]);
			outstanding--;
			completed++;
			if (again)
				submit(slot, memory);
		}
}

static void tell(void)
{
	int64_t at = move();

	(void)printf("%.3f %.3f %llu %.3f\n", (double)(at - since) / 1e9,
		area / (double)(at - since), (unsigned long long)completed,
		completed ? spent / (double)completed / 1e6 : 0.0);
	(void)fflush(stdout);
	since = at;
	area = spent = 0;
	completed = 0;
}

/* One line is one question. False at the end. */
static bool asked(void)
{
	char line[16] = "";
	ssize_t got = read(STDIN_FILENO, line, sizeof line - 1);

	if (got > 0)
		tell();
	return got > 0 && strncmp(line, "end", 3) != 0;
}

int main(int argc, char **argv)
{
	unsigned depth = argc == 3 ? (unsigned)strtoul(argv[2], NULL, 10) : 0;
	struct pollfd polls[2] = {{.fd = STDIN_FILENO, .events = POLLIN}};
	void *memory = NULL;
	bool again = true;

	if (!depth || depth > DEPTH_MOST)
		return 2;
	device = open(argv[1], O_RDONLY | O_DIRECT | O_CLOEXEC);
	wake = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
	if (device < 0 || wake < 0 || ioctl(device, BLKGETSIZE64, &blocks) ||
		syscall(SYS_io_setup, DEPTH_MOST, &context) ||
		posix_memalign(&memory, BLOCK, BLOCK))
		fail(argv[1]);
	blocks /= BLOCK;
	polls[1] = (struct pollfd){.fd = wake, .events = POLLIN};
	since = moved = now();
	for (unsigned i = 0; i < depth; i++)
		submit(i, memory);
	while (again || outstanding) {
		if (poll(polls, 2, -1) < 0 && errno != EINTR)
			fail("poll");
		if (again && polls[0].revents && !asked()) {
			again = false;
			polls[0].fd = -1;
		}
		if (polls[1].revents)
			collect(again, memory);
	}
	free(memory);
	return 0;
}
