/* Failures as values; see the header. */
#include "config.h"

#include "base/fault.h"

#include "base/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

__attribute__((format(printf, 3, 0))) static void fill(
	struct fault *fault, int error, const char *format, va_list args)
{
	char raw[sizeof fault->text];
	char why[80];
	size_t used;

	(void)vsnprintf(raw, sizeof raw, format, args); /* a cut text is still a text */
	text_clean(fault->text, sizeof fault->text, raw);
	fault->code = error;
	if (!error)
		return;
	used = strlen(fault->text);
	(void)snprintf(fault->text + used, sizeof fault->text - used, ": %s",
		strerror_r(error, why, sizeof why));
}

bool fault_set(struct fault *fault, const char *format, ...)
{
	va_list args;

	if (!fault)
		return false;
	va_start(args, format);
	fill(fault, 0, format, args);
	va_end(args);
	return false;
}

bool fault_errno(struct fault *fault, int error, const char *format, ...)
{
	va_list args;

	if (!fault)
		return false;
	va_start(args, format);
	fill(fault, error, format, args);
	va_end(args);
	return false;
}
