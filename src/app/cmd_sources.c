/* `weir sources`: where readings come from, and which of them serve here. */
#include "config.h"

#include "app/commands.h"

#include "app/trial.h"

#include <stdio.h>

static int run(const struct arguments *arguments)
{
	struct record_options options;
	struct collector_source one;
	struct fault fault = {0};
	struct trial trial;

	if (!record_options(arguments, &options, &fault))
		return usage_error(arguments->command, "%s", fault.text);
	trial_init(&trial, &options);
	for (size_t i = 0; collector_source(trial.collector, i, &one); i++) {
		(void)printf("%-16s %-4s %5zu readings  %s\n", one.source->name,
			one.open ? "yes" : "no", one.readings, one.source->about);
		if (one.trouble[0])
			(void)printf("                 %s\n", one.trouble);
		else if (one.open && !one.readings && one.none)
			(void)printf("                 %s\n", one.none);
	}
	trial_fini(&trial);
	return EXIT_DONE;
}

const struct command command_sources = {
	.name = "sources",
	.words = "",
	.about = "show where readings come from and what serves here",
	.options = {options_record},
	.run = run,
};
