/*
 * Starting a recorder that outlives the one who starts it, and telling that one
 * whether it came up: a pipe whose number is in the environment.
 */
#ifndef WEIR_APP_SPAWN_H
#define WEIR_APP_SPAWN_H

#include "base/fault.h"

#include <stdbool.h>

/* This process was started by recorder_spawn(). */
bool spawn_is_child(void);

/* Says so to the one who waits: FAULT null means that the socket answers. */
void spawn_report(const struct fault *fault);

#endif
