/*
 * Prints the session time of each tick that a recorder sends from now on, one a line,
 * until it is gone. What was printed was recorded: the tests of faults hold the session
 * file against it.
 */
#include "config.h"

#include "app/client.h"

#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <unistd.h>

/* False at the end. */
static bool take_all(struct client *client, const struct session *session)
{
	struct fault fault;

	for (;;) {
		enum client_event event = client_next(client, &fault);

		if (event == CLIENT_NOTHING)
			return fflush(stdout) == 0;
		if (event == CLIENT_GONE)
			return false;
		if (event == CLIENT_TICK)
			(void)printf(
				"%" PRId64 "\n", session->last.at); /* see fflush */
	}
}

int main(int argc, char **argv)
{
	struct session *session = session_new("watch", 2);
	struct fault fault = {0, "usage: watch SOCKET"};
	struct client *client =
		argc == 2 ? client_connect(argv[1], geteuid(), &fault) : NULL;
	struct pollfd wait = {.fd = client ? client_fd(client) : -1, .events = POLLIN};

	if (!client || !client_watch(client, session, INT64_MAX, &fault)) {
		(void)fprintf(stderr, "%s\n", fault.text);
		return 1;
	}
	while (take_all(client, session))
		if (poll(&wait, 1, -1) < 0 && errno != EINTR)
			break;
	client_free(client);
	session_free(session);
	return 0;
}
