/*
 * What the cage refuses, shown from inside: each attempt is made by a child of its
 * own that has entered it, since most attempts end the child.
 */
#include "config.h"

#include "base/cage.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

enum {
	OK = 0,
	NOT_CAGED = 90,
	KILLED = -SIGSYS
};

static int pair[2]; /* a socket that a child has, as weir-capture has its own */

/* Exit status of a child that enters the cage and then does TRY; minus the number
 * of the signal that ended it. */
static int inside(enum cage_kind kind, int (*try)(void))
{
	pid_t child = fork();
	int status;

	assert_true(child >= 0);
	if (child == 0) {
		struct cage got;

		if (!cage_enter(kind, &got, NULL) || !got.filter)
			_exit(NOT_CAGED);
		_exit(try());
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	return WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
}

static int nothing(void)
{
	return OK;
}

static int need_filter(void **state)
{
	(void)state;
	if (socketpair(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0, pair))
		return -1;
	if (inside(CAGE_CAPTURE, nothing) == OK)
		return 0;
	printf("1..0 # SKIP the filter is not loaded in this build\n");
	exit(77);
}

/* ---- the attempts ---- */

static int open_file(void)
{
	return open("/etc/passwd", O_RDONLY | O_CLOEXEC) < 0 ? errno : OK;
}

static int new_socket(void)
{
	return socket(AF_INET, SOCK_STREAM, 0) < 0 ? errno : OK;
}

static int send_on_socket(void)
{
	return send(pair[0], "x", 1, 0) < 0 ? errno : OK;
}

static int write_to_socket(void)
{
	return write(pair[0], "x", 1) < 0 ? errno : OK;
}

static int read_from_socket(void)
{
	char byte;

	return recv(pair[0], &byte, 1, MSG_DONTWAIT) < 0 && errno == EAGAIN ? OK : 1;
}

static int start_program(void)
{
	char path[] = "/bin/true";
	char *words[] = {path, NULL};

	(void)execv(path, words); /* returns only where it was refused */
	return errno;
}

static int fork_again(void)
{
	return fork() < 0 ? errno : OK;
}

static int signal_parent(void)
{
	return kill(getppid(), 0) ? errno : OK;
}

static int trace(void)
{
	return ptrace(PTRACE_TRACEME, 0, NULL, NULL) ? errno : OK;
}

static int become_root(void)
{
	return setuid(0) ? errno : OK;
}

static int executable_memory(void)
{
	return mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1,
		       0) == MAP_FAILED
		       ? errno
		       : OK;
}

static int fresh_memory(void)
{
	void *memory = malloc((size_t)8 << 20);

	if (!memory)
		return errno;
	memset(memory, 1, (size_t)8 << 20);
	free(memory);
	return OK;
}

