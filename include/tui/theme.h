/*
 * Themes: what a cell's role looks like. A theme is a file of `role = words`
 * lines; the terminal's own 8 colours on its own background, never RGB. The meaning
 * is in signs and attributes, colour comes last.
 */
#ifndef WEIR_TUI_THEME_H
#define WEIR_TUI_THEME_H

#include "base/fault.h"
#include "tui/canvas.h"

enum {
	COLOUR_DEFAULT = -1, /* the terminal's own */
	STYLE_BOLD = 1,
	STYLE_UNDERLINE = 2,
	STYLE_REVERSE = 4,
	STYLE_DIM = 8,
};

struct style {
	signed char fore, back; /* 0 black ... 7 white, or COLOUR_DEFAULT */
	unsigned char attributes;
};

struct theme {
	char name[32];
	struct style styles[CELL_COUNT];
};

/* The names that `C` walks through; each is a file NAME.theme. */
extern const char *const theme_names[];
extern const unsigned theme_count;

/* The one that is compiled in: attributes only, no colours. */
void theme_builtin(struct theme *theme);

/* Reads TEXT over the built-in one. False if a line was bad or a role is missing:
 * FAULT names the first such line; all good lines hold. */
bool theme_parse(
	struct theme *theme, const char *name, const char *text, struct fault *fault);

/* FOLDER/NAME.theme. On a file that cannot be read the built-in one. */
bool theme_load(
	struct theme *theme, const char *folder, const char *name, struct fault *fault);

/* NO_COLOR: bold, underline and reverse stay, colours and greys go. */
void theme_strip(struct theme *theme);

#endif
