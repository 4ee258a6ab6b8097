/*
 * `weir`: the screen, and a recorder where none runs. The session is the one that is
 * named; else the only one that is being recorded; else the newest one if its
 * recorder died or a window in it is open; else a new one.
 */
#include "config.h"

#include "app/commands.h"
#include "app/record.h"
#include "app/screen.h"
#include "base/text.h"
#include "core/unit.h"
#include "store/store.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* A recorder that ends in order takes its socket away and says so in the file; a
 * reboot leaves windows open. */
static bool was_interrupted(const struct place *place)
{
	struct session *session;
	struct store *store;
	bool open = false;

	if (!access(place->socket, F_OK))
		return true;
	store = store_open(place->file, STORE_READ, NULL);
	if (!store)
		return false;
	session = session_new(place->name, 0);
	if (store_load(store, session, NULL))
		open = windows_open(&session->windows, session->last.at) != NULL ||
		       !store_ended_well(store, session);
	session_free(session);
	store_close(store);
	return open;
}

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

static bool choose(const char *wanted, struct place *place, struct fault *fault)
{
	char name[WINDOW_NAME];
	bool moved;

	if (wanted) {
		if (place_find(wanted, place, fault))
			return is_ours(place, fault);
		return !strchr(wanted, '/') && place_new(wanted, place, &moved, fault);
	}
	if (place_find(NULL, place, fault) &&
		(place->running || (place_is_own(place) && was_interrupted(place))))
		return true;
	place_fresh_name(name, sizeof name);
	return place_new(name, place, &moved, fault);
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
	int status = EXIT_FAILED;
	bool good;
	bool own;

	if (!record_options(arguments, &options, &fault))
		return usage_error(arguments->command, "%s", fault.text);
	good = choose(argument(arguments, "session"), &place, &fault);
	own = good && !place.running;
	if (good && own)
		good = recorder_spawn(&place, &options, &fault);
	if (!good)
		return failure(&fault);
	screen_init(&screen, &place);
	screen.own = own && !place.exists;
	if (screen_connect(&screen, &fault)) {
		if (!own && client_settle(screen.client, 2 * NSEC_PER_SEC))
			say_ignored(arguments, &screen, screen.notice,
				sizeof screen.notice);
		if (*screen.notice) /* below the screen, when it is gone */
			(void)fprintf(stderr, "weir: %s\n", screen.notice);
		status = screen_run(&screen, arguments);
	} else {
		(void)failure(&fault);
	}
	screen_fini(&screen);
	return status;
}

const struct command command_live = {
	.name = "live",
	.words = "",
	.about = "the screen; starts a recording where none runs (no command word: "
		 "this)",
	.options = {options_session, options_record, options_batch},
	.run = run,
};
