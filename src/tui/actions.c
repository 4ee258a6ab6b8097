/*
 * The table of keys and its dispatch. Marks are set by single letters, so text that
 * was meant for another window must do no harm: several characters in one read are
 * not taken as keys.
 */
#include "config.h"

#include "tui/actions.h"

#include "tui/act.h"

/* clang-format off */
const struct action actions[] = {
	{'b', 0, "b", "begin BEFORE now", act_before, true, false},
	{'c', 0, "c", "begin the CHANGE; closes what is open", act_change, true, false},
	{'a', 0, "a", "begin AFTER (then AFTER 2, ...); closes what is open", act_after, true, false},
	{'B', 0, "B", "take the last 10 minutes, or as typed, as BEFORE", act_back_before, true, false},
	{'A', 0, "A", "take the last 10 minutes, or as typed, as AFTER", act_back_after, true, false},
	{'m', 0, "m", "begin a window with a name; of an open one: end it", act_window, true, false},
	{'M', 0, "M", "list of windows: rename, move, delete, choose the pair", act_list, false, true},
	{'n', 0, "n", "write a note at this second", act_note, true, true},
	{'U', 0, "U", "undo your own last mark or note", act_undo, true, false},
	{'p', ' ', "p Space", "pause and go on; the recording never pauses", act_pause, false, true},
	{'.', 0, ".", "back to live", act_live, false, true},
	{'t', TUI_RIGHT, "t Right", "one sample forward while paused", act_step, false, true},
	{'T', TUI_LEFT, "T Left", "one sample back (pauses)", act_step, false, true},
	{']', 0, "]", "next mark, note or alert", act_jump, false, true},
	{'[', 0, "[", "previous mark, note or alert", act_jump, false, true},
	{'g', 0, "g", "go to a time: 02:20, 10m ago", act_time, false, true},
	{'d', 0, "d", "compare BEFORE and AFTER; Enter: evidence of a row", act_pages, false, true},
	{'w', 0, "w", "write a report", act_report, false, true},
	{'E', 0, "E", "write the packets behind the findings (pcapng)", act_packets, false, true},
	{'e', 0, "e", "all events", act_pages, false, true},
	{'x', 0, "x", "mark events as read", act_read, false, true},
	{'i', 0, "i", "explain the figures of the selected row", act_pages, false, true},
	{'\t', 0, "Tab", "focus the next pane", act_focus, false, false},
	{'1', 0, "1-4", "focus a pane", act_focus, false, false},
	{'2', 0, NULL, NULL, act_focus, false, false},
	{'3', 0, NULL, NULL, act_focus, false, false},
	{'4', 0, NULL, NULL, act_focus, false, false},
	{'0', 0, "0", "all panes, no focus", act_all, false, true},
	{'z', TUI_ENTER, "z Enter", "zoom the pane; again restores", act_zoom, false, false},
	{TUI_UP, TUI_DOWN, "Up Down", "select a row, scroll a page", act_move, false, true},
	{TUI_PAGE_UP, TUI_PAGE_DOWN, "PgUp PgDn", "ten rows", act_move, false, true},
	{TUI_HOME, TUI_END, "Home End", "first and last row", act_move, false, true},
	{'/', 0, "/", "filter rows by regex; ! negates, empty shows all", act_filter, false, false},
	{'s', 0, "s", "sort by the next column", act_sort, false, false},
	{'I', 0, "I", "invert the order", act_invert, false, false},
	{'u', 0, "u", "units: SI bytes, IEC bytes, bits", act_units, false, true},
	{'C', 0, "C", "next theme", act_theme, false, true},
	{'~', 0, "~", "trends as digits or as UTF-8 blocks", act_lines, false, true},
	{'+', 0, "+", "draw more often; sampling never changes", act_speed, false, true},
	{'-', 0, "-", "draw less often", act_speed, false, true},
	{'?', TUI_F1, "?", "this help", act_pages, false, true},
	{'h', 0, NULL, NULL, act_pages, false, true},
	{'q', TUI_CONTROL('c'), "q", "leave the screen; the recording goes on", act_leave, false, true},
	{'Q', 0, "Q", "stop the recording: wants the session's name", act_stop, true, false},
	{TUI_CONTROL('l'), 0, "^L", "redraw", act_redraw, false, true},
	{TUI_CONTROL('z'), 0, "^Z", "suspend the screen only", act_suspend, false, true},
};
/* Keys that mean something else on the compare page. */
const struct action compare_actions[] = {
	{TUI_ENTER, 'z', "Enter", "the evidence of a row", act_evidence, false, true},
	{'s', 0, "s", "worst first, or as the devices come", act_compare_sort, false, true},
	{'f', 0, "f", "only rows whose verdict is clear; again: all", act_compare_clear, false, true},
};
const struct action window_actions[] = {
	{'a', 0, "a", "compare with this one as A; again: the newest BEFORE", act_choose, false, true},
	{'b', 0, "b", "compare this one as B; again: the newest AFTER", act_choose, false, true},
	{'r', 0, "r", "rename it", act_rename, true, true},
	{'f', 0, "f", "move its beginning: a time, +30s, -2m", act_edge, true, true},
	{'t', 0, "t", "move its end: a time, +30s, open", act_edge, true, true},
	{'D', 0, "D", "delete it; U brings it back", act_delete, true, true},
	{'U', 0, "U", "undo your own last mark, edit or note", act_undo, true, true},
};
/* clang-format on */

