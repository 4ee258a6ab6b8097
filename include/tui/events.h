/*
 * The list of notes, alerts and events, for the pane and for the page of all.
 */
#ifndef WEIR_TUI_EVENTS_H
#define WEIR_TUI_EVENTS_H

#include "tui/scene.h"

/* Those up to the moment shown that the filter lets through. */
size_t events_count(const struct scene *scene, size_t *hidden, size_t *unread);
/* Newest first, without the first SKIP of them. */
void events_draw(const struct scene *scene, size_t skip, struct canvas *canvas);
/* 'n' a note, '!' an alert, 'e' anything else that happened. */
char event_sign(enum note_kind kind);

#endif
