/*
 * `weir`: the screen, and a recorder where none runs. The session is the one that is
 * named; else the only one that is being recorded; else the newest one if it was cut
 * off or a window in it is open and the person wants it (app/resume.h); else a new one.
 */
#include "config.h"

#include "app/commands.h"
#include "app/record.h"
#include "app/resume.h"
#include "app/screen.h"
#include "base/text.h"
#include "core/unit.h"

#include <stdio.h>
#include <string.h>

static bool is_ours(const struct place *place, struct fault *fault)
{
	char owner[64];

	if (place->running || place_is_own(place))
		return true;
	place_owner_name(place, owner, sizeof owner);
	return fault_set(fault,
		"session %s belongs to %s, who alone can go on with it; weir replay %s "
		"shows it",
		place->name, owner, place->file);
}

static bool start_new(struct place *place, struct fault *fault)
{
	char name[WINDOW_NAME];
	bool moved;

	place_fresh_name(name, sizeof name);
	return place_new(name, place, &moved, fault);
}

/* The session that nobody named. */
static bool choose_default(
	const struct arguments *arguments, struct place *place, struct fault *fault)
{
	bool found = place_find(NULL, place, fault);
	enum resume resume = RESUME_NEW;

	if (found && place->running && !argument_given(arguments, "new"))
		return true;
	if (found && place_is_own(place) && !place->running)
		resume = resume_choose(arguments, place, fault);
	else if (argument_given(arguments, "resume"))
		return fault_set(fault, "there is no session of yours to go on with");
	if (resume == RESUME_NEW)
		return start_new(place, fault);
	return resume == RESUME_IT;
}

static bool choose(
	const struct arguments *arguments, struct place *place, struct fault *fault)
{
	const char *wanted = argument(arguments, "session");
	bool moved;

	if (!wanted)
		return choose_default(arguments, place, fault);
	if (place_find(wanted, place, fault))
		return is_ours(place, fault);
	return !strchr(wanted, '/') && place_new(wanted, place, &moved, fault);
}

/* Who gives options to a recording that has its own must not believe that they hold. */
static void say_ignored(const struct arguments *arguments, const struct screen *screen,
	char *to, size_t size)
{
	char given[160] = "", every[24];
	size_t count = 0;

	for (const struct option_info *row = options_record; row->name; row++) {
		size_t used = strlen(given);
		const char *value = argument(arguments, row->name);

		if (!value)
			continue;
		count++;
		(void)text_format(given + used, sizeof given - used, "%s%s%s%s%s",
			used ? ", " : "", row->letter ? "-" : "--",
			row->letter ? (const char[]){row->letter, 0} : row->name,
			*value ? " " : "", value); /* a cut one is still told */
	}
	to[0] = 0;
	if (!count)
		return;
	unit_duration(every, sizeof every, client_state(screen->client)->interval);
	(void)text_format(to, size,
		"%s %s no effect: the recorder of %s runs with its own options, a tick "
		"every %s",
		given, count > 1 ? "have" : "has", screen->place->name, every);
}

static int run(const struct arguments *arguments)
{
	struct record_options options;
	struct fault fault = {0, ""};
	struct place place;
	struct screen screen;
	int status;
	bool good;
	bool own;

	if (!record_options(arguments, &options, &fault))
		return usage_error(arguments->command, "%s", fault.text);
	if (argument_given(arguments, "new") + argument_given(arguments, "resume") +
			argument_given(arguments, "session") >
		1)
		return usage_error(arguments->command,
			"--new, --resume and -s exclude each other");
	status = screen_check(arguments); /* before a recorder is started */
	if (status != EXIT_DONE)
		return status;
	good = choose(arguments, &place, &fault);
	own = good && !place.running;
	if (good && own)
		good = recorder_spawn(&place, &options, &fault);
	if (!good)
		return failure(&fault);
	screen_init(&screen, &place);
	screen.own = own && !place.exists;
	if (screen_connect(&screen, &fault)) {
		if (!own && screen_settle(&screen, 2 * NSEC_PER_SEC))
			say_ignored(arguments, &screen, screen.notice,
				sizeof screen.notice);
		if (*screen.notice) /* below the screen, when it is gone */
			(void)fprintf(stderr, "weir: %s\n", screen.notice);
		status = screen_run(&screen, arguments);
	} else {
		status = failure(&fault);
	}
	screen_fini(&screen);
	return status;
}

const struct command command_live = {
	.name = "live",
	.words = "",
	.about = "the screen; starts a recording where none runs (no command word: "
		 "this)",
	.more = "Without -s: the recording that runs. Where none does, and the newest "
		"session was cut off or has an open window, weir asks on a terminal "
		"whether to go on with it; without one (or with -b) it does. --resume "
		"and --new answer beforehand. Else a new session begins.",
	.options = {options_session, options_resume, options_record, options_batch},
	.run = run,
};