static int too_much_memory(void)
{
	return mmap(NULL, (size_t)2 << 30, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED
		       ? errno
		       : OK;
}

static int promiscuous(void)
{
	int one = 1;

	return setsockopt(pair[0], SOL_SOCKET, SO_PRIORITY, &one, sizeof one) ? errno
									      : OK;
}

static int speak(void)
{
	return dprintf(STDERR_FILENO, "%s", "") < 0 ? errno : OK;
}

/* ---- what must come of them ---- */

static void files_cannot_be_opened(void **state)
{
	(void)state;
	assert_int_equal(inside(CAGE_CAPTURE, open_file), EACCES);
	assert_int_equal(inside(CAGE_READ, open_file), EACCES);
}

static void sockets_cannot_be_made(void **state)
{
	(void)state;
	assert_int_equal(inside(CAGE_CAPTURE, new_socket), KILLED);
	assert_int_equal(inside(CAGE_READ, new_socket), KILLED);
}

static void the_socket_that_is_there_can_be_read_but_sends_nothing(void **state)
{
	(void)state;
	assert_int_equal(inside(CAGE_CAPTURE, read_from_socket), OK);
	assert_int_equal(inside(CAGE_CAPTURE, send_on_socket), KILLED);
	assert_int_equal(inside(CAGE_CAPTURE, write_to_socket), KILLED);
	assert_int_equal(inside(CAGE_CAPTURE, promiscuous), KILLED);
	assert_int_equal(inside(CAGE_READ, read_from_socket), KILLED);
}

static void no_other_process_can_be_made_or_touched(void **state)
{
	(void)state;
	assert_int_equal(inside(CAGE_CAPTURE, start_program), KILLED);
	assert_int_equal(inside(CAGE_CAPTURE, fork_again), KILLED);
	assert_int_equal(inside(CAGE_CAPTURE, signal_parent), KILLED);
	assert_int_equal(inside(CAGE_CAPTURE, trace), KILLED);
	assert_int_equal(inside(CAGE_READ, start_program), KILLED);
	assert_int_equal(inside(CAGE_READ, fork_again), KILLED);
}

static void rights_do_not_come_back(void **state)
{
	(void)state;
	assert_int_equal(inside(CAGE_CAPTURE, become_root), KILLED);
	assert_int_equal(inside(CAGE_READ, become_root), KILLED);
}

static void memory_is_given_but_not_to_run_and_not_without_end(void **state)
{
	(void)state;
	assert_int_equal(inside(CAGE_CAPTURE, fresh_memory), OK);
	assert_int_equal(inside(CAGE_READ, fresh_memory), OK);
	assert_int_equal(inside(CAGE_CAPTURE, executable_memory), KILLED);
	assert_int_equal(inside(CAGE_READ, too_much_memory), ENOMEM);
}

static void it_may_still_speak(void **state)
{
	(void)state;
	assert_int_equal(inside(CAGE_CAPTURE, speak), OK);
	assert_int_equal(inside(CAGE_READ, speak), OK);
}

/* The kernel's own view of a child in the cage, taken from outside. */
static void the_kernel_confirms_what_was_dropped(void **state)
{
	char path[64], text[4096];
	int gate[2], ready[2];
	ssize_t size;
	pid_t child;
	FILE *file;
	size_t used;

	(void)state;
	assert_int_equal(pipe(gate), 0);
	assert_int_equal(pipe(ready), 0);
	child = fork();
	assert_true(child >= 0);
	if (child == 0) {
		struct cage got;
		char byte;

		if (dup2(ready[1], STDOUT_FILENO) < 0 ||
			!cage_enter(CAGE_CAPTURE, &got, NULL) ||
			write(STDOUT_FILENO, "x", 1) != 1)
			_exit(NOT_CAGED);
		_exit(read(gate[0], &byte, 1) == 1 ? 0 : 1);
	}
	size = read(ready[0], text, 1);
	assert_int_equal(size, 1);
	(void)snprintf(path, sizeof path, "/proc/%d/status", (int)child);
	file = fopen(path, "re");
	assert_non_null(file);
	used = fread(text, 1, sizeof text - 1, file);
	text[used] = '\0';
	(void)fclose(file);
	assert_int_equal(write(gate[1], "x", 1), 1);
	assert_int_equal(waitpid(child, NULL, 0), child);
	assert_non_null(strstr(text, "CapInh:\t0000000000000000"));
	assert_non_null(strstr(text, "CapPrm:\t0000000000000000"));
	assert_non_null(strstr(text, "CapEff:\t0000000000000000"));
	assert_non_null(strstr(text, "CapAmb:\t0000000000000000"));
	assert_non_null(strstr(text, "NoNewPrivs:\t1"));
	assert_non_null(strstr(text, "Seccomp:\t2"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(files_cannot_be_opened),
		cmocka_unit_test(sockets_cannot_be_made),
		cmocka_unit_test(
			the_socket_that_is_there_can_be_read_but_sends_nothing),
		cmocka_unit_test(no_other_process_can_be_made_or_touched),
		cmocka_unit_test(rights_do_not_come_back),
		cmocka_unit_test(memory_is_given_but_not_to_run_and_not_without_end),
		cmocka_unit_test(it_may_still_speak),
		cmocka_unit_test(the_kernel_confirms_what_was_dropped),
	};

	return cmocka_run_group_tests(tests, need_filter, NULL);
}
