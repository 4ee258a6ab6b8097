/*
 * How windows are named: what window.c needs beside the public questions.
 */
#ifndef WEIR_CORE_WINDOW_NAME_H
#define WEIR_CORE_WINDOW_NAME_H

#include "core/window.h"

/* The role that NAME stands for ("before", "AFTER 2"), else ROLE_OTHER.
 * *NUMBERED says whether a number was given. */
enum role window_name_role(const char *name, bool *numbered);

/* Copies NAME in capitals, as the three roles are written. */
void window_name_upper(char *to, size_t size, const char *name);

/* The first free name of ROLE: "AFTER", "AFTER 2", ... */
bool window_name_next(
	const struct windows *windows, enum role role, char *name, size_t size);

#endif
