/* Sockets that ended; see the header. */
#include "config.h"

#include "source/ended.h"

#include <errno.h>
#include <linux/filter.h>
#include <linux/inet_diag.h>
#include <linux/netlink.h>
#include <linux/sock_diag.h>
#include <sys/socket.h>
#include <unistd.h>

enum {
	MESSAGE = 4096, /* one socket takes less than a kilobyte */
	MOST = 4096,    /* sockets in one call: the rest waits for the next */
	LOCAL_PORT = sizeof(struct nlmsghdr) + offsetof(struct inet_diag_msg, id) +
		     offsetof(struct inet_diag_sockid, idiag_sport),
	REMOTE_PORT = LOCAL_PORT + 2,
	STEPS = 2 * (1 + PORTS_MAX) + 2,
};

/* Load a port, compare it with each, take the message where one fits. */
static bool filter(int fd, const struct ports *ports)
{
	struct sock_filter steps[STEPS];
	unsigned short count = 0, last = (unsigned short)(2 * (1 + ports->count) + 1);
	struct sock_fprog program = {.filter = steps};

	for (int side = 0; side < 2; side++) {
		steps[count++] = (struct sock_filter)BPF_STMT(
			BPF_LD | BPF_H | BPF_ABS, side ? REMOTE_PORT : LOCAL_PORT);
		for (size_t i = 0; i < ports->count; i++, count++)
			steps[count] =
				(struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K,
					ports->list[i], (uint8_t)(last - count - 1), 0);
	}
	steps[count++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, 0);
	steps[count++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, UINT32_MAX);
	program.len = count;
	return !setsockopt(fd, SOL_SOCKET, SO_ATTACH_FILTER, &program, sizeof program);
}

int ended_open(const struct ports *ports)
{
	struct sockaddr_nl groups = {.nl_family = AF_NETLINK,
		.nl_groups = 1U << (SKNLGRP_INET_TCP_DESTROY - 1) |
			     1U << (SKNLGRP_INET6_TCP_DESTROY - 1)};
	int fd = socket(
		AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK, NETLINK_SOCK_DIAG);

	if (fd < 0)
		return -1;
	if (filter(fd, ports) &&
		!bind(fd, (const struct sockaddr *)&groups, sizeof groups))
		return fd;
	(void)close(fd); /* nothing was written */
	return -1;
}

void ended_read(int fd, void (*take)(void *, const struct diag_socket *), void *context)
{
	uint8_t message[MESSAGE];
	struct diag_socket one;

	for (int i = 0; i < MOST; i++) {
		ssize_t got = recv(fd, message, sizeof message, MSG_DONTWAIT);
		struct diag_reader reader = {.data = message, .size = (size_t)got};

		if (got < 0 && (errno == EINTR || errno == ENOBUFS))
			continue; /* some were lost, others may be there */
		if (got <= 0)
			return;
		while (diag_next(&reader, &one) == DIAG_SOCKET)
			take(context, &one);
	}
}
