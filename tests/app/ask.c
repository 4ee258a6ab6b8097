/*
 * Sends standard input to a socket and prints what comes back, until one side ends.
 * With --deaf nothing is ever read from the socket, and it waits until it is killed.
 * For the tests of the protocol.
 */
#include "config.h"

#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static int connect_to(const char *path)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	int fd = socket(AF_UNIX, SOCK_STREAM, 0);

	if (fd < 0 || strlen(path) >= sizeof address.sun_path)
		return -1;
	memcpy(address.sun_path, path, strlen(path) + 1);
	if (connect(fd, (const struct sockaddr *)&address, sizeof address) < 0) {
		perror(path);
		return -1;
	}
	return fd;
}

/* Copies once; false at the end. */
static bool copy(int from, int to)
{
	char bytes[4096];
	ssize_t got = read(from, bytes, sizeof bytes);

	return got > 0 && send(to, bytes, (size_t)got, MSG_NOSIGNAL) == got;
}

static bool print(int from)
{
	char bytes[4096];
	ssize_t got = read(from, bytes, sizeof bytes);

	return got > 0 && write(STDOUT_FILENO, bytes, (size_t)got) == got;
}

int main(int argc, char **argv)
{
	bool deaf = argc == 3 && !strcmp(argv[1], "--deaf");
	int fd = argc < 2 ? -1 : connect_to(argv[argc - 1]);
	struct pollfd polls[2] = {{.fd = STDIN_FILENO, .events = POLLIN},
		{.fd = fd, .events = deaf ? 0 : POLLIN}};

	if (fd < 0)
		return 1;
	/* after the last request a little time for the answers */
	while (poll(polls, 2, polls[0].fd < 0 && !deaf ? 300 : -1) > 0) {
		if (polls[0].revents && !copy(STDIN_FILENO, fd))
			polls[0].fd = -1;
		if (!deaf && polls[1].revents && !print(fd))
			return 0;
		if (deaf && polls[1].revents)
			return 0;
	}
	return 0;
}
