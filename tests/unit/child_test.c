/* Children: their output, their end, and that none is left behind. */
#include "config.h"

#include "base/child.h"

#include <errno.h>
#include <poll.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static size_t read_all(int fd, char *to, size_t size)
{
	size_t used = 0;
	ssize_t got;

	do {
		struct pollfd wait = {.fd = fd, .events = POLLIN};

		assert_int_equal(poll(&wait, 1, -1), 1);
		got = read(fd, to + used, size - used);
		assert_true(got >= 0);
		used += (size_t)got;
	} while (got);
	return used;
}

static void output_and_errors_come_apart(void **state)
{
	const char *const argv[] = {
		"sh", "-c", "cat; echo out; echo err >&2; exit 3", NULL};
	struct child child;
	char text[32];

	(void)state;
	assert_true(child_start(&child, argv, CHILD_PIPES, NULL));
	assert_int_equal(read_all(child.out, text, sizeof text), 4);
	assert_memory_equal(text, "out\n", 4);
	assert_int_equal(read_all(child.err, text, sizeof text), 4);
	assert_memory_equal(text, "err\n", 4);
	assert_int_equal(child_wait(&child), 3);
	child_stop(&child);
	assert_int_equal(child.out, -1);
}

static void a_program_that_is_not_there_is_a_fault(void **state)
{
	const char *const argv[] = {"/nowhere/at/all", NULL};
	struct fault fault = {0};
	struct child child;

	(void)state;
	if (getenv("WEIR_VALGRIND")) /* its vfork shares no memory: errors are lost */
		skip();
	assert_false(child_start(&child, argv, CHILD_PIPES, &fault));
	assert_int_equal(fault.code, ENOENT);
	assert_non_null(strstr(fault.text, "/nowhere/at/all"));
	assert_int_equal(child.out, -1);
	child_stop(&child);
}

static void death_by_signal_is_128_and_more(void **state)
{
	const char *const argv[] = {"sh", "-c", "kill -9 $$", NULL};
	struct child child;

	(void)state;
	assert_true(child_start(&child, argv, CHILD_INHERIT, NULL));
	assert_int_equal(child_wait(&child), 128 + SIGKILL);
}

static void blocked_signals_stay_with_the_parent(void **state)
{
	const char *const argv[] = {"sh", "-c", "kill -TERM $$; exit 0", NULL};
	struct child child;
	sigset_t set;

	(void)state;
	assert_int_equal(sigemptyset(&set), 0);
	assert_int_equal(sigaddset(&set, SIGTERM), 0);
	assert_int_equal(sigprocmask(SIG_BLOCK, &set, NULL), 0);
	assert_true(child_start(&child, argv, CHILD_INHERIT, NULL));
	assert_int_equal(child_wait(&child), 128 + SIGTERM);
	assert_int_equal(sigprocmask(SIG_UNBLOCK, &set, NULL), 0);
}

static void a_child_that_ignores_the_request_is_killed(void **state)
{
	const char *const argv[] = {"sh", "-c",
		"trap '' TERM; echo ready; while :; do sleep 1; done", NULL};
	struct child child;
	char text[6];
	struct pollfd wait;
	pid_t pid;

	(void)state;
	assert_true(child_start(&child, argv, CHILD_PIPES, NULL));
	pid = child.pid;
	wait = (struct pollfd){.fd = child.out, .events = POLLIN};
	assert_int_equal(poll(&wait, 1, -1), 1);
	assert_int_equal(read(child.out, text, sizeof text), 6);
	child_stop(&child);
	assert_int_equal(waitpid(pid, NULL, 0), -1);
	assert_int_equal(errno, ECHILD);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(output_and_errors_come_apart),
		cmocka_unit_test(a_program_that_is_not_there_is_a_fault),
		cmocka_unit_test(death_by_signal_is_128_and_more),
		cmocka_unit_test(blocked_signals_stay_with_the_parent),
		cmocka_unit_test(a_child_that_ignores_the_request_is_killed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
