/*
 * Whether the end of a login ends what was started in it: systemd does that where
 * KillUserProcesses is set, and nothing that weir could do in its place prevents it.
 */
#ifndef WEIR_APP_LOGOUT_H
#define WEIR_APP_LOGOUT_H

#include <stdbool.h>

/* Whether process PID of user UID goes with its login. ROOT: "" or the folder of a
 * test, below which etc, run, usr/lib and proc are. What cannot be read counts as not
 * set. */
bool logout_kills(const char *root, unsigned uid, int pid);

/* What to do about it, for people. */
extern const char logout_advice[];

#endif
