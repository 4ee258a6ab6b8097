/* The line in which something is typed: a note, a time, a filter, a name. */
#include "config.h"

#include "base/text.h"
#include "tui/act.h"

#include <string.h>

static const char *const labels[] = {
	[PROMPT_NONE] = "",
	[PROMPT_NOTE] = "note: ",
	[PROMPT_TIME] = "go to (02:20, 10m ago): ",
	[PROMPT_FILTER] = "show rows that match (! hides, empty = all): ",
	[PROMPT_WINDOW] = "name of the window (an open one ends): ",
	[PROMPT_BACK_BEFORE] = "as BEFORE take the last: ",
	[PROMPT_BACK_AFTER] = "as AFTER take the last: ",
	[PROMPT_RENAME] = "new name: ",
	[PROMPT_FROM] = "begins (a time, +30s, -2m): ",
	[PROMPT_TO] = "ends (a time, +30s, -2m, open): ",
	[PROMPT_STOP] = "to stop the RECORDING type the session's name: ",
};

const char *prompt_label(enum prompt_kind kind)
{
	return labels[kind];
}

void prompt_open(struct view *view, enum prompt_kind kind)
{
	view->prompt = (struct prompt){.kind = kind};
}

static void enter_note(struct desk *desk, const char *text)
{
	char note[sizeof desk->view->prompt.text + 8];
	const char *words[] = {"note", note};

	if (!*text)
		return;
	(void)text_format(note, sizeof note, "text=%s", text); /* there is room */
	act_send(desk, words, 2);
}

static void enter_time(struct desk *desk, const char *text)
{
	const struct session *session = desk->session;
	nsec at = view_at(desk->view, session), wall;
	struct fault fault;

	if (!desk->host->time(desk->host->context, text, &wall, &fault)) {
		view_say(desk->view, session, true, "%s", fault.text);
		return;
	}
	/* the distance on the wall clock, from the moment shown */
	view_go(desk->view, session, at + wall - session_wall(session, at));
}

static void enter_filter(struct desk *desk, const char *text)
{
	struct fault fault;

	if (!view_filter(desk->view, (enum pane_id)desk->view->focus, text, &fault))
		view_say(desk->view, desk->session, true, "%s", fault.text);
}

static void enter_window(struct desk *desk, const char *text)
{
	const struct window *window = windows_by_name(&desk->session->windows, text);
	char name[WINDOW_NAME + 8];
	const char *words[] = {"mark", name, "close"};

	if (!window_name_valid(text)) {
		view_say(desk->view, desk->session, true,
			"a name is letters, digits, . _ - and begins with one of the "
			"first "
			"two");
		return;
	}
	(void)text_format(name, sizeof name, "name=%s", text); /* valid: it fits */
	act_send(desk, words, window && window->to == WINDOW_OPEN ? 3 : 2);
}

static void enter_back(struct desk *desk, const char *name, const char *text)
{
	struct fault fault;
	nsec last;

	if (!desk->host->duration(desk->host->context, text, &last, &fault))
		view_say(desk->view, desk->session, true, "%s", fault.text);
	else
		act_mark(desk, name, last);
}

static void enter_back_before(struct desk *desk, const char *text)
{
	enter_back(desk, "before", text);
}

static void enter_back_after(struct desk *desk, const char *text)
{
	enter_back(desk, "after", text);
}

static void enter_stop(struct desk *desk, const char *text)
{
	const char *words[] = {"stop"};

	if (!strcmp(text, desk->session->name))
		act_send(desk, words, 1);
	else
		view_say(desk->view, desk->session, true,
			"not stopped: the session's name is %s", desk->session->name);
}

static void enter(struct desk *desk)
{
	static void (*const enters[])(struct desk *, const char *) = {
		[PROMPT_NOTE] = enter_note,
		[PROMPT_TIME] = enter_time,
		[PROMPT_FILTER] = enter_filter,
		[PROMPT_WINDOW] = enter_window,
		[PROMPT_BACK_BEFORE] = enter_back_before,
		[PROMPT_BACK_AFTER] = enter_back_after,
		[PROMPT_RENAME] = enter_rename,
		[PROMPT_FROM] = enter_from,
		[PROMPT_TO] = enter_to,
		[PROMPT_STOP] = enter_stop,
	};
	struct prompt prompt = desk->view->prompt;

	desk->view->prompt = (struct prompt){.kind = PROMPT_NONE};
	enters[prompt.kind](desk, prompt.text);
}

/* Takes the last character away, all its bytes. */
static void erase(struct prompt *prompt)
{
	size_t length = strlen(prompt->text);

	while (length && ((unsigned char)prompt->text[--length] & 0xc0) == 0x80)
		;
	prompt->text[length] = 0;
}

static void append(struct prompt *prompt, int key)
{
	char text[sizeof prompt->text];
	unsigned code = (unsigned)key;
	char bytes[5] = "";

	if (code < 0x80) {
		bytes[0] = (char)code;
	} else if (code < 0x800) {
		bytes[0] = (char)(0xc0 | code >> 6);
		bytes[1] = (char)(0x80 | (code & 0x3f));
	} else if (code < 0x10000) {
		bytes[0] = (char)(0xe0 | code >> 12);
		bytes[1] = (char)(0x80 | (code >> 6 & 0x3f));
		bytes[2] = (char)(0x80 | (code & 0x3f));
	} else {
		bytes[0] = '?';
	}
	if (text_format(text, sizeof text, "%s%s", prompt->text, bytes))
		(void)text_clean(prompt->text, sizeof prompt->text, text);
}

void prompt_key(struct desk *desk, int key)
{
	struct prompt *prompt = &desk->view->prompt;

	if (key == TUI_ENTER)
		enter(desk);
	else if (key == TUI_ESCAPE || key == TUI_CONTROL('c'))
		*prompt = (struct prompt){.kind = PROMPT_NONE};
	else if (key == TUI_CONTROL('u'))
		prompt->text[0] = 0;
	else if (key == TUI_BACKSPACE)
		erase(prompt);
	else if (key >= ' ' && key < TUI_UP)
		append(prompt, key);
}
