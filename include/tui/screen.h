/*
 * The whole screen as a drawing: session, view and status in, cells out. No
 * terminal, no clock, no memory of the last drawing.
 */
#ifndef WEIR_TUI_SCREEN_H
#define WEIR_TUI_SCREEN_H

#include "tui/scene.h"

void screen_draw(const struct session *session, const struct view *view,
	const struct status *status, struct canvas *canvas);

/* The pages that lie over the panes; each fills its canvas. */
void page_help(const struct scene *scene, struct canvas *canvas);
void page_compare(const struct scene *scene, struct canvas *canvas);
void page_explain(const struct scene *scene, struct canvas *canvas);
void page_events(const struct scene *scene, struct canvas *canvas);
void page_windows(const struct scene *scene, struct canvas *canvas);
void page_digest(const struct scene *scene, struct canvas *canvas);

/* Whether anything happened after SINCE that page_digest would tell. */
bool digest_has_news(const struct session *session, nsec since);
/* Opens the page on what was after SINCE. */
void digest_open(struct view *view, const struct session *session, nsec since);

#endif
