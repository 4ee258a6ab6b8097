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

/* The descriptors of a child of ours; null: it has the caller's. */
struct ends {
	int in, out[2], err[2];
};

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

static int redirect(posix_spawn_file_actions_t *actions, int in, int out, int err)
{
	int error =
		in < 0 ? posix_spawn_file_actions_addopen(
				 actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
		       : posix_spawn_file_actions_adddup2(actions, in, STDIN_FILENO);

	if (!error)
		error = posix_spawn_file_actions_adddup2(actions, out, STDOUT_FILENO);
	if (!error)
		error = posix_spawn_file_actions_adddup2(actions, err, STDERR_FILENO);
	return error;
}

static int spawn(struct child *child, const char *const *argv, const struct ends *ends)
{
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attributes;
	int error = prepare(&actions, &attributes, ends);

	if (!error && ends)
		error = redirect(&actions, ends->in, ends->out[1], ends->err[1]);
	/* the words are only read; POSIX keeps the old type */
	if (!error)
		error = posix_spawnp(&child->pid, argv[0], &actions, &attributes,
			(char *const *)(uintptr_t)argv, environ);
	(void)posix_spawn_file_actions_destroy(&actions); /* cannot fail here */
	(void)posix_spawnattr_destroy(&attributes);
	return error;
}

static bool start(struct child *child, const char *const *argv, struct ends *ends,
	struct fault *fault)
{
	int error = spawn(child, argv, ends);

	if (ends) {
		close_one(&ends->out[1]);
		close_one(&ends->err[1]);
	}
	if (!error)
		return true;
	child->pid = 0;
	if (ends) {
		close_pair(ends->out);
		close_pair(ends->err);
	}
	return fault_errno(fault, error, "cannot start %s", argv[0]);
}

bool child_start_input(
	struct child *child, const char *const *argv, int input, struct fault *fault)
{
	struct ends ends = {input, {-1, -1}, {-1, -1}};

	*child = (struct child){.out = -1, .err = -1};
	if (!open_pipes(ends.out, ends.err, fault) || !start(child, argv, &ends, fault))
		return false;
	child->out = ends.out[0];
	child->err = ends.err[0];
	return true;
}

bool child_start(struct child *child, const char *const *argv, enum child_stdio stdio,
	struct fault *fault)
{
	if (stdio == CHILD_PIPES)
		return child_start_input(child, argv, -1, fault);
	*child = (struct child){.out = -1, .err = -1};
	return start(child, argv, NULL, fault);
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
