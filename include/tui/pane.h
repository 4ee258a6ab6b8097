/*
 * The panes. A new one is a file pane_NAME.c with one `const struct pane` and a row
 * in panes.c. A pane draws into whatever height it is given: one line says the most
 * important thing, more lines are a title and rows.
 */
#ifndef WEIR_TUI_PANE_H
#define WEIR_TUI_PANE_H

#include "tui/scene.h"

struct pane {
	const char *name;
	/* lines below the title that it could fill */
	int (*wants)(const struct scene *scene);
	/* rows that can be selected, and how many the filter hides */
	size_t (*rows)(const struct scene *scene, size_t *hidden);
	void (*draw)(const struct scene *scene, struct canvas *canvas);
	/* columns to sort by, null-ended; the first is the stable order */
	const char *const *sorts;
	/* the subject and the metrics behind row INDEX, for `i`; null: none */
	bool (*subject)(const struct scene *scene, size_t index, uint32_t *subject,
		unsigned *metric);
};

extern const struct pane *const panes[PANE_COUNT];
extern const struct pane pane_disk, pane_net, pane_packets, pane_events;

#endif
