/* libFuzzer: configuration files. What is taken is in range, and what is not is a fault
 * that names file and line. */
#include "config.h"

#include "app/settings.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_taken(const struct settings *settings)
{
	if (settings->ring > 1024 * 1024 || settings->stall < 0 ||
		(*settings->on_alert && *settings->on_alert != '/') ||
		!memchr(settings->on_alert, 0, sizeof settings->on_alert))
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct settings settings = {.bell = false};
	struct fault fault = {.text = ""};
	char *text =
		malloc(size + 1); /* of just that size, so that a step behind is seen */

	if (!text)
		return 0;
	if (size)
		memcpy(text, data, size);
	text[size] = 0;
	if (settings_parse(&settings, "weir.conf", text, &fault))
		check_taken(&settings);
	else if (strncmp(fault.text, "weir.conf, line ", 16) != 0)
		abort();
	settings_fini(&settings);
	free(text);
	return 0;
}
