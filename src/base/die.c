/* The one place that gives up; see the header. */
#include "config.h"

#include "base/die.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static void (*hook)(void);

void die_hook(void (*restore)(void))
{
	hook = restore;
}

void die(const char *format, ...)
{
	void (*restore)(void) = hook;
	va_list args;

	hook = NULL;
	if (restore)
		restore();
	va_start(args, format);
	(void)fputs("weir: ", stderr);
	(void)vfprintf(stderr, format, args);
	(void)fputc('\n', stderr);
	va_end(args);
	exit(EXIT_FAILURE);
}
