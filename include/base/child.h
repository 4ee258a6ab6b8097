/*
 * Child processes: started without a shell, ended without leaving a zombie. The
 * caller's blocked signals and handlers are not inherited.
 */
#ifndef WEIR_BASE_CHILD_H
#define WEIR_BASE_CHILD_H

#include "base/fault.h"

#include <stdbool.h>
#include <sys/types.h>

struct child {
	pid_t pid; /* 0: none, or ended and collected */
	int out;   /* read end of its standard output, non-blocking; -1: inherited */
	int err;   /* the same of its standard error */
};

enum child_stdio {
	CHILD_PIPES,   /* input is empty, output and errors come through pipes */
	CHILD_INHERIT, /* all three are the caller's */
};

/* ARGV[0] with '/' is a path, else it is looked up in PATH. A program that cannot be
 * started is a fault (its errno in code). */
bool child_start(struct child *child, const char *const *argv, enum child_stdio stdio,
	struct fault *fault);

/* As CHILD_PIPES, with INPUT as its standard input; -1: an empty one. */
bool child_start_input(
	struct child *child, const char *const *argv, int input, struct fault *fault);

/* True once it has ended; *STATUS is its exit status, or 128 + N by signal N. Never
 * blocks. */
bool child_ended(struct child *child, int *status);

/* Waits for its end; returns the status as above. */
int child_wait(struct child *child);

/* Closes the pipes, asks it to end, kills it after a quarter of a second. */
void child_stop(struct child *child);

#endif
