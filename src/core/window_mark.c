/* The rules of marks: what a request does to the list of windows, and the note of
 * it that takes it back (core/window.h). A request works on the list at once and,
 * if it cannot be done after all, reverts what it did. */
#include "config.h"

#include "base/text.h"
#include "core/unit.h"
#include "core/window.h"
#include "core/window_name.h"

#include <string.h>
#include <strings.h>

enum {
	/* A mark may close all that are open and open one: more could not be noted. */
	OPEN_MAX_WINDOWS = WINDOW_CHANGES - 1
};

struct journal {
	struct windows *windows;
	struct window_change *changes;
	size_t *count;
};

/* Puts WINDOW in place and notes what was there. */
static void change(const struct journal *journal, const struct window *window)
{
	struct window_change *note = &journal->changes[(*journal->count)++];
	const struct window *known = windows_by_id(journal->windows, window->id);

	*note = (struct window_change){.id = window->id, .existed = known};
	if (known)
		note->before = *known;
	windows_put(journal->windows, window);
}

static bool open_by_hand(const struct window *window)
{
	return window->to == WINDOW_OPEN && window->role != ROLE_RUN;
}

static size_t count_open(const struct windows *windows)
{
	size_t count = 0;

	for (size_t i = 0; i < windows->count; i++)
		count += open_by_hand(&windows->list[i]);
	return count;
}

static bool open_since(const struct window *window, nsec now, struct fault *fault)
{
	char age[32];

	unit_duration(age, sizeof age, now - window->from);
	return fault_set(fault, "%s is open since %s ago", window->name, age);
}

static bool too_many(struct fault *fault)
{
	return fault_set(
		fault, "%d windows are open: close one first", OPEN_MAX_WINDOWS);
}

/* Whether a mark of ROLE ends WINDOW. A change ends every steady state, so it and
 * what follows it close all that is open; a new BEFORE ends only the others of its
 * line; a named window stands beside all. Runs end with their command. */
static bool closes(enum role role, const struct window *window)
{
	if (!open_by_hand(window))
		return false;
	if (role == ROLE_CHANGE || role == ROLE_AFTER)
		return true;
	return role == ROLE_BEFORE && window->role != ROLE_OTHER;
}

static bool close_others(
	const struct journal *journal, enum role role, nsec edge, struct fault *fault)
{
	for (size_t i = 0; i < journal->windows->count; i++) {
		struct window window = journal->windows->list[i];

		if (!closes(role, &window))
			continue;
		if (edge <= window.from)
			return fault_set(
				fault, "%s begins only after that", window.name);
		if (*journal->count >= OPEN_MAX_WINDOWS)
			return too_many(fault);
		window.to = edge;
		change(journal, &window);
	}
	return true;
}

/* The window that MARK asks to close: by name, or the open one of the role. */
static const struct window *find_open(const struct windows *windows, const char *name)
{
	bool numbered;
	enum role role = window_name_role(name, &numbered);

	for (size_t i = windows->count; i--;) {
		const struct window *window = &windows->list[i];

		if (!open_by_hand(window))
			continue;
		if (!strcasecmp(window->name, name))
			return window;
		if (role != ROLE_OTHER && !numbered && window->role == role)
			return window;
	}
	return NULL;
}

static bool close_one(
	const struct journal *journal, const struct mark *mark, struct fault *fault)
{
	const struct window *found = find_open(journal->windows, mark->name);
	struct window window;

	if (!found)
		return fault_set(fault, "%s is not open", mark->name);
	if (mark->from <= found->from)
		return fault_set(fault, "%s begins only after that", found->name);
	window = *found;
	window.to = mark->from;
	change(journal, &window);
	return true;
}

/* Role and name of the window to open; BACKWARDS ones may stand beside an open one
 * of the same name. */
static bool name_it(const struct windows *windows, const struct mark *mark,
	struct window *window, struct fault *fault)
{
	const struct window *open = find_open(windows, mark->name);
	bool numbered;

	window->role = window_name_role(mark->name, &numbered);
	if (mark->run && window->role != ROLE_OTHER)
		return fault_set(fault,
			"%s is the name of a mark: a run needs one of its own",
			mark->name);
	if (mark->run)
		window->role = ROLE_RUN;
	if (window->role == ROLE_RUN || window->role == ROLE_OTHER)
		(void)text_copy(window->name, sizeof window->name, mark->name);
	else if (numbered)
		window_name_upper(window->name, sizeof window->name, mark->name);
	else if (!window_name_next(
			 windows, window->role, window->name, sizeof window->name))
		return fault_set(fault, "no name is left for %s", mark->name);
	if (!open || window->backwards || window->role == ROLE_RUN)
		return true;
	if (window->role == ROLE_BEFORE || window->role == ROLE_OTHER || numbered)
		return open_since(open, mark->now, fault);
	return true;
}

