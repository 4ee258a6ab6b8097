/* `weir record`: records in the foreground until it is stopped. */
#include "config.h"

#include "app/commands.h"

#include "app/record.h"

#include <stdio.h>

static int run(const struct arguments *arguments)
{
	const char *name = argument(arguments, "session");
	char fresh[WINDOW_NAME];
	struct record_options options;
	struct fault fault = {0};
	struct place place;
	bool moved;

	if (!record_options(arguments, &options, &fault))
		return usage_error(arguments->command, "%s", fault.text);
	if (name && !place_name_valid(name))
		return usage_error(arguments->command,
			"'%.80s' is no session name: letters, digits, '.', '_' and "
			"'-', "
			"at most 64, not ending in .weir",
			name);
	if (!name)
		place_fresh_name(fresh, sizeof fresh);
	if (!place_new(name ? name : fresh, &place, &moved, &fault))
		return failure(&fault);
	if (moved) /* there is nowhere to tell if this cannot be written */
		(void)fprintf(stderr,
			"weir: the home folder is on a network file system: the "
			"session "
			"is %s\n",
			place.file);
	return recorder_run(&place, &options);
}

static const struct option_info options[] = {
	{"session", 's', "NAME", "name of the session; a stopped one goes on"},
	{"for", 0, "D", "end after that time"},
	{0},
};

const struct command command_record = {
	.name = "record",
	.words = "",
	.about = "record a session, without a screen",
	.more = "Ends with SIGTERM, SIGINT, weir stop, or after --for. The session of "
		"a\n"
		"stopped recording goes on as a new run; what lies between is a gap.",
	.options = {options, options_record},
	.run = run,
};
