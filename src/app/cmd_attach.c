/* `weir attach`: a screen on a recording that runs. */
#include "config.h"

#include "app/commands.h"
#include "app/screen.h"

static const struct option_info options_attach[] = {
	{"read-only", 0, NULL, "no key changes the session"},
	{0},
};

static int run(const struct arguments *arguments)
{
	struct fault fault = {0, ""};
	struct place place;
	struct screen screen;
	int status = screen_check(arguments);

	if (status != EXIT_DONE)
		return status;
	if (!place_find(argument_session(arguments), &place, &fault))
		return failure(&fault);
	if (!place.running) {
		(void)fault_set(&fault,
			"nothing records %s now; weir -s %s resumes it, weir replay %s "
			"shows it",
			place.name, place.name, place.name);
		return failure(&fault);
	}
	screen_init(&screen, &place);
	screen.view.read_only = argument_given(arguments, "read-only");
	status = screen_connect(&screen, &fault) ? screen_run(&screen, arguments)
						 : failure(&fault);
	screen_fini(&screen);
	return status;
}

const struct command command_attach = {
	.name = "attach",
	.words = "[SESSION]",
	.about = "show a recording that runs, live",
	.options = {options_session, options_batch, options_attach},
	.most_words = 1,
	.run = run,
};
