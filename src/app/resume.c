/* The session that was left open; see the header. */
#include "config.h"

#include "app/resume.h"

#include "base/clock.h"
#include "base/text.h"
#include "core/unit.h"
#include "store/store.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

const struct option_info options_resume[] = {
	{"resume", 0, NULL, "go on with the newest session, without asking"},
	{"new", 0, NULL, "begin a new session, without asking"},
	{0},
};

/* What the question says. */
struct left_open {
	bool is;
	char text[320];
};

static void describe(const struct session *session, const struct place *place,
	bool ended_well, struct left_open *left)
{
	const struct window *open = windows_open(&session->windows, session->last.at);
	nsec wall = session_wall(session, session->last.at);
	char date[48], windows[48] = "";

	unit_date(date, sizeof date, wall, clock_zone_minutes(wall));
	if (session->windows.count)
		(void)text_format(windows, sizeof windows, ", %zu window%s",
			session->windows.count,
			session->windows.count == 1 ? "" : "s"); /* fits */
	(void)text_format(left->text, sizeof left->text,
		"Session %s was %s at %s%s%s%s%s.", place->name,
		ended_well ? "stopped" : "cut off", date, windows, open ? ", " : "",
		open ? open->name : "", open ? " is open" : ""); /* names fit */
	left->is = open || !ended_well;
}

/* A recorder that ends in order takes its socket away and says so in the file; a
 * reboot leaves windows open. */
static struct left_open look(const struct place *place)
{
	struct left_open left = {.is = false};
	struct session *session;
	struct store *store = store_open(place->file, STORE_READ, NULL);
	nsec first;

	if (!store)
		return left;
	session = session_new(place->name, 0);
	if (store_load(store, session, NULL)) {
		if (!store_span(store, &first, &session->last.at))
			session->last.at = 0; /* no tick yet */
		describe(session, place,
			store_ended_well(store, session) &&
				access(place->socket, F_OK) != 0,
			&left);
	}
	session_free(session);
	store_close(store);
	return left;
}

/* Enter is yes: what was begun goes on. */
static enum resume ask(const struct left_open *left, struct fault *fault)
{
	char line[64];

	for (;;) {
		(void)printf(
			"%s\nGo on with it? [Y] yes  [n] a new session  [q] leave: ",
			left->text);
		(void)fflush(stdout); /* if it fails nobody can answer either */
		if (!fgets(line, sizeof line, stdin))
			break;
		line[strcspn(line, "\n")] = 0;
		if (!*line || !strcmp(line, "y") || !strcmp(line, "Y"))
			return RESUME_IT;
		if (!strcmp(line, "n") || !strcmp(line, "N"))
			return RESUME_NEW;
		if (!strcmp(line, "q"))
			break;
	}
	(void)fault_set(fault, "nothing was started");
	return RESUME_NEITHER;
}

enum resume resume_choose(const struct arguments *arguments, const struct place *place,
	struct fault *fault)
{
	struct left_open left;

	if (argument_given(arguments, "new"))
		return RESUME_NEW;
	if (argument_given(arguments, "resume"))
		return RESUME_IT;
	left = look(place);
	if (!left.is)
		return RESUME_NEW;
	if (argument_given(arguments, "batch") || !isatty(STDIN_FILENO) ||
		!isatty(STDOUT_FILENO))
		return RESUME_IT;
	return ask(&left, fault);
}
