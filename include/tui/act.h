/*
 * The functions behind the rows of ACTIONS, in act_marks.c and act_view.c.
 */
#ifndef WEIR_TUI_ACT_H
#define WEIR_TUI_ACT_H

#include "tui/actions.h"

/* act_marks.c: the session */
void act_before(struct desk *desk, int key);
void act_change(struct desk *desk, int key);
void act_after(struct desk *desk, int key);
void act_back_before(struct desk *desk, int key);
void act_back_after(struct desk *desk, int key);
void act_window(struct desk *desk, int key);
void act_note(struct desk *desk, int key);
void act_undo(struct desk *desk, int key);
void act_report(struct desk *desk, int key);
void act_packets(struct desk *desk, int key);
void act_stop(struct desk *desk, int key);
/* Sends MARK NAME; LAST makes it reach back from now; 0: it begins now. */
void act_mark(struct desk *desk, const char *name, nsec last);
void act_send(struct desk *desk, const char *const *words, size_t count);

/* act_windows.c: the list of windows, and what is done to the one selected there */
void act_list(struct desk *desk, int key);
void act_rename(struct desk *desk, int key);
void act_edge(struct desk *desk, int key);
void act_choose(struct desk *desk, int key);
void act_delete(struct desk *desk, int key);
void act_select(struct desk *desk, int step);
void enter_rename(struct desk *desk, const char *text);
void enter_from(struct desk *desk, const char *text);
void enter_to(struct desk *desk, const char *text);

/* act_compare.c */
void act_evidence(struct desk *desk, int key);
void act_compare_sort(struct desk *desk, int key);
void act_compare_clear(struct desk *desk, int key);
void act_compare_move(struct desk *desk, int step);

/* act_view.c: what is shown, and of which moment */
void act_pause(struct desk *desk, int key);
void act_live(struct desk *desk, int key);
void act_step(struct desk *desk, int key);
void act_jump(struct desk *desk, int key);
void act_time(struct desk *desk, int key);
void act_pages(struct desk *desk, int key);
void act_theme(struct desk *desk, int key);
void act_units(struct desk *desk, int key);
void act_lines(struct desk *desk, int key);
void act_speed(struct desk *desk, int key);
void act_read(struct desk *desk, int key);
void act_leave(struct desk *desk, int key);
void act_suspend(struct desk *desk, int key);
void act_redraw(struct desk *desk, int key);

/* act_panes.c: which rows */
void act_focus(struct desk *desk, int key);
void act_all(struct desk *desk, int key);
void act_zoom(struct desk *desk, int key);
void act_sort(struct desk *desk, int key);
void act_invert(struct desk *desk, int key);
void act_filter(struct desk *desk, int key);
void act_move(struct desk *desk, int key);

#endif
