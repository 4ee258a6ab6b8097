/* `weir stop`: ends a recording and waits until all of it is on the disk. */
#include "config.h"

#include "app/commands.h"

#include "app/asking.h"
#include "base/clock.h"

#include <inttypes.h>
#include <poll.h>
#include <stdio.h>

static const nsec patience = 15 * NSEC_PER_SEC;

/* The connection ends with the recorder, and that ends when it has saved. */
static bool wait_for_end(struct client *client)
{
	nsec deadline = clock_mono() + patience;
	enum client_event event;

	while ((event = client_next(client, NULL)) != CLIENT_GONE) {
		struct pollfd wait = {.fd = client_fd(client), .events = POLLIN};
		nsec left = deadline - clock_mono();

		if (left <= 0)
			return false;
		if (event == CLIENT_NOTHING) /* cut short is fine: it is asked again */
			(void)poll(&wait, 1, (int)(left / NSEC_PER_MSEC) + 1);
	}
	return true;
}

static int stop(struct client *client, const struct place *place)
{
	const char *const words[] = {"stop"};
	struct client_answer answer;
	struct fault fault = {0};

	if (!client_ask(client, words, 1, false, patience, &answer, &fault))
		return failure(&fault);
	if (!wait_for_end(client)) {
		(void)fault_set(&fault,
			"the recorder of %s has not ended: its disk may hang",
			place->name);
		return failure(&fault);
	}
	if (client_state(client)->unsaved) { /* it says so at the end alone */
		(void)fault_set(&fault,
			"the recording of %s has ended, but its disk did not take the "
			"last "
			"%" PRIu64 " ticks: they are lost",
			place->name, client_state(client)->unsaved);
		return failure(&fault);
	}
	(void)printf("session %s: recording ended\n", place->name);
	return EXIT_DONE;
}

static int run(const struct arguments *arguments)
{
	struct fault fault = {0};
	struct client *client;
	struct place place;
	int status;

	if (!place_find(argument_session(arguments), &place, &fault))
		return failure(&fault);
	if (!place.running) {
		(void)fault_set(&fault, "session %s is not being recorded", place.name);
		return failure(&fault);
	}
	client = client_connect(place.socket, place.owner, &fault);
	if (!client)
		return failure(&fault);
	status = stop(client, &place);
	client_free(client);
	return status;
}

const struct command command_stop = {
	.name = "stop",
	.words = "[SESSION]",
	.about = "end a recording; its session stays",
	.options = {options_session},
	.most_words = 1,
	.run = run,
};