const size_t action_count = sizeof actions / sizeof *actions;
const size_t compare_action_count = sizeof compare_actions / sizeof *compare_actions;
const size_t window_action_count = sizeof window_actions / sizeof *window_actions;

static void refuse(struct desk *desk, const struct action *action)
{
	view_say(desk->view, desk->session, true, "%s: this screen is read-only%s",
		action->name, desk->view->replay ? ", a replay" : "");
}

static const struct action *find(const struct action *rows, size_t count, int key)
{
	for (size_t i = 0; i < count; i++)
		if (key == rows[i].key || (rows[i].other && key == rows[i].other))
			return &rows[i];
	return NULL;
}

static void one_key(struct desk *desk, int key)
{
	const struct action *action = NULL;
	struct view *view = desk->view;

	if (view->page == PAGE_DIGEST) { /* no key means more than "seen" there */
		view->page = key == 'e' ? PAGE_EVENTS : PAGE_NONE;
		if (key == 'g' && view->away.worst_at)
			view_go(view, desk->session, view->away.worst_at);
		return;
	}
	if (view->page != PAGE_NONE && (key == 'q' || key == TUI_ESCAPE)) {
		view->page = PAGE_NONE;
		return;
	}
	if (view->page == PAGE_WINDOWS)
		action = find(window_actions, window_action_count, key);
	if (view->page == PAGE_COMPARE)
		action = find(compare_actions, compare_action_count, key);
	if (!action)
		action = find(actions, action_count, key);
	if (action && action->writes && (view->replay || view->read_only))
		refuse(desk, action);
	else if (action && (action->pages || view->page == PAGE_NONE))
		action->run(desk, key);
	else if (!action && key != TUI_ESCAPE)
		view_say(view, desk->session, false,
			"that key does nothing; ? lists the keys");
}

/* An Enter among other keys is not the person's; the last one may be. */
static void typed(struct desk *desk, const int *keys, size_t count)
{
	for (size_t i = 0; i < count && desk->view->prompt.kind != PROMPT_NONE; i++)
		prompt_key(desk, keys[i] == TUI_ENTER && i + 1 < count ? ' ' : keys[i]);
}

void actions_keys(struct desk *desk, const int *keys, size_t count)
{
	bool repeated = true;

	for (size_t i = 0; i < count; i++)
		repeated &= keys[i] >= TUI_UP && keys[i] <= TUI_END;
	if (desk->view->prompt.kind != PROMPT_NONE) {
		typed(desk, keys, count);
	} else if (count > 1 && !repeated) {
		view_say(desk->view, desk->session, true,
			"%zu keys at once were ignored: press one at a time", count);
	} else {
		for (size_t i = 0; i < count; i++)
			one_key(desk, keys[i]);
	}
}
