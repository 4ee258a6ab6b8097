/*
 * What a zoomed pane has no rows of, and why: a part that is not there looks like one
 * with nothing to say.
 */
#ifndef WEIR_TUI_ABSENT_H
#define WEIR_TUI_ABSENT_H

#include "tui/scene.h"

/* A line at the foot of CANVAS for each of the null-ended SOURCES that has no readings;
 * at least ABOVE lines stay free. Returns what is left above. */
struct canvas absent_draw(const char *const *sources, const struct scene *scene,
	struct canvas *canvas, int above);

#endif
