/*
 * A bounded TCP load between two network namespaces, for the live tests and the
 * bench: load_tcp serve ADDRESS | load_tcp send ADDRESS MEGABYTES. The server takes
 * one connection, reads it to its end and prints how many bytes came.
 */
#include "config.h"

#include <arpa/inet.h>
#include <inttypes.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum {
	PORT = 5201,
	PIECE = 128 * 1024
};

static char piece[PIECE];

static int failed(const char *what)
{
	perror(what);
	return 1;
}

static int serve(int fd, const struct sockaddr_in *address)
{
	uint64_t total = 0;
	ssize_t got;
	int one = 1, peer;

	if (setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one) ||
		bind(fd, (const struct sockaddr *)address, sizeof *address) ||
		listen(fd, 1))
		return failed("listen");
	(void)puts("ready"); /* whoever waits for it fails if it does not come */
	(void)fflush(stdout);
	peer = accept(fd, NULL, NULL);
	if (peer < 0)
		return failed("accept");
	while ((got = read(peer, piece, sizeof piece)) > 0)
		total += (uint64_t)got;
	(void)close(peer); /* all was read */
	(void)printf("%" PRIu64 "\n", total);
	return got < 0 ? failed("read") : 0;
}

static int transmit(int fd, const struct sockaddr_in *address, uint64_t bytes)
{
	if (connect(fd, (const struct sockaddr *)address, sizeof *address))
		return failed("connect");
	while (bytes) {
		size_t size = bytes < sizeof piece ? (size_t)bytes : sizeof piece;
		ssize_t sent = write(fd, piece, size);

		if (sent < 0)
			return failed("write");
		bytes -= (uint64_t)sent;
	}
	return 0;
}

int main(int argc, char **argv)
{
	struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(PORT)};
	int fd = socket(AF_INET, SOCK_STREAM, 0);
	int status = 2;

	if (fd < 0)
		return failed("socket");
	if (argc < 3 || inet_pton(AF_INET, argv[2], &address.sin_addr) != 1)
		return 2;
	if (argc == 3 && !strcmp(argv[1], "serve"))
		status = serve(fd, &address);
	else if (argc == 4 && !strcmp(argv[1], "send"))
		status = transmit(fd, &address, strtoull(argv[3], NULL, 10) << 20);
	(void)close(fd); /* the last thing that happens */
	return status;
}