static bool open_one(
	const struct journal *journal, const struct mark *mark, struct fault *fault)
{
	struct windows *windows = journal->windows;
	struct window window = {
		.id = windows->last_id + 1,
		.from = mark->from,
		.to = mark->to,
		.backwards = mark->to != WINDOW_OPEN && mark->to <= mark->now,
		.planned = mark->to != WINDOW_OPEN && mark->to > mark->now,
		.unseen = mark->to > mark->now && !mark->run,
		.exit_status = mark->run ? -1 : 0,
	};

	if (windows->count >= WINDOW_MAX)
		return fault_set(fault, "%d windows are the limit", WINDOW_MAX);
	if (mark->from >= mark->to || mark->from > mark->now)
		return fault_set(fault, "a window begins before it ends, and not later "
					"than now");
	if (!name_it(windows, mark, &window, fault))
		return false;
	(void)text_clean(window.author, sizeof window.author, mark->author);
	if (mark->run && mark->command) /* a cut command is still its beginning */
		(void)text_clean(window.command, sizeof window.command, mark->command);
	if (!window.backwards && !close_others(journal, window.role, mark->from, fault))
		return false;
	if (open_by_hand(&window) && count_open(windows) >= OPEN_MAX_WINDOWS)
		return too_many(fault);
	change(journal, &window);
	return true;
}

bool windows_mark(struct windows *windows, const struct mark *mark,
	struct window_change *changes, size_t *count, struct fault *fault)
{
	const struct journal journal = {windows, changes, count};
	uint32_t last_id = windows->last_id;
	bool done;

	*count = 0;
	if (!window_name_valid(mark->name))
		return fault_set(fault,
			"a name has letters, digits and . _ - and begins with a letter "
			"or digit");
	done = mark->close ? close_one(&journal, mark, fault)
			   : open_one(&journal, mark, fault);
	if (done)
		return true;
	windows_revert(windows, changes, *count);
	windows->last_id = last_id;
	*count = 0;
	return false;
}

static const struct window *must_find(
	const struct windows *windows, uint32_t id, struct fault *fault)
{
	const struct window *window = windows_by_id(windows, id);

	if (!window)
		(void)fault_set(fault, "there is no window %u", id);
	return window;
}

bool windows_end_run(struct windows *windows, uint32_t id, nsec now, int exit_status,
	struct window_change *changes, size_t *count, struct fault *fault)
{
	const struct window *found = must_find(windows, id, fault);
	struct window window;

	*count = 0;
	if (!found)
		return false;
	if (found->role != ROLE_RUN || found->to != WINDOW_OPEN)
		return fault_set(fault, "%s is not a running command", found->name);
	window = *found;
	window.to = now > window.from ? now : window.from + 1;
	window.exit_status = exit_status;
	change(&(struct journal){windows, changes, count}, &window);
	return true;
}

bool windows_edit(struct windows *windows, const struct window *wanted,
	struct window_change *changes, size_t *count, struct fault *fault)
{
	const struct window *found = must_find(windows, wanted->id, fault);
	struct window window;
	bool numbered;

	*count = 0;
	if (!found)
		return false;
	if (!window_name_valid(wanted->name))
		return fault_set(fault, "%s is not a name for a window", wanted->name);
	if (wanted->from >= wanted->to)
		return fault_set(fault, "a window begins before it ends");
	window = *found;
	if (wanted->from != found->from || wanted->to != found->to)
		window.planned = window.unseen = false;
	window.from = wanted->from;
	window.to = wanted->to;
	if (strcasecmp(wanted->name, found->name)) {
		(void)text_copy(window.name, sizeof window.name, wanted->name);
		if (window.role != ROLE_RUN)
			window.role = window_name_role(wanted->name, &numbered);
		if (window.role != ROLE_RUN && window.role != ROLE_OTHER)
			window_name_upper(
				window.name, sizeof window.name, wanted->name);
	}
	change(&(struct journal){windows, changes, count}, &window);
	return true;
}

bool windows_delete(struct windows *windows, uint32_t id, struct window_change *changes,
	size_t *count, struct fault *fault)
{
	const struct window *found = must_find(windows, id, fault);

	*count = 0;
	if (!found)
		return false;
	changes[0] =
		(struct window_change){.id = id, .existed = true, .before = *found};
	*count = 1;
	windows_remove(windows, id);
	return true;
}
