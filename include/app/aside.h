/*
 * Work that may never end because a disk hangs: done in a process of its own, which is
 * left behind when its time is over. It has the caller's memory as it is now, and gives
 * back bytes.
 */
#ifndef WEIR_APP_ASIDE_H
#define WEIR_APP_ASIDE_H

#include "base/buffer.h"
#include "base/nsec.h"

#include <stdbool.h>

/* WORK fills its buffer from CONTEXT; what it filled is put behind what is in OUT.
 * False if it did not end within PATIENCE: OUT is as it was. */
bool aside(void (*work)(const void *context, struct buffer *result),
	const void *context, nsec patience, struct buffer *out);

#endif
