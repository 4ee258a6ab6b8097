/*
 * Marks: windows set, closed, moved and taken back, and windows around commands. A
 * mark takes a tick of its own, so that its edge is the moment of the request.
 */
#include "config.h"

#include "app/recorder.h"

#include "app/protocol.h"
#include "app/server.h"
#include "base/text.h"
#include "core/unit.h"

#include <string.h>

void recorder_read_author(const struct words *words, char *author, size_t size)
{
	const char *given = words_value(words, "author");

	/* a cut name is still a name */
	(void)text_clean(author, size, given && *given ? given : "somebody");
}

/* What runs is compared by somebody now; he is told so before he sees a figure. */
void recorder_looked(struct recorder *recorder)
{
	struct windows *windows = &recorder->session->windows;
	uint32_t ids[WINDOW_MAX];
	size_t count = windows_seen(windows, recorder->tick.at, ids);

	for (size_t i = 0; i < count; i++)
		server_tell_window(
			recorder->server, ids[i], windows_by_id(windows, ids[i]));
	if (count)
		(void)journal_windows(recorder->journal, windows); /* nobody waits */
}

/* Tells viewers and the journal what became of the windows in CHANGES. */
static uint64_t publish(
	struct recorder *recorder, const struct window_change *changes, size_t count)
{
	struct windows *windows = &recorder->session->windows;
	uint32_t ids[WINDOW_MAX];

	if (server_viewers(recorder->server))
		(void)windows_seen(windows, recorder->tick.at, ids); /* in CHANGES */

	for (size_t i = 0; i < count; i++)
		server_tell_window(recorder->server, changes[i].id,
			windows_by_id(windows, changes[i].id));
	return journal_windows(recorder->journal, windows);
}

/* Keeps DEED for undo and answers with it. The window that the deed made comes last. */
static void finish(struct recorder *recorder, struct deed *deed, struct answer *answer)
{
	recorder->marked = true;
	answer->id = deed->count ? deed->changes[deed->count - 1].id : 0;
	answer->job = publish(recorder, deed->changes, deed->count);
	(void)text_copy(deed->text, sizeof deed->text, answer->text);
	deeds_add(&recorder->deeds, deed);
}

/* Wall clock to session time: within this run by now, before it by the runs. */
static nsec from_wall(const struct recorder *recorder, nsec wall)
{
	const struct session *session = recorder->session;
	const struct run *run = &session->runs[session->run_count - 1];

	if (wall >= run->wall)
		return recorder->tick.at - (recorder->tick.wall - wall);
	while (run > session->runs && wall < run->wall)
		run--;
	return run->from + (wall - run->wall);
}

/* The session time that the words name, by KEY or by "wall"; else it stays. */
bool recorder_read_time(const struct recorder *recorder, const struct words *words,
	nsec *at, struct fault *fault)
{
	nsec now = recorder->tick.at;
	char age[32];
	int64_t wall;

	if (words_number(words, "wall", &wall)) /* none of ours is before 1970 */
		*at = from_wall(recorder, wall > 0 ? wall : 0);
	else if (!words_number(words, "at", at))
		return true;
	if (*at > now)
		return fault_set(fault, "that time is still to come");
	unit_duration(age, sizeof age, now);
	if (*at < 0)
		return fault_set(
			fault, "the session began only %s ago: nothing is before", age);
	return true;
}

/* last=D: the window of the last D; at=T: from then on; for=D: and as long as that. */
static bool read_edges(const struct recorder *recorder, const struct words *words,
	struct mark *mark, struct fault *fault)
{
	char age[32];
	int64_t length;

	mark->from = mark->now;
	mark->to = WINDOW_OPEN;
	if (words_number(words, "last", &length)) {
		unit_duration(age, sizeof age, mark->now);
		if (length <= 0 || length > mark->now)
			return fault_set(fault, "the session began only %s ago", age);
		mark->from = mark->now - length;
		mark->to = mark->now;
		return true;
	}
	if (!recorder_read_time(recorder, words, &mark->from, fault))
		return false;
	if (!words_number(words, "for", &length))
		return true;
	if (length <= 0 || length > INT64_MAX / 4)
		return fault_set(fault, "a window has to be longer than nothing");
	mark->to = mark->from + length;
	return true;
}

