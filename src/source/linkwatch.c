/* Link messages of the kernel (rtnetlink), of which only the fact that there are some
 * counts; see the header. */
#include "config.h"

#include "source/linkwatch.h"

#include <errno.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <sys/socket.h>
#include <unistd.h>

int linkwatch_open(void)
{
	const struct sockaddr_nl address = {
		.nl_family = AF_NETLINK, .nl_groups = RTMGRP_LINK};
	int fd = socket(
		AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK, NETLINK_ROUTE);

	if (fd >= 0 && bind(fd, (const struct sockaddr *)&address, sizeof address) == 0)
		return fd;
	linkwatch_close(fd);
	return -1;
}

void linkwatch_close(int fd)
{
	if (fd >= 0)
		(void)close(fd); /* nothing went through it */
}

bool linkwatch_heard(int fd)
{
	char bytes[8192];
	bool heard = false;

	if (fd < 0)
		return false;
	for (;;) {
		ssize_t got = recv(fd, bytes, sizeof bytes, MSG_DONTWAIT);

		if (got < 0 && errno == EINTR)
			continue;
		/* ENOBUFS: there was more than it had room for */
		if (got <= 0 && !(got < 0 && errno == ENOBUFS))
			return heard;
		heard = true;
	}
}
