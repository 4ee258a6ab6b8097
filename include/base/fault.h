/*
 * An expected failure, as a value: what failed, on what, and why. Functions
 * that can fail return false and fill it; only the programs print it.
 */
#ifndef WEIR_BASE_FAULT_H
#define WEIR_BASE_FAULT_H

#include <stdbool.h>

struct fault {
	int code; /* errno, or 0 where there is none */
	char text[256];
};

/* Both may be given a null FAULT. They leave it a single line without control
 * characters, cut at its size, and return false so that a caller can write
 * `return fault_set(...)`. */
bool fault_set(struct fault *fault, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* As fault_set, with ": " and the text of ERROR (an errno) behind it. */
bool fault_errno(struct fault *fault, int error, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

#endif
