/*
 * One disk in a line or two: whether it serves, how it is reached, and whether its
 * packets can be seen here. From facts and the figures of the moment shown.
 */
#ifndef WEIR_TUI_DETAIL_H
#define WEIR_TUI_DETAIL_H

#include "tui/scene.h"

/* "" where nothing is known of it. */
void detail_disk(const struct scene *scene, uint32_t disk, char *text, size_t size);

/* Draws it at the foot of CANVAS, in at most two lines; returns what is left above. */
struct canvas detail_draw(
	const struct scene *scene, uint32_t disk, struct canvas *canvas);

/* What was said of SUBJECT under KEY at the moment shown; "" if nothing. */
const char *detail_fact(const struct scene *scene, uint32_t subject, const char *key);

#endif
