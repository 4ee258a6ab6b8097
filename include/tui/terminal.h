/*
 * The terminal itself. screen_curses.c behind it is the only file that knows curses.
 * There is one terminal per program. Whatever ends the program, the terminal is given
 * back as it was.
 */
#ifndef WEIR_TUI_TERMINAL_H
#define WEIR_TUI_TERMINAL_H

#include "base/fault.h"
#include "base/nsec.h"
#include "tui/canvas.h"
#include "tui/theme.h"

/* Whether there is a terminal, and one that can be drawn on. */
bool terminal_can(struct fault *fault);

/* Takes over standard input and output. HINT is "" or what the person should know: a
 * terminal type that is unknown here is drawn as a well-known one. A fault if no type
 * is installed. */
bool terminal_open(char *hint, size_t size, struct fault *fault);
void terminal_close(void); /* twice is fine */

void terminal_size(int *rows, int *columns);
void terminal_theme(const struct theme *theme);
bool terminal_utf8(void);

/* Shows CANVAS, sending only what changed. False if the terminal does not take
 * anything now: nothing was drawn, try again later. */
bool terminal_draw(const struct canvas *canvas);
/* The next drawing repaints everything. */
void terminal_redraw(void);
void terminal_bell(void);
/* Stops the program as ^Z does, and comes back here. */
void terminal_suspend(void);

struct terminal_input {
	int keys[64]; /* characters, or TUI_UP ... (tui/actions.h) */
	size_t count;
	bool resized;
	bool lost; /* nobody is at the other end any more */
};

/* What was typed since the last call; what was pasted is left out. EVENTS: what poll
 * said of standard input. */
void terminal_input(struct terminal_input *input, short events, nsec now);

/* The signal that asks the program to end, or 0. */
int terminal_signal(void);

#endif
