/* The one place that waits; see the header. */
#include "config.h"

#include "base/loop.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <time.h>
#include <unistd.h>

bool loop_wait(
	const struct loop_item *items, size_t count, nsec wait, struct fault *fault)
{
	struct pollfd polls[LOOP_ITEMS];
	struct timespec left = {.tv_sec = (time_t)(wait / NSEC_PER_SEC),
		.tv_nsec = (long)(wait % NSEC_PER_SEC)};
	int ready;

	if (wait < 0)
		left = (struct timespec){0};
	if (count > LOOP_ITEMS)
		count = LOOP_ITEMS;
	for (size_t i = 0; i < count; i++)
		polls[i] =
			(struct pollfd){.fd = items[i].fd, .events = items[i].events};
	ready = ppoll(polls, (nfds_t)count, &left, NULL);
	if (ready < 0 && errno != EINTR)
		return fault_errno(fault, errno, "cannot wait");
	for (size_t i = 0; ready > 0 && i < count; i++)
		if (polls[i].revents)
			items[i].ready(items[i].context, polls[i].revents);
	return true;
}

int loop_signals(const int *signals, struct fault *fault)
{
	sigset_t set;
	int error;
	int fd;

	(void)sigemptyset(&set); /* cannot fail */
	for (; *signals; signals++)
		(void)sigaddset(&set, *signals); /* valid numbers by contract */
	error = pthread_sigmask(SIG_BLOCK, &set, NULL);
	fd = error ? -1 : signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	if (fd < 0)
		(void)fault_errno(
			fault, error ? error : errno, "cannot wait for signals");
	return fd;
}

int loop_signal_next(int fd)
{
	struct signalfd_siginfo info;

	if (read(fd, &info, sizeof info) != (ssize_t)sizeof info)
		return 0;
	return (int)info.ssi_signo;
}

int loop_bell(struct fault *fault)
{
	int fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);

	if (fd < 0)
		(void)fault_errno(fault, errno, "cannot make an event descriptor");
	return fd;
}

void loop_ring(int bell)
{
	const uint64_t one = 1;

	(void)!write(bell, &one, sizeof one); /* full: it rings already */
}

void loop_silence(int bell)
{
	uint64_t count;

	(void)!read(bell, &count, sizeof count); /* empty: it is silent already */
}
