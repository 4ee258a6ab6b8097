/*
 * The system calls that are left; the only file that knows libseccomp. What is not
 * in the table kills the process: nothing honest asks for it, and the recorder
 * reports the death. Looking for a file is answered with "permission denied"
 * instead, since libraries do that in passing and carry on (libpcap for
 * statistics, the C library for a time zone).
 */
#include "config.h"

#include "base/cage.h"

#include <asm/termbits.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/sockios.h>
#include <seccomp.h>
#include <stddef.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>

enum {
	BOTH = CAGE_CAPTURE | CAGE_READ,
	LEVEL_PACKET = 263, /* SOL_PACKET, which only <linux/socket.h> has */
	CONDITIONS = 2,
};

struct rule {
	int call;
	unsigned kinds; /* enum cage_kind, or-ed */
	unsigned conditions;
	struct scmp_arg_cmp when[CONDITIONS];
};

/* clang-format off */
static const struct rule allowed[] = {
	{SCMP_SYS(read), BOTH, 0, {{0}}},
	/* Not to the packet socket: that would send a frame. */
	{SCMP_SYS(write), CAGE_CAPTURE, 1, {{0, SCMP_CMP_LE, 2, 0}}},
	{SCMP_SYS(writev), CAGE_CAPTURE, 1, {{0, SCMP_CMP_LE, 2, 0}}},
	{SCMP_SYS(write), CAGE_READ, 0, {{0}}},
	{SCMP_SYS(writev), CAGE_READ, 0, {{0}}},
	{SCMP_SYS(fsync), CAGE_READ, 0, {{0}}},
	{SCMP_SYS(lseek), BOTH, 0, {{0}}},
	{SCMP_SYS(close), BOTH, 0, {{0}}},
	{SCMP_SYS(fstat), BOTH, 0, {{0}}},
	{SCMP_SYS(newfstatat), BOTH, 1, {{3, SCMP_CMP_EQ, AT_EMPTY_PATH, 0}}},
	/* isatty(), which stdio asks about its output */
	{SCMP_SYS(ioctl), BOTH, 1, {{1, SCMP_CMP_EQ, TCGETS, 0}}},
	{SCMP_SYS(ioctl), BOTH, 1, {{1, SCMP_CMP_EQ, TCGETS2, 0}}},
	/* memory: fresh, and never executable */
	{SCMP_SYS(mmap), BOTH, 2, {{2, SCMP_CMP_MASKED_EQ, PROT_EXEC, 0},
		{3, SCMP_CMP_MASKED_EQ, MAP_ANONYMOUS, MAP_ANONYMOUS}}},
	{SCMP_SYS(munmap), BOTH, 0, {{0}}},
	{SCMP_SYS(mremap), BOTH, 0, {{0}}},
	{SCMP_SYS(madvise), BOTH, 0, {{0}}},
	{SCMP_SYS(brk), BOTH, 0, {{0}}},
	{SCMP_SYS(futex), BOTH, 0, {{0}}},
	{SCMP_SYS(getrandom), BOTH, 0, {{0}}},
	{SCMP_SYS(clock_gettime), BOTH, 0, {{0}}},
	{SCMP_SYS(gettimeofday), BOTH, 0, {{0}}},
	{SCMP_SYS(rt_sigreturn), BOTH, 0, {{0}}},
	{SCMP_SYS(restart_syscall), BOTH, 0, {{0}}},
	{SCMP_SYS(exit), BOTH, 0, {{0}}},
	{SCMP_SYS(exit_group), BOTH, 0, {{0}}},
	/* the loop of weir-capture */
	{SCMP_SYS(poll), CAGE_CAPTURE, 0, {{0}}},
	{SCMP_SYS(ppoll), CAGE_CAPTURE, 0, {{0}}},
	{SCMP_SYS(recvfrom), CAGE_CAPTURE, 0, {{0}}},
	{SCMP_SYS(getsockname), CAGE_CAPTURE, 0, {{0}}},
	/* libpcap asks this when an interface goes down */
	{SCMP_SYS(ioctl), CAGE_CAPTURE, 1, {{1, SCMP_CMP_EQ, SIOCGIFFLAGS, 0}}},
	{SCMP_SYS(getsockopt), CAGE_CAPTURE, 1, {{1, SCMP_CMP_EQ, SOL_SOCKET, 0}}},
	{SCMP_SYS(getsockopt), CAGE_CAPTURE, 1, {{1, SCMP_CMP_EQ, LEVEL_PACKET, 0}}},
	{SCMP_SYS(setsockopt), CAGE_CAPTURE, 2, {{1, SCMP_CMP_EQ, SOL_SOCKET, 0},
		{2, SCMP_CMP_EQ, SO_ATTACH_FILTER, 0}}},
};

static const struct rule refused[] = {
	{SCMP_SYS(open), BOTH, 0, {{0}}},
	{SCMP_SYS(openat), BOTH, 0, {{0}}},
	{SCMP_SYS(stat), BOTH, 0, {{0}}},
	{SCMP_SYS(lstat), BOTH, 0, {{0}}},
	{SCMP_SYS(newfstatat), BOTH, 1, {{3, SCMP_CMP_NE, AT_EMPTY_PATH, 0}}},
	{SCMP_SYS(statx), BOTH, 0, {{0}}},
	{SCMP_SYS(access), BOTH, 0, {{0}}},
	{SCMP_SYS(faccessat), BOTH, 0, {{0}}},
	{SCMP_SYS(readlink), BOTH, 0, {{0}}},
	{SCMP_SYS(readlinkat), BOTH, 0, {{0}}},
};
/* clang-format on */

#define ROWS(table) (sizeof(table) / sizeof *(table))

/* 0, or a negative errno as libseccomp gives it. */
static int add(scmp_filter_ctx filter, enum cage_kind kind, uint32_t action,
	const struct rule *rules, size_t count)
{
	int error = 0;

	for (size_t i = 0; i < count && !error; i++)
		if (rules[i].kinds & kind)
			error = seccomp_rule_add_array(filter, action, rules[i].call,
				rules[i].conditions, rules[i].when);
	return error;
}

bool cage_filter(enum cage_kind kind, struct fault *fault)
{
	scmp_filter_ctx filter = seccomp_init(SCMP_ACT_KILL_PROCESS);
	int error;

	if (!filter)
		return fault_set(fault, "cannot prepare the system call filter");
	error = add(filter, kind, SCMP_ACT_ALLOW, allowed, ROWS(allowed));
	if (!error)
		error = add(
			filter, kind, SCMP_ACT_ERRNO(EACCES), refused, ROWS(refused));
	if (!error)
		error = seccomp_load(filter);
	seccomp_release(filter);
	if (error)
		return fault_errno(fault, -error, "cannot load the system call filter");
	return true;
}