/* "BEFORE begun at 02:06:10" */
static void describe(const struct recorder *recorder, const struct deed *deed,
	const struct mark *mark, struct answer *answer)
{
	uint32_t id = deed->changes[deed->count - 1].id;
	const struct window *window = windows_by_id(&recorder->session->windows, id);
	nsec at = mark->close ? window->to : window->from;
	char clock[16];
	char length[32];

	unit_clock(clock, sizeof clock, recorder->tick.wall - (recorder->tick.at - at),
		recorder->tick.zone_minutes);
	/* names and clocks fit, here and below */
	if (mark->close || mark->to == WINDOW_OPEN) {
		(void)text_format(answer->text, sizeof answer->text, "%s %s at %s",
			window->name, mark->close ? "closed" : "begun", clock);
		return;
	}
	unit_duration(length, sizeof length, mark->to - mark->from);
	(void)text_format(answer->text, sizeof answer->text, "%s is %s from %s",
		window->name, length, clock);
}

static bool apply(struct recorder *recorder, const struct mark *mark, struct deed *deed,
	struct answer *answer, struct fault *fault)
{
	(void)text_copy(deed->author, sizeof deed->author, mark->author);
	if (!windows_mark(&recorder->session->windows, mark, deed->changes,
		    &deed->count, fault))
		return false;
	describe(recorder, deed, mark, answer);
	finish(recorder, deed, answer);
	return true;
}

bool recorder_mark(struct recorder *recorder, const struct words *words,
	struct answer *answer, struct fault *fault)
{
	char author[AUTHOR_NAME];
	struct deed deed = {0};
	struct mark mark = {.name = words_value(words, "name"), .author = author};

	if (!mark.name)
		return fault_set(fault, "a mark needs a name");
	recorder_read_author(words, author, sizeof author);
	for (size_t i = 1; i < words->count; i++)
		mark.close |= !strcmp(words->list[i], "close");
	recorder_tick(recorder, true);
	mark.now = recorder->tick.at;
	return read_edges(recorder, words, &mark, fault) &&
	       apply(recorder, &mark, &deed, answer, fault);
}

bool recorder_run_begin(struct recorder *recorder, const struct words *words,
	struct answer *answer, struct fault *fault)
{
	char author[AUTHOR_NAME];
	struct deed deed = {0};
	struct mark mark = {.name = words_value(words, "name"),
		.author = author,
		.to = WINDOW_OPEN,
		.run = true,
		.command = words_value(words, "command")};

	if (!mark.name || !mark.command)
		return fault_set(fault, "a run needs a name and a command");
	recorder_read_author(words, author, sizeof author);
	recorder_tick(recorder, true);
	mark.from = mark.now = recorder->tick.at;
	return apply(recorder, &mark, &deed, answer, fault);
}

bool recorder_run_end(struct recorder *recorder, const struct words *words,
	struct answer *answer, struct fault *fault)
{
	struct deed deed = {0};
	int64_t id;
	int64_t status;

	if (!words_number(words, "id", &id) || id < 1 || id > UINT32_MAX ||
		!words_number(words, "exit", &status) || status < 0 || status > 255)
		return fault_set(fault, "the end of a run needs its id and exit");
	recorder_read_author(words, deed.author, sizeof deed.author);
	recorder_tick(recorder, true);
	if (!windows_end_run(&recorder->session->windows, (uint32_t)id,
		    recorder->tick.at, (int)status, deed.changes, &deed.count, fault))
		return false;
	(void)text_format(
		answer->text, sizeof answer->text, "ended with status %d", (int)status);
	finish(recorder, &deed, answer);
	return true;
}

/* Its end is now, its status stays unknown. */
void recorder_run_lost(struct recorder *recorder, uint32_t id)
{
	struct windows *windows = &recorder->session->windows;
	const struct window *window = windows_by_id(windows, id);
	struct window ended;
	struct deed deed = {0};

	if (!window || window->to != WINDOW_OPEN)
		return;
	recorder_tick(recorder, true);
	ended = *windows_by_id(windows, id);
	ended.to = recorder->tick.at > ended.from ? recorder->tick.at : ended.from + 1;
	if (!windows_edit(windows, &ended, deed.changes, &deed.count, NULL))
		return;
	(void)publish(recorder, deed.changes, deed.count); /* nobody waits */
	recorder_event(
		recorder, "%s: weir run was ended before its command was", ended.name);
}

