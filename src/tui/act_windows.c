/* The list of windows: choosing the pair that is compared, renaming, moving edges,
 * deleting. What changes goes to the recorder, which tells all viewers and can undo
 * it. */
#include "config.h"

#include "base/text.h"
#include "core/unit.h"
#include "tui/act.h"

#include <inttypes.h>
#include <string.h>

enum {
	EDGE = 48 /* a time as it is typed */
};

size_t windows_in_order(const struct session *session, uint16_t *order)
{
	const struct window *list = session->windows.list;
	size_t count = session->windows.count < WINDOW_MAX ? session->windows.count
							   : WINDOW_MAX;

	for (size_t i = 0; i < count; i++) {
		size_t at = i;

		for (; at && list[order[at - 1]].from > list[i].from; at--)
			order[at] = order[at - 1];
		order[at] = (uint16_t)i;
	}
	return count;
}

/* The one under the bar: the newest where there is none yet, or not any more. */
static const struct window *selected(const struct desk *desk)
{
	const struct windows *windows = &desk->session->windows;
	const struct window *window = windows_by_id(windows, desk->view->window);
	uint16_t order[WINDOW_MAX];
	size_t count;

	if (window || !windows->count)
		return window;
	count = windows_in_order(desk->session, order);
	return &windows->list[order[count - 1]];
}

void act_select(struct desk *desk, int step)
{
	const struct window *window = selected(desk);
	uint16_t order[WINDOW_MAX];
	long at = 0, count = (long)windows_in_order(desk->session, order);

	if (!window)
		return;
	while (&desk->session->windows.list[order[at]] != window)
		at++;
	at += step;
	at = at < 0 ? 0 : at >= count ? count - 1 : at;
	desk->view->window = desk->session->windows.list[order[at]].id;
}

void act_list(struct desk *desk, int key)
{
	(void)key;
	desk->view->page = desk->view->page == PAGE_WINDOWS ? PAGE_NONE : PAGE_WINDOWS;
	act_select(desk, 0);
}

/* Opens KIND for the selected window, with TEXT to begin with. */
static void ask(struct desk *desk, enum prompt_kind kind, const char *text)
{
	desk->view->window = selected(desk)->id;
	prompt_open(desk->view, kind);
	(void)text_copy(desk->view->prompt.text, sizeof desk->view->prompt.text, text);
}

static bool is_empty(struct desk *desk)
{
	if (selected(desk))
		return false;
	view_say(desk->view, desk->session, true, "there is no window yet");
	return true;
}

void act_rename(struct desk *desk, int key)
{
	(void)key;
	if (!is_empty(desk))
		ask(desk, PROMPT_RENAME, selected(desk)->name);
}

/* "2026-10-01T02:06:10+0200" of session time AT, "open" */
static void edge_text(const struct session *session, nsec at, char text[EDGE])
{
	char date[EDGE];

	(void)text_copy(text, EDGE, "open");
	if (at == WINDOW_OPEN)
		return;
	unit_date(date, sizeof date, session_wall(session, at),
		session->last.zone_minutes);
	(void)text_format(text, EDGE, "%.10sT%.8s%s", date, date + 11, date + 20);
}

void act_edge(struct desk *desk, int key)
{
	const struct window *window = selected(desk);
	char text[EDGE];

	if (is_empty(desk))
		return;
	edge_text(desk->session, key == 'f' ? window->from : window->to, text);
	ask(desk, key == 'f' ? PROMPT_FROM : PROMPT_TO, text);
}

void act_choose(struct desk *desk, int key)
{
	const struct window *window = selected(desk);
	size_t side = key == 'a' ? 0 : 1;
	uint32_t *pair = desk->view->pair;

	if (is_empty(desk))
		return;
	if (pair[side] == window->id) {
		pair[side] = 0;
		view_say(desk->view, desk->session, false, "%c is the newest %s again",
			"AB"[side], side ? "AFTER" : "BEFORE");
		return;
	}
	if (pair[1 - side] == window->id)
		pair[1 - side] = 0; /* a window is not compared with itself */
	pair[side] = window->id;
	view_say(
		desk->view, desk->session, false, "%s is %c", window->name, "AB"[side]);
}

void act_delete(struct desk *desk, int key)
{
	char id[24];
	const char *words[] = {"delete", id};

	(void)key;
	if (is_empty(desk))
		return;
	(void)text_format(id, sizeof id, "id=%" PRIu32, selected(desk)->id); /* fits */
	act_send(desk, words, 2);
}

/* ---- what was typed ---- */

static void send_edit(struct desk *desk, const char *change)
{
	char id[24];
	const char *words[] = {"edit", id, change};

	(void)text_format(id, sizeof id, "id=%" PRIu32, desk->view->window); /* fits */
	act_send(desk, words, 3);
}

/* The window may have gone while somebody typed. */
static const struct window *still_there(struct desk *desk)
{
	const struct window *window =
		windows_by_id(&desk->session->windows, desk->view->window);

	if (!window)
		view_say(desk->view, desk->session, true, "that window has gone");
	return window;
}

void enter_rename(struct desk *desk, const char *text)
{
	const struct window *window = still_there(desk);
	char change[WINDOW_NAME + 8];

	if (!window || !strcmp(text, window->name))
		return;
	if (!window_name_valid(text)) {
		view_say(desk->view, desk->session, true,
			"a name is letters, digits, . _ - and begins with one of the "
			"first two");
		return;
	}
	(void)text_format(change, sizeof change, "name=%s", text); /* valid: it fits */
	send_edit(desk, change);
}

/* What TEXT means for the edge that stands at *AT: a time on the clock, or a distance
 * from there. */
static bool read_edge(struct desk *desk, const char *text, nsec *at)
{
	const struct host *host = desk->host;
	struct fault fault;
	nsec value;

	if ((*text == '+' || *text == '-') && *at != WINDOW_OPEN) {
		if (!host->duration(host->context, text + 1, &value, &fault)) {
			view_say(desk->view, desk->session, true, "%s", fault.text);
			return false;
		}
		*at += *text == '+' ? value : -value;
		return true;
	}
	if (!host->time(host->context, text, &value, &fault)) {
		view_say(desk->view, desk->session, true, "%s", fault.text);
		return false;
	}
	*at = session_at_wall(desk->session, value);
	return true;
}

/* KEY "from" or "to". What was not changed stays to the nanosecond. */
static void enter_edge(struct desk *desk, const char *text, const char *key)
{
	const struct window *window = still_there(desk);
	char change[40], shown[EDGE];
	nsec at;

	if (!window)
		return;
	at = !strcmp(key, "from") ? window->from : window->to;
	edge_text(desk->session, at, shown);
	if (!strcmp(text, shown))
		return;
	if (!strcmp(key, "to") && !strcmp(text, "open"))
		at = WINDOW_OPEN;
	else if (!read_edge(desk, text, &at))
		return;
	if (at == WINDOW_OPEN)
		(void)text_copy(change, sizeof change, "to=open"); /* fits */
	else
		(void)text_format(change, sizeof change, "%s=%" PRId64, key, at);
	send_edit(desk, change);
}

void enter_from(struct desk *desk, const char *text)
{
	enter_edge(desk, text, "from");
}

void enter_to(struct desk *desk, const char *text)
{
	enter_edge(desk, text, "to");
}
