/* The recorder's loop: waits for ticks, people and signals in one place. */
#include "config.h"

#include "app/recorder.h"

#include "app/server.h"
#include "app/spawn.h"
#include "base/alloc.h"
#include "base/loop.h"

#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

static void take_signals(void *context, short events)
{
	struct recorder *recorder = context;
	int number;

	(void)events; /* there is only reading */
	while ((number = loop_signal_next(recorder->signals)))
		/* a terminal that hangs up and a pipe that breaks are no reason to end
		 */
		if (number == SIGTERM || number == SIGINT)
			recorder->stopping = true;
}

static void take_saved(void *context, short events)
{
	struct recorder *recorder = context;
	struct journal_state state;

	(void)events; /* there is only reading */
	loop_silence(recorder->bell);
	journal_look(recorder->journal, clock_mono(), &state);
	server_saved(recorder->server, state.done);
	server_tick(recorder->server);
}

/* Who comes back is told what happened since. */
static void watch_viewers(struct recorder *recorder)
{
	size_t viewers = server_viewers(recorder->server);

	if (recorder->viewers && !viewers)
		recorder->left_at = recorder_now(recorder);
	recorder->viewers = viewers;
}

static void wait_once(struct recorder *recorder)
{
	struct loop_item items[LOOP_ITEMS] = {
		{recorder->signals, POLLIN, take_signals, recorder},
		{recorder->bell, POLLIN, take_saved, recorder},
	};
	size_t count = server_items(recorder->server, items, 2);
	nsec until = recorder->beat.due;
	uint64_t shown;
	nsec held = recorder_held(recorder, &shown);

	if (recorder->end && recorder->end < until)
		until = recorder->end;
	if (held && clock_mono() + held < until)
		until = clock_mono() + held;
	/* if waiting itself fails, the ticks still have to come */
	if (!loop_wait(items, count, until - clock_mono(), NULL))
		(void)poll(NULL, 0, 10);
	if (held && !recorder_held(recorder, &shown))
		server_tick(recorder->server);
	server_tidy(recorder->server);
	watch_viewers(recorder);
}

static void tick_if_due(struct recorder *recorder)
{
	if (clock_mono() < recorder->beat.due)
		return;
	recorder_tick(recorder, false);
	server_watch_socket(recorder->server);
	if (recorder_is_forgotten(recorder)) {
		recorder_event(recorder,
			"recording ended: no viewer and no open window for 24 h");
		recorder->stopping = true;
	}
}

static bool is_over(struct recorder *recorder)
{
	if (recorder->end && recorder->tick.mono >= recorder->end)
		return true; /* this very tick was the last one asked for */
	if (recorder->end && clock_mono() >= recorder->end)
		recorder->stopping = true;
	if (!recorder->stopping)
		return false;
	recorder_tick(recorder, true); /* up to the end, not to the last beat */
	return true;
}

static void loop(struct recorder *recorder)
{
	while (!is_over(recorder)) {
		wait_once(recorder);
		tick_if_due(recorder);
	}
}

int recorder_run(const struct place *place, const struct record_options *options)
{
	struct recorder *recorder = xalloc(sizeof *recorder);
	struct fault fault = {0};
	bool good;

	recorder->place = place;
	recorder->options = options;
	recorder->by_screen = spawn_is_child();
	good = recorder_open(recorder, &fault);
	spawn_report(good ? NULL : &fault);
	if (good)
		loop(recorder);
	/* the first fault is the one to tell */
	if (recorder_close(recorder, good ? &fault : NULL))
		free(recorder);
	else
		good = false;
	if (!good && !spawn_is_child())
		(void)failure(&fault);
	return good ? EXIT_DONE : EXIT_FAILED;
}
