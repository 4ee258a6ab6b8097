/* Children by posix_spawn, which is safe beside threads; see the header. */
#include "config.h"

#include "base/child.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static void close_one(int *fd)
{
	if (*fd >= 0)
		(void)close(*fd); /* a pipe end: nothing is lost */
	*fd = -1;
}

static void close_pair(int pair[2])
{
	close_one(&pair[0]);
	close_one(&pair[1]);
}

/* Both ends vanish on exec; dup2 in the child makes the copy that stays. */
static bool open_pipes(int out[2], int err[2], struct fault *fault)
{
	if (pipe2(out, O_CLOEXEC) < 0 || pipe2(err, O_CLOEXEC) < 0 ||
		fcntl(out[0], F_SETFL, O_NONBLOCK) < 0 ||
		fcntl(err[0], F_SETFL, O_NONBLOCK) < 0) {
		(void)fault_errno(fault, errno, "cannot make a pipe");
		close_pair(out);
		close_pair(err);
		return false;
	}
	return true;
}

/* QUIET: a child of our own, which gets the default of every signal. A command of the
 * person's keeps what nohup and the like ignore for it. */
static int prepare(
	posix_spawn_file_actions_t *actions, posix_spawnattr_t *attributes, bool quiet)
{
	sigset_t none;
	sigset_t all;
	int error;

	(void)sigemptyset(&none); /* neither can fail */
	(void)sigfillset(&all);
	error = posix_spawn_file_actions_init(actions);
	if (error)
		return error;
	error = posix_spawnattr_init(attributes);
	if (error)
		return error;
	error = posix_spawnattr_setsigmask(attributes, &none);
	if (!error && quiet)
		error = posix_spawnattr_setsigdefault(attributes, &all);
	if (!error)
		error = posix_spawnattr_setflags(attributes,
			POSIX_SPAWN_SETSIGMASK | (quiet ? POSIX_SPAWN_SETSIGDEF : 0));
	return error;
}

static int redirect(posix_spawn_file_actions_t *actions, int out, int err)
{
	int error = posix_spawn_file_actions_addopen(
		actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);

	if (!error)
		error = posix_spawn_file_actions_adddup2(actions, out, STDOUT_FILENO);
	if (!error)
		error = posix_spawn_file_actions_adddup2(actions, err, STDERR_FILENO);
	return error;
}

static int spawn(
	struct child *child, const char *const *argv, const int *out, const int *err)
{
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attributes;
	int error = prepare(&actions, &attributes, out);

	if (!error && out)
		error = redirect(&actions, out[1], err[1]);
	/* the words are only read; POSIX keeps the old type */
	if (!error)
		error = posix_spawnp(&child->pid, argv[0], &actions, &attributes,
			(char *const *)(uintptr_t)argv, environ);
	(void)posix_spawn_file_actions_destroy(&actions); /* cannot fail here */
	(void)posix_spawnattr_destroy(&attributes);
	return error;
}

bool child_start(struct child *child, const char *const *argv, enum child_stdio stdio,
	struct fault *fault)
{
	bool pipes = stdio == CHILD_PIPES;
	int out[2] = {-1, -1};
	int err[2] = {-1, -1};
	int error;

	*child = (struct child){.out = -1, .err = -1};
	if (pipes && !open_pipes(out, err, fault))
		return false;
	error = spawn(child, argv, pipes ? out : NULL, err);
	close_one(&out[1]);
	close_one(&err[1]);
	if (error) {
		child->pid = 0;
		close_pair(out);
		close_pair(err);
		return fault_errno(fault, error, "cannot start %s", argv[0]);
	}
	child->out = out[0];
	child->err = err[0];
	return true;
}

static bool collect(struct child *child, int flags, int *status)
{
	int raw;
	pid_t got;

	if (child->pid <= 0)
		return false;
	do
		got = waitpid(child->pid, &raw, flags);
	while (got < 0 && errno == EINTR);
	if (!got)
		return false;
	/* somebody else collected it: its status is unknown, not good */
	*status = got < 0          ? 255
		  : WIFEXITED(raw) ? WEXITSTATUS(raw)
				   : 128 + WTERMSIG(raw);
	child->pid = 0;
	return true;
}

bool child_ended(struct child *child, int *status)
{
	return collect(child, WNOHANG, status);
}

int child_wait(struct child *child)
{
	int status = 255;

	(void)collect(child, 0, &status); /* no child: 255 */
	return status;
}

void child_stop(struct child *child)
{
	int status;

	close_one(&child->out);
	close_one(&child->err);
	if (child->pid <= 0)
		return;
	(void)kill(child->pid, SIGTERM); /* it may have ended already */
	for (int i = 0; i < 50; i++) {
		if (child_ended(child, &status))
			return;
		(void)poll(NULL, 0, 5); /* a pause; cut short is fine */
	}
	(void)kill(child->pid, SIGKILL);
	(void)child_wait(child);
}
