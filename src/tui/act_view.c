/* Actions that change what is shown and of which moment. */
#include "config.h"

#include "core/unit.h"
#include "tui/act.h"
#include "tui/theme.h"

void act_pause(struct desk *desk, int key)
{
	(void)key;
	if (desk->view->paused && !desk->view->replay)
		view_resume(desk->view);
	else
		view_pause(desk->view, desk->session);
}

void act_live(struct desk *desk, int key)
{
	(void)key;
	if (desk->view->replay)
		(void)view_step(desk->view, desk->session, (long)desk->session->ticks);
	else
		view_resume(desk->view);
}

void act_step(struct desk *desk, int key)
{
	bool back = key == 'T' || key == TUI_LEFT;

	if (!back && !desk->view->paused)
		view_say(desk->view, desk->session, false,
			"this is the newest sample; T steps back");
	else if (!view_step(desk->view, desk->session, back ? -1 : 1))
		view_say(desk->view, desk->session, false,
			back ? "nothing older is held here"
			     : "this is the newest sample");
}

/* The nearest edge of a window, note or alert before or behind the moment shown. */
struct search {
	nsec from, found;
	bool forward, any;
};

static void consider(struct search *search, nsec at)
{
	bool beyond = search->forward ? at > search->from : at < search->from;
	bool nearer = search->forward ? at < search->found : at > search->found;

	if (at == WINDOW_OPEN || !beyond || (search->any && !nearer))
		return;
	search->found = at;
	search->any = true;
}

void act_jump(struct desk *desk, int key)
{
	const struct session *session = desk->session;
	struct search search = {
		.from = view_at(desk->view, session), .forward = key == ']'};

	for (size_t i = 0; i < session->windows.count; i++) {
		consider(&search, session->windows.list[i].from);
		consider(&search, session->windows.list[i].to);
	}
	for (size_t i = 0; i < session->note_count; i++)
		consider(&search, session->notes[i].at);
	if (search.any)
		view_go(desk->view, session, search.found);
	else
		view_say(desk->view, session, false, "no mark or note %s this moment",
			search.forward ? "after" : "before");
}

void act_time(struct desk *desk, int key)
{
	(void)key;
	prompt_open(desk->view, PROMPT_TIME);
}

void act_pages(struct desk *desk, int key)
{
	enum page page = key == 'd'   ? PAGE_COMPARE
			 : key == 'e' ? PAGE_EVENTS
			 : key == 'i' ? PAGE_EXPLAIN
				      : PAGE_HELP;

	desk->view->page = desk->view->page == page ? PAGE_NONE : page;
	desk->view->scroll = 0;
	if (desk->view->focus < 0 && page == PAGE_EXPLAIN)
		desk->view->focus = PANE_DISK;
}

void act_theme(struct desk *desk, int key)
{
	(void)key;
	desk->view->theme = (desk->view->theme + 1) % theme_count;
	desk->host->theme(desk->host->context, desk->view->theme);
	view_say(desk->view, desk->session, false, "theme: %s",
		theme_names[desk->view->theme]);
}

void act_units(struct desk *desk, int key)
{
	static const char *const words[] = {
		"disks in bytes, interfaces in bits (1 k = 1000)",
		"everything in bytes (1 Ki = 1024)",
		"everything in bits (1 k = 1000)",
	};

	(void)key;
	desk->view->units = (enum unit_system)((desk->view->units + 1) % 3);
	view_say(desk->view, desk->session, false, "%s", words[desk->view->units]);
}

void act_lines(struct desk *desk, int key)
{
	(void)key;
	desk->view->lines = !desk->view->lines;
}

void act_speed(struct desk *desk, int key)
{
	unsigned every = desk->view->every;
	char text[24];

	every = key == '+' ? every / 2 : every * 2;
	desk->view->every = every < 1 ? 1 : every > 64 ? 64 : every;
	unit_duration(text, sizeof text,
		(int64_t)desk->view->every * desk->session->last.interval);
	view_say(desk->view, desk->session, false,
		"drawn every %s; sampling is never changed from here", text);
}

void act_read(struct desk *desk, int key)
{
	(void)key;
	desk->view->read_at = desk->session->last.at;
}

void act_leave(struct desk *desk, int key)
{
	(void)key;
	desk->host->leave(desk->host->context);
}

void act_suspend(struct desk *desk, int key)
{
	(void)key;
	desk->host->suspend(desk->host->context);
}

void act_redraw(struct desk *desk, int key)
{
	(void)key;
	desk->host->redraw(desk->host->context);
}
