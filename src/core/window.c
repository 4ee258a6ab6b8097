/* The list of windows, and putting windows in and taking them out; see the
 * header. The rules of marks are in window_mark.c. */
#include "config.h"

#include "core/window.h"

#include "base/alloc.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

void windows_fini(struct windows *windows)
{
	free(windows->list);
	*windows = (struct windows){0};
}

/* The place of window ID, or that where it would be. */
static size_t place(const struct windows *windows, uint32_t id)
{
	size_t at = 0;

	while (at < windows->count && windows->list[at].id < id)
		at++;
	return at;
}

static bool is_there(const struct windows *windows, size_t at, uint32_t id)
{
	return at < windows->count && windows->list[at].id == id;
}

void windows_put(struct windows *windows, const struct window *window)
{
	size_t at = place(windows, window->id);

	if (!is_there(windows, at, window->id)) {
		xgrow(&windows->list, &windows->room, windows->count + 1,
			sizeof *windows->list);
		memmove(&windows->list[at + 1], &windows->list[at],
			(windows->count - at) * sizeof *windows->list);
		windows->count++;
	}
	windows->list[at] = *window;
	if (window->id > windows->last_id)
		windows->last_id = window->id;
}

void windows_remove(struct windows *windows, uint32_t id)
{
	size_t at = place(windows, id);

	if (!is_there(windows, at, id))
		return;
	windows->count--;
	memmove(&windows->list[at], &windows->list[at + 1],
		(windows->count - at) * sizeof *windows->list);
}

size_t windows_seen(struct windows *windows, nsec now, uint32_t *ids)
{
	size_t count = 0;

	for (size_t i = 0; i < windows->count; i++) {
		struct window *window = &windows->list[i];

		if (!window->unseen || !window_runs(window, now))
			continue;
		window->unseen = false;
		ids[count++] = window->id;
	}
	return count;
}

static void put_back(struct windows *windows, const struct window *before)
{
	const struct window *now = windows_by_id(windows, before->id);
	struct window window = *before;

	window.unseen &= !now || now->unseen;
	windows_put(windows, &window);
}

void windows_revert(
	struct windows *windows, const struct window_change *changes, size_t count)
{
	while (count--) {
		if (changes[count].existed)
			put_back(windows, &changes[count].before);
		else
			windows_remove(windows, changes[count].id);
	}
}

const struct window *windows_by_id(const struct windows *windows, uint32_t id)
{
	size_t at = place(windows, id);

	return is_there(windows, at, id) ? &windows->list[at] : NULL;
}

const struct window *windows_by_name(const struct windows *windows, const char *name)
{
	for (size_t i = windows->count; i--;)
		if (!strcasecmp(windows->list[i].name, name))
			return &windows->list[i];
	return NULL;
}

const struct window *windows_newest(const struct windows *windows, enum role role)
{
	const struct window *newest = NULL;

	for (size_t i = 0; i < windows->count; i++) {
		const struct window *window = &windows->list[i];

		if (window->role == role && (!newest || window->from >= newest->from))
			newest = window;
	}
	return newest;
}

bool window_runs(const struct window *window, nsec last)
{
	return window->to > last;
}

nsec window_until(const struct window *window, nsec last)
{
	nsec end = window->to < last ? window->to : last;

	return end > window->from ? end : window->from;
}

const struct window *windows_open(const struct windows *windows, nsec last)
{
	for (size_t i = windows->count; i--;)
		if (window_runs(&windows->list[i], last))
			return &windows->list[i];
	return NULL;
}
