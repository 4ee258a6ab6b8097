/* Actions that ask the recorder for something. A mark is always of now, also while
 * the screen is paused. */
#include "config.h"

#include "base/text.h"
#include "tui/act.h"

#include <string.h>

void act_send(struct desk *desk, const char *const *words, size_t count)
{
	struct fault fault;

	if (!desk->host->request(desk->host->context, words, count, &fault))
		view_say(desk->view, desk->session, true, "%s", fault.text);
}

void act_mark(struct desk *desk, const char *name, nsec last)
{
	char named[WINDOW_NAME + 8], back[48];
	const char *words[] = {"mark", named, back};

	(void)text_format(named, sizeof named, "name=%s", name); /* checked there */
	(void)text_format(back, sizeof back, "last=%lld", (long long)last);
	act_send(desk, words, last ? 3 : 2);
}

void act_before(struct desk *desk, int key)
{
	(void)key;
	act_mark(desk, "before", 0);
}

void act_change(struct desk *desk, int key)
{
	(void)key;
	act_mark(desk, "change", 0);
}

void act_after(struct desk *desk, int key)
{
	(void)key;
	act_mark(desk, "after", 0);
}

static void open_with(struct desk *desk, enum prompt_kind kind, const char *text)
{
	prompt_open(desk->view, kind);
	(void)text_copy(desk->view->prompt.text, sizeof desk->view->prompt.text, text);
}

void act_back_before(struct desk *desk, int key)
{
	(void)key;
	open_with(desk, PROMPT_BACK_BEFORE, "10m");
}

void act_back_after(struct desk *desk, int key)
{
	(void)key;
	open_with(desk, PROMPT_BACK_AFTER, "10m");
}

void act_window(struct desk *desk, int key)
{
	(void)key;
	prompt_open(desk->view, PROMPT_WINDOW);
}

void act_note(struct desk *desk, int key)
{
	(void)key;
	prompt_open(desk->view, PROMPT_NOTE);
}

void act_undo(struct desk *desk, int key)
{
	const char *words[] = {"undo"};

	(void)key;
	act_send(desk, words, 1);
}

void act_stop(struct desk *desk, int key)
{
	(void)key;
	prompt_open(desk->view, PROMPT_STOP);
}

void act_report(struct desk *desk, int key)
{
	char message[256] = "";
	bool good = desk->host->report(desk->host->context, message, sizeof message);

	(void)key;
	view_say(desk->view, desk->session, !good, "%s", message);
}

void act_packets(struct desk *desk, int key)
{
	char message[256] = "";
	bool good = desk->host->evidence(desk->host->context, message, sizeof message);

	(void)key;
	view_say(desk->view, desk->session, !good, "%s", message);
}
