/* A process for what may hang; see the header. */
#include "config.h"

#include "app/aside.h"

#include "base/clock.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

static void work_and_end(void (*work)(const void *context, struct buffer *result),
	const void *context, int fd)
{
	struct buffer result = {0};
	size_t done = 0;
	ssize_t put = 0;

	work(context, &result);
	while (put >= 0 && done < result.size) {
		put = write(fd, (const char *)result.data + done, result.size - done);
		done += put > 0 ? (size_t)put : 0;
	}
	_exit(done == result.size ? 0 : 1);
}

/* Until the other end closes; false if that does not happen in time. */
static bool take_all(int fd, nsec patience, struct buffer *out)
{
	nsec deadline = clock_mono() + patience;
	char piece[4096];

	for (;;) {
		struct pollfd wait = {.fd = fd, .events = POLLIN};
		nsec left = deadline - clock_mono();
		ssize_t got;

		if (left <= 0)
			return false;
		if (poll(&wait, 1, (int)(left / NSEC_PER_MSEC) + 1) <= 0)
			continue; /* the deadline tells */
		got = read(fd, piece, sizeof piece);
		if (got == 0)
			return true;
		if (got < 0 && errno != EINTR)
			return false;
		if (got > 0)
			buffer_add(out, piece, (size_t)got);
	}
}

bool aside(void (*work)(const void *context, struct buffer *result),
	const void *context, nsec patience, struct buffer *out)
{
	size_t before = out->size;
	int ends[2], status = 1;
	pid_t child;
	bool done;

	if (pipe2(ends, O_CLOEXEC) < 0)
		return false;
	(void)fflush(NULL); /* nothing of ours twice */
	child = fork();
	if (child == 0)
		work_and_end(work, context, ends[1]);
	(void)close(ends[1]); /* the other one has it */
	done = child > 0 && take_all(ends[0], patience, out);
	(void)close(ends[0]); /* only read */
	if (child > 0 && !done)
		(void)kill(child, SIGKILL); /* in vain while the disk hangs */
	else if (child > 0)
		done = waitpid(child, &status, 0) == child && status == 0;
	if (!done)
		out->size = before;
	return done;
}
