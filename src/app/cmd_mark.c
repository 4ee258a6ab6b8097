/* `weir mark` and `weir undo`: windows from the command line. */
#include "config.h"

#include "app/commands.h"

#include "app/asking.h"
#include "base/clock.h"

static int bad_use(const struct arguments *arguments, const char *text)
{
	return usage_error(arguments->command, "%s", text);
}

/* What does not go together; null: all does. */
static const char *conflict(const struct arguments *arguments)
{
	bool last = argument_given(arguments, "last");
	bool at = argument_given(arguments, "at");
	bool length = argument_given(arguments, "for");

	if (last && (at || length))
		return "--last says both edges: --at and --for do not go with it";
	if (argument_given(arguments, "close") && (last || length))
		return "--close ends a window: only --at goes with it";
	return NULL;
}

static bool add_duration(const struct arguments *arguments, struct asking *asking,
	const char *name, struct fault *fault)
{
	const char *text = argument(arguments, name);
	int64_t duration;

	if (!text)
		return true;
	if (!parse_duration(text, &duration, fault))
		return false;
	asking_number(asking, name, duration);
	return true;
}

static bool add_time(
	const struct arguments *arguments, struct asking *asking, struct fault *fault)
{
	const char *text = argument(arguments, "at");
	struct instant now;
	int64_t wall;

	if (!text)
		return true;
	clock_read(&now);
	if (!parse_time(text, now.wall, &wall, fault))
		return false;
	asking_number(asking, "wall", wall);
	return true;
}

static int run_mark(const struct arguments *arguments)
{
	const char *wrong = conflict(arguments);
	struct asking asking = {0};
	struct fault fault = {0};

	if (wrong)
		return bad_use(arguments, wrong);
	if (!asking_names_window(arguments))
		return EXIT_USAGE;
	asking_word(&asking, "mark");
	(void)asking_pair(&asking, "name", arguments->words[0]); /* it is short */
	asking_author(&asking);
	if (!add_duration(arguments, &asking, "last", &fault) ||
		!add_duration(arguments, &asking, "for", &fault) ||
		!add_time(arguments, &asking, &fault))
		return bad_use(arguments, fault.text);
	if (argument_given(arguments, "close"))
		asking_word(&asking, "close");
	return asking_run(arguments, &asking);
}

static const struct option_info options[] = {
	{"last", 0, "D", "the window is the last D, set afterwards"},
	{"at", 0, "T", "begin (or with --close, end) at that time, not now"},
	{"for", 0, "D", "end it D after its beginning"},
	{"close", 0, NULL, "end the open window of that name"},
	{0},
};

const struct command command_mark = {
	.name = "mark",
	.words = "before|change|after|NAME",
	.about = "begin or end a window",
	.more = "change and after close what is open; a name of your own stands "
		"beside.\n"
		"With --for the end is fixed beforehand: when it is over its verdicts "
		"need the usual level of 5 %. A window that is ended by hand after "
		"somebody "
		"compared it, on a screen or by a report, needs 1 %, since its end "
		"may have been chosen for what was seen.\n"
		"The mark is on the disk when the command is done.",
	.options = {options, options_session},
	.least_words = 1,
	.most_words = 1,
	.run = run_mark,
};

static int run_undo(const struct arguments *arguments)
{
	struct asking asking = {0};

	asking_word(&asking, "undo");
	asking_author(&asking);
	return asking_run(arguments, &asking);
}

const struct command command_undo = {
	.name = "undo",
	.words = "",
	.about = "take back your own last mark or note",
	.options = {options_session},
	.run = run_undo,
};
