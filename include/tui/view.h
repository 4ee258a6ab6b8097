/*
 * How one person looks at a session: which moment, which pane, which rows. Drawing
 * never changes it; keys do (tui/actions.h). Holds no figures.
 */
#ifndef WEIR_TUI_VIEW_H
#define WEIR_TUI_VIEW_H

#include "core/session.h"
#include "core/unit.h"
#include "tui/judge.h"

#include <regex.h>
#include <stdbool.h>

enum pane_id {
	PANE_DISK,
	PANE_NET,
	PANE_PACKETS,
	PANE_EVENTS,
	PANE_COUNT
};

/* Whole pages that lie over the panes. */
enum page {
	PAGE_NONE,
	PAGE_HELP,
	PAGE_COMPARE,
	PAGE_EXPLAIN,
	PAGE_EVENTS,
	PAGE_WINDOWS,
	PAGE_DIGEST, /* any key takes it away */
};

struct pane_view {
	int selected; /* row, in the order shown */
	int sort;     /* 0: the stable order; else column number */
	bool invert;
	char filter[64]; /* as typed; "" for none */
	bool filter_not;
	regex_t regex; /* compiled while filter is not empty */
};

enum prompt_kind {
	PROMPT_NONE,
	PROMPT_NOTE,
	PROMPT_TIME,
	PROMPT_FILTER,
	PROMPT_WINDOW,
	PROMPT_BACK_BEFORE,
	PROMPT_BACK_AFTER,
	PROMPT_STOP,
	PROMPT_RENAME, /* of the window that is selected in the list */
	PROMPT_FROM,
	PROMPT_TO,
};

struct prompt {
	enum prompt_kind kind;
	char text[200];
};

/* While nobody watched: what PAGE_DIGEST tells beside events. */
struct away {
	nsec since;
	nsec worst_at;  /* the deepest queue of any disk in memory; 0: none above 1 */
	uint32_t worst; /* subject */
	double queue;
	double lost; /* packets by captures; below 0: there was none */
};

struct view {
	bool paused, replay, read_only;
	nsec at;   /* the moment shown while paused */
	int focus; /* a pane, or -1 */
	bool zoom;
	enum page page;
	int scroll; /* of the page */
	struct pane_view panes[PANE_COUNT];
	uint32_t window;   /* id of the one selected in the list of windows */
	uint32_t compared; /* 1 + track of the row selected on the compare page */
	bool evidence;     /* of that row is shown */
	uint32_t pair[2];  /* ids of A and B as chosen there; 0: the newest ones */
	enum unit_system units;
	bool lines; /* UTF-8 blocks instead of digits */
	unsigned theme;
	unsigned every;   /* draw each Nth tick */
	nsec read_at;     /* events up to here are read */
	struct away away; /* of PAGE_DIGEST */
	struct prompt prompt;
	struct judge judge; /* the verdicts on the windows shown */
	char message[256];  /* bottom line, until the session time MESSAGE_UNTIL */
	nsec message_until;
	bool message_alert;
	char hint[64]; /* for the first line: "TERM is unknown, using vt100" */
};

void view_init(struct view *view);
void view_fini(struct view *view);

/* Ticks between the shown moment and the last one; 0 while live. */
size_t view_back(const struct view *view, const struct session *session);
/* The session time shown. */
nsec view_at(const struct view *view, const struct session *session);

void view_pause(struct view *view, const struct session *session);
void view_resume(struct view *view);
/* Moves the shown moment by STEPS ticks (negative: back in time), within the ring;
 * pauses first. False where there is nothing further. */
bool view_step(struct view *view, const struct session *session, long steps);
/* Shows the tick at or before AT. */
void view_go(struct view *view, const struct session *session, nsec at);

/* "" takes the filter away; "!x" hides what matches. */
bool view_filter(
	struct view *view, enum pane_id pane, const char *text, struct fault *fault);
bool view_shows(const struct view *view, enum pane_id pane, const char *name,
	const char *label);

/* Brings the verdicts up to date; before each drawing. */
void view_judge(struct view *view, const struct session *session);

void view_say(struct view *view, const struct session *session, bool alert,
	const char *format, ...) __attribute__((format(printf, 4, 5)));

#endif
