/* `weir replay`: the screen over a stored session, read-only: the same drawing from
 * the same ticks. */
#include "config.h"

#include "app/commands.h"

#include "app/asking.h"
#include "app/screen.h"
#include "store/store.h"

enum {
	RING_MOST = 20000 /* the last ticks, which can be walked through */
};

static bool load(struct screen *screen, struct fault *fault)
{
	struct store *store = store_open(screen->place->file, STORE_READ, fault);
	uint64_t ticks;
	bool good;

	if (!store)
		return false;
	ticks = store_tick_count(store);
	screen->session =
		session_new(screen->place->name, ticks < 2           ? 2
						 : ticks < RING_MOST ? (size_t)ticks
								     : RING_MOST);
	good = store_load(store, screen->session, fault) &&
	       store_replay(store, INT64_MIN, INT64_MAX, screen->session, fault);
	store_close(store);
	return good;
}

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
	asking_looked(&place);
	screen_init(&screen, &place);
	screen.view.replay = screen.view.read_only = true;
	if (load(&screen, &fault)) {
		view_pause(&screen.view, screen.session);
		status = screen_run(&screen, arguments);
	} else {
		status = failure(&fault);
	}
	screen_fini(&screen);
	return status;
}

const struct command command_replay = {
	.name = "replay",
	.words = "[SESSION]",
	.about = "walk through a stored session",
	.options = {options_session, options_batch},
	.most_words = 1,
	.run = run,
};
