/* `weir list`: the sessions, newest first, and how they stand. */
#include "config.h"

#include "app/commands.h"

#include "app/client.h"
#include "app/place.h"
#include "base/clock.h"
#include "base/text.h"
#include "core/unit.h"
#include "store/store.h"

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

/* What the file, or its recorder, says: windows, and the wall clock of its last tick.
 */
struct summary_line {
	char size[24];
	char windows[16];
	char last[40];
};

static void print_size(struct summary_line *line, double bytes)
{
	char number[16];

	unit_number(number, sizeof number, bytes, 5);
	(void)text_format(line->size, sizeof line->size, "%sB", number); /* it fits */
}

static void date_of(nsec wall, char *text, size_t size)
{
	unit_date(text, size, wall, clock_zone_minutes(wall));
}

static void last_of(
	struct store *store, const struct session *session, char *text, size_t size)
{
	nsec first;
	nsec last;

	if (store_span(store, &first, &last) && session->run_count)
		date_of(session_wall(session, last), text, size);
	else
		(void)text_copy(text, size, "no tick");
}

static void count_windows(const struct session *session, struct summary_line *line)
{
	(void)text_format(line->windows, sizeof line->windows, "%zu",
		session->windows.count); /* it fits */
}

static void look_into_file(const struct place *place, struct summary_line *line)
{
	struct session *session = session_new(place->name, 0);
	struct fault fault = {0};
	struct store *store = store_open(place->file, STORE_READ, &fault);

	if (store && store_load(store, session, &fault)) {
		count_windows(session, line);
		last_of(store, session, line->last, sizeof line->last);
	} else {
		(void)text_copy(line->last, sizeof line->last, "cannot be read");
	}
	store_close(store);
	session_free(session);
}

/* Until the recorder has said all that it says at first; true if it did. */
static bool hear(struct client *client)
{
	nsec deadline = clock_mono() + 2 * NSEC_PER_SEC;
	enum client_event event;

	while ((event = client_next(client, NULL)) != CLIENT_STATE) {
		struct pollfd wait = {.fd = client_fd(client), .events = POLLIN};
		nsec left = deadline - clock_mono();

		if (event == CLIENT_GONE || left <= 0)
			return false;
		if (event == CLIENT_NOTHING)
			(void)poll(&wait, 1, (int)(left / NSEC_PER_MSEC) + 1);
	}
	return true;
}

/* It knows better than its file, which a member of the group cannot even see. */
static void ask_recorder(const struct place *place, struct summary_line *line)
{
	struct session *session = session_new(place->name, 1);
	struct client *client = client_connect(place->socket, place->owner, NULL);

	if (client && client_watch(client, session, INT64_MAX, NULL) && hear(client)) {
		print_size(line, (double)client_state(client)->bytes);
		count_windows(session, line);
		date_of(session->last.wall, line->last, sizeof line->last);
	}
	client_free(client);
	session_free(session);
}

static void print(const struct place *place)
{
	struct summary_line line = {"?", "?", "?"};
	struct stat status;
	char owner[24];

	place_owner_name(place, owner, sizeof owner);
	if (stat(place->file, &status) == 0)
		print_size(&line, (double)status.st_size);
	if (place->running)
		ask_recorder(place, &line);
	else
		look_into_file(place, &line);
	(void)printf("%-24s %-9s %7s %7s  %-26s %-8s %s\n", place->name,
		place->running ? "recording" : "stopped", line.size, line.windows,
		line.last, owner, place->file);
}

static int run(const struct arguments *arguments)
{
	struct place *places;
	size_t count = place_list(&places, true);

	(void)arguments; /* there are none */
	if (count)
		(void)printf("%-24s %-9s %7s %7s  %-26s %-8s %s\n", "SESSION", "STATE",
			"SIZE", "WINDOWS", "LAST TICK", "OWNER", "FILE");
	else
		(void)puts("no sessions yet: weir record -s NAME makes one");
	for (size_t i = 0; i < count; i++)
		print(&places[i]);
	free(places);
	return EXIT_DONE;
}

const struct command command_list = {
	.name = "list",
	.words = "",
	.about = "show the sessions",
	.run = run,
};
