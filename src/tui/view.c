/* What one person looks at; see the header. */
#include "config.h"

#include "tui/view.h"

#include "base/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void view_init(struct view *view)
{
	*view = (struct view){.every = 1, .focus = -1, .read_at = INT64_MIN};
}

void view_fini(struct view *view)
{
	for (int i = 0; i < PANE_COUNT; i++)
		if (*view->panes[i].filter)
			regfree(&view->panes[i].regex);
	judge_fini(&view->judge);
	*view = (struct view){0};
}

/* Ticks that can be walked to: the ring, or fewer at the start. */
static size_t reach(const struct session *session)
{
	uint64_t held = session->ticks < session->ring_size ? session->ticks
							    : session->ring_size;

	return held ? (size_t)held - 1 : 0;
}

size_t view_back(const struct view *view, const struct session *session)
{
	size_t back, most = reach(session);

	if (!view->paused || !session->ticks)
		return 0;
	back = session_back(session, view->at);
	return back < most ? back : most;
}

static nsec at_back(const struct session *session, size_t back)
{
	if (!session->ticks)
		return 0;
	if (!session->ring_size)
		return session->last.at;
	return session->ring_at[(session->ticks - 1 - back) % session->ring_size];
}

nsec view_at(const struct view *view, const struct session *session)
{
	return at_back(session, view_back(view, session));
}

void view_pause(struct view *view, const struct session *session)
{
	view->at = view_at(view, session);
	view->paused = true;
}

void view_resume(struct view *view)
{
	view->paused = false;
}

bool view_step(struct view *view, const struct session *session, long steps)
{
	size_t back, most = reach(session);
	long want;

	view_pause(view, session);
	back = view_back(view, session);
	want = (long)back - steps;
	want = want < 0 ? 0 : want > (long)most ? (long)most : want;
	view->at = at_back(session, (size_t)want);
	return (size_t)want != back;
}

void view_go(struct view *view, const struct session *session, nsec at)
{
	view_pause(view, session);
	view->at = at;
	view->at = view_at(view, session);
}

bool view_filter(
	struct view *view, enum pane_id pane, const char *text, struct fault *fault)
{
	struct pane_view *of = &view->panes[pane];
	bool negate = *text == '!';
	regex_t regex;
	int error = 0;

	if (text[negate])
		error = regcomp(&regex, text + negate, REG_EXTENDED | REG_NOSUB);
	if (error) {
		char why[128];

		(void)regerror(error, &regex, why, sizeof why); /* cut is fine */
		return fault_set(fault, "%s: %s", text, why);
	}
	if (*of->filter)
		regfree(&of->regex);
	of->filter[0] = 0;
	of->selected = 0;
	if (!text[negate])
		return true;
	of->regex = regex;
	of->filter_not = negate;
	(void)text_copy(of->filter, sizeof of->filter, text); /* shown only */
	return true;
}

bool view_shows(
	const struct view *view, enum pane_id pane, const char *name, const char *label)
{
	const struct pane_view *of = &view->panes[pane];
	bool match;

	if (!*of->filter)
		return true;
	match = !regexec(&of->regex, name, 0, NULL, 0) ||
		(label && !regexec(&of->regex, label, 0, NULL, 0));
	return match != of->filter_not;
}

void view_say(struct view *view, const struct session *session, bool alert,
	const char *format, ...)
{
	va_list list;

	va_start(list, format);
	/* cut: the line is not wider */
	(void)vsnprintf(view->message, sizeof view->message, format, list);
	va_end(list);
	view->message_alert = alert;
	view->message_until = session->last.at + (alert ? 15 : 8) * NSEC_PER_SEC;
}
