/*
 * The single lines around the panes. Each draws row 0 of the canvas it is given.
 */
#ifndef WEIR_TUI_LINES_H
#define WEIR_TUI_LINES_H

#include "tui/scene.h"

void line_status(const struct scene *scene, struct canvas *canvas);
/* Line 2: what moved between BEFORE and AFTER, as figures; or the banner of a pause,
 * or what is wrong with the recording. */
void line_verdict(const struct scene *scene, struct canvas *canvas);
/* The same as text of so many COLUMNS, for other places and after the screen. */
void line_verdict_text(const struct scene *scene, char *to, size_t size, int columns);
/* What was sampled and what was not. What does not fit is counted, and stands under
 * `i`.
 */
void line_coverage(const struct scene *scene, struct canvas *canvas);
void line_coverage_text(const struct scene *scene, char *to, size_t size);
/* Keys, a message, or the line in which something is typed. */
void line_keys(const struct scene *scene, struct canvas *canvas);
/* Whether the last line must be shown even where there is no room for keys. */
bool line_keys_speaks(const struct scene *scene);

/* Over the last rows of the screen, where a message is too long for the last line. */
void notice_draw(const struct scene *scene, struct canvas *canvas);

/* Two rows: windows on a time axis, and marks below it. */
void ribbon_draw(const struct scene *scene, struct canvas *canvas);

#endif
