/*
 * `weir list`: the sessions, newest first, and how they stand. A disk that hangs may
 * cost a row its figures, but never the list: whatever touches a file is done aside.
 */
#include "config.h"

#include "app/commands.h"
#include "app/folder.h"

#include "app/aside.h"
#include "app/client.h"
#include "app/place.h"
#include "base/clock.h"
#include "base/text.h"
#include "core/unit.h"
#include "store/store.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* What the file, or its recorder, says: windows, and the wall clock of its last tick.
 */
struct summary_line {
	char state[16];
	char size[24];
	char windows[16];
	char last[40];
};

/* How long a file is waited for: one that hangs says nothing about the next, but many
 * of them do. */
static const nsec patience = 2 * NSEC_PER_SEC, impatience = NSEC_PER_SEC / 5;
enum {
	SILENT_MOST = 4
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
		if (!store_ended_well(store, session))
			(void)text_copy(line->state, sizeof line->state, "interrupted");
		count_windows(session, line);
		last_of(store, session, line->last, sizeof line->last);
		if (store_damage(store, NULL))
			(void)text_copy(line->state, sizeof line->state, "damaged");
	} else {
		(void)text_copy(line->last, sizeof line->last, "cannot be read");
	}
	store_close(store);
	session_free(session);
}

/* It knows better than its file, which a member of the group cannot even see. */
static void ask_recorder(const struct place *place, struct summary_line *line)
{
	struct session *session = session_new(place->name, 1);
	struct client *client = client_connect(place->socket, place->owner, NULL);

	if (client && client_watch(client, session, INT64_MAX, NULL) &&
		client_settle(client, 2 * NSEC_PER_SEC)) {
		print_size(line, (double)client_state(client)->bytes);
		count_windows(session, line);
		date_of(session->last.wall, line->last, sizeof line->last);
	}
	client_free(client);
	session_free(session);
}

/* All that touches the file itself. */
static void look(const void *context, struct buffer *result)
{
	const struct place *place = context;
	struct summary_line line = {"stopped", "?", "?", "?"};
	struct stat status;

	if (stat(place->file, &status) == 0)
		print_size(&line, (double)status.st_size);
	look_into_file(place, &line);
	buffer_add(result, &line, sizeof line);
}

static void look_aside(
	const struct place *place, struct summary_line *line, unsigned *silent)
{
	struct buffer result = {0};

	if (aside(look, place, *silent < SILENT_MOST ? patience : impatience,
		    &result) &&
		result.size == sizeof *line) {
		memcpy(line, result.data, sizeof *line);
	} else {
		(void)text_copy(line->state, sizeof line->state, "?");
		(void)text_copy(line->last, sizeof line->last, "not answering");
		++*silent;
	}
	buffer_fini(&result);
}

static void print(const struct place *place, unsigned *silent)
{
	struct summary_line line = {"recording", "?", "?", "?"};
	char owner[24];

	place_owner_name(place, owner, sizeof owner);
	if (place->running)
		ask_recorder(place, &line);
	else
		look_aside(place, &line, silent);
	(void)printf("%-24s %-11s %7s %7s  %-26s %-8s %s\n", place->name, line.state,
		line.size, line.windows, line.last, owner, place->file);
}

static void find(const void *context, struct buffer *result)
{
	struct place *places;
	size_t count = place_list(&places, true);

	(void)context; /* there is none */
	buffer_add(result, places, count * sizeof *places);
	free(places);
}

/* Where the folders do not answer: what is being recorded is known from sockets. */
static bool find_aside(struct buffer *found)
{
	struct place *places;
	size_t count;

	if (aside(find, NULL, patience, found))
		return true;
	count = place_list(&places, false);
	buffer_add(found, places, count * sizeof *places);
	free(places);
	return false;
}

/* What cannot be looked into is not empty. */
static bool say_none(struct fault *fault)
{
	char folder[PATH_MAX];
	bool chosen;

	if (!folder_state(folder, sizeof folder, &chosen, fault) ||
		!folder_readable(folder, fault))
		return false;
	(void)puts("no sessions yet: weir record -s NAME makes one");
	return true;
}

static int run(const struct arguments *arguments)
{
	struct buffer found = {0};
	struct fault fault;
	unsigned silent = 0;
	bool whole = find_aside(&found);
	const struct place *places = (const struct place *)(const void *)found.data;
	size_t count = found.size / sizeof *places;

	(void)arguments; /* there are none */
	if (count)
		(void)printf("%-24s %-11s %7s %7s  %-26s %-8s %s\n", "SESSION", "STATE",
			"SIZE", "WINDOWS", "LAST TICK", "OWNER", "FILE");
	else if (whole && !say_none(&fault))
		return failure(&fault); /* nothing was found: nothing to free */
	for (size_t i = 0; i < count; i++)
		print(&places[i], &silent);
	if (!whole)
		(void)fault_set(&fault,
			"a folder of sessions does not answer: only what is being "
			"recorded is listed");
	buffer_fini(&found);
	return whole ? EXIT_DONE : failure(&fault);
}

const struct command command_list = {
	.name = "list",
	.words = "",
	.about = "show the sessions",
	.run = run,
};
