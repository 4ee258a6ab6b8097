/*
 * What keys do: one table of rows from which the dispatch, the help screen and the
 * man page are made. Actions change the view or ask the host (the program around
 * the screen) to do something.
 */
#ifndef WEIR_TUI_ACTIONS_H
#define WEIR_TUI_ACTIONS_H

#include "base/fault.h"
#include "tui/scene.h"

/* Keys that are no characters. */
enum {
	TUI_UP = 0x110000,
	TUI_DOWN,
	TUI_LEFT,
	TUI_RIGHT,
	TUI_PAGE_UP,
	TUI_PAGE_DOWN,
	TUI_HOME,
	TUI_END,
	TUI_F1,
	TUI_BACKSPACE,
	TUI_ESCAPE = 27,
	TUI_ENTER = '\n',
};

#define TUI_CONTROL(letter) ((letter)&0x1f)

/* What only the program can do. CONTEXT is its own. */
struct host {
	void *context;
	/* Sends a request to the recorder; words as in doc/protocol.md. */
	bool (*request)(void *context, const char *const *words, size_t count,
		struct fault *fault);
	/* Writes a report beside the session; MESSAGE says where it is, or why not. */
	bool (*report)(void *context, char *message, size_t size);
	/* The same with the packets behind the findings. */
	bool (*evidence)(void *context, char *message, size_t size);
	/* A time as people type it, to the wall clock. */
	bool (*time)(void *context, const char *text, nsec *wall, struct fault *fault);
	bool (*duration)(
		void *context, const char *text, nsec *duration, struct fault *fault);
	void (*leave)(void *context);
	void (*suspend)(void *context);
	void (*redraw)(void *context);
	void (*theme)(void *context, unsigned theme);
};

struct desk {
	struct session *session;
	struct view *view;
	const struct status *status;
	const struct host *host;
};

struct action {
	int key, other;   /* other: a second key, or 0 */
	const char *name; /* of the key, for people */
	const char *help;
	void (*run)(struct desk *desk, int key);
	bool writes; /* changes the session: not in a replay or a read-only screen */
	bool pages;  /* also while a page lies over the panes */
};

extern const struct action actions[];
extern const size_t action_count;
/* Those of the list of windows: while it is shown, they come first. */
extern const struct action compare_actions[];
extern const size_t compare_action_count;
extern const struct action window_actions[];
extern const size_t window_action_count;

/* The windows by their beginnings, as the list shows them; ORDER has room for
 * WINDOW_MAX places in the session's list. Returns how many there are. */
size_t windows_in_order(const struct session *session, uint16_t *order);

/* The keys of one read, in order. More than one character at once was pasted or
 * typed blindly: it is ignored, with a message, unless a line is being typed. */
void actions_keys(struct desk *desk, const int *keys, size_t count);

/* ---- prompts: a line that is being typed ---- */
void prompt_open(struct view *view, enum prompt_kind kind);
void prompt_key(struct desk *desk, int key);
/* "note: " */
const char *prompt_label(enum prompt_kind kind);

#endif
