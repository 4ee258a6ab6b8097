/*
 * The ways out of a program that has taken over a terminal: signals that ask it to
 * end, those that kill it, and ^Z. Only screen_curses.c calls this.
 */
#ifndef WEIR_TUI_TERMINAL_END_H
#define WEIR_TUI_TERMINAL_END_H

/* Remembers how the terminal is now. Before curses touches it. */
void terminal_end_save(void);
void terminal_end_signals(void);
void terminal_end_done(void);
void terminal_end_suspend(void);

#endif