static bool read_id(
	const struct words *words, const char *key, uint32_t *id, struct fault *fault)
{
	int64_t number;

	if (!words_number(words, key, &number) || number < 1 || number > UINT32_MAX)
		return fault_set(fault, "which one? %s is missing", key);
	*id = (uint32_t)number;
	return true;
}

/* What the words give of WANTED's edges and name; the rest stays. */
static bool read_wanted(const struct recorder *recorder, const struct words *words,
	struct window *wanted, struct fault *fault)
{
	const char *name = words_value(words, "name");
	const char *to = words_value(words, "to");

	(void)words_number(words, "from", &wanted->from);
	(void)words_number(words, "to", &wanted->to);
	if (to && !strcmp(to, "open"))
		wanted->to = WINDOW_OPEN;
	if (name && !text_clean(wanted->name, sizeof wanted->name, name))
		return fault_set(fault, "that name is too long");
	if (wanted->from < 0)
		return fault_set(fault, "a window cannot begin before the session");
	if (wanted->from > recorder->tick.at)
		return fault_set(fault, "that time is still to come");
	return true;
}

/* "BEFORE is 10m00s from 02:06:10", "AFTER is open from 02:31:02" */
static void describe_window(const struct recorder *recorder,
	const struct window *window, struct answer *answer)
{
	char clock[16], length[32] = "open";

	unit_clock(clock, sizeof clock, session_wall(recorder->session, window->from),
		recorder->tick.zone_minutes);
	if (window->to != WINDOW_OPEN)
		unit_duration(length, sizeof length, window->to - window->from);
	(void)text_format(answer->text, sizeof answer->text, "%s is %s from %s",
		window->name, length, clock); /* fits */
}

bool recorder_edit(struct recorder *recorder, const struct words *words,
	struct answer *answer, struct fault *fault)
{
	struct windows *windows = &recorder->session->windows;
	const struct window *window;
	struct window wanted;
	struct deed deed = {0};
	uint32_t id = 0;

	if (!read_id(words, "id", &id, fault))
		return false;
	window = windows_by_id(windows, id);
	if (!window)
		return fault_set(fault, "there is no window %u", id);
	wanted = *window;
	if (!read_wanted(recorder, words, &wanted, fault))
		return false;
	recorder_read_author(words, deed.author, sizeof deed.author);
	if (!windows_edit(windows, &wanted, deed.changes, &deed.count, fault))
		return false;
	describe_window(recorder, windows_by_id(windows, id), answer);
	finish(recorder, &deed, answer);
	return true;
}

bool recorder_delete(struct recorder *recorder, const struct words *words,
	struct answer *answer, struct fault *fault)
{
	struct deed deed = {0};
	uint32_t id = 0;

	recorder_read_author(words, deed.author, sizeof deed.author);
	if (!read_id(words, "id", &id, fault) ||
		!windows_delete(&recorder->session->windows, id, deed.changes,
			&deed.count, fault))
		return false;
	(void)text_format(answer->text, sizeof answer->text, "%s deleted",
		deed.changes[0].before.name);
	finish(recorder, &deed, answer);
	return true;
}

static void take_back_note(
	struct recorder *recorder, uint32_t id, struct answer *answer)
{
	session_remove_note(recorder->session, id);
	server_tell_note_gone(recorder->server, id);
	answer->id = id;
	answer->job = journal_remove_note(recorder->journal, id);
}

bool recorder_undo(struct recorder *recorder, const struct words *words,
	struct answer *answer, struct fault *fault)
{
	char author[AUTHOR_NAME];
	struct deed deed;

	recorder_read_author(words, author, sizeof author);
	if (!deeds_take(&recorder->deeds, author, &deed, fault))
		return false;
	if (deed.note) {
		take_back_note(recorder, deed.note, answer);
	} else {
		windows_revert(&recorder->session->windows, deed.changes, deed.count);
		answer->id = deed.changes[deed.count - 1].id;
		answer->job = publish(recorder, deed.changes, deed.count);
	}
	(void)text_format(answer->text, sizeof answer->text, "undone: %s", deed.text);
	return true;
}
