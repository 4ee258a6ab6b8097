/* `weir list`: the sessions, newest first, and how they stand. */
#include "config.h"

#include "app/commands.h"

#include "app/place.h"
#include "base/clock.h"
#include "base/text.h"
#include "core/unit.h"
#include "store/store.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* What the file says: windows, and the wall clock of its last tick. */
struct summary_line {
	char size[24];
	char windows[16];
	char last[40];
};

static void size_of(const char *file, char *text, size_t size)
{
	struct stat status;
	char number[16];

	if (stat(file, &status) < 0)
		return;
	unit_number(number, sizeof number, (double)status.st_size, 5);
	(void)text_format(text, size, "%sB", number); /* it fits */
}

static void last_of(
	struct store *store, const struct session *session, char *text, size_t size)
{
	nsec first;
	nsec last;
	nsec wall;

	if (!store_span(store, &first, &last) || !session->run_count) {
		(void)text_copy(text, size, "no tick");
		return;
	}
	wall = session_wall(session, last);
	unit_date(text, size, wall, clock_zone_minutes(wall));
}

static void look(const struct place *place, struct summary_line *line)
{
	struct session *session = session_new(place->name, 0);
	struct fault fault = {0};
	struct store *store = store_open(place->file, STORE_READ, &fault);

	if (store && store_load(store, session, &fault)) {
		(void)text_format(line->windows, sizeof line->windows, "%zu",
			session->windows.count); /* it fits */
		last_of(store, session, line->last, sizeof line->last);
	} else {
		(void)text_copy(line->last, sizeof line->last, "cannot be read");
	}
	store_close(store);
	session_free(session);
}

static void print(const struct place *place)
{
	struct summary_line line = {"?", "?", "?"};

	size_of(place->file, line.size, sizeof line.size);
	look(place, &line);
	(void)printf("%-24s %-9s %7s %7s  %-26s %s\n", place->name,
		place->running ? "recording" : "stopped", line.size, line.windows,
		line.last, place->file);
}

static int run(const struct arguments *arguments)
{
	struct fault fault = {0};
	struct place *places;
	size_t count = place_list(&places, &fault);

	(void)arguments; /* there are none */
	if (count)
		(void)printf("%-24s %-9s %7s %7s  %-26s %s\n", "SESSION", "STATE",
			"SIZE", "WINDOWS", "LAST TICK", "FILE");
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
