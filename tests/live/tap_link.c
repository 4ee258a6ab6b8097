/*
 * A wire between two network namespaces that does to frames what it is told, and says
 * how often: tap_link NAMESPACE FAULT COUNT, with FAULT one of none, drop, double,
 * swap, damage, and NAMESPACE the file of the other one. Makes the tap `left` here and
 * `right` there. Every STRIDE-th full-size TCP segment to the right meets the fault,
 * COUNT times.
 */
#include "config.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <linux/if_tun.h>
#include <net/if.h>
#include <poll.h>
#include <sched.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum {
	FRAME_MAX = 65536,
	FULL = 1000, /* bytes: such a frame carries data */
	STRIDE = 40, /* far enough apart to be mended one by one */
	SLOW_MS =
		150, /* what the handshake takes: then later frames are out of order */
	ETHER = 14,
};

struct frame {
	uint8_t bytes[FRAME_MAX];
	size_t size;
};

struct link {
	int fd[2]; /* left and right */
	const char *fault;
	unsigned left, done, data;
	uint32_t next; /* sequence number behind the newest data */
	bool holding;
	struct frame held;
};

static int failed(const char *what)
{
	perror(what);
	return EXIT_FAILURE;
}

static int tap(const char *name)
{
	struct ifreq request = {.ifr_flags = IFF_TAP | IFF_NO_PI};
	int fd = open("/dev/net/tun", O_RDWR);

	if (fd < 0 ||
		snprintf(request.ifr_name, sizeof request.ifr_name, "%s", name) < 0)
		return -1;
	return ioctl(fd, TUNSETIFF, &request) < 0 ? -1 : fd;
}

static bool is_tcp(const struct frame *frame)
{
	return frame->size > ETHER + 40 && frame->bytes[12] == 8 &&
	       frame->bytes[13] == 0 && frame->bytes[ETHER + 9] == 6;
}

static bool is_syn(const struct frame *frame)
{
	return is_tcp(frame) && frame->bytes[ETHER + 20 + 13] & 2;
}

static void give(int fd, const struct frame *frame)
{
	if (write(fd, frame->bytes, frame->size) != (ssize_t)frame->size)
		perror("write"); /* counted as lost by who looks */
}

static void release(struct link *link)
{
	if (link->holding)
		give(link->fd[1], &link->held);
	link->holding = false;
}

/* One frame to the right, and what was held for it to overtake. */
static void fault(struct link *link, struct frame *frame)
{
	link->left--;
	(void)printf("done %u\n", ++link->done);
	(void)fflush(stdout); /* the reader notices */
	if (!strcmp(link->fault, "drop"))
		return;
	if (!strcmp(link->fault, "swap")) {
		link->held = *frame;
		link->holding = true;
		return;
	}
	if (!strcmp(link->fault, "damage"))
		frame->bytes[frame->size - 1] ^= 4;
	give(link->fd[1], frame);
	if (!strcmp(link->fault, "double"))
		give(link->fd[1], frame);
}

/* What is sent again must get through: lost once more it would leave no second gap. */
static bool is_new_data(struct link *link, const struct frame *frame)
{
	uint32_t sequence;

	if (!is_tcp(frame) || frame->size <= FULL)
		return false;
	memcpy(&sequence, frame->bytes + ETHER + 20 + 4, sizeof sequence);
	sequence = ntohl(sequence);
	if (link->data && (int32_t)(sequence - link->next) < 0)
		return false;
	link->next = sequence + 1;
	return true;
}

static void to_the_right(struct link *link, struct frame *frame)
{
	if (link->left && is_new_data(link, frame) && ++link->data % STRIDE == 0) {
		fault(link, frame);
		return;
	}
	give(link->fd[1], frame);
	release(link);
}

/* The answer to a SYN takes its time. */
static void to_the_left(struct link *link, struct frame *frame)
{
	if (is_syn(frame))
		(void)usleep(SLOW_MS * 1000); /* a shorter one only fails the test */
	give(link->fd[0], frame);
}

static void forward(struct link *link, int side)
{
	static struct frame frame;
	ssize_t size = read(link->fd[side], frame.bytes, sizeof frame.bytes);

	if (size <= 0)
		return;
	frame.size = (size_t)size;
	if (side == 0)
		to_the_right(link, &frame);
	else
		to_the_left(link, &frame);
}

/* Until it is killed. A held frame waits for the next, or for 5 ms. */
static void loop(struct link *link)
{
	struct pollfd items[] = {{.fd = link->fd[0], .events = POLLIN},
		{.fd = link->fd[1], .events = POLLIN}};

	for (;;) {
		int ready = poll(items, 2, link->holding ? 5 : -1);

		if (ready == 0)
			release(link);
		for (int side = 0; ready > 0 && side < 2; side++)
			if (items[side].revents & POLLIN)
				forward(link, side);
	}
}

int main(int argc, char **argv)
{
	static struct link link;
	int other = argc == 4 ? open(argv[1], O_RDONLY | O_CLOEXEC) : -1;

	if (other < 0)
		return failed("tap_link NAMESPACE FAULT COUNT");
	link.fault = argv[2];
	link.left = (unsigned)strtoul(argv[3], NULL, 10);
	link.fd[0] = tap("left");
	if (link.fd[0] < 0 || setns(other, CLONE_NEWNET) < 0)
		return failed("tap left");
	link.fd[1] = tap("right");
	if (link.fd[1] < 0)
		return failed("tap right");
	(void)puts("ready");
	(void)fflush(stdout); /* the reader notices */
	loop(&link);
	return EXIT_SUCCESS;
}
