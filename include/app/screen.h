/*
 * The screen as a program: a session that a recorder feeds, or one that is stored,
 * a person's view of it, and a terminal; or, without one, text.
 */
#ifndef WEIR_APP_SCREEN_H
#define WEIR_APP_SCREEN_H

#include "app/client.h"
#include "app/command.h"
#include "app/place.h"
#include "tui/actions.h"
#include "tui/screen.h"
#include "tui/theme.h"

enum {
	SCREEN_RING = 3600 /* ticks that can be walked back through */
};

extern const struct option_info options_batch[]; /* -b -n */

struct screen {
	struct client *client; /* null: a stored session */
	struct session *session;
	struct view view;
	struct status status;
	struct canvas canvas;
	struct theme theme;
	const struct place *place; /* borrowed */
	char notice[320];          /* said at the start, or "" */
	bool own;                  /* the recorder was started for this screen */
	bool gone;                 /* the recorder has ended or died */
	bool leaving;              /* the person wants to go */
	bool lost;                 /* nobody is at the terminal any more */
	bool welcomed;             /* what was missed was shown */
	bool dirty;                /* something to draw */
	unsigned fresh;            /* ticks since the last drawing */
	nsec heard;                /* monotonic time of the last tick */
	bool bell;                 /* rings when an alert begins */
	nsec rung_at;              /* session time of the last one that it rang for */
};

void screen_init(struct screen *screen, const struct place *place);
void screen_fini(struct screen *screen);

/* Connects to the recorder of PLACE and asks for all that it holds. */
bool screen_connect(struct screen *screen, struct fault *fault);

/* Waits until the recorder has said how it is; false if it does not. */
bool screen_settle(struct screen *screen, nsec patience);

/* Takes what the recorder has sent. */
void screen_receive(struct screen *screen);

/* Whether options and terminal allow a screen, before anything is begun for it:
 * EXIT_DONE, or the exit status of the error that it has printed. */
int screen_check(const struct arguments *arguments);

/* Until the person leaves. After screen_check(). Returns the exit status. */
int screen_run(struct screen *screen, const struct arguments *arguments);

/* Prints COUNT screens as text (0: without end). */
int screen_batch(struct screen *screen, unsigned count);

/* On leaving: a recording ends with its only screen if that began it and nobody ever
 * set a mark. */
void screen_end(struct screen *screen);

/* What actions can ask of this program. */
struct host screen_host(struct screen *screen);

void screen_theme(struct screen *screen, unsigned theme);

#endif
