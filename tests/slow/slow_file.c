/*
 * A file as slow as one wants: a file system over /dev/fuse whose root is one regular
 * file of zeros. Each read and write of it is answered after the delay that was last
 * given on standard input, a line of milliseconds; 0 at first. Many requests wait at
 * the same time. It ends when it is unmounted, killed, or standard input ends.
 *   slow_file FILE MEGABYTES    mounts over FILE, says "ready"
 * The kernel's protocol is spoken here, and not by a library: of its forty requests a
 * single file needs four, and the tests need nothing installed.
 */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/fuse.h>
#include <poll.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

enum {
	WRITE_MOST = 128 << 10,
	WAITING = 1024
};

struct request {
	uint64_t unique;
	int64_t due; /* nanoseconds */
	uint32_t size;
	bool write;
};

static const char zeros[WRITE_MOST];
static struct request waiting[WAITING];
static size_t waiting_count;
static uint64_t file_size;
static int64_t delay;
static int dev;

static int64_t now(void)
{
	struct timespec at;

	(void)clock_gettime(CLOCK_MONOTONIC, &at); /* cannot fail */
	return at.tv_sec * INT64_C(1000000000) + at.tv_nsec;
}

static void answer(uint64_t unique, int error, const void *body, size_t size)
{
	struct fuse_out_header header = {.len = (uint32_t)(sizeof header + size),
		.error = -error,
		.unique = unique};
	struct iovec parts[] = {
		{&header, sizeof header}, {(void *)(uintptr_t)body, size}};

	if (writev(dev, parts, 2) < 0 && errno != ENOENT) /* ENOENT: given up */
		perror("answer");
}

static void answer_init(
	const struct fuse_in_header *head, const struct fuse_init_in *in)
{
	/* what waits is limited by nothing here: all of a loop device's requests */
	struct fuse_init_out out = {.major = FUSE_KERNEL_VERSION,
		.minor = FUSE_KERNEL_MINOR_VERSION,
		.max_readahead = in->max_readahead,
		.flags = in->flags &
			 (FUSE_ASYNC_READ | FUSE_ASYNC_DIO | FUSE_BIG_WRITES),
		.max_background = WAITING - 1,
		.congestion_threshold = WAITING - 1,
		.max_write = WRITE_MOST};

	answer(head->unique, 0, &out, sizeof out);
}

static void answer_attributes(const struct fuse_in_header *head)
{
	struct fuse_attr_out out = {.attr_valid = 3600,
		.attr = {.ino = FUSE_ROOT_ID,
			.size = file_size,
			.blocks = file_size / 512,
			.mode = S_IFREG | 0600,
			.nlink = 1,
			.blksize = 4096}};

	answer(head->unique, 0, &out, sizeof out);
}

static void keep(const struct fuse_in_header *head, uint32_t size)
{
	if (waiting_count == WAITING) {
		answer(head->unique, EIO, NULL, 0);
		return;
	}
	waiting[waiting_count++] = (struct request){.unique = head->unique,
		.due = now() + delay,
		.size = size < WRITE_MOST ? size : WRITE_MOST,
		.write = head->opcode == FUSE_WRITE};
}

/* Takes one request. False: unmounted. */
static bool take(void)
{
	static union {
		struct fuse_in_header head;
		char bytes[WRITE_MOST + 65536];
	} in;
	const void *body = in.bytes + sizeof in.head;
	static const struct fuse_open_out opened;

	if (read(dev, &in, sizeof in) < (ssize_t)sizeof in.head)
		return errno == EINTR || errno == EAGAIN || errno == ENOENT;
	switch (in.head.opcode) {
	case FUSE_INIT:
		answer_init(&in.head, body);
		break;
	case FUSE_GETATTR:
	case FUSE_SETATTR:
		answer_attributes(&in.head);
		break;
	case FUSE_OPEN:
		answer(in.head.unique, 0, &opened, sizeof opened);
		break;
	case FUSE_READ:
		keep(&in.head, ((const struct fuse_read_in *)body)->size);
		break;
	case FUSE_WRITE:
		keep(&in.head, ((const struct fuse_write_in *)body)->size);
		break;
	case FUSE_FORGET:
	case FUSE_BATCH_FORGET:
	case FUSE_INTERRUPT:
		break; /* these want no answer */
	default:
		answer(in.head.unique, ENOSYS, NULL, 0);
	}
	return true;
}

/* Answers what is due; returns when the next one is, or -1. */
static int64_t answer_due(void)
{
	int64_t at = now(), next = -1;
	size_t kept = 0;

	for (size_t i = 0; i < waiting_count; i++) {
		const struct request request = waiting[i];
		const struct fuse_write_out written = {.size = request.size};

		if (request.due > at) {
			if (next < 0 || request.due < next)
				next = request.due;
			waiting[kept++] = request;
		} else if (request.write) {
			answer(request.unique, 0, &written, sizeof written);
		} else {
			answer(request.unique, 0, zeros, request.size);
		}
	}
	waiting_count = kept;
	return next;
}

/* A line of standard input: the new delay. False at its end. */
static bool take_delay(void)
{
	char line[32];
	ssize_t got = read(STDIN_FILENO, line, sizeof line - 1);

	if (got <= 0)
		return false;
	line[got] = 0;
	delay = strtoll(line, NULL, 10) * 1000000;
	return true;
}

static void serve(void)
{
	struct pollfd polls[] = {
		{.fd = STDIN_FILENO, .events = POLLIN}, {.fd = dev, .events = POLLIN}};

	for (;;) {
		int64_t next = answer_due();
		int64_t rest = next < 0 ? 3600000000000 : next - now();
		struct timespec wait = {0, 0};

		if (rest > 0)
			wait = (struct timespec){rest / 1000000000, rest % 1000000000};
		if (ppoll(polls, 2, &wait, NULL) < 0 && errno != EINTR)
			return;
		if (polls[0].revents && !take_delay())
			return;
		if (polls[1].revents && !take())
			return;
	}
}

int main(int argc, char **argv)
{
	char options[128];

	if (argc != 3)
		return 2;
	file_size = strtoull(argv[2], NULL, 10) << 20;
	dev = open("/dev/fuse", O_RDWR | O_CLOEXEC);
	if (dev < 0) {
		perror("/dev/fuse");
		return 77;
	}
	(void)snprintf(options, sizeof options,
		"fd=%d,rootmode=100600,user_id=0,group_id=0,allow_other", dev);
	if (mount("slow_file", argv[1], "fuse.slow_file", MS_NOSUID | MS_NODEV,
		    options)) {
		perror("mount of a FUSE file system");
		return 77;
	}
	(void)printf("ready\n"); /* nobody else is told */
	(void)fflush(stdout);
	serve();
	(void)umount2(argv[1], MNT_DETACH); /* it may be unmounted already */
	return 0;
}
