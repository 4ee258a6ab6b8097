/*
 * Parts of the explain page that have a file of their own.
 */
#ifndef WEIR_TUI_EXPLAIN_H
#define WEIR_TUI_EXPLAIN_H

#include "tui/scene.h"

/* Where lines go. */
struct explain_lines {
	void (*put)(struct explain_lines *lines, const char *text);
};

/* TRACK is a bad-packet class of an interface: which peers did it. */
void explain_peers(
	const struct scene *scene, size_t track, struct explain_lines *lines);

#endif
